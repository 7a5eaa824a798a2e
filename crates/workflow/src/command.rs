//! Runs the command `run` for workflows.

mod cases;
mod drawn;
mod files;
mod flags;
mod output;
mod subject;
mod sweep;
mod written;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;
use prophet_result::Expectation;
use prophet_runtime::taken_flags;
use prophet_text::{Context as _, Problem};

use crate::formats::{self, Form};
use crate::text_file::shown;
use crate::wfformat::Document;
use cases::{Case, cases, range};
pub use drawn::{DrawnPrediction, ElementUse, Stay, page_policy, predict};
use flags::{Arguments, Format, of_drawings};
use subject::{Given, Subject};

/// Runs the command, or `sweep` for a workflow if that is the first argument. `program` is what the
/// user typed to run it, such as `cargo xtask run`.
pub fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    match arguments.split_first() {
        Some((first, rest)) if first == "sweep" => {
            let door = program.strip_suffix(" run").unwrap_or(program);
            prophet_sweep::command::main(&format!("{door} sweep"), rest, &sweep::Workflows)
        }
        _ => start(program, arguments, None),
    }
}

/// Runs the command for a drawn workflow that has already been checked with `rules`. `arguments`
/// includes `--drawn`.
pub fn main_drawn(
    program: &str,
    arguments: &[OsString],
    checked: &Checked,
    rules: &RuleSet,
) -> ExitCode {
    start(program, arguments, Some((checked, rules)))
}

fn start(program: &str, arguments: &[OsString], given: Given<'_>) -> ExitCode {
    let words = std::iter::once(program.into()).chain(arguments.iter().cloned());
    let (words, others) = parted(words);
    if let Some((checked, _)) = given {
        warn_of_own_flags(checked, &words, &others);
    }
    let command = of_drawings(Arguments::command()).bin_name(program);
    let arguments = Arguments::from_arg_matches(&command.get_matches_from(words))
        .unwrap_or_else(|error| error.exit());
    let (text, unmet) = match run(&arguments, &others, given) {
        Ok(found) => found,
        Err(problems) => {
            for problem in problems {
                prophet_text::tell!("error: {}", problem.or_in_file(shown(&arguments.file)));
            }
            return ExitCode::from(1);
        }
    };
    let code = if unmet.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(Expectation::EXIT_CODE)
    };
    let printed = prophet_text::print(&text);
    for sentence in unmet {
        prophet_text::tell!("error: {sentence}");
    }
    prophet_text::exit_code(printed.map(|()| code))
}

/// Warns if a flag of the command has the same name as a parameter of the drawing.
fn warn_of_own_flags(checked: &Checked, own: &[OsString], others: &[OsString]) {
    let names = Arguments::names();
    let program = checked.program.iter();
    let parameters = program.flat_map(|it| it.parameters.iter().map(|it| it.name.as_str()));
    let is_own = |flag: &str| names.iter().any(|it| it == flag);
    for warning in taken_flags(parameters, is_own, &[own, others].concat()) {
        prophet_text::tell!("warning: {warning}");
    }
}

/// Splits a command line into the command's own flags and a drawing's flags, which can be followed
/// by a value.
fn parted(words: impl Iterator<Item = OsString>) -> (Vec<OsString>, Vec<OsString>) {
    let words: Vec<OsString> = words.collect();
    if !words.iter().any(|it| it == "--drawn") {
        return (words, Vec::new());
    }
    let command = Arguments::command();
    let known: Vec<&str> = command
        .get_arguments()
        .flat_map(|it| it.get_long_and_visible_aliases().unwrap_or_default())
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

/// Makes the prediction. Returns the result as text, and a sentence for each number that isn't as
/// expected.
fn run(
    arguments: &Arguments,
    others: &[OsString],
    given: Given<'_>,
) -> Result<(String, Vec<String>), Vec<Problem>> {
    let mut subject = Subject::read(arguments, others, given)?;
    written::check(arguments, &subject).map_err(|it| vec![it])?;
    let mut cases = cases(arguments, &subject).map_err(|it| vec![it])?;
    for case in &mut cases {
        case.range = range(arguments, &subject, case).map_err(|it| vec![it])?;
    }
    for note in cases.first().iter().flat_map(|it| &it.machine.notes) {
        prophet_text::tell!("note: {note}");
    }
    if let Some(out) = &arguments.out {
        let document = subject.document.take();
        write(document, &subject, &cases, out).map_err(|it| vec![it])?;
    }
    written::write(arguments, &subject, &cases).map_err(|it| vec![it])?;
    let unmet = unmet(arguments, &subject, &cases).map_err(|it| vec![it])?;
    let text = match (&*cases, arguments.format) {
        ([case], Format::Table) => output::table(subject.of(case.replication), case),
        ([case], Format::Json) => output::json(subject.of(case.replication), case),
        (cases, Format::Csv) => output::csv(cases, &subject),
        (cases, Format::Table) => output::comparison(&subject, cases),
        (cases, Format::Json) => output::comparison_json(&subject, cases),
    };
    Ok((text, unmet))
}

/// Returns a sentence for each number in the result that isn't as expected.
fn unmet(arguments: &Arguments, subject: &Subject, cases: &[Case]) -> Result<Vec<String>, Problem> {
    if arguments.expect.is_empty() {
        return Ok(Vec::new());
    }
    let case = written::only(cases, "--expect")?;
    let text = output::json(subject.of(case.replication), case);
    let result = serde_json::from_str(&text).context("cannot compare the result")?;
    Expectation::unmet(&arguments.expect, &result)
}

/// Writes the workflow with the predicted times in place of the recorded ones. The file's extension
/// determines the format.
fn write(
    document: Option<Document>,
    subject: &Subject,
    cases: &[Case],
    out: &Path,
) -> Result<(), Problem> {
    let case = written::only(cases, "--out")?;
    let workflow = &subject.of(case.replication).workflow;
    let (machine, prediction) = (&case.machine, &case.prediction);
    let document = match document {
        Some(mut document) => {
            document.predict(workflow, machine, prediction)?;
            document
        }
        None => Document::new(workflow, machine, prediction)?,
    };
    let (text, notes) = formats::write(&document, Form::of(out))?;
    for note in notes {
        prophet_text::tell!("note: {note}");
    }
    prophet_files::write(out, text).map_err(|error| {
        let what = format!("cannot write {}: {error}", shown(out));
        Problem::with_help(what, "Choose a file that can be written.")
    })
}
