//! Writes the model as plain XML, which other programs can read and write, and Prophet can read
//! again.
//!
//! `docs/text.md` describes the format. [`prophet_model::xmi`] reads it.

pub(crate) mod role;
pub(crate) mod sequence;
mod text;
pub(crate) mod write;

use std::path::PathBuf;

use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::model::Model;
use prophet_codegen::source::Source;
use prophet_codegen::target::{Files, Input, Target};
use prophet_model::xmi::Limits;

use crate::read_back;

pub use sequence::in_sequence;

const SCHEMA: &str = prophet_templates::xml::MODEL;

/// The target that writes the model as plain XML.
#[derive(Debug, Clone, Copy)]
pub struct Xml;

impl Target for Xml {
    fn name(&self) -> &'static str {
        "xml"
    }

    fn about(&self) -> &'static str {
        "the model as plain XML, which `gen`, `check` and `run` can read"
    }

    fn check(&self, input: &Input<'_>, problems: &mut Diagnostics) {
        let written = write::write(&in_sequence(input.model), input.model_file);
        let depth = written.depth();
        if depth > Limits::DEPTH_MAX {
            let message = format!("in XML, elements would be nested {depth} levels deep");
            return read_back::refuse_depth(input, message, problems);
        }
        let help = "draw this differently, and report it: the XML form should support it";
        let written = Source::new(format!("{}.prophet.xml", input.name), written.finish());
        read_back::check(input, ("in XML", help), &written, problems);
    }

    fn shows_workflows(&self) -> bool {
        true
    }

    fn files(&self, input: &Input<'_>) -> Files {
        let text = text(&in_sequence(input.model), input.model_file);
        Files::from([
            (
                PathBuf::from(format!("{}.prophet.xml", input.name)),
                text.into(),
            ),
            (PathBuf::from("prophet.xsd"), SCHEMA.into()),
        ])
    }
}

/// Renders a model as XML. `model_file` is the file that it came from.
///
/// A diagram is written as a sequence if its nodes and flows are already in this order (see
/// [`in_sequence`]). Reading the text results in the same model.
pub fn text(model: &Model, model_file: &str) -> String {
    write::write(model, model_file).finish()
}
