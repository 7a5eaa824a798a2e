//! Outputs of a run that are files which it reads.

use std::path::{Path, PathBuf};

use prophet_codegen::generate::check_by;
use prophet_files::is_same_file;

use super::Arguments;
use super::replayed::is_trace;
use super::workflow::is_workflow;
use crate::Stop;

/// Flags of programs whose value is a file that they write.
const WRITTEN: [&str; 3] = ["--record", "--report", "--trace"];
/// Flags of programs whose value may be a file that they read.
const READ: [&str; 3] = ["--changes", "--machine", "--mapping"];

/// Refuses an output that would replace a file which the run reads, before any work.
pub(super) fn refuse_inputs(arguments: &Arguments) -> Result<(), Stop> {
    let outputs = values(arguments, &WRITTEN);
    if outputs.is_empty() {
        return Ok(());
    }
    let mut inputs = vec![arguments.model.clone()];
    inputs.extend(arguments.rules.paths());
    inputs.extend(values(arguments, &READ));
    refuse(&outputs, &inputs)?;
    if is_trace(&arguments.model) || is_workflow(&arguments.model) {
        return Ok(());
    }
    refuse(&outputs, &named(arguments)?)
}

/// Refuses an output that is one of the inputs.
fn refuse(outputs: &[PathBuf], inputs: &[PathBuf]) -> Result<(), Stop> {
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

/// Files that the model names; none where it has errors, which are told later.
fn named(arguments: &Arguments) -> Result<Vec<PathBuf>, Stop> {
    let rules = arguments.rules.read()?;
    let main = arguments.main.as_deref();
    let Ok(checked) = check_by(&rules, &arguments.model, main) else {
        return Ok(Vec::new());
    };
    let folder = arguments.model.parent().unwrap_or(Path::new(""));
    let tables = checked.program.iter().flat_map(|it| it.tables.iter());
    let tables = tables.map(|table| folder.join(&table.file));
    let beside = checked
        .source
        .files
        .iter()
        .map(|file| folder.join(&file.path));
    Ok(tables.chain(beside).collect())
}

/// Values of some flags of the program, as `--flag VALUE` and `--flag=VALUE`.
fn values(arguments: &Arguments, names: &[&str]) -> Vec<PathBuf> {
    let mut values = Vec::new();
    let mut words = arguments.flags.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(PathBuf::from(value))),
            None => (&*text, None),
        };
        if names.contains(&name) {
            values.extend(value.or_else(|| words.next().map(PathBuf::from)));
        }
    }
    values
}
