//! Implements the `main` of a generated program.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use prophet_files::Output;
use prophet_machine::system::System;
use prophet_machine::value::Value;
use prophet_report::page::Data;
use prophet_result::Parameters;
use prophet_sim::statistics::Tally;
use prophet_text::{Context as _, Problem, counted, plain::line, problem};

use crate::command::cli::{self, Format, Options, Refusal};
use crate::command::clock::{WallClock, peak_memory_bytes};
use crate::command::report::{self, Report};
use crate::engine::process::ProcessProgram;
use crate::language::model::Model;
use crate::results::failure::{Cause, Failure};
use crate::results::outcome::{Outcome, Replicated, Simulated};
use crate::simulation::choice::{Engine, Jobs, Method};
use crate::simulation::{Simulation, Watching};
use crate::tracing::Trace;

mod codes;
mod evaluate;
mod expect;
mod explain;
mod handle;
mod interrupt;
mod monitor;
mod picture;
mod predict;

use codes::{DONE, STOPPED, UNEXPECTED, WRONG_INPUT, WRONG_USAGE};
pub use evaluate::{Ran, RunError, evaluate_configured, evaluate_interpreted};
pub use handle::RunHandle;
use interrupt::{Interrupt, REPORT_INTERRUPTED};
use monitor::Monitor;
pub use predict::{Prediction, predict_interpreted};

/// Parses the command line, evaluates the program on the machine that it describes, and prints the
/// prediction.
///
/// The exit code is 0 on success, 1 if a file is invalid, 2 if the command line is invalid, 3 if
/// the run couldn't continue, and 4 if the result differs from `--expect`. Only the result goes to
/// stdout. If stderr is a terminal, a line there shows the progress of a long run.
///
/// With `--jobs`, several threads simulate the program.
///
/// Ctrl-C (`SIGINT`) and `SIGTERM` end the run with a partial result and exit code 3. A second
/// signal ends the program immediately.
///
/// ```no_run
/// use prophet_runtime::{Model, ProcessCtx, Stopped};
///
/// const MODEL: Model = Model::new("Empty", &[], 0);
///
/// async fn program(_: &ProcessCtx<'_>) -> Result<(), Stopped> {
///     Ok(())
/// }
///
/// fn main() -> std::process::ExitCode {
///     prophet_runtime::main(&MODEL, program)
/// }
/// ```
pub fn main<P: ProcessProgram + Sync>(model: &Model, program: P) -> ExitCode {
    let code = on_terminal(
        model,
        &mut std::env::args_os(),
        &|system, method, watching| evaluated(model, &program, false, (system, method), watching),
    );
    ExitCode::from(code)
}

/// Runs an interpreted program with these command-line arguments, and returns the exit code. The
/// first argument is the program's name.
///
/// The closure `program` captures the interpreted code, which processes only read. `settled` is
/// called after each evaluation, before its results are written.
pub fn main_interpreted<P: ProcessProgram + Sync>(
    model: &Model,
    program: P,
    arguments: impl IntoIterator<Item = OsString>,
    settled: impl Fn(),
) -> u8 {
    on_terminal(
        model,
        &mut arguments.into_iter(),
        &|system, method, watching| {
            let outcome = evaluated(model, &program, true, (system, method), watching);
            settled();
            outcome
        },
    )
}

/// Runs like [`main_interpreted`], but writes to `out` and `err` as if they were files instead of
/// stdout and stderr. Returns the exit code.
///
/// Signals don't end the run. To end it with a partial result, call [`RunHandle::stop`] on
/// `handle`.
pub fn run_interpreted<P: ProcessProgram + Sync>(
    model: &Model,
    program: P,
    arguments: impl IntoIterator<Item = OsString>,
    (out, err): (&mut dyn Write, &mut dyn Write),
    handle: &RunHandle,
) -> u8 {
    let mut terminal = Terminal::of_handle(Some(out), err, handle);
    let evaluate = |system, method, watching: Watching<'_>| {
        evaluated(model, &program, true, (system, method), watching)
    };
    terminal.run(model, &mut arguments.into_iter(), &evaluate)
}

/// Runs an interpreted program with the flags of a command line, so that an observer can watch the
/// run. Always uses the event engine. Prints nothing, and you can end the run with `handle`, as
/// with [`run_interpreted`].
///
/// # Errors
///
/// Returns an error if the flags are invalid, or if the run couldn't continue. In the latter case,
/// the trace contains everything up to that point.
pub fn observe_interpreted<P: ProcessProgram + Sync>(
    model: &Model,
    program: P,
    arguments: impl IntoIterator<Item = OsString>,
    trace: Option<&mut Trace>,
    handle: &RunHandle,
) -> Result<Outcome, Problem> {
    let options = cli::parse(model, &mut arguments.into_iter())?;
    let (watch, interrupt) = (WallClock::start(), handle.interrupt());
    let mut monitor = Monitor::new(&watch, &interrupt, None, Some(handle));
    let watching = Watching::by(&mut monitor, trace);
    // Only the event engine shows all processes to an observer in the order of time.
    let method = Method {
        engine: Engine::Event,
        jobs: Jobs::One,
        ..options.method
    };
    evaluated(model, &program, true, (options.system, method), watching).told()
}

/// Returns the values that the parameters of a model have with these flags.
///
/// # Errors
///
/// Returns an error if the flags are invalid.
pub fn parameter_values(
    model: &Model,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Parameters, Problem> {
    let options = cli::parse(model, &mut arguments.into_iter())?;
    Ok(report::parameters(model, &options.system.parameters))
}

/// Runs a command line on this process's terminal, and returns the exit code.
fn on_terminal(
    model: &Model,
    arguments: &mut dyn Iterator<Item = OsString>,
    evaluate: &Evaluate<'_>,
) -> u8 {
    let (stdout, mut stderr) = (io::stdout(), io::stderr());
    let mut terminal = Terminal {
        styled: stdout.is_terminal() && wants_styles(),
        shows_progress: stderr.is_terminal(),
        out: Some(&mut BufWriter::new(stdout.lock())),
        err: &mut stderr,
        interrupt: Interrupt::listen(),
        handle: None,
        failed: None,
    };
    terminal.run(model, arguments, evaluate)
}

/// Runs a program on a system, with the engine that the method selects.
fn evaluated<P: ProcessProgram + Sync>(
    model: &Model,
    program: &P,
    interpreted: bool,
    (system, method): (System, Method),
    mut watching: Watching<'_>,
) -> Result<Outcome, Failure> {
    let (element, factor) = watching.scaled.unwrap_or((0, 1.0));
    let mut simulation = Simulation::new(model, system)
        .with_engine(method.engine)
        .with_repetition(method.repetition)
        .with_folding(method.folding)
        .with_scaled(element, factor);
    if interpreted {
        simulation = simulation.interpreted();
    }
    let mut outcome = simulation.run_jobs(method.jobs, program, &mut watching)?;
    outcome.evaluation.cpu_s = watching.others_cpu_s;
    Ok(outcome)
}

/// The message if there are replications but no random numbers.
const NOT_RANDOM: &str = "nothing is random, so all replications are equal: remove --replications, \
                          or add randomness, for example with --noise";

/// Predicts again with each further seed, until the run is interrupted.
fn replicate(
    first: Result<Outcome, Failure>,
    options: &Options,
    evaluate: &Evaluate<'_>,
    monitor: &mut Monitor<'_>,
) -> Result<Outcome, Failure> {
    let mut first = first?;
    let mut times_s = Tally::new();
    times_s.record(first.predicted_time_s);
    for number in 1..options.replications {
        let mut system = options.system.clone();
        system.seed = system.seed.wrapping_add(number.into());
        let next = evaluate(system, options.method, Watching::by(monitor, None))?;
        first.evaluation.events += next.evaluation.events;
        first.evaluation.messages += next.evaluation.messages;
        first.evaluation.cpu_s += next.evaluation.cpu_s;
        first.partial |= next.partial;
        if first.partial {
            break;
        }
        times_s.record(next.predicted_time_s);
    }
    first.replications = times_s.interval(LEVEL).map(|it| Replicated {
        count: u32::try_from(times_s.count()).unwrap_or(u32::MAX),
        mean_s: it.mean,
        half_width_s: it.half_width,
    });
    Ok(first)
}

/// Confidence level of the interval around the mean of replications.
const LEVEL: f64 = 0.95;

/// Returns the exit code of a failed run. The cause can be an invalid file that it read.
fn code(failure: &Failure) -> u8 {
    match *failure.cause {
        Cause::Changes(_) => WRONG_INPUT,
        _ => STOPPED,
    }
}

/// Names the parameters' values that can have caused a failure: those that aren't defaults or, if
/// all of them are, the defaults of a few parameters.
fn with_values(model: &Model, given: &[Value], failure: &Failure) -> String {
    const MOST: usize = 6;
    if !failure.depends_on_values() {
        return String::new();
    }
    let values = || model.parameters.iter().zip(given);
    let mut named: Vec<_> = values()
        .filter(|(it, value)| it.default != **value)
        .collect();
    if named.is_empty() {
        named = values().collect();
    }
    let shown = named
        .iter()
        .map(|(it, value)| format!("{} = {value}", it.name));
    let shown: Vec<String> = shown.collect();
    match shown.len() {
        1..=MOST => format!("\n  with {}", shown.join(", ")),
        _ => String::new(),
    }
}

/// Returns `true` if the user wants, and the terminal supports, more than plain text.
fn wants_styles() -> bool {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|set| !set.is_empty());
    !no_color && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Evaluates the program. Generated programs are compiled after each change of a model. Code that
/// takes this type, writers and arguments as trait objects is compiled only once, with this crate.
type Evaluate<'e> = dyn Fn(System, Method, Watching<'_>) -> Result<Outcome, Failure> + 'e;

/// Where results and messages go.
struct Terminal<'t> {
    /// `None` if the caller takes results and failures as values rather than text.
    out: Option<&'t mut dyn Write>,
    err: &'t mut dyn Write,
    styled: bool,
    /// Whether `err` is a terminal, so that progress can be shown.
    shows_progress: bool,
    interrupt: Interrupt,
    /// The handle of the run, if another thread has it.
    handle: Option<&'t RunHandle>,
    /// The first failure, if the caller wants it as a value.
    failed: Option<(u8, String)>,
}

impl<'t> Terminal<'t> {
    /// Creates the destinations of a run inside another program, which can end the run with the
    /// handle.
    fn of_handle(
        out: Option<&'t mut dyn Write>,
        err: &'t mut dyn Write,
        handle: &'t RunHandle,
    ) -> Self {
        Self {
            out,
            err,
            styled: false,
            shows_progress: false,
            interrupt: handle.interrupt(),
            handle: Some(handle),
            failed: None,
        }
    }

    fn run(
        &mut self,
        model: &Model,
        arguments: &mut dyn Iterator<Item = OsString>,
        evaluate: &Evaluate<'_>,
    ) -> u8 {
        match self.predict(model, arguments, evaluate) {
            Ok((code, ..)) | Err(code) => code,
        }
    }

    /// Runs a command. Returns its exit code, the prediction, and the data for its report.
    fn predict(
        &mut self,
        model: &Model,
        arguments: &mut dyn Iterator<Item = OsString>,
        evaluate: &Evaluate<'_>,
    ) -> Result<(u8, Prediction, Option<Data>), u8> {
        let options = match cli::parse(model, arguments) {
            Ok(options) => options,
            Err(Refusal::Input(problem)) => return Err(self.fail(WRONG_INPUT, problem)),
            Err(Refusal::Usage(error)) => return Err(self.usage(error)),
            Err(Refusal::Answer(text)) => return Err(self.answer(text)),
        };
        self.evaluate(model, options, evaluate)
    }

    /// Runs the program with these options. Returns the same as [`Self::predict`].
    fn evaluate(
        &mut self,
        model: &Model,
        options: Options,
        evaluate: &Evaluate<'_>,
    ) -> Result<(u8, Prediction, Option<Data>), u8> {
        self.warn(&options);
        // Only text and files contain the cost of the evaluation.
        let is_measured =
            self.out.is_some() || options.record.is_some() || options.report.is_some();
        let watch = WallClock::start();
        let watch = if is_measured { watch.with_cpu() } else { watch };
        let terminal = self.shows_progress;
        let terminal = terminal.then_some::<&mut dyn Write>(&mut *self.err);
        let mut monitor = Monitor::new(&watch, &self.interrupt, terminal, self.handle);
        let mut trace = options.trace();
        let watching = Watching::by(&mut monitor, trace.as_mut());
        let mut evaluated = evaluate(options.system.clone(), options.method, watching);
        let is_random = evaluated.as_ref().is_ok_and(|it| it.is_random);
        let is_replicated = options.replications > 1 && evaluated.is_ok();
        if is_replicated && is_random {
            evaluated = replicate(evaluated, &options, evaluate, &mut monitor);
        }
        monitor.clear();
        if is_replicated && !is_random {
            return Err(self.fail(WRONG_USAGE, NOT_RANDOM));
        }
        // A program with a handle takes care of signals itself.
        let late = if self.handle.is_none() && options.report.is_some() {
            self.interrupt.end_report()
        } else {
            self.interrupt.ignore();
            false
        };
        let mut outcome = match evaluated {
            Ok(outcome) => outcome,
            Err(failure) => {
                let with = with_values(model, &options.system.parameters, &failure);
                return Err(self.fail(code(&failure), format!("{failure}{with}")));
            }
        };
        outcome.evaluation.wall_s = watch.wall_s();
        outcome.evaluation.cpu_s += watch.cpu_s();
        if is_measured {
            outcome.evaluation.peak_memory_bytes = peak_memory_bytes();
        }
        let report = Report {
            model,
            system: &options.system,
            outcome: &outcome,
            all_processes: options.all_processes,
        };
        self.note(&options.system, &outcome);
        let written = self.print(options.format, &report);
        let recorded = self
            .drawn(&options, &report)
            .max(self.recorded(&options, &report));
        let (explained, explanation) = if late && !outcome.partial {
            (self.stopped(REPORT_INTERRUPTED), None)
        } else {
            self.explained(model, &options, &outcome, trace.as_ref(), evaluate)
        };
        let code = match recorded.max(explained).max(self.written(written)) {
            DONE if outcome.partial => self.stopped("interrupted: the result is partial"),
            DONE => self.compared(&options, &report),
            code => code,
        };
        let system = options.system;
        Ok((code, Prediction { system, outcome }, explanation))
    }

    fn warn(&mut self, options: &Options) {
        let warnings = options.system.warnings();
        for warning in warnings.chain(options.warnings.iter().cloned()) {
            let _ = writeln!(self.err, "warning: {warning}");
        }
    }

    fn note(&mut self, system: &System, outcome: &Outcome) {
        self.tell_simulated(outcome);
        self.warn_of_extrapolations(outcome);
        self.tell_of_turns(system, outcome);
    }

    /// Reports loops that were simulated although their repeated iterations should have been
    /// computed.
    fn tell_simulated(&mut self, outcome: &Outcome) {
        let repetition = outcome.evaluation.repetition.iter();
        for Simulated { name, why } in repetition.flat_map(|it| &it.simulated) {
            let name = name.as_deref().unwrap_or("the program");
            let _ = writeln!(self.err, "note: {name} is simulated: {why}");
        }
    }

    /// Warns about tables that were used with values outside of their range.
    fn warn_of_extrapolations(&mut self, outcome: &Outcome) {
        for it in &outcome.extrapolations {
            let _ = writeln!(self.err, "warning: {}", line(&it.to_string()));
        }
    }

    /// Notes that branches and threads had to wait for a CPU, although there is one for each
    /// process and thread that `system` starts with. If there isn't, users expect that they wait.
    fn tell_of_turns(&mut self, system: &System, outcome: &Outcome) {
        let (wanted, cpus) = (outcome.cpus_wanted, system.cpus_per_node);
        if wanted > 0 && system.most_units_of_a_node() <= u64::from(cpus) {
            let cpus = counted(u64::from(cpus), "CPU", "CPUs");
            let _ = writeln!(
                self.err,
                "note: up to {wanted} branches and threads needed a CPU at the same time on a node \
                 with {cpus}, so they took turns; to run them side by side, use --cpus-per-node \
                 {wanted}"
            );
        }
    }

    /// Writes the requested files that are based on a trace. Returns the exit code and the data for
    /// the report.
    fn explained(
        &mut self,
        model: &Model,
        options: &Options,
        outcome: &Outcome,
        trace: Option<&Trace>,
        evaluate: &Evaluate<'_>,
    ) -> (u8, Option<Data>) {
        let (Some(trace), Some(report)) = (trace, &options.report) else {
            return (self.traced(trace), None);
        };
        // If the user wants the trace, it is completed in any case.
        if outcome.partial && trace.written().is_ok() {
            if self.handle.is_some() {
                return (DONE, None);
            }
            interrupt::end_soon();
        }
        let ended = self.handle;
        let written = explain::write(
            report,
            trace,
            model,
            (outcome, ended),
            &|scaled, observer| {
                let watching = Watching {
                    scaled: Some(scaled),
                    ..Watching::by(observer, None)
                };
                evaluate(options.system.clone(), options.method, watching).ok()
            },
        );
        match written {
            Ok(data) => (DONE, Some(data)),
            Err(message) => (self.fail(WRONG_INPUT, message), None),
        }
    }

    fn print(&mut self, format: Format, report: &Report<'_>) -> io::Result<()> {
        let Some(out) = &mut self.out else {
            return Ok(());
        };
        match format {
            Format::Table => report.write_table(out, self.styled)?,
            Format::Json => report.write_json(out)?,
        }
        out.flush()
    }

    fn drawn(&mut self, options: &Options, report: &Report<'_>) -> u8 {
        let drawn = options.picture.as_ref();
        match drawn.map(|path| picture::write(path, report)) {
            Some(Err(problem)) => self.fail(WRONG_INPUT, problem),
            _ => DONE,
        }
    }

    fn recorded(&mut self, options: &Options, report: &Report<'_>) -> u8 {
        let Some(path) = &options.record else {
            return DONE;
        };
        match write_record(path, report) {
            Ok(()) => DONE,
            Err(error) => {
                let to = path.display();
                self.fail(
                    WRONG_INPUT,
                    problem!("cannot write the result to {to}: {error}"),
                )
            }
        }
    }

    fn compared(&mut self, options: &Options, report: &Report<'_>) -> u8 {
        match expect::check(options, report) {
            Ok(unmet) if unmet.is_empty() => DONE,
            Ok(unmet) => self.fail(UNEXPECTED, unmet),
            Err(problem) => self.fail(WRONG_USAGE, problem),
        }
    }

    fn traced(&mut self, trace: Option<&Trace>) -> u8 {
        match trace.map_or(Ok(0), Trace::written) {
            Ok(_) => DONE,
            Err(error) => self.fail(WRONG_INPUT, error),
        }
    }

    /// Prints help and the version as results, and everything else as a message.
    fn usage(&mut self, error: clap::Error) -> u8 {
        if !error.use_stderr() {
            return self.answer(error.to_string());
        }
        if self.out.is_none() {
            return self.fail(WRONG_USAGE, Problem::from(Refusal::Usage(error)));
        }
        // If stderr is closed, there is nowhere to report it.
        let _ = writeln!(self.err, "{}", error.to_string().trim_end());
        WRONG_USAGE
    }

    /// Prints the answer to a command line that asks for something other than a run.
    fn answer(&mut self, text: String) -> u8 {
        let Some(out) = &mut self.out else {
            self.failed = Some((DONE, text));
            return DONE;
        };
        let written = write!(out, "{text}").and_then(|()| out.flush());
        self.written(written)
    }

    /// Reports a full disk, but not a reader that closes the output early (`| head`).
    fn written(&mut self, written: io::Result<()>) -> u8 {
        match written {
            Ok(()) => DONE,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => DONE,
            Err(error) => self.fail(WRONG_INPUT, problem!("cannot write the result: {error}")),
        }
    }

    fn fail(&mut self, code: u8, message: impl Display) -> u8 {
        let message = message.to_string();
        let message = message.trim_end();
        match self.out {
            Some(_) => drop(writeln!(self.err, "error: {message}")),
            None => {
                self.failed.get_or_insert((code, message.to_owned()));
            }
        }
        code
    }

    /// Reports that the run or its report was interrupted.
    fn stopped(&mut self, message: &str) -> u8 {
        match self.out {
            Some(_) => drop(writeln!(self.err, "{message}")),
            None => {
                self.failed.get_or_insert((STOPPED, message.to_owned()));
            }
        }
        STOPPED
    }
}

/// Writes the result as JSON on a single line. If that fails, the file is unchanged.
fn write_record(path: &Path, report: &Report<'_>) -> io::Result<()> {
    let mut out = BufWriter::new(Output::create(path)?);
    report.write_record(&mut out)?;
    out.into_inner()?.commit().map(drop)
}

#[cfg(test)]
mod tests;
