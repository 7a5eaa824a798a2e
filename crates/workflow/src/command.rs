//! The command line: `run` for workflows.

mod flags;
mod output;

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use prophet_codegen::check::RuleSet;

use crate::schedulers::{AsRecorded, by_name};
use crate::wfformat::{Document, Instance, LARGEST_BYTES, too_large};
use crate::{Drawing, HostId, Machine, Prediction, Problem, Scheduler, quoted, simulate};
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
                eprintln!("error: {}: {problem}", shown(&arguments.file));
            }
            return ExitCode::from(1);
        }
    };
    // A reader that has gone away needs no message.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    ExitCode::SUCCESS
}

/// Names of the flags.
pub(crate) fn flags() -> Vec<String> {
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

fn shown(path: &Path) -> String {
    prophet_text::plain::line(&path.display().to_string())
}

/// One prediction of an instance.
struct Case {
    scheduler: String,
    machine: Machine,
    prediction: Prediction,
}

fn run(arguments: &Arguments, others: &[OsString]) -> Result<String, Vec<Problem>> {
    let (instance, document) = if arguments.drawn {
        (drawn(arguments, others)?, None)
    } else {
        let document = read(&arguments.file).and_then(|it| Document::parse(&it));
        let document = document.map_err(|it| vec![it])?;
        (document.instance()?, Some(document))
    };
    let cases = cases(arguments, &instance).map_err(|it| vec![it])?;
    if let Some(out) = &arguments.out {
        write(arguments, document, &instance, &cases, out).map_err(|it| vec![it])?;
    }
    Ok(match (&*cases, arguments.format) {
        ([case], Format::Table) => output::table(&instance, case),
        ([case], Format::Json) => output::json(&instance, case),
        (cases, Format::Table) => output::comparison(&instance, cases),
        (cases, Format::Json) => output::comparison_json(&instance, cases),
    })
}

/// The tasks of a drawing, of which nothing is recorded.
fn drawn(arguments: &Arguments, flags: &[OsString]) -> Result<Instance, Vec<Problem>> {
    let mut rules = RuleSet::shipped();
    if arguments.assume {
        rules.assume();
    }
    let drawing = Drawing::read(&arguments.file, arguments.main.as_deref(), &rules)?;
    Ok(Instance {
        workflow: drawing.workflow(flags)?,
        recorded: None,
        engine: None,
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
    document: Option<Document>,
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
    if prophet_files::is_same_file(&arguments.file, out) {
        let what = "the output would replace the instance";
        return Err(Problem::new(what, "Name another file for `--out`."));
    }
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
