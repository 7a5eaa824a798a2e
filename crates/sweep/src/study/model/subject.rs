//! Represents the model of a sweep, checked and ready to be interpreted.

use std::path::Path;

use prophet_frontend::checked::{Checked, check_by};
use prophet_frontend::diagnostic::render_human;
use prophet_frontend::rule_flags::RuleFlags;
use prophet_interpreter::{Interpreted, Unsupported};
use prophet_text::{Context as _, Problem, problem};

#[derive(Debug)]
pub(super) struct Subject {
    pub(super) program: Interpreted,
    pub(super) source: String,
    /// The texts of the tables that the model reads.
    pub(super) tables: String,
    /// Paths of the model's other files, relative to its folder: tables, and files with called
    /// activities.
    pub(super) files: Vec<String>,
}

impl Subject {
    pub(super) fn read(
        model: &Path,
        main: Option<&str>,
        rules: &RuleFlags,
    ) -> Result<Self, Problem> {
        let rules = rules.read()?;
        let checked = check_by(&rules, model, main)?;
        show(&checked);
        let shown = model.display();
        if checked.program.is_none() {
            return Err(problem!("{shown} has errors: no point was evaluated"));
        }
        if checked.program.as_ref().is_some_and(|it| it.is_workflow) {
            return Err(problem!(
                "{shown} is a workflow: it must be the only model on the command line, such as \
                 `sweep {shown} --vary hosts=1,2 --vary scheduler=fcfs,heft`"
            ));
        }
        let subject = if rules.vocabulary().has_hardware() {
            Err("the vocabulary contains custom hardware models".into())
        } else {
            Self::of(&checked).told()
        };
        let subject = subject.map_err(|why| {
            problem!(
                "cannot sweep {shown}: {why}; only a compiled crate can run it; predict one point \
                 with `run --evaluate native`"
            )
        })?;
        let costs = checked.program.as_ref().map(|it| &it.costs);
        if let Some(costs) = costs.filter(|it| !it.is_empty()) {
            prophet_text::tell!("note: costs are {costs}");
        }
        Ok(subject)
    }

    /// Creates a subject from a checked model, if it can be interpreted.
    pub(crate) fn of(checked: &Checked) -> Result<Self, Unsupported> {
        // Messages about failures contain the file's name, wherever the model is.
        let name = Path::new(&checked.source.name).file_name();
        let name = name.unwrap_or_default().to_string_lossy();
        let program = Interpreted::new(checked, &name, false)?;
        let program_of = checked.program.as_ref();
        let tables = program_of.map(|it| format!("{:?}", it.tables));
        let of_tables = program_of.map(|it| it.tables.iter().map(|it| it.file.clone()));
        let called = checked.source.files.iter().map(|it| it.path.clone());
        let files = of_tables.into_iter().flatten().chain(called).collect();
        Ok(Self {
            program,
            files,
            source: checked.source.text.clone(),
            tables: tables.unwrap_or_default(),
        })
    }
}

fn show(checked: &Checked) {
    if !checked.diagnostics.is_empty() {
        prophet_text::say_styled(&render_human(&checked.source, &checked.diagnostics, false));
    }
}
