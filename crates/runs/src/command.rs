//! Runs the command `runs`, and saves the results for `run --save`.

mod arguments;
mod keep;
mod signals;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::ErrorKind;
use prophet_files::Inputs;
use prophet_text::{Context as _, FileKind, Problem};

use crate::compare::{compare, render};
use crate::database::Location;
use crate::render as text;
use crate::repository::Repository;
use crate::run::RunRecord;
pub use arguments::Arguments;
use arguments::{Command, ExportFormat, Format, ShowFormat};
pub use keep::{Origin, chosen_repository, keep_result};

/// A command's exit code, or the reason why it stopped.
type Outcome = Result<ExitCode, Problem>;

const BYTES_MAX: u64 = 1 << 30;

/// Runs the command. `program` is what the user typed to run the command, such as
/// `cargo xtask runs`.
///
/// # Errors
///
/// Returns an error if the repository, or a file, can't be read or written.
pub fn run(arguments: &Arguments, program: &str) -> Result<ExitCode, Problem> {
    let location = Location::of(&arguments.repository);
    match &arguments.command {
        Command::Add(add) => keep::add(&location, add),
        Command::Keep(keep) => keep::keep(&location, keep, program),
        Command::List {
            model,
            last,
            format,
        } => list(&location, model.as_deref(), *last, *format),
        Command::Show { run, format } => show(&location, *run, *format),
        Command::Compare { runs, format } => side_by_side(&location, runs, *format, program),
        Command::Export { runs, format, out } => export(&location, runs, *format, out.as_deref()),
        Command::Delete { runs } => delete(&location, runs),
    }
}

fn list(location: &Location, model: Option<&str>, last: Option<usize>, format: Format) -> Outcome {
    let runs = Repository::open(location)?.list(model)?;
    let from = last.map_or(0, |last| runs.len().saturating_sub(last));
    let runs = &runs[from..];
    match format {
        Format::Human => print(&text::list(runs, terminal_width())),
        Format::Json => print(&json(&runs)),
    }
}

fn show(location: &Location, run: i64, format: ShowFormat) -> Outcome {
    let runs = Repository::open(location)?.get(&[run])?;
    match format {
        ShowFormat::Human => print(&text::show(&runs[0])),
        ShowFormat::Json => print(&json(&runs[0])),
        ShowFormat::Result => print(&format!("{}\n", runs[0].run.text().trim_end())),
    }
}

fn side_by_side(location: &Location, runs: &[i64], format: Format, program: &str) -> Outcome {
    if runs.len() < 2 {
        let why = "name at least two runs, such as `runs compare 1 2`";
        Arguments::command()
            .bin_name(program)
            .error(ErrorKind::TooFewValues, why)
            .exit();
    }
    let comparison = compare(&Repository::open(location)?.get(runs)?);
    match format {
        Format::Human => print(&render(&comparison, terminal_width())),
        Format::Json => print(&json(&comparison)),
    }
}

fn export(location: &Location, runs: &[i64], format: ExportFormat, out: Option<&Path>) -> Outcome {
    let mut repository = Repository::open(location)?;
    let runs = if runs.is_empty() {
        let all: Vec<i64> = repository.list(None)?.iter().map(|run| run.id).collect();
        repository.get(&all)?
    } else {
        repository.get(runs)?
    };
    let text = match format {
        ExportFormat::Json => json(&runs),
        ExportFormat::Csv => text::csv(&runs),
    };
    let Some(path) = out else {
        return print(&text);
    };
    if let Location::File(repository) = location {
        repository_files(repository)
            .collect::<Inputs>()
            .refuse([("--out", path)])?;
    }
    prophet_files::write(path, text)
        .map_err(|error| Problem::new(format!("cannot write {}: {error}", path.display())))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a repository's file, and the files that SQLite keeps next to it.
pub fn repository_files(repository: &Path) -> impl Iterator<Item = PathBuf> {
    ["", "-journal", "-shm", "-wal"].into_iter().map(|ending| {
        let mut name = repository.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    })
}

fn delete(location: &Location, runs: &[i64]) -> Outcome {
    Repository::open(location)?.delete(runs)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the width of tables: the value of `COLUMNS`, or otherwise the terminal's width, or
/// otherwise 100 columns.
fn terminal_width() -> usize {
    let given = std::env::var("COLUMNS").ok();
    let given = given.and_then(|columns| columns.parse().ok());
    given.or_else(columns_of_stdout).unwrap_or(100)
}

#[cfg(unix)]
fn columns_of_stdout() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

#[cfg(not(unix))]
fn columns_of_stdout() -> Option<usize> {
    None
}

fn json(value: &impl serde::Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("all of it can be JSON");
    prophet_text::plain::json(&text) + "\n"
}

fn print(text: &str) -> Outcome {
    prophet_text::print(text).map_err(Problem::new)?;
    Ok(ExitCode::SUCCESS)
}

fn runs_of(path: &Path) -> Result<Vec<RunRecord>, Problem> {
    prophet_files::expect(path, &[FileKind::Outcome, FileKind::Json])?;
    let text = String::from_utf8(prophet_files::load(path, BYTES_MAX)?);
    let runs = text
        .told()
        .and_then(|text| RunRecord::read_all(&text).told());
    runs.context(path.display())
}
