//! Command `sweep`.

pub(crate) mod arguments;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Subcommand as _};
use prophet_files::is_same_file;
use prophet_sweep::{Plan, Row};

use crate::cluster::Task;
use crate::goal::Goals;
use crate::page::Page;
use crate::readers::{Readers, Tally};
use crate::records;
use crate::rows::Rows;
use crate::study::{self, Study};
use arguments::{Arguments, Format, Points};

/// Exit code of a sweep that was interrupted.
pub(crate) const STOPPED: u8 = 3;

/// Command line of `sweep`, for manuals and shells.
pub fn command_line() -> clap::Command {
    let command = Arguments::command();
    let command = command
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true);
    Task::augment_subcommands(command).subcommand_required(false)
}

/// Evaluates the points of a space. `program` is the name by which the user called the command, as
/// in `cargo xtask sweep`.
pub fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    let words = std::iter::once(program.into()).chain(arguments.iter().cloned());
    let matches = command_line().bin_name(program).get_matches_from(words);
    let ended = match matches.subcommand_name() {
        None => Arguments::from_arg_matches(&matches).map(|it| run(program, &it)),
        Some(_) => {
            Task::from_arg_matches(&matches).map(|it| it.run(program, &in_front(arguments.len())))
        }
    };
    ended
        .unwrap_or_else(|error| error.exit())
        .unwrap_or_else(|message| {
            eprintln!("error: {}", prophet_text::plain::lines(&message));
            ExitCode::from(1)
        })
}

/// Words of this process between its program and its last `arguments`.
fn in_front(arguments: usize) -> Vec<OsString> {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let count = words.len().saturating_sub(arguments);
    words.into_iter().take(count).collect()
}

fn run(program: &str, arguments: &Arguments) -> Result<ExitCode, String> {
    let (mut plan, folder) = study::plan(&arguments.model)?;
    arguments.points.change(&mut plan);
    arguments.goals.change(&mut plan.find);
    if arguments.print_plan {
        plan.points()?;
        let text = prophet_text::plain::json(&plan.to_string());
        told(write!(io::stdout(), "{text}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let study = Study::read(&plan, &folder, &arguments.rules)?;
    let sweep = study.sweep()?;
    let goals = Goals::read(&plan.find, &study.space, false)?;
    let model = folder.join(&plan.model);
    let mut inputs = study.inputs(&model, &plan, &arguments.rules);
    inputs.push(arguments.model.clone());
    arguments.check(&inputs, goals.is_some())?;
    let chosen = goals.as_ref().is_some_and(Goals::choose_points);
    if arguments.records.is_some() && (chosen || study.replications.are_several()) {
        return Err(
            "--records has a result for each of all points: leave out --seeds and \
                    --precision, or a search that chooses points"
                .to_owned(),
        );
    }
    let file = model.to_string_lossy();
    let page = arguments.report.as_ref();
    let page = page.map(|_| Page::new((program, &file), &plan, &study, goals.as_ref()));
    let mut readers = Readers {
        goals,
        page,
        tally: Tally::default(),
    };
    let rows = Rows {
        study: &study,
        sweep: &sweep,
        jobs: threads(arguments.jobs),
        out: arguments.out.as_deref(),
        format: arguments.format(),
        goals: format!("{:?}", plan.find),
    };
    if !rows.write(&mut readers)? {
        return Ok(ExitCode::from(STOPPED));
    }
    if let Some(path) = &arguments.records
        && !records::write(path, &study, &sweep, rows.jobs)?
    {
        return Ok(ExitCode::from(STOPPED));
    }
    readers.finish(arguments.json, arguments.report.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// Taker of rows.
pub(crate) type Take<'t> = &'t mut dyn FnMut(&Row) -> io::Result<()>;

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` gives")]
fn unwritten(error: io::Error) -> String {
    format!("cannot write the rows: {error}")
}

/// Ignores a reader that closes the output early (`| head`), but not a full disk.
pub(crate) fn told(written: io::Result<()>) -> Result<(), String> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(unwritten(error)),
        _ => Ok(()),
    }
}

/// Number of threads that evaluate: one for each core, unless the user says it.
pub(crate) fn threads(jobs: Option<NonZero<usize>>) -> usize {
    let cores = std::thread::available_parallelism();
    jobs.or(cores.ok()).map_or(1, NonZero::get)
}

impl Points {
    /// Adds what the command line says to a plan.
    pub(crate) fn change(&self, plan: &mut Plan) {
        plan.vary.extend(self.vary.iter().cloned());
        plan.flags.extend(self.flags.iter().cloned());
        let changes = [
            (&self.main, &mut plan.main),
            (&self.sample, &mut plan.sample),
            (&self.seeds, &mut plan.seeds),
            (&self.precision, &mut plan.precision),
        ];
        for (given, planned) in changes {
            if given.is_some() {
                planned.clone_from(given);
            }
        }
    }
}

impl Arguments {
    /// Refuses to write over what is read, and what is of no use.
    fn check(&self, inputs: &[PathBuf], has_goals: bool) -> Result<(), String> {
        let outputs = [
            ("--out", &self.out),
            ("--report", &self.report),
            ("--records", &self.records),
        ];
        check_outputs(&outputs, inputs)?;
        check_words(
            has_goals,
            self.json,
            self.format.filter(|_| self.out.is_none()),
        )
    }

    pub(crate) fn format(&self) -> Format {
        let of_name = || Format::of(self.out.as_ref()?);
        self.format.or_else(of_name).unwrap_or(Format::Csv)
    }
}

/// Refuses to write over what is read, and two things into one file; each output has its flag.
pub(crate) fn check_outputs(
    outputs: &[(&str, &Option<PathBuf>)],
    inputs: &[PathBuf],
) -> Result<(), String> {
    let given = outputs
        .iter()
        .filter_map(|(flag, path)| Some((*flag, path.as_deref()?)));
    let given: Vec<(&str, &Path)> = given.collect();
    for (place, (flag, path)) in given.iter().enumerate() {
        if inputs.iter().any(|input| is_same_file(input, path)) {
            return Err(format!(
                "{flag} is {} itself, which the sweep reads",
                path.display()
            ));
        }
        let is_same = |(_, other): &&(&str, &Path)| other == path || is_same_file(other, path);
        if let Some((other, _)) = given[..place].iter().find(is_same) {
            return Err(format!("{other} and {flag} are both {}", path.display()));
        }
    }
    Ok(())
}

/// Refuses `--json` where nothing is to be found, and `--format` where no rows are written.
pub(crate) fn check_words(
    has_goals: bool,
    json: bool,
    format: Option<Format>,
) -> Result<(), String> {
    if has_goals && format.is_some() {
        return Err("--format is that of the rows in a file: say --out FILE, too".to_owned());
    }
    if json && !has_goals {
        return Err(
            "--json prints what --minimize, --pareto or --sensitivity finds, and none of \
                    them is given; --format jsonl is for rows"
                .to_owned(),
        );
    }
    Ok(())
}

impl Format {
    /// The format of a file by its name.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_lowercase();
        match ending.as_str() {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}
