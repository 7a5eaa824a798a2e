//! Checks that names are valid and distinguishable.

use super::Resolver;
use prophet_map::Map;
use prophet_model::diagnostic::catalogue::program as rules;
use prophet_model::model::Element;
use prophet_model::path::shorten;
use prophet_model::source::Text;

/// Returns an element's name or, if it has none, its UML type.
pub(super) fn display_name(element: &Element) -> String {
    if !element.name.trim().is_empty() {
        return element.name.clone();
    }
    element.kind.uml_name().to_owned()
}

#[derive(Default)]
pub(super) struct Taken(Map<String, String>);

impl Resolver<'_> {
    /// Returns `true` if `name` can be used. Reports a name that is invalid, or too similar to a
    /// name in `taken`.
    pub(super) fn accept_name(&mut self, name: &Text, path: &str, taken: &mut Taken) -> bool {
        if !self.is_a_name(name, path) {
            return false;
        }
        if let Some(first) = taken.0.insert(plain(&name.value), name.value.clone()) {
            let message = if first == name.value {
                format!("the name {first} is used twice")
            } else {
                format!(
                    "{} and {first} are too similar: they differ only in case or underscores",
                    name.value
                )
            };
            let help =
                "rename one of them: generated code writes names in the style of its language";
            self.report(&rules::SAME_NAME, name.span, path, message, help);
            return first != name.value;
        }
        true
    }

    pub(super) fn is_a_name(&mut self, name: &Text, path: &str) -> bool {
        if is_identifier(&name.value) {
            return true;
        }
        let message = format!(
            "{:?} cannot be used as a name in expressions",
            shorten(&name.value)
        );
        let help = "use letters, digits and underscores, not starting with a digit";
        self.report(&rules::NOT_A_NAME, name.span, path, message, help);
        false
    }
}

/// Returns `true` if `name` is an identifier in both C and Rust, of at most 255 bytes.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().any(|c| c != '_')
        && name.len() <= 255
}

/// Removes from `name` whatever differs between case conventions.
pub(super) fn plain(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}
