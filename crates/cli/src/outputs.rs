//! Outputs of a run that are files which it reads.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use prophet_codegen::generate::Checked;
use prophet_files::is_same_file;

use crate::Stop;
use prophet_codegen::rule_flags::RuleFlags;

/// Refuses an output that would replace a file which the command line names, before any work.
pub(crate) fn refuse_named(
    outputs: &[PathBuf],
    model: &Path,
    rules: &RuleFlags,
) -> Result<(), Stop> {
    let mut inputs = vec![model.to_owned()];
    inputs.extend(rules.paths().cloned());
    refuse(outputs, &inputs)
}

/// Refuses an output that would replace a file which the model names.
pub(crate) fn refuse_beside(
    outputs: &[PathBuf],
    model: &Path,
    checked: &Checked,
) -> Result<(), Stop> {
    let folder = model.parent().unwrap_or(Path::new(""));
    refuse(outputs, &checked.files_beside(folder))
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
