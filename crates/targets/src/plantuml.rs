//! The model as text: activity diagrams of `PlantUML`, which we read again.
//!
//! `docs/text.md` describes it; [`prophet_model::plantuml`] reads it.

mod declarations;
mod escape;
mod jumps;
mod write;

use std::path::PathBuf;

use prophet_codegen::diagnostic::catalogue::target::NOT_IN_TARGET;
use prophet_codegen::diagnostic::catalogue::xmi::TOO_DEEP;
use prophet_codegen::diagnostic::{Diagnostic, Diagnostics, Severity};
use prophet_codegen::model::{Model, StereotypeKind};
use prophet_codegen::program::{Element, Program};
use prophet_codegen::resolve::resolve;
use prophet_codegen::source::Source;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_codegen::target::{Files, Input, Target};
use prophet_model::xmi;

use crate::xml::in_sequence;

/// The model as a text of `PlantUML`.
#[derive(Debug, Clone, Copy)]
pub struct PlantUml;

impl Target for PlantUml {
    fn name(&self) -> &'static str {
        "plantuml"
    }

    fn about(&self) -> &'static str {
        "the model as text, which `gen`, `check` and `run` read, too, and PlantUML draws"
    }

    fn check(&self, input: &Input<'_>, problems: &mut Diagnostics) {
        let depth = write::depth(&in_sequence(input.model));
        if depth > prophet_model::plantuml::DEEPEST {
            let main = input.model.diagram(input.model.main);
            let message = format!("as text, {depth} statements would lie inside each other");
            let help = "draw the deepest content as activities of their own";
            let finding = Diagnostic::new(&TOO_DEEP, main.span, message);
            problems.push(finding.element(&main.path).help(help));
        } else if !has_own(input.program)
            && let Some(why) = read_back(input)
        {
            let main = input.model.diagram(input.model.main);
            let message = format!("as text, the model would not be the same: {why}");
            let help = "generate the target `xml`, or draw this in another way";
            let finding = Diagnostic::new(&NOT_IN_TARGET, main.span, message);
            problems.push(finding.element(&main.path).help(help));
        }
    }

    fn files(&self, input: &Input<'_>) -> Files {
        let text = text(&in_sequence(input.model), input.model_file);
        let path = PathBuf::from(format!("{}.puml", input.name));
        Files::from([(path, text.into())])
    }
}

/// True if a program has stereotypes or devices of its user, which no text can have: each of them
/// is refused at its place.
fn has_own(program: &Program) -> bool {
    let mut elements = program.elements.iter();
    let is_own = |it: &Element| matches!(it.stereotype, Some(StereotypeKind::Own(_)));
    !program.devices.is_empty() || elements.any(is_own)
}

/// The reason why the text of a model, read again, would be another program; `None` if it is the
/// same.
fn read_back(input: &Input<'_>) -> Option<String> {
    let text = text(&in_sequence(input.model), input.model_file);
    let source = Source::new(format!("{}.puml", input.name), text);
    let tables = &input.program.tables;
    let read_table = |file: &str| {
        let table = tables.iter().find(|it| it.file == file);
        table
            .map(|it| it.rows.clone())
            .ok_or_else(|| "the model has no such table".to_owned())
    };
    let mut problems = Diagnostics::new();
    let model = xmi::read(&source, None, &mut problems);
    let program = model.and_then(|it| resolve(&it, &source, &read_table, &mut problems));
    let Some(program) = program else {
        let problems = problems.sorted();
        let error = problems.iter().find(|it| it.severity == Severity::Error);
        let told = error.map(|it| format!("{} ({})", it.message, it.code));
        return Some(told.unwrap_or_else(|| "it is no program".to_owned()));
    };
    // What was assumed is part of the text.
    let files = |program: &Program| {
        let mut program = program.clone();
        program.assumptions.clear();
        crate_files(&program, &CrateOptions::default())
    };
    let [expected, actual] = [input.program, &program].map(files);
    let differs = expected
        .iter()
        .find(|(path, file)| actual.get(*path) != Some(*file));
    differs.map(|(path, _)| format!("`{}` of its crate would differ", path.display()))
}

/// The text of a model, with the file that it was made of. Read again, it is the same model, but
/// for the order of the nodes and flows of a diagram that is no sequence.
pub fn text(model: &Model, model_file: &str) -> String {
    write::write(model, model_file)
}
