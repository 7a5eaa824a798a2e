//! Runs a comparison, from the model to the result.

use prophet_text::Problem;
use std::ffi::OsString;
use std::path::Path;

use prophet_codegen::generate::{Request, generate};
use prophet_codegen::workspace::Workspace;
use prophet_files::Inputs;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_runtime::written_files;
use prophet_targets::build;
use prophet_targets::simgrid::SimGrid;

use crate::comparison::Comparison;
use crate::measure::{CompareFailure, run};
use crate::{flags, simgrid};

/// What to compare, and how.
#[derive(Debug, Clone, Copy)]
pub struct ComparisonTask<'a> {
    pub model: &'a Path,
    /// Name of the main activity, if the user chose one.
    pub main: Option<&'a str>,
    /// Flags of both programs, in the syntax of the generated program.
    pub flags: &'a [OsString],
    /// Number of runs of each program. Times are medians of these runs.
    pub runs: u32,
    pub rules: &'a RuleSet,
}

impl ComparisonTask<'_> {
    /// Rejects outputs that would overwrite the model, or a file that it names.
    fn refuse_inputs(&self) -> Result<(), Problem> {
        let outputs = written_files(self.flags);
        if outputs.is_empty() {
            return Ok(());
        }
        let mut inputs = Inputs::from_iter([self.model]);
        // Errors in a model are reported later.
        if let Ok(checked) = check_by(self.rules, self.model, self.main) {
            inputs.extend(checked.files_beside(self.model.parent().unwrap_or(Path::new(""))));
        }
        inputs.refuse(outputs.iter().map(|(flag, path)| (*flag, path)))
    }
}

/// Compares Performance Prophet's prediction with `SimGrid`'s.
///
/// # Errors
///
/// Returns an error if the model has errors or can't be expressed in `SimGrid`, or if a tool or a
/// run fails.
pub fn compare_simulators(
    task: &ComparisonTask<'_>,
    workspace: &Workspace,
) -> Result<Comparison, CompareFailure> {
    let flags = flags::split(task.flags).map_err(CompareFailure::Flags)?;
    task.refuse_inputs().map_err(CompareFailure::Flags)?;
    let request = Request {
        main: task.main,
        to_run: true,
        ..Request::new(task.model, task.rules)
    };
    let generated = generate(&request, workspace).map_err(CompareFailure::Model)?;
    let folder = &generated.written[0].folder;
    let program = build::generated(folder, workspace).map_err(CompareFailure::Tool)?;
    let folder = workspace
        .target
        .join("compare")
        .join(&generated.name)
        .join("simgrid");
    let request = Request {
        targets: &[&SimGrid],
        out: Some(&folder),
        ..request
    };
    generate(&request, workspace).map_err(CompareFailure::Model)?;
    let other = simgrid::compile(&folder, &["-O2"]).map_err(CompareFailure::Tool)?;

    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    for _ in 0..task.runs.max(1) {
        let own_flags = task.flags.iter().cloned().chain(["--format=json".into()]);
        let measured = run(&program, own_flags)?;
        let other_flags = flags
            .of_simgrid(&measured.result)
            .map_err(CompareFailure::Flags)?;
        theirs.push(run(&other, other_flags)?);
        ours.push(measured);
    }
    Ok(Comparison::new(&ours, &theirs))
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_says;

    use super::*;

    #[test]
    fn outputs_that_the_run_reads_are_refused() {
        let folder = tempfile::tempdir().expect("there is room");
        let sample = prophet_samples::find("pingpong").expect("it is a sample");
        let model = folder.path().join("pingpong.uml");
        std::fs::write(&model, sample.text).expect("there is room");
        let rules = RuleSet::shipped();
        let refused = |flags: &[OsString]| {
            let task = ComparisonTask {
                model: &model,
                main: None,
                flags,
                runs: 1,
                rules: &rules,
            };
            task.refuse_inputs().err()
        };
        let itself = ["--record".into(), model.clone().into()];
        let why = refused(&itself).expect("it is refused").to_string();
        assert_says(
            &why,
            &["`--record` would replace ", "which this command reads"],
        );
        let another = ["--record".into(), folder.path().join("a.json").into()];
        assert_eq!(refused(&another), None);
    }
}
