//! The command line: `run` for workflows.

mod cases;
mod flags;
mod output;
mod written;

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use crate::Problem;
use crate::text_file::shown;
use crate::wfformat::{Document, Instance, LARGEST_BYTES, too_large};
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
    let text = read(&arguments.file).map_err(|it| vec![it])?;
    let mut document = Document::parse(&text).map_err(|it| vec![it])?;
    drop(text);
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

/// The text of a file, of which no more is read than can be understood.
fn read(path: &Path) -> Result<String, Problem> {
    let help = "Name a file that can be read.";
    let cannot = |error: std::io::Error| Problem::new(format!("cannot read it: {error}"), help);
    let file = File::open(path).map_err(cannot)?;
    let length = file.metadata().map_err(cannot)?.len();
    if length > LARGEST_BYTES as u64 {
        return Err(too_large(length));
    }
    let mut bytes = Vec::new();
    let mut part = file.take(LARGEST_BYTES as u64 + 1);
    part.read_to_end(&mut bytes).map_err(cannot)?;
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        bytes = rest.to_vec();
    }
    let help = "Convert the file to UTF-8.";
    String::from_utf8(bytes).map_err(|_| Problem::new("the file is no text in UTF-8", help))
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
