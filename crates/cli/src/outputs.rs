//! Outputs of a run that are files which it reads.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use prophet_codegen::generate::check_by;
use prophet_files::is_same_file;
use prophet_runtime::written_files;

use crate::Stop;
use crate::kind::{is_trace, is_workflow};
use prophet_codegen::rule_flags::RuleFlags;

/// Refuses an output of the flags of a run that would replace a file which the run of a model, from
/// its `main` activity and by its rules, reads, before any work.
pub(crate) fn refuse_inputs(
    (model, main): (&Path, Option<&str>),
    rules: &RuleFlags,
    flags: &[OsString],
) -> Result<(), Stop> {
    let outputs = written_files(flags);
    if outputs.is_empty() {
        return Ok(());
    }
    let mut inputs = vec![model.to_owned()];
    inputs.extend(rules.paths().cloned());
    refuse(&outputs, &inputs)?;
    refuse(&outputs, &named((model, main), rules)?)
}

/// Files that the model names; empty where it has errors, which are reported later.
fn named((model, main): (&Path, Option<&str>), rules: &RuleFlags) -> Result<Vec<PathBuf>, Stop> {
    if is_trace(model) || is_workflow(model) {
        // What runs it knows its files.
        return Ok(Vec::new());
    }
    let folder = model.parent().unwrap_or(Path::new(""));
    let checked = check_by(&rules.read()?, model, main);
    Ok(checked.map_or_else(|_| Vec::new(), |it| it.files_beside(folder)))
}

/// Refuses to replace the file of a repository: the `named` file, or else the file of `runs`.
pub(crate) fn refuse_repository(outputs: &[PathBuf], named: Option<&OsStr>) -> Result<(), Stop> {
    let named = named.filter(|it| !it.is_empty()).map(OsStr::to_owned);
    let named = named.or_else(|| std::env::var_os("PROPHET_REPOSITORY"));
    // A URL is no file, and so no output either.
    let file = named.map_or_else(|| PathBuf::from("runs.sqlite"), PathBuf::from);
    refuse(outputs, &[file])
}

/// Refuses an output that is one of the inputs.
pub(crate) fn refuse(outputs: &[PathBuf], inputs: &[PathBuf]) -> Result<(), Stop> {
    for output in outputs {
        if let Some(input) = inputs.iter().find(|input| is_same_file(input, output)) {
            return Err(Stop::usage(format!(
                "the output {} would replace {}, which this run reads: name another file",
                output.display(),
                input.display()
            )));
        }
    }
    Ok(())
}
