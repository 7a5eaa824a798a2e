//! Runs the command `sweep`.

mod arguments;
mod records;
mod rows;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::evaluate::threads;
use crate::output::{Format, check_words};
use clap::{CommandFactory as _, FromArgMatches as _, Subcommand as _};
use prophet_files::Inputs;
use prophet_text::{Problem, problem};

use crate::cluster::Task;
use crate::goal::{Bound, OpenGoals};
use crate::readers::{Page, Readers, RowTally};
use crate::study::{self, Subjects};
use crate::terminal::STOPPED;
use arguments::Arguments;
use rows::Rows;

/// Returns the definition of `sweep`'s command line, for manuals and shell completions.
pub fn command_line() -> clap::Command {
    let command = Arguments::command();
    let command = command
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true);
    Task::augment_subcommands(command).subcommand_required(false)
}

/// Runs the command. `program` is what the user typed to run the command, such as
/// `cargo xtask sweep`.
pub fn main(program: &str, arguments: &[OsString], subjects: &dyn Subjects) -> ExitCode {
    let words = std::iter::once(program.into()).chain(arguments.iter().cloned());
    let matches = command_line().bin_name(program).get_matches_from(words);
    let ended = if matches.subcommand_name().is_none() {
        Arguments::from_arg_matches(&matches).map(|it| run(program, &it, subjects))
    } else {
        let words = in_front(arguments.len());
        Task::from_arg_matches(&matches).map(|it| it.run(program, &words, subjects))
    };
    prophet_text::exit_code(ended.unwrap_or_else(|error| error.exit()))
}

fn in_front(arguments: usize) -> Vec<OsString> {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let count = words.len().saturating_sub(arguments);
    words.into_iter().take(count).collect()
}

fn run(program: &str, arguments: &Arguments, subjects: &dyn Subjects) -> Result<ExitCode, Problem> {
    let (mut plan, folder) = study::plan(&arguments.model)?;
    arguments.points.change(&mut plan);
    arguments.goals.change(&mut plan.find);
    if arguments.print_plan {
        plan.points()?;
        let text = prophet_text::plain::json(&plan.to_string());
        prophet_text::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let study = subjects.read(&plan, &folder, &arguments.rules)?;
    let (study, sweep) = (&*study, study.sweep()?);
    let bound = plan.find.bound.as_deref();
    let bounds = bound.map(|flag| study.bounds(flag)).transpose()?;
    let goals = OpenGoals::read(&plan.find, study.space(), study.metrics(), false)?;
    if plan.vary.is_empty() && !study.has_seeds() {
        prophet_text::tell!("note: nothing varies; add for example `--vary nodes=1,2,4`");
    }
    let model = folder.join(&plan.model);
    let mut inputs = study.inputs(&model, &plan, &arguments.rules);
    inputs.extend([&arguments.model]);
    arguments.check(&inputs, goals.is_some())?;
    let format = Format::choose(arguments.format, arguments.out.as_deref())?;
    let chosen = goals.as_ref().is_some_and(OpenGoals::choose_points);
    if arguments.records.is_some() && !subjects.has_records() {
        return Err("--records is not supported for workflows: remove it".into());
    }
    if arguments.records.is_some() && (chosen || study.has_seeds()) {
        return Err(problem!(
            "--records needs exactly one result for every point: remove --seeds, --precision and \
             the search that chooses points"
        ));
    }
    let file = model.to_string_lossy();
    let page = arguments.report.as_ref();
    let page = page.map(|_| Page::new((program, &file), &plan, (subjects, study), goals.as_ref()));
    let mut readers = Readers {
        goals,
        page,
        tally: RowTally::default(),
    };
    let rows = Rows {
        study,
        sweep: &*sweep,
        bound: bound
            .zip(bounds.as_deref())
            .map(|(flag, sweep)| Bound { sweep, flag }),
        jobs: threads(arguments.jobs),
        out: arguments.out.as_deref(),
        format,
        goals: format!("{:?}", plan.find),
    };
    if !rows.write(&mut readers)? {
        return Ok(ExitCode::from(STOPPED));
    }
    if let Some(path) = &arguments.records
        && !records::write(path, &*sweep, rows.jobs)?
    {
        return Ok(ExitCode::from(STOPPED));
    }
    readers.finish(arguments.json, arguments.report.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// Rejects flags that have no effect, and flags that would overwrite an input.
    fn check(&self, inputs: &Inputs, has_goals: bool) -> Result<(), Problem> {
        let outputs = [
            ("--out", &self.out),
            ("--report", &self.report),
            ("--records", &self.records),
        ];
        inputs
            .refuse({ outputs.into_iter() }.filter_map(|(flag, it)| Some((flag, it.as_ref()?))))?;
        check_words(
            has_goals,
            self.json,
            self.format.filter(|_| self.out.is_none()),
        )
    }
}
