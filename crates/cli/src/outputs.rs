//! Outputs of a run that are files which it reads.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use prophet_codegen::generate::check_by;
use prophet_files::is_same_file;
use prophet_runtime::written_files;

use crate::Stop;
use crate::kind::{is_trace, is_workflow};
use prophet_codegen::rule_flags::RuleFlags;

/// The inputs of a command, and the flags of the program that it runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) model: &'a Path,
    pub(crate) main: Option<&'a str>,
    pub(crate) rules: &'a RuleFlags,
    pub(crate) flags: &'a [OsString],
}

impl Run<'_> {
    /// Refuses an output that would replace a file which the run reads, before any work.
    pub(crate) fn refuse_inputs(&self) -> Result<(), Stop> {
        let outputs = written_files(self.flags);
        if outputs.is_empty() {
            return Ok(());
        }
        let mut inputs = vec![self.model.to_owned()];
        inputs.extend(self.rules.paths().cloned());
        refuse(&outputs, &inputs)?;
        refuse(&outputs, &self.named()?)
    }

    /// Files that the model names; empty where it has errors, which are reported later.
    fn named(&self) -> Result<Vec<PathBuf>, Stop> {
        if is_trace(self.model) || is_workflow(self.model) {
            // What runs it knows its files.
            return Ok(Vec::new());
        }
        let rules = self.rules.read()?;
        let folder = self.model.parent().unwrap_or(Path::new(""));
        let checked = check_by(&rules, self.model, self.main);
        Ok(checked.map_or_else(|_| Vec::new(), |it| it.files_beside(folder)))
    }
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
