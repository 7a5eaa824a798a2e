//! Runs the command `validate` for recordings.

use prophet_text::{Context as _, Problem, problem};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use prophet_codegen::diagnostic::render_human;
use prophet_frontend::checked::Checked;
use prophet_frontend::program::Program;
use prophet_import::{Recording, trace};
use prophet_interpreter::Interpreted;
use prophet_result::flag_name;
use prophet_runtime::RunHandle;

use crate::validate::compare_recording;

/// A recording, and the flags of the prediction to compare with it.
#[derive(Debug, Clone, Copy)]
pub struct Validated<'a> {
    /// The model's file.
    pub model: &'a Path,
    /// The folder of the recording.
    pub recording: &'a Path,
    /// Whether to print one JSON object.
    pub json: bool,
    pub flags: &'a [OsString],
}

/// Compares a recording with the prediction of a model, and returns the exit code.
///
/// # Errors
///
/// Returns an error if the recording can't be read, or the model can't be interpreted.
pub fn run(arguments: &Validated<'_>, checked: &Checked) -> Result<ExitCode, Problem> {
    let folder = arguments.recording;
    let outputs = prophet_runtime::written_files(arguments.flags);
    trace::inputs(folder).refuse(outputs.iter().map(|(flag, path)| (*flag, path)))?;
    let recording = Recording::open(folder)?;
    prophet_text::say_styled(&render_human(&checked.source, &checked.diagnostics, false));
    let Some(program) = &checked.program else {
        return Ok(ExitCode::FAILURE);
    };
    let interpreted = Interpreted::new(checked, &checked.source.name, false);
    let interpreted = interpreted
        .map_err(|why| problem!("cannot interpret {}: {why}", arguments.model.display()))?;
    let told = untold(arguments.flags, &recording, program);
    if !told.is_empty() {
        let told: Vec<_> = told.iter().map(|it| it.to_string_lossy()).collect();
        let told = prophet_text::plain::line(&told.join(" "));
        prophet_text::tell!("note: predicted for the recording: {told}");
    }
    let words = std::iter::once("validate".into()).chain(arguments.flags.iter().cloned());
    let words = words.chain(told);
    let ran = match interpreted.evaluate(words, &RunHandle::default()) {
        Ok(ran) => ran,
        Err(error) => {
            prophet_text::say_styled(&error.notes);
            let before = if error.code > 0 { "error: " } else { "" };
            prophet_text::tell!("{before}{}", error.message);
            return Ok(error.code.into());
        }
    };
    prophet_text::say_styled(&ran.notes);
    let compared = compare_recording((program, &ran.prediction.outcome), (folder, &recording))?;
    prophet_text::print(&if arguments.json {
        let json = serde_json::to_string_pretty(&compared).told()?;
        prophet_text::plain::json(&json) + "\n"
    } else {
        compared.to_string()
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the flags that the user didn't set, based on the recorded run: its parameters and its
/// number of processes. Each process gets one CPU, unless the machine specifies something else.
fn untold(given: &[OsString], recording: &Recording, program: &Program) -> Vec<OsString> {
    let given: Vec<_> = given.iter().map(|it| it.to_string_lossy()).collect();
    let value = |name: &str| {
        let flag = format!("--{name}");
        let mut words = given.iter().enumerate();
        words.find_map(|(at, word)| match word.split_once('=') {
            Some((it, value)) if it == flag => Some(value),
            None if *word == flag => Some(given.get(at + 1).map_or("", |it| it)),
            _ => None,
        })
    };
    let number = |name| value(name)?.parse().ok().filter(|it: &usize| *it > 0);
    let ranks = recording.ranks().len();
    let mut flags = Vec::new();
    if value("processes").is_none() {
        flags.push(format!("--processes={ranks}"));
        match (number("nodes"), number("cpus-per-node"), value("machine")) {
            (Some(nodes), None, None) => {
                flags.push(format!("--cpus-per-node={}", ranks.div_ceil(nodes)));
            }
            (None, cpus, None) => {
                flags.push(format!("--nodes={}", ranks.div_ceil(cpus.unwrap_or(1))));
            }
            _ => {}
        }
    }
    for (name, recorded) in recording
        .ranks()
        .iter()
        .take(1)
        .flat_map(|it| &it.parameters)
    {
        let assigned = |it: &str| {
            it.strip_prefix(&**name)
                .is_some_and(|it| it.starts_with('='))
        };
        let mut words = given
            .iter()
            .map(|it| it.strip_prefix("--set=").unwrap_or(it));
        let is_known = program.parameters.iter().any(|it| it.name == *name);
        if is_known && value(&flag_name(name)).is_none() && !words.any(assigned) {
            flags.push(format!("--set={name}={recorded}"));
        }
    }
    flags.into_iter().map(Into::into).collect()
}
