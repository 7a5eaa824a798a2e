//! Reads and checks a model file with all stages.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::assume::{self, Assumption};
use crate::check::{self, RuleSet};
use crate::program::Program;
use crate::resolve::resolve;
use crate::tables;
use prophet_model::diagnostic::{Diagnostic, Diagnostics, Severity, Span, catalogue};
use prophet_model::model::Model;
use prophet_model::source::Source;
use prophet_model::xmi;
use prophet_text::Problem;

/// The result of reading and checking a model file.
#[derive(Debug, Clone)]
pub struct Checked {
    /// Text of the file.
    pub source: Source,
    /// The model as drawn, with assumptions; `None` if there are errors.
    pub model: Option<Model>,
    /// The checked program; `None` if there are errors.
    pub program: Option<Program>,
    /// All problems, in file order.
    pub diagnostics: Vec<Diagnostic>,
    /// What was assumed where the drawing leaves something open.
    pub assumptions: Vec<Assumption>,
    /// Candidates for `main`, if the file doesn't say where the program starts.
    pub mains: Vec<String>,
}

impl Checked {
    /// Returns the files that the model in `folder` refers to: tables, other model files, and
    /// models that predict the time of tasks.
    pub fn files_beside(&self, folder: &Path) -> Vec<PathBuf> {
        let of_program = self.program.iter();
        let named = of_program.flat_map(|it| it.tables.iter().map(|it| &it.file).chain(&it.models));
        let named = named.chain(self.source.files.iter().map(|it| &it.path));
        named.map(|name| folder.join(name)).collect()
    }
}

/// Limits the total number of elements and functions to examine if several activities may be the
/// program. Without a limit, a file with many activities would take too long.
const OTHERS_WORK_MAX: usize = 1_000_000;

/// Reads a model file and checks it with the built-in rules.
///
/// # Errors
///
/// Returns a problem if the file cannot be read.
pub fn check(model: &Path, main: Option<&str>) -> Result<Checked, Problem> {
    check_by(&RuleSet::shipped(), model, main)
}

/// Reads a model file and checks it with `rules`.
///
/// # Errors
///
/// Returns a problem if the file cannot be read.
pub fn check_by(rules: &RuleSet, model: &Path, main: Option<&str>) -> Result<Checked, Problem> {
    let source = xmi::load(model)?;
    let folder = model.parent().unwrap_or(Path::new(""));
    Ok(check_source(rules, source, folder, main))
}

/// Creates a result without a model, for a file that can't be read. `problem` says why.
pub fn unreadable(file: &Path, problem: String) -> Checked {
    let name = file.display().to_string();
    let text = String::new();
    let rule = &catalogue::xmi::UNREADABLE;
    Checked {
        source: Source::new(name, text),
        model: None,
        program: None,
        diagnostics: vec![Diagnostic::new(rule, Span::default(), problem)],
        assumptions: Vec::new(),
        mains: Vec::new(),
    }
}

/// Checks the text of a model with `rules`. Tables that the model refers to are read from `folder`.
pub fn check_source(rules: &RuleSet, source: Source, folder: &Path, main: Option<&str>) -> Checked {
    let mut diagnostics = Diagnostics::new();
    let read_table = |file: &str| tables::read(folder, file);
    let (mut model, assumptions) =
        assume::read(rules, &source, &read_table, main, &mut diagnostics);
    let mains = model.as_mut().map(|it| std::mem::take(&mut it.mains));
    let program = model.as_mut().and_then(|model| {
        let program = resolve(model, &source, &read_table, &mut diagnostics);
        check::check(model, &source, rules, &mut diagnostics);
        // If several activities may be the program, each of them is checked as the program.
        let work = model.elements.len() + model.functions.len() + 1;
        let mut others = std::mem::take(&mut model.others);
        if rules.assumes() {
            // With assumptions, each choice is read again, because it needs different ones.
            others.clear();
            let chosen = model.diagram(model.main).path.clone();
            let mains = mains.iter().flatten().filter(|it| **it != chosen);
            for main in mains.take(OTHERS_WORK_MAX / work) {
                // This candidate doesn't reach all parts. Their errors are ignored here, but count
                // if the chosen activity reaches them.
                let mut own = Diagnostics::new();
                let read = assume::read(rules, &source, &read_table, Some(main), &mut own);
                if let Some(model) = read.0 {
                    resolve(&model, &source, &read_table, &mut own);
                    check::check(&model, &source, rules, &mut own);
                }
                own.withdraw(0)
                    .into_iter()
                    .for_each(|it| diagnostics.push(it));
            }
        }
        for start in others.into_iter().take(OTHERS_WORK_MAX / work) {
            (model.main, model.globals) = (start.main, start.globals);
            resolve(model, &source, &read_table, &mut diagnostics);
            check::check(model, &source, rules, &mut diagnostics);
        }
        program
    });
    let sound = !diagnostics.has_errors();
    let sentences = assume::sentences(&assumptions, &source);
    let mut diagnostics = diagnostics.sorted();
    let is_told = |it: &Diagnostic| rules.is_on(&it.code) && !is_of_library(it, &source);
    diagnostics.retain(|it| it.severity == Severity::Error || is_told(it));
    Checked {
        source,
        model: model.filter(|_| sound),
        program: program.filter(|_| sound).map(|mut program| {
            program.costs = costs(rules, &program, &assumptions);
            let is_assumed = |_: &f64| !assumptions.is_empty();
            program.assumed_step_s = rules.assumed_step_s().filter(is_assumed);
            program.assumptions = sentences;
            program
        }),
        diagnostics,
        assumptions,
        mains: mains.unwrap_or_default(),
    }
}

/// Says where costs come from if the model doesn't contain them; otherwise, empty.
fn costs(rules: &RuleSet, program: &Program, assumptions: &[Assumption]) -> String {
    assume::costs(assumptions).unwrap_or_else(|| {
        let why = match (program.is_unpriced(), rules.assumes()) {
            (false, _) => "",
            (true, false) => "missing: nothing has a cost, so no time passes; try `--assume`",
            (true, true) => "missing: nothing in the drawing takes time",
        };
        why.to_owned()
    })
}

const UNUSED: [&str; 2] = ["PM0610", "PM0613"];

/// Returns `true` for a warning about unused parts of another file. Libraries usually contain more
/// than a program needs.
fn is_of_library(warning: &Diagnostic, source: &Source) -> bool {
    let is_beside = source.file_at(warning.span.start).is_some();
    is_beside && (warning.is_elsewhere || UNUSED.contains(&&*warning.code))
}
