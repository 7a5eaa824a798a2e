//! The command line: `run` for workflows.

mod files;
mod flags;
mod output;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};

use crate::schedulers::{AsRecorded, by_name};
use crate::wfformat::{Document, Instance};
use crate::{HostId, Machine, Prediction, Problem, Scheduler, quoted, simulate};
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
                eprintln!("error: {}: {problem}", shown(&arguments.file));
            }
            return ExitCode::from(1);
        }
    };
    // A reader that has gone away needs no message.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

fn shown(path: &Path) -> String {
    prophet_text::plain::line(&path.display().to_string())
}

/// One prediction of an instance.
struct Case {
    scheduler: String,
    machine: Machine,
    prediction: Prediction,
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
    let cases = cases(arguments, &instance).map_err(|it| vec![it])?;
    if let Some(out) = &arguments.out {
        write(arguments, &mut document, &instance, &cases, out).map_err(|it| vec![it])?;
    }
    Ok(match (&*cases, arguments.format) {
        ([case], Format::Table) => output::table(&instance, case),
        ([case], Format::Json) => output::json(&instance, case),
        (cases, Format::Table) => output::comparison(&instance, cases),
        (cases, Format::Json) => output::comparison_json(&instance, cases),
    })
}

/// Predictions by all schedulers on all numbers of hosts that are asked for.
fn cases(arguments: &Arguments, instance: &Instance) -> Result<Vec<Case>, Problem> {
    let mut cases = Vec::new();
    for machine in arguments.machines(instance)? {
        for name in arguments.schedulers(instance)? {
            let mut scheduler = scheduler(&name, instance)?;
            let prediction = simulate(&instance.workflow, &machine, &mut *scheduler)?;
            cases.push(Case {
                scheduler: name,
                machine: machine.clone(),
                prediction,
            });
        }
    }
    Ok(cases)
}

fn scheduler(name: &str, instance: &Instance) -> Result<Box<dyn Scheduler>, Problem> {
    if name == flags::RECORDED {
        let hosts = recorded_hosts(instance).ok_or_else(|| {
            let what = "the hosts of the tasks are not recorded";
            Problem::new(what, "Take another scheduler, such as `--scheduler fcfs`.")
        })?;
        return Ok(Box::new(AsRecorded::new(hosts)));
    }
    by_name(name).ok_or_else(|| {
        let names = || crate::schedulers::NAMES.iter().map(|it| it.0);
        let meant = prophet_text::did_you_mean(name, names());
        let what = format!("there is no scheduler {}{meant}", quoted(name));
        let names: Vec<_> = names().collect();
        Problem::new(what, format!("Take one of {}.", names.join(", ")))
    })
}

/// The recorded host of each task, where all are recorded.
fn recorded_hosts(instance: &Instance) -> Option<Vec<HostId>> {
    let hosts = &instance.recorded.as_ref()?.hosts;
    hosts.iter().map(|it| it.map(HostId)).collect()
}

/// Writes the instance with the prediction in the place of the recording.
fn write(
    arguments: &Arguments,
    document: &mut Document,
    instance: &Instance,
    cases: &[Case],
    out: &Path,
) -> Result<(), Problem> {
    let [case] = cases else {
        let what = "`--out` writes one prediction, and there are several";
        return Err(Problem::new(
            what,
            "Give one scheduler and one number of hosts.",
        ));
    };
    let others = arguments.with.iter().chain(&arguments.costs_from);
    let mut inputs = std::iter::once(&arguments.file).chain(others);
    if inputs.any(|it| prophet_files::is_same_file(it, out)) {
        let what = "the output would replace the instance";
        return Err(Problem::new(what, "Name another file for `--out`."));
    }
    document.predict(&instance.workflow, &case.machine, &case.prediction)?;
    prophet_files::write(out, document.text()?).map_err(|error| {
        let what = format!("cannot write {}: {error}", shown(out));
        Problem::new(what, "Name a file that can be written.")
    })
}
