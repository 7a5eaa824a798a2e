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
use prophet_codegen::check::RuleSet;

use crate::text_file::shown;
use crate::wfformat::{Document, Instance};
use crate::{Drawing, Problem};
use cases::{Case, cases};
use flags::{Arguments, Format};

/// Runs the command. `program` is the name by which the user called it, as in `cargo xtask run`.
pub fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    let words = std::iter::once(program.into()).chain(arguments.iter().cloned());
    let (words, others) = parted(words);
    let command = Arguments::command().bin_name(program);
    let arguments = Arguments::from_arg_matches(&command.get_matches_from(words))
        .unwrap_or_else(|error| error.exit());
    let text = match run(&arguments, &others) {
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

/// Names of the flags.
fn own_flags() -> Vec<String> {
    let command = Arguments::command();
    let flags = command.get_arguments().filter(|it| !it.is_hide_set());
    { flags.filter_map(|it| it.get_long()) }
        .map(str::to_owned)
        .collect()
}

/// Parts a command line: a drawing has flags that are not the command's, each with a value or none.
fn parted(words: impl Iterator<Item = OsString>) -> (Vec<OsString>, Vec<OsString>) {
    let words: Vec<OsString> = words.collect();
    if !words.iter().any(|it| it == "--drawn") {
        return (words, Vec::new());
    }
    let command = Arguments::command();
    let known: Vec<&str> = command
        .get_arguments()
        .filter_map(|it| it.get_long())
        .chain(["help", "version"])
        .collect();
    let (mut own, mut others) = (Vec::new(), Vec::new());
    let mut is_other = false;
    for word in words {
        let text = word.to_string_lossy();
        if let Some(flag) = text.strip_prefix("--") {
            let name = flag.split('=').next().unwrap_or_default();
            is_other = !known.contains(&name);
        }
        let list = if is_other { &mut others } else { &mut own };
        list.push(word);
    }
    (own, others)
}

fn run(arguments: &Arguments, others: &[OsString]) -> Result<String, Vec<Problem>> {
    let (instance, document) = if arguments.drawn {
        (drawn(arguments, others)?, None)
    } else {
        let document = document(arguments)?;
        (document.instance()?, Some(document))
    };
    written::check(arguments).map_err(|it| vec![it])?;
    let cases = cases(arguments, &instance).map_err(|it| vec![it])?;
    if let Some(out) = &arguments.out {
        write(document, &instance, &cases, out).map_err(|it| vec![it])?;
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

/// The document of a recorded workflow, with the costs that are asked for.
fn document(arguments: &Arguments) -> Result<Document, Vec<Problem>> {
    let (mut document, mut notes) = files::read(&arguments.file, &arguments.with)?;
    if !arguments.costs_from.is_empty() {
        let laws = files::laws(&arguments.costs_from).map_err(|it| vec![it])?;
        eprint!("{}", laws.text());
        notes.extend(laws.apply(&mut document)?);
    }
    for note in notes {
        eprintln!("note: {note}");
    }
    Ok(document)
}

/// The tasks of a drawing, of which nothing is recorded.
fn drawn(arguments: &Arguments, flags: &[OsString]) -> Result<Instance, Vec<Problem>> {
    let mut rules = RuleSet::shipped();
    if arguments.assume {
        rules.assume();
    }
    let drawing = Drawing::read(&arguments.file, arguments.main.as_deref(), &rules)?;
    Ok(Instance {
        workflow: drawing.workflow(flags, &own_flags())?,
        recorded: None,
        engine: None,
    })
}

/// Writes the instance with the prediction in the place of the recording.
fn write(
    document: Option<Document>,
    instance: &Instance,
    cases: &[Case],
    out: &Path,
) -> Result<(), Problem> {
    let case = written::only(cases, "--out")?;
    let (workflow, machine, prediction) = (&instance.workflow, &case.machine, &case.prediction);
    let document = match document {
        Some(mut document) => {
            document.predict(workflow, machine, prediction)?;
            document
        }
        None => Document::new(workflow, machine, prediction)?,
    };
    prophet_files::write(out, document.text()?).map_err(|error| {
        let what = format!("cannot write {}: {error}", shown(out));
        Problem::new(what, "Name a file that can be written.")
    })
}
