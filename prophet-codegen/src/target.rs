//! Defines targets: the formats in which `gen` can write a checked model.
//!
//! Most targets are [`crate::content_handler::ContentHandler`]s that collect their text while a
//! traverser walks the program.

pub mod branches;
pub mod c;
pub mod drawing;
pub mod outside;
pub mod rust;
pub mod svg;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::emit::Listing;
use crate::rustfmt::Rustfmt;
pub use crate::text;
use crate::workspace::Workspace;
use prophet_frontend::program::{Element, Program};
use prophet_model::diagnostic::catalogue::target::NOT_IN_TARGET;
use prophet_model::diagnostic::{Diagnostic, Diagnostics, Span};
use prophet_model::model::{Model, StereotypeKind};
use prophet_model::source::Source;
use prophet_model::vocabulary::Vocabulary;
use prophet_text::{Context as _, Problem};

pub use outside::main;

/// A target's files. The keys are paths relative to the target's folder.
pub type Files = BTreeMap<PathBuf, Listing>;

/// What a target receives: a model without errors, and the place for its files.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The program that the model describes, with resolved names, checked types and structured
    /// control flow.
    pub program: &'a Program,
    /// The model as drawn.
    pub model: &'a Model,
    /// The text of the model, which all spans refer to.
    pub source: &'a Source,
    /// The user's custom stereotypes, and the crates that contain their types.
    pub vocabulary: &'a Vocabulary,
    /// The name of the model file without its extension, in lower case and with `_`, so that it is
    /// valid in every language.
    pub name: &'a str,
    /// Path of the model file relative to the workspace, for use in generated files.
    pub model_file: &'a str,
    /// The name of the activity to start with, if the user chose one.
    pub main: Option<&'a str>,
    /// The folder for the target's files.
    pub folder: &'a Path,
    /// The workspace. A generated crate finds the runtime there.
    pub workspace: &'a Workspace,
}

/// A format in which `gen` can write a model.
pub trait Target: fmt::Debug + Sync {
    /// Returns the target's name, which must be in lower case.
    fn name(&self) -> &str;

    /// Returns the value of `--target` that selects this target; by default, its name.
    fn flag(&self) -> &str {
        self.name()
    }

    /// Returns a description of the target's files in a few words, for lists of targets.
    fn about(&self) -> &str;

    /// Returns the folder for the target's files inside the model's crate; by default, its name.
    fn folder(&self) -> &str {
        self.name()
    }

    /// Returns `true` if the target supports custom stereotypes. By default, it rejects models that
    /// use any.
    fn knows_own_stereotypes(&self) -> bool {
        false
    }

    /// Returns `true` if the target can show workflows, which have no processes. By default, it
    /// rejects them.
    fn shows_workflows(&self) -> bool {
        false
    }

    /// Reports what the target cannot express, at the part of the program where it occurs. By
    /// default, reports nothing. If there is an error, [`Target::files`] is not called.
    fn check(&self, _input: &Input<'_>, _problems: &mut Diagnostics) {}

    /// Returns the target's files. Each of them needs [`crate::output::MARKER`] in one of its first
    /// lines. Rust files don't have to be formatted.
    fn files(&self, input: &Input<'_>) -> Files;

    /// Returns additional files about `files`, such as the maps of [`crate::trace_map`]. By
    /// default, there are none. `files` is the result of [`Target::files`], formatted.
    fn sidecars(&self, _input: &Input<'_>, _files: &Files) -> Files {
        Files::new()
    }
}

/// Creates a problem that reports that the target can't express `element`.
pub fn refusal(element: &Element, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&NOT_IN_TARGET, element.span, message).element(&element.path)
}

pub(crate) fn check(target: &dyn Target, input: &Input<'_>, problems: &mut Diagnostics) {
    target.check(input, problems);
    if input.program.is_workflow && !target.shows_workflows() {
        let main = input.model.diagram(input.model.main);
        let message = format!("the target `{}` does not support workflows", target.name());
        let help = "use `run` to predict it, and `-- --out FILE` to write it in WfFormat";
        let problem = Diagnostic::new(&NOT_IN_TARGET, main.span, message);
        problems.push(problem.element(&main.path).help(help));
    }
    if target.knows_own_stereotypes() {
        return;
    }
    let mut parameters = input.program.parameters.iter();
    if let Some(parameter) = parameters.find(|it| it.is_required) {
        let (name, target) = (&parameter.name, target.name());
        let message = format!("the target `{target}` needs a value for the parameter `{name}`");
        let help = "set the value in the model: only the crate accepts a value for each run";
        let problem = Diagnostic::new(&NOT_IN_TARGET, Span::default(), message);
        problems.push(problem.help(help));
    }
    for device in &input.program.devices {
        let (name, target) = (&device.usage.0.device, target.name());
        let message = format!("the target `{target}` does not support the device `{name}`");
        let help = "only the crate and the pictures support custom devices";
        let problem = match device.user {
            Some(user) => refusal(&input.program.elements[user], message),
            None => Diagnostic::new(&NOT_IN_TARGET, Span::default(), message),
        };
        problems.push(problem.help(help));
    }
    for element in &input.program.elements {
        if let Some(StereotypeKind::Own(own)) = element.stereotype {
            let target = target.name();
            let message = format!("the target `{target}` does not support `{}`", own.name);
            let help = "only the crate and the pictures support custom stereotypes";
            problems.push(refusal(element, message).help(help));
        }
    }
}

/// The targets that a command offers. By default, these are the targets in this crate.
#[derive(Debug)]
pub struct Targets(Vec<Box<dyn Target>>);

impl Default for Targets {
    fn default() -> Self {
        Self(vec![Box::new(rust::Rust), Box::new(svg::Svg)])
    }
}

impl Targets {
    /// Adds a target, which replaces any earlier one of the same name.
    pub fn add(&mut self, target: Box<dyn Target>) {
        self.0.retain(|known| known.name() != target.name());
        self.0.push(target);
    }

    /// Returns the target with this name.
    pub fn get(&self, name: &str) -> Option<&dyn Target> {
        self.iter().find(|target| target.name() == name)
    }

    /// Returns all targets, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Target> {
        self.0.iter().map(Box::as_ref)
    }
}

/// Formats all Rust files among `files` with rustfmt.
///
/// # Errors
///
/// Returns an error if rustfmt is missing or fails.
pub fn format(files: Files) -> Result<Files, Problem> {
    let rustfmt = Rustfmt::from_env();
    files
        .into_iter()
        .map(|(path, text)| {
            if path.extension().is_none_or(|extension| extension != "rs") {
                return Ok((path, text));
            }
            let laid_out = rustfmt.format(&text);
            Ok((path, text.laid_out(laid_out.told()?)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Files, Input, Target, Targets};

    #[derive(Debug)]
    struct Other(&'static str);

    impl Target for Other {
        fn name(&self) -> &'static str {
            "rust"
        }
        fn about(&self) -> &'static str {
            self.0
        }
        fn files(&self, _input: &Input<'_>) -> Files {
            Files::new()
        }
    }

    #[test]
    fn a_target_can_be_added_and_replaced() {
        let mut targets = Targets::default();
        let count = targets.iter().count();
        targets.add(Box::new(Other("another crate")));
        assert_eq!(targets.iter().count(), count);
        let about = targets.get("rust").map(Target::about);
        assert_eq!(about, Some("another crate"));
        assert!(targets.get("cobol").is_none());
    }
}
