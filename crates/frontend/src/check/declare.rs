//! Reads vocabulary files: rule files that also declare custom stereotypes and the crate that
//! implements them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::language::Language;
use prophet_model::diagnostic::Diagnostic;
use prophet_model::diagnostic::catalogue::rules;
use prophet_model::source::Text;
use prophet_model::vocabulary::{
    OWN_MAX, OwnCrate, OwnStereotype, Pricing, Required, Tag, ValueType,
};
use prophet_model::xml::Xml;

/// Tags that are allowed on every stereotype.
const COMMON: [&str; 5] = ["id", "type", "time", "cost", "code"];

impl Reading<'_> {
    /// Reads a vocabulary: `<vocabulary profile="…" crate="…" path="…">`. The path is relative to
    /// `folder`.
    pub(super) fn vocabulary(&mut self, xml: &Xml, folder: Option<&Path>) {
        let Some(folder) = folder else {
            let message = "a rule file cannot declare stereotypes".to_owned();
            let help = "stereotypes need compiled code: pass the file with --vocabulary";
            self.report(&rules::BAD_VALUE, xml.span, message, help);
            return;
        };
        let profile = self.required(xml, "profile").cloned();
        let name = self.required(xml, "crate").cloned();
        let path = self.required(xml, "path").cloned();
        let (Some(profile), Some(name), Some(path)) = (profile, name, path) else {
            return;
        };
        if !self.add_crate(&name, folder.join(path.value), None) {
            return;
        }
        self.language.vocabulary.profiles.push(profile.value);
        for child in &xml.children {
            self.check_words(child);
            self.stereotype(child, &name.value.replace('-', "_"));
        }
    }

    /// Reads the hardware models of a crate: `<hardware crate="…" path="…" models="MODELS"/>`.
    pub(super) fn hardware(&mut self, xml: &Xml, folder: Option<&Path>) {
        let Some(folder) = folder else {
            let message = "a rule file cannot declare hardware models".to_owned();
            let help = "hardware models are compiled code: pass the file with --vocabulary";
            self.report(&rules::BAD_VALUE, xml.span, message, help);
            return;
        };
        let name = self.required(xml, "crate").cloned();
        let path = self.required(xml, "path").cloned();
        let models = self.required(xml, "models").cloned();
        let (Some(name), Some(path), Some(models)) = (name, path, models) else {
            return;
        };
        if !is_type_path(&models.value) {
            let message = format!("`{}` is not the path of a constant", models.value);
            let help = "write its path in the crate, such as MODELS or network::MODELS";
            self.report(&rules::BAD_VALUE, models.span, message, help);
            return;
        }
        self.add_crate(&name, folder.join(path.value), Some(&models.value));
    }

    /// Adds a crate, or adds models to a known crate. Returns `false` if the name isn't a valid
    /// crate name.
    fn add_crate(&mut self, name: &Text, path: PathBuf, models: Option<&str>) -> bool {
        if !is_crate_name(&name.value) {
            let message = format!("`{}` is not a valid crate name", name.value);
            let help = "use lowercase letters, digits, `-` and `_`";
            self.report(&rules::BAD_VALUE, name.span, message, help);
            return false;
        }
        let package = name.value.replace('-', "_");
        let models = models.map(|models| format!("{package}::{models}"));
        let crates = &mut self.language.vocabulary.crates;
        match crates.iter_mut().find(|own| own.name == name.value) {
            Some(known) => known.models = known.models.take().or(models),
            None => crates.push(OwnCrate {
                name: name.value.clone(),
                path,
                models,
            }),
        }
        true
    }

    /// Reads `<stereotype name="checkpoint" type="Checkpoint" price="none">`.
    fn stereotype(&mut self, xml: &Xml, package: &str) {
        let name = self.required(xml, "name").cloned();
        let of = self.required(xml, "type").cloned();
        let prices = [
            ("none", Pricing::Content),
            ("optional", Pricing::Machine),
            ("required", Pricing::Required),
        ];
        self.required(xml, "price");
        let pricing = self.choice(xml, "price", &prices);
        let arguments = self.arguments(xml);
        let (Some(name), Some(of), Some(pricing)) = (name, of, pricing) else {
            return;
        };
        if !is_type_path(&of.value) {
            let message = format!("`{}` is not the path of a type", of.value);
            let help = "write its path in the crate, such as Checkpoint or io::Checkpoint";
            self.report(&rules::BAD_VALUE, of.span, message, help);
            return;
        }
        if !self.is_new(&name) {
            return;
        }
        let vocabulary = &mut self.language.vocabulary;
        let number = vocabulary.stereotypes.len();
        let runtime_type = format!("{package}::{}", of.value);
        let own = OwnStereotype::keep(name.value, number, runtime_type, pricing, arguments);
        vocabulary.stereotypes.push(own);
    }

    /// Returns `true` if a stereotype with this name can be added. Otherwise, reports why it can't.
    fn is_new(&mut self, name: &Text) -> bool {
        let vocabulary = &self.language.vocabulary;
        let problem = if vocabulary.stereotypes.len() == OWN_MAX {
            format!("there are more than {OWN_MAX} stereotypes")
        } else if !name.value.chars().any(char::is_alphanumeric) {
            format!("`{}` is not a valid stereotype name", name.value)
        } else if let Some(kind) = vocabulary.kind_named(&name.value) {
            format!("the stereotype `{}` already exists", kind.name())
        } else {
            return true;
        };
        self.report(&rules::DECLARED_TWICE, name.span, problem, "");
        false
    }

    /// Reads `<argument tag="bytes" type="integer" required="yes"/>` elements. Their order is the
    /// order of the parameters of the type's `execute`.
    fn arguments(&mut self, xml: &Xml) -> Vec<Tag> {
        let types = [
            ("integer", ValueType::Int),
            ("real", ValueType::Real),
            ("boolean", ValueType::Bool),
        ];
        let mut tags: Vec<Tag> = Vec::new();
        for child in &xml.children {
            self.check_words(child);
            let name = self.required(child, "tag").cloned();
            self.required(child, "type");
            let ty = self.choice(child, "type", &types);
            let required = self.choice(child, "required", &[("yes", true), ("no", false)]);
            let (Some(name), Some(ty)) = (name, ty) else {
                continue;
            };
            let is_taken = COMMON.contains(&name.value.as_str())
                || tags.iter().any(|tag| tag.name == name.value);
            if is_taken {
                let message = format!("the tag `{}` already exists", name.value);
                self.report(&rules::DECLARED_TWICE, name.span, message, "");
                continue;
            }
            tags.push(Tag {
                name: name.value.leak(),
                ty,
                required: match required {
                    Some(true) => Required::Always,
                    _ => Required::Never,
                },
            });
        }
        tags
    }
}

fn is_crate_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'))
}

/// Returns `true` if a text is a Rust path: names separated by `::`, without keywords.
fn is_type_path(path: &str) -> bool {
    path.split("::")
        .all(|name| syn::parse_str::<syn::Ident>(name).is_ok())
}

pub(super) struct Reading<'l> {
    pub(super) language: &'l mut Language,
    pub(super) problems: Vec<Diagnostic>,
    pub(super) file: String,
    pub(super) codes: BTreeSet<String>,
}
