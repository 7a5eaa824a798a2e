//! Writes results to files: schedules, pages and traces.

use std::io::{self, BufWriter, IntoInnerError, Write as _};
use std::path::{Path, PathBuf};

use prophet_files::{Inputs, Output};
use prophet_text::Problem;

use super::cases::Case;
use super::flags::Arguments;
use super::subject::Subject;
use super::{files, output};
use crate::text_file::shown;
use crate::{perfetto, report, schedule_file};

/// Returns the prediction to write with `flag`; there must be only one.
pub(super) fn only<'a>(cases: &'a [Case], flag: &str) -> Result<&'a Case, Problem> {
    let [case] = cases else {
        let what = format!("`{flag}` needs one prediction, but there are several");
        return Err(Problem::with_help(
            what,
            "Choose one scheduler and one number of hosts.",
        ));
    };
    Ok(case)
}

/// Rejects output files that would overwrite an input or another output.
pub(super) fn check(
    arguments: &Arguments,
    subject: &Subject,
    rule_files: &[PathBuf],
) -> Result<(), Problem> {
    let mut read: Inputs = files::listed(&arguments.read_files())?
        .into_iter()
        .collect();
    read.extend(rule_files);
    // The other files of a drawing are in its folder.
    let beside = |it: &String| arguments.file.with_file_name(it);
    read.extend(subject.files.iter().map(beside));
    read.refuse(arguments.outputs())
}

pub(super) fn write(
    arguments: &Arguments,
    subject: &Subject,
    cases: &[Case],
) -> Result<(), Problem> {
    if let Some(path) = &arguments.save_schedule {
        let case = only(cases, "--save-schedule")?;
        let workflow = &subject.of(case.replication).workflow;
        write_file(path, |out| {
            let (machine, prediction) = (&case.machine, &case.prediction);
            let text = schedule_file::text(workflow, machine, prediction, &case.scheduler);
            out.write_all(text.as_bytes())
        })?;
    }
    if let Some(path) = &arguments.report {
        let case = only(cases, "--report")?;
        let instance = subject.of(case.replication);
        write_file(path, |out| {
            let facts = output::facts(instance, case);
            let (machine, prediction) = (&case.machine, &case.prediction);
            let workflow = &instance.workflow;
            let page = report::render(workflow, machine, prediction, &case.what_ifs, facts);
            out.write_all(page.as_bytes())
        })?;
    }
    if let Some(path) = &arguments.trace {
        let case = only(cases, "--trace")?;
        let workflow = &subject.of(case.replication).workflow;
        write_file(path, |out| {
            perfetto::write(workflow, &case.machine, &case.prediction, out)
        })?;
    }
    if let Some(path) = &arguments.record {
        let result = output::result(arguments, subject, only(cases, "--record")?);
        let text = serde_json::to_string(&result).expect("all keys are text");
        let text = prophet_text::plain::json(&text) + "\n";
        write_file(path, |out| out.write_all(text.as_bytes()))?;
    }
    Ok(())
}

fn write_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<Output>) -> io::Result<()>,
) -> Result<(), Problem> {
    let written = || {
        let mut out = BufWriter::with_capacity(1 << 20, Output::create(path)?);
        write(&mut out)?;
        out.into_inner()
            .map_err(IntoInnerError::into_error)?
            .commit()
    };
    written().map(drop).map_err(|error| {
        let what = format!("cannot write the file: {error}");
        let help = "Choose a file that can be written.";
        Problem::with_help(what, help).in_file(shown(path))
    })
}
