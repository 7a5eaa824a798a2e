//! Writes model files in any format: plain XML, text, or UML 2.

use prophet_text::{Problem, problem};
use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_source;
use prophet_model::diagnostic::{Diagnostics, Severity};
use prophet_model::model::Model;
use prophet_model::source::Source;
use prophet_model::xmi;

use crate::uml::{PROFILE, PROFILE_NAME};
use crate::{plantuml, uml, xml};

/// Checks that writing a model to `out` wouldn't overwrite anything.
///
/// # Errors
///
/// Returns an error if the file exists and isn't empty.
pub fn refuse_existing(out: &Path) -> Result<(), Problem> {
    if prophet_files::holds_something(out) {
        return Err(problem!(
            "{} already exists, and may have been changed since; pass `--force` to replace it",
            out.display()
        ));
    }
    Ok(())
}

const XML: &str = "model.prophet.xml";

/// Format of a model file, which its extension determines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelForm {
    /// Plain XML (`.prophet.xml`).
    Xml,
    /// Text that `PlantUML` can draw (`.puml`).
    Text,
    /// UML 2 with the profile (`.uml`).
    Uml,
}

impl ModelForm {
    /// Returns the format for a file name's extension.
    ///
    /// # Errors
    ///
    /// Returns an error if the extension is unknown.
    pub fn of(path: &Path) -> Result<Self, Problem> {
        match path.extension().and_then(|it| it.to_str()) {
            Some("xml") => Ok(Self::Xml),
            Some("puml") => Ok(Self::Text),
            Some("uml") => Ok(Self::Uml),
            _ => Err(problem!(
                "{} is not the name of a model: end it with .prophet.xml, .puml or .uml",
                path.display()
            )),
        }
    }

    /// Writes a model file. In UML 2, also writes the profile to the same folder unless it exists,
    /// because UML tools need it.
    ///
    /// # Errors
    ///
    /// Returns an error if a file can't be written.
    pub fn write(self, out: &Path, text: String) -> Result<(), Problem> {
        prophet_files::save(out, text)?;
        let profile = out.with_file_name(PROFILE_NAME);
        if self == Self::Uml && profile.symlink_metadata().is_err() {
            prophet_files::save(&profile, PROFILE)?;
        }
        Ok(())
    }

    /// Renders a model in this format. `from` says what the model was made from. The text is read
    /// and checked again, as `run` would do.
    ///
    /// # Errors
    ///
    /// Returns an error if the model is too large or too deeply nested for the format.
    pub fn of_model(self, model: &Model, from: &str) -> Result<String, Problem> {
        let (name, text) = match self {
            Self::Xml => (XML, xml::text(&xml::in_sequence(model), from)),
            Self::Text => {
                let text = plantuml::text(&xml::in_sequence(model), from);
                ("model.puml", text)
            }
            Self::Uml => {
                let text = uml::drawn_anew(model, &uml::places(model))?;
                ("model.uml", text)
            }
        };
        read_back(name, text)
    }

    /// Converts a model from plain XML to this format. `from` says what the model was made from.
    ///
    /// # Errors
    ///
    /// Returns an error if the text isn't a model, or for the same reasons as [`Self::of_model`].
    pub fn of_xml(self, text: String, from: &str) -> Result<String, Problem> {
        if self == Self::Xml {
            return read_back(XML, text);
        }
        let mut found = Diagnostics::new();
        let model = xmi::read(&Source::new(XML, text), None, &mut found);
        if found.has_errors() {
            let first = found.sorted().swap_remove(0);
            return Err(first.message.clone().into());
        }
        self.of_model(&model.ok_or("it does not contain a model")?, from)
    }
}

/// Returns the text if it can be read as a model without errors.
fn read_back(name: &str, text: String) -> Result<String, Problem> {
    let source = Source::new(name, text.clone());
    let checked = check_source(&RuleSet::shipped(), source, Path::new(""), None);
    let mut errors = checked.diagnostics.iter();
    match errors.find(|it| it.severity == Severity::Error) {
        Some(first) => Err(problem!("{} {}", first.code, first.message)),
        None => Ok(text),
    }
}
