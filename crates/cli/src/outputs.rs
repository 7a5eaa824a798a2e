//! Rejects output files that would replace input files of the same run.

#[cfg(feature = "whole")]
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use prophet_files::Inputs;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;
use prophet_frontend::rule_flags::RuleFlags;
#[cfg(feature = "whole")]
use prophet_runs::command::{chosen_repository, repository_files};
use prophet_text::Problem;

use crate::Stop;

pub(crate) type NamedOutput = (&'static str, PathBuf);

/// Rejects outputs that would replace a file named on the command line, before any work is done.
pub(crate) fn refuse_named(
    outputs: &[NamedOutput],
    model: &Path,
    rules: &RuleFlags,
) -> Result<(), Stop> {
    refuse(
        outputs,
        std::iter::once(model).chain(rules.paths().map(PathBuf::as_path)),
    )
}

/// Rejects outputs that would replace a file that the model or a vocabulary names.
pub(crate) fn refuse_beside(
    outputs: &[NamedOutput],
    model: &Path,
    (checked, rules): (&Checked, &RuleSet),
) -> Result<(), Stop> {
    let mut files = checked.files_beside(model.parent().unwrap_or(Path::new("")));
    files.extend(rules.vocabulary().files.iter().cloned());
    refuse(outputs, files)
}

/// Rejects outputs that would replace the files of the repository `named`, or otherwise of the
/// default repository of `runs`.
#[cfg(feature = "whole")]
pub(crate) fn refuse_repository(outputs: &[NamedOutput], named: &OsStr) -> Result<(), Stop> {
    // A URL isn't a file, so it can't be an output.
    let chosen = PathBuf::from(chosen_repository(named));
    refuse(outputs, repository_files(&chosen))
}

/// Rejects a file for `--save` that isn't a database, before a long run that could not be saved.
#[cfg(feature = "whole")]
pub(crate) fn refuse_other_file(named: &OsStr) -> Result<(), Stop> {
    let named = chosen_repository(named);
    let path = Path::new(&named);
    let shown = prophet_text::plain::line(&path.to_string_lossy());
    if path.extension().is_some_and(|it| it == "json") {
        return Err(Stop::usage(format!(
            "--save takes a database, such as runs.sqlite; to write the result as JSON, use \
             `--record {shown}`"
        )));
    }
    let begin = prophet_files::begin(path);
    if begin.is_empty() || begin.starts_with(b"SQLite format 3\0") {
        return Ok(());
    }
    Err(Stop::input(format!(
        "{shown} is not a database of runs: name an SQLite file, or none for runs.sqlite"
    )))
}

/// Rejects outputs that are also inputs.
pub(crate) fn refuse(
    outputs: &[NamedOutput],
    inputs: impl IntoIterator<Item: Into<PathBuf>>,
) -> Result<(), Stop> {
    let inputs: Inputs = inputs.into_iter().collect();
    let refused = inputs.refuse(outputs.iter().map(|(flag, path)| (*flag, path)));
    refused.map_err(|why: Problem| Stop::usage(why))
}
