//! Parses the command line of a generated program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use prophet_files::Inputs;
use prophet_machine::machine::Machine;
use prophet_machine::system::System;
use prophet_result::{Expectation, RunResult};
use prophet_text::{Problem, problem};

use crate::language::model::Model;
use crate::simulation::choice::{Engine, Method, why_not_local};
use crate::tracing::{Trace, TraceFilter};

/// Flags whose values are files that the program writes.
const WRITTEN: [&str; 4] = ["--trace", "--report", "--picture", "--record"];

pub(crate) mod configuration;
mod devices;
mod fixed;
mod flag;
pub(crate) mod machine;
mod mistake;
mod noise;
mod parameters;
mod published;
mod refused;
mod written;

use configuration::Configuration;
use fixed::OUTPUTS;
use mistake::Mistake;
use parameters::{ParameterFlags, command};
pub use parameters::{command_line, system_flags, taken_flags};
use refused::refused;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Options {
    pub(crate) system: System,
    pub(crate) method: Method,
    pub(crate) format: Format,
    /// Whether JSON output lists all processes, even if there are many.
    pub(crate) all_processes: bool,
    /// A file that the result is written to as well.
    pub(crate) record: Option<PathBuf>,
    pub(crate) trace: Option<PathBuf>,
    pub(crate) report: Option<PathBuf>,
    pub(crate) picture: Option<PathBuf>,
    pub(crate) trace_filter: TraceFilter,
    pub(crate) expected: Vec<Expectation>,
    /// An earlier result. If the new one isn't as expected, the two are compared to show what grew.
    pub(crate) kept: Option<RunResult<'static>>,
    pub(crate) replications: u32,
    /// Warnings about flags that the user may have meant as parameters.
    pub(crate) warnings: Vec<String>,
}

impl Options {
    /// Creates the options for a run without any output. Returns an error if the configuration is
    /// invalid.
    pub(crate) fn configured(configuration: &Configuration) -> Result<Self, Problem> {
        Ok(Self::of(configuration)?)
    }

    fn of(configuration: &Configuration) -> Result<Self, Mistake> {
        let (system, method) = (configuration.described()?, configuration.method());
        if method.engine == Engine::Local
            && let Some(why) = why_not_local(&system)
        {
            return Err(Mistake::Flag(format!(
                "--engine local cannot run this: {why}; use `auto` or `event`"
            )));
        }
        Ok(Self {
            system,
            method,
            format: Format::Table,
            all_processes: false,
            record: None,
            trace: None,
            report: None,
            picture: None,
            trace_filter: TraceFilter::default(),
            expected: Vec::new(),
            kept: None,
            replications: 1,
            warnings: configuration.warnings().to_vec(),
        })
    }

    /// Creates the trace that the user wants. A report needs a trace too, even if only a temporary
    /// one.
    pub(crate) fn trace(&self) -> Option<Trace> {
        let trace = match (&self.trace, &self.report) {
            (Some(path), _) => Trace::new(path),
            (None, Some(report)) => Trace::scratch(report),
            (None, None) => return None,
        };
        Some(trace.with_filter(self.trace_filter.clone()))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Json,
}

#[derive(Debug)]
pub(crate) enum Refusal {
    /// The command line is invalid or asks for help.
    Usage(clap::Error),
    /// A file on the command line is invalid.
    Input(Problem),
    /// The command line asks for this text instead of a run.
    Answer(String),
}

/// The message has no prefix `error: `.
impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Input(problem) => problem,
            Refusal::Answer(text) => text.into(),
            Refusal::Usage(error) => {
                let text = error.to_string();
                let text = text.strip_prefix("error: ").unwrap_or(&text);
                text.trim_end().into()
            }
        }
    }
}

impl Configuration {
    /// Reads a configuration from the flags of a run. Rejects output flags, because a configuration
    /// can be used for many runs.
    ///
    /// # Errors
    ///
    /// Returns an error that describes the invalid flag.
    pub fn read(model: &Model, flags: &[impl AsRef<str>]) -> Result<Self, Problem> {
        Self::read_but(&OUTPUTS, model, flags)
    }

    /// Reads a configuration from the flags of a run, and ignores output flags.
    ///
    /// # Errors
    ///
    /// Returns an error that describes the invalid flag.
    pub fn of_run(model: &Model, flags: &[impl AsRef<str>]) -> Result<Self, Problem> {
        Self::read_but(&[], model, flags)
    }

    /// Reads flags, except those in `refused`, which are errors.
    fn read_but(
        refused: &[&str],
        model: &Model,
        flags: &[impl AsRef<str>],
    ) -> Result<Self, Problem> {
        let parameters = ParameterFlags::new(model);
        let words = std::iter::once(model.name).chain(flags.iter().map(AsRef::as_ref));
        let words: Vec<OsString> = words.map(OsString::from).collect();
        let matches = matches(model, &parameters, &words)?;
        let is_given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
        if let Some(id) = refused.iter().find(|id| is_given(id)) {
            return Err(problem!("--{id} is only supported for a single run"));
        }
        Ok(Self::given(model, &parameters, &matches)?)
    }
}

/// Parses words, of which the first one is the program's name.
fn matches(
    model: &Model,
    flags: &ParameterFlags,
    words: &[OsString],
) -> Result<ArgMatches, Refusal> {
    let mut command = command(model, flags);
    let matches = command.try_get_matches_from_mut(words);
    let name = words.first().map_or("".as_ref(), OsString::as_os_str);
    matches.map_err(|error| Refusal::Usage(refused(error, &command, name)))
}

/// Parses the command line, which begins with the program's name.
pub(crate) fn parse(
    model: &Model,
    arguments: &mut dyn Iterator<Item = OsString>,
) -> Result<Options, Refusal> {
    let flags = ParameterFlags::new(model);
    let words: Vec<OsString> = arguments.collect();
    let matches = matches(model, &flags, &words)?;
    // Without the usage, because the user may not have called the program by that name.
    let usage = |message| Refusal::Usage(clap::Error::raw(ErrorKind::ValueValidation, message));
    let refuse = |mistake| match mistake {
        Mistake::Flag(message) => usage(message),
        Mistake::Input(problem) => Refusal::Input(problem),
        Mistake::List(text) => Refusal::Answer(text),
    };
    let given = Configuration::given(model, &flags, &matches).map_err(refuse)?;
    let read = Options::of(&given).map_err(refuse)?;
    let trace_filter = trace_filter(&matches).map_err(usage)?;
    let expected = matches.get_many("expect").into_iter().flatten();
    let kept = matches.get_one::<PathBuf>("kept");
    let kept = kept.map(|path| kept_result(path)).transpose();
    let kept = kept.map_err(Refusal::Input)?;
    let json = matches
        .get_one::<String>("format")
        .is_some_and(|format| format == "json");
    let options = Options {
        format: if json { Format::Json } else { Format::Table },
        all_processes: matches.get_flag("all-processes"),
        record: matches.get_one("record").cloned(),
        trace: matches.get_one("trace").cloned(),
        report: matches.get_one("report").cloned(),
        picture: matches.get_one("picture").cloned(),
        trace_filter,
        expected: expected.cloned().collect(),
        kept,
        replications: matches.get_one("replications").copied().unwrap_or(1),
        warnings: [flags.warnings(model, &words), read.warnings].concat(),
        ..read
    };
    written::check(&matches).map_err(|it| usage(it.to_string()))?;
    refuse_second_run(&options).map_err(usage)?;
    refuse_one_file(&matches, &options.system, given.machine()).map_err(|it| usage(it.into()))?;
    Ok(options)
}

/// Maximum size of an earlier result, in bytes.
const KEPT_MOST: u64 = 256 << 20;

fn kept_result(path: &Path) -> Result<RunResult<'static>, Problem> {
    let bytes = prophet_files::load(path, KEPT_MOST)?;
    let found = RunResult::from_json(&bytes);
    found.map_err(|why| problem!("{}: this is not a JSON result: {why}", path.display()))
}

fn trace_filter(matches: &ArgMatches) -> Result<TraceFilter, String> {
    let mut filter = TraceFilter::default();
    for text in matches
        .get_many::<String>("trace-filter")
        .into_iter()
        .flatten()
    {
        let added = filter.add(text);
        added.map_err(|error| format!("invalid value for '--trace-filter': {error}"))?;
    }
    Ok(filter)
}

/// A report needs further runs, which is an error if changes can be read only once.
fn refuse_second_run(options: &Options) -> Result<(), String> {
    let source = options.system.source.as_ref();
    match source.filter(|source| !source.can_be_read_again()) {
        Some(_) if options.report.is_some() => {
            Err("--report runs the program again, so --changes needs a file, not a pipe".to_owned())
        }
        _ => Ok(()),
    }
}

/// It is an error to use a file for two outputs, or for an input and an output.
fn refuse_one_file(
    matches: &ArgMatches,
    system: &System,
    machine: Option<&Machine>,
) -> Result<(), Problem> {
    let read = ["machine", "mapping", "changes", "tariff", "config"];
    let read = read
        .into_iter()
        .filter_map(|flag| matches.get_one::<String>(flag));
    let mut inputs: Inputs = read
        .map(String::as_str)
        .chain(system.noise.files())
        .collect();
    inputs.extend(matches.get_one::<PathBuf>("kept"));
    inputs.extend(machine.iter().flat_map(|it| &it.profiles));
    let written = { WRITTEN.into_iter() }
        .filter_map(|flag| Some((flag, matches.get_one::<PathBuf>(&flag[2..])?)));
    inputs.refuse(written)
}

/// Returns the files that a program with these flags would write, each with its flag. Recognizes
/// both `--flag VALUE` and `--flag=VALUE`.
///
/// Use this to reject flags that would overwrite a file that the run reads, such as the model.
pub fn written_files(flags: &[OsString]) -> Vec<(&'static str, PathBuf)> {
    let mut files = Vec::new();
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(PathBuf::from(value))),
            None => (&*text, None),
        };
        if let Some(flag) = WRITTEN.into_iter().find(|it| *it == name) {
            let file = value.or_else(|| words.next().map(PathBuf::from));
            files.extend(file.map(|it| (flag, it)));
        }
    }
    files
}

#[cfg(test)]
mod tests;
