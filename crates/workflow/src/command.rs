//! The command line: `run` for workflows.

mod cases;
mod files;
mod flags;
mod output;
mod written;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use crate::Problem;
use crate::text_file::shown;
use crate::wfformat::{Document, Instance};
use cases::{Case, cases};
use flags::{Arguments, Format};

/// Runs the command. `program` is the name by which the user called it, as in `cargo xtask run`.
pub fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    let words = std::iter::once(program.into()).chain(arguments.iter().cloned());
    let command = Arguments::command().bin_name(program);
    let arguments = Arguments::from_arg_matches(&command.get_matches_from(words))
        .unwrap_or_else(|error| error.exit());
    let text = match run(&arguments) {
        Ok(text) => text,
        Err(problems) => {
            for problem in problems {
                let file = if problem.file.is_empty() {
                    shown(&arguments.file)
                } else {
                    problem.file.clone()
                };
                eprintln!("error: {file}: {problem}");
            }
            return ExitCode::from(1);
        }
    };
    // A reader that has gone away needs no message.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn run(arguments: &Arguments) -> Result<String, Vec<Problem>> {
    let (mut document, mut notes) = files::read(&arguments.file, &arguments.with)?;
    if !arguments.costs_from.is_empty() {
        let laws = files::laws(&arguments.costs_from).map_err(|it| vec![it])?;
        eprint!("{}", laws.text());
        notes.extend(laws.apply(&mut document)?);
    }
    for note in notes {
        eprintln!("note: {note}");
    }
    let instance = document.instance()?;
    written::check(arguments).map_err(|it| vec![it])?;
    let cases = cases(arguments, &instance).map_err(|it| vec![it])?;
    if let Some(out) = &arguments.out {
        write(&mut document, &instance, &cases, out).map_err(|it| vec![it])?;
    }
    written::write(arguments, &instance, &cases).map_err(|it| vec![it])?;
    Ok(match (&*cases, arguments.format) {
        ([case], Format::Table) => output::table(&instance, case),
        ([case], Format::Json) => output::json(&instance, case),
        (cases, Format::Csv) => output::csv(cases, &instance),
        (cases, Format::Table) => output::comparison(&instance, cases),
        (cases, Format::Json) => output::comparison_json(&instance, cases),
    })
}

/// Writes the instance with the prediction in the place of the recording.
fn write(
    document: &mut Document,
    instance: &Instance,
    cases: &[Case],
    out: &Path,
) -> Result<(), Problem> {
    let case = written::only(cases, "--out")?;
    document.predict(&instance.workflow, &case.machine, &case.prediction)?;
    prophet_files::write(out, document.text()?).map_err(|error| {
        let what = format!("cannot write {}: {error}", shown(out));
        Problem::new(what, "Name a file that can be written.")
    })
}
