//! Runs the command `run` for workflows.

mod cases;
mod files;
mod flags;
mod output;
mod predicted;
mod result;
mod subject;
mod sweep;
mod uses;
mod written;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::CommandFactory as _;
use prophet_frontend::checked::Checked;
use prophet_result::Expectation;
use prophet_runtime::taken_flags;
use prophet_text::{Context as _, Problem};

use crate::formats::{self, Form};
use crate::text_file::shown;
use crate::wfformat::Document;
use cases::{Case, cases, range};
use flags::{Arguments, Format};
pub use predicted::{PredictedWorkflow, Stay, page_policy, predict};
pub use subject::Drawing;
use subject::Subject;
pub use sweep::Workflows;
pub use uses::ElementUse;

/// Predicts the workflow in a file. `program` is what the user typed to run the command, such as
/// `cargo xtask run`. A drawing has already been checked with its rules.
pub fn run(
    program: &str,
    file: &Path,
    flags: &[OsString],
    drawing: Option<Drawing<'_>>,
) -> ExitCode {
    let words = [program.into(), file.into()].into_iter();
    let words = words.chain(flags.iter().cloned());
    let (words, others) = parted(words, drawing.is_some());
    if let Some(drawing) = drawing {
        warn_of_own_flags(drawing.checked, &words, &others);
    }
    let arguments = Arguments::read(Some(program), words, drawing.is_some());
    let arguments = arguments.unwrap_or_else(|error| error.exit());
    let (text, unmet) = match predicted(&arguments, &others, drawing) {
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
fn parted(words: impl Iterator<Item = OsString>, is_drawn: bool) -> (Vec<OsString>, Vec<OsString>) {
    if !is_drawn {
        return (words.collect(), Vec::new());
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
fn predicted(
    arguments: &Arguments,
    others: &[OsString],
    drawing: Option<Drawing<'_>>,
) -> Result<(String, Vec<String>), Vec<Problem>> {
    let mut subject = Subject::read(arguments, others, drawing)?;
    let rule_files = drawing.map_or(&[][..], |it| it.rule_files);
    written::check(arguments, &subject, rule_files).map_err(|it| vec![it])?;
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
        ([case], Format::Json) => output::json(arguments, &subject, case),
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
    let result = serde_json::to_value(output::result(arguments, subject, case));
    let result = result.context("cannot compare the result")?;
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
