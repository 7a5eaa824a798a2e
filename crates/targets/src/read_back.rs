//! Checks that the text of a model describes the same program, before it is written to a file.

use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::catalogue::target::NOT_IN_TARGET;
use prophet_codegen::diagnostic::catalogue::xmi::TOO_DEEP;
use prophet_codegen::diagnostic::{Diagnostic, Diagnostics, Severity, Span};
use prophet_codegen::emit::Subject;
use prophet_codegen::model::{Model, StereotypeKind};
use prophet_codegen::source::Source;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_codegen::target::{Files, Input};
use prophet_frontend::program::{Element, Program};
use prophet_frontend::resolve::resolve;
use prophet_model::xmi;

/// A difference between a program and the program that its text describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Place in the model file where the difference starts; `None` if unknown.
    pub place: Option<Span>,
    /// Path of the element with the difference; empty if unknown.
    pub element: String,
    /// The difference, worded as the end of a sentence.
    pub why: String,
}

/// Reports an error if the text of `input`'s model describes a different program. `form` is the
/// kind of text, such as `as text`, and `help` says what to do instead.
pub(crate) fn check(
    input: &Input<'_>,
    (form, help): (&str, &str),
    written: &Source,
    problems: &mut Diagnostics,
) {
    if has_own(input.program) {
        return;
    }
    if let Some(Difference {
        place,
        element,
        why,
    }) = difference_of(input, written)
    {
        let main = input.model.diagram(input.model.main);
        let message = format!("{form}, the model would not be the same: {why}");
        let finding = Diagnostic::new(&NOT_IN_TARGET, place.unwrap_or(main.span), message);
        let element = if element.is_empty() {
            main.path.clone()
        } else {
            element
        };
        problems.push(finding.element(element).help(help));
    }
}

/// Reports that the text of `input`'s model would be nested too deeply to be read.
pub(crate) fn refuse_depth(input: &Input<'_>, message: String, problems: &mut Diagnostics) {
    let main = input.model.diagram(input.model.main);
    let help = "draw the deepest content as separate activities";
    let finding = Diagnostic::new(&TOO_DEEP, main.span, message);
    problems.push(finding.element(&main.path).help(help));
}

/// Returns `true` if a program has custom stereotypes or devices. A text can't express them, so
/// each of them is reported where it occurs.
fn has_own(program: &Program) -> bool {
    let mut elements = program.elements.iter();
    let is_own = |it: &Element| matches!(it.stereotype, Some(StereotypeKind::Own(_)));
    !program.devices.is_empty() || elements.any(is_own)
}

fn difference_of(input: &Input<'_>, written: &Source) -> Option<Difference> {
    let tables = &input.program.tables;
    let read_table = |file: &str| {
        let table = tables.iter().find(|it| it.file == file);
        table
            .map(|it| it.rows.clone())
            .ok_or_else(|| "the model has no such table".into())
    };
    let mut problems = Diagnostics::new();
    let model = xmi::read(written, None, &mut problems);
    let program = model.and_then(|it| resolve(&it, written, &read_table, &mut problems));
    let Some(program) = program else {
        let problems = problems.sorted();
        let error = problems.iter().find(|it| it.severity == Severity::Error);
        let element = error.map(|it| it.element.clone()).unwrap_or_default();
        let why = error.map(|it| format!("{} ({})", it.message, it.code));
        return Some(Difference {
            place: place_of(input.model, &element),
            element,
            why: why.unwrap_or_else(|| "it is not a program".to_owned()),
        });
    };
    difference(input.program, &program)
}

/// Returns the place of the element, diagram or function with this path.
pub fn place_of(model: &Model, path: &str) -> Option<Span> {
    let elements = model.elements.iter().map(|it| (&it.path, it.span));
    let diagrams = model.diagrams.iter().map(|it| (&it.path, it.span));
    let functions = model.functions.iter().map(|it| (&it.path, it.span));
    let mut all = elements.chain(diagrams).chain(functions);
    all.find(|(it, _)| *it == path).map(|(_, place)| place)
}

/// Finds the first difference between the crates that would be generated from two programs. Remarks
/// on assumptions don't count.
pub fn difference(expected: &Program, actual: &Program) -> Option<Difference> {
    let [wanted, made] = [expected, actual].map(files);
    let text_of = |files: &Files, path: &Path| files.get(path).map(ToString::to_string);
    let differs = |path: &&PathBuf| text_of(&wanted, path) != text_of(&made, path);
    let path = wanted.keys().find(differs)?;
    let listing = &wanted[path];
    let [wanted, made] = [&wanted, &made].map(|it| text_of(it, path).unwrap_or_default());
    let [wanted, made] = [&wanted, &made].map(|it| it.lines().collect::<Vec<_>>());
    let equal = wanted.iter().zip(&made).take_while(|(a, b)| a == b).count();
    // A line without a subject belongs to the previous subject.
    let subjects = listing
        .subjects()
        .take_while(|(line, _)| *line <= equal + 1);
    let subject = subjects.last().map(|(_, subject)| subject);
    let (place, element) = subject.and_then(|it| drawn(expected, it)).unzip();
    let line = |lines: &[&str]| {
        lines
            .get(equal)
            .map_or("nothing", |it| it.trim())
            .to_owned()
    };
    Some(Difference {
        place,
        element: element.unwrap_or_default(),
        why: format!(
            "`{}` of its crate would have `{}`, not `{}`",
            path.display(),
            line(&made),
            line(&wanted),
        ),
    })
}

/// Generates the crate of a program. Remarks on assumptions are left out, because the text of the
/// model contains what was assumed.
fn files(program: &Program) -> Files {
    let mut program = program.clone();
    program.assumptions.clear();
    program.assumed_step_s = None;
    program.costs.clear();
    crate_files(&program, &CrateOptions::default())
}

/// Returns the place and path of the part of the model that a line of the crate is about.
fn drawn(program: &Program, subject: Subject) -> Option<(Span, String)> {
    match subject {
        Subject::Element(index) => {
            let element = &program.elements[index];
            Some((element.span, element.path.clone()))
        }
        Subject::Function(index) => {
            let function = &program.functions[index];
            let name = function.signature.name.clone();
            Some((function.source.text.span, name))
        }
        Subject::Parameter(_) | Subject::Global(_) | Subject::Diagram(_) => None,
    }
}
