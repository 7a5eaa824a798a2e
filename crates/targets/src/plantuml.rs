//! Writes the model as text: `PlantUML` activity diagrams, which Prophet can read again.
//!
//! `docs/text.md` describes the format. [`prophet_model::plantuml`] reads it.

mod declarations;
mod escape;
mod jumps;
mod lines;
mod write;

use std::path::PathBuf;

use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::model::Model;
use prophet_codegen::source::Source;
use prophet_codegen::target::{Files, Input, Target};

use crate::read_back;
use crate::xml::in_sequence;

/// The target that writes the model as `PlantUML` text.
#[derive(Debug, Clone, Copy)]
pub struct PlantUml;

impl Target for PlantUml {
    fn name(&self) -> &'static str {
        "plantuml"
    }

    fn about(&self) -> &'static str {
        "the model as text, which `gen`, `check` and `run` can read, and PlantUML can draw"
    }

    fn check(&self, input: &Input<'_>, problems: &mut Diagnostics) {
        let depth = write::depth(&in_sequence(input.model));
        if depth > prophet_model::plantuml::DEEPEST {
            let message = format!("as text, statements would be nested {depth} levels deep");
            return read_back::refuse_depth(input, message, problems);
        }
        let help = "generate the target `xml`, or draw this differently";
        let text = text(&in_sequence(input.model), input.model_file);
        let written = Source::new(format!("{}.puml", input.name), text);
        read_back::check(input, ("as text", help), &written, problems);
    }

    fn shows_workflows(&self) -> bool {
        true
    }

    fn files(&self, input: &Input<'_>) -> Files {
        let text = text(&in_sequence(input.model), input.model_file);
        let path = PathBuf::from(format!("{}.puml", input.name));
        Files::from([(path, text.into())])
    }
}

/// Renders a model as text. `model_file` is the file that it came from. Reading the text results in
/// the same model, except that nodes and flows may be in a different order in diagrams that aren't
/// sequences.
pub fn text(model: &Model, model_file: &str) -> String {
    write::write(model, model_file)
}
