//! Sweeps of workflows: `run` at each point of a space of flags and parameters, with the rows, the
//! formats and the page that sweeps of models have.

use std::ffi::OsString;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use clap::{CommandFactory as _, FromArgMatches as _, Parser};
use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::{Checked, check_by};
use prophet_codegen::rule_flags::RuleFlags;
use prophet_result::flag_name;
use prophet_sweep::output::{Columns, Format, check_outputs, commit, told, writer};
use prophet_sweep::page::{Data, Fact, Measure, Parameter, Rows, render};
use prophet_sweep::{Found, METRICS, Metric, Space, SweepRow, in_order};
use prophet_text::plain;

use super::cases::{Case, cases};
use super::flags::{Arguments as Run, of_drawings, rules};
use super::output::{core_hours, cost, utilization};
use super::parted;
use super::subject::{Subject, document};
use crate::wfformat::Instance;
use crate::{Drawing, Problem, usages};

/// Flags of `run` that write or choose a form, which a sweep does itself.
const WRITING: [&str; 6] = [
    "--out",
    "--report",
    "--trace",
    "--save-schedule",
    "--format",
    "--what-if",
];
/// Points whose flags are looked at before the first is predicted.
const CHECKED_MAX: u64 = 1_000;
/// Flags after which more is a resource.
const RESOURCES: [&str; 2] = ["hosts", "cores"];

const fn metric(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric { name, unit, about }
}

/// Results of a prediction, in the order of their columns.
const RESULTS: [Metric; 9] = [
    metric("makespan_s", "s", "the makespan"),
    metric(
        "utilization",
        "",
        "time that tasks hold cores, as a share of the time of all cores",
    ),
    metric("core_hours", "h", "hours that tasks hold cores"),
    metric(
        "held_core_hours",
        "h",
        "makespan times the cores of all hosts",
    ),
    metric("cost", "", "cost of the core hours"),
    metric(
        "moved_bytes",
        "B",
        "bytes that are read, written or sent between hosts",
    ),
    metric("hosts", "", "hosts"),
    metric("cores", "", "cores of all hosts"),
    metric(
        "failed_replications",
        "",
        "replications in which the workflow fails",
    ),
];

/// Predicts a workflow at many points: all combinations of values of flags and parameters
#[derive(Debug, Parser)]
#[command(name = "sweep", version)]
struct Arguments {
    /// The workflow: a drawing, or a file that `run` takes
    file: PathBuf,
    /// An axis: a flag of `run` or a parameter of the drawing with its values, as in
    /// `hosts=1,2,4..64` or `scheduler=fcfs,heft`; several axes are combined
    #[arg(long, value_name = "NAME=VALUES", required = true)]
    vary: Vec<String>,
    #[command(flatten)]
    rules: RuleFlags,
    /// The activity to start with, where a drawing leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Read a drawing
    #[arg(long, hide = true)]
    drawn: bool,
    /// Threads that evaluate [default: one for each core]
    #[arg(long, short, value_name = "N")]
    jobs: Option<std::num::NonZero<usize>>,
    /// File for the rows
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Format of the rows: csv, jsonl, parquet [default: by the name of the file, else csv]
    #[arg(long, value_enum, hide_possible_values = true)]
    format: Option<Format>,
    /// HTML page with curves, maps and all points, one file that works offline
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Flags of all points, as `run` has them
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

/// Runs the command. `program` is the name by which the user called it, as in `cargo xtask sweep`.
pub(super) fn main(program: &str, arguments: &[OsString]) -> ExitCode {
    let words = std::iter::once(program.into()).chain(arguments.iter().cloned());
    let command = of_drawings(Arguments::command()).bin_name(program);
    let arguments = Arguments::from_arg_matches(&command.get_matches_from(words))
        .unwrap_or_else(|error| error.exit());
    match run(program, &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {}", plain::lines(&message));
            ExitCode::from(1)
        }
    }
}

fn run(program: &str, arguments: &Arguments) -> Result<(), String> {
    let space = Space::parse(&arguments.vary, None)?;
    let study = Study::read(arguments, &space)?;
    let outputs = [("--out", &arguments.out), ("--report", &arguments.report)];
    check_outputs(&outputs, &study.inputs)?;
    let rows = study.rows(arguments.jobs.map_or_else(threads, std::num::NonZero::get));
    if let Some(path) = &arguments.report {
        prophet_files::save(path, study.page(program, &rows))?;
    }
    let columns = Columns::of(&space, &RESULTS, study.has_seeds);
    let of_name = || Format::of(arguments.out.as_ref()?);
    let format = arguments.format.or_else(of_name).unwrap_or(Format::Csv);
    if let Some(path) = &arguments.out {
        commit(path, format, columns, |writer| {
            let written = rows.iter().try_for_each(|row| writer.row(row));
            written.map_err(|error| format!("cannot write {}: {error}", path.display()))
        })?;
    } else {
        let written = || {
            let out = BufWriter::new(io::stdout().lock());
            let mut writer = writer(format, columns, out)?;
            rows.iter().try_for_each(|row| writer.row(row))?;
            writer.finish()
        };
        told(written())?;
    }
    refuse_nothing(&rows)
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Refuses a sweep without any prediction.
fn refuse_nothing(rows: &[SweepRow]) -> Result<(), String> {
    let failures = rows.iter().filter_map(|it| it.found.as_ref().err());
    let count = failures.clone().count();
    match failures.into_iter().next() {
        Some(why) if count == rows.len() => {
            Err(format!("no point could be predicted; the first: {why}"))
        }
        Some(_) => {
            eprintln!("note: {count} points could not be predicted; the column `error` says why");
            Ok(())
        }
        None => Ok(()),
    }
}

/// The workflow of all points.
enum Source {
    /// A recorded one.
    Recorded(Box<Instance>),
    /// A drawing; each thread that unrolls it has one of its own.
    Drawn {
        checked: Box<Checked>,
        rules: Box<RuleSet>,
        idle: Mutex<Vec<Drawing>>,
    },
}

/// The points at which a workflow is predicted.
#[derive(Clone, Copy)]
struct Points<'a> {
    space: &'a Space,
    arguments: &'a Arguments,
}

impl Points<'_> {
    /// The command line of `run` at a point, and its words that are a drawing's.
    fn run(self, index: u64) -> Result<(Run, Vec<OsString>), String> {
        let mut words: Vec<OsString> = vec!["run".into(), self.arguments.file.clone().into()];
        if self.arguments.drawn {
            words.push("--drawn".into());
        }
        words.extend(self.arguments.flags.iter().cloned());
        for (axis, value) in self.space.axes().zip(self.space.point(index)) {
            let flag = before(&axis.name);
            match flag.split_once(' ') {
                Some((flag, name)) => words.extend([flag.into(), format!("{name}{value}").into()]),
                None => words.push(format!("{flag}{value}").into()),
            }
        }
        let (own, others) = parted(words.into_iter());
        let parsed = Run::try_parse_from(own);
        let run = parsed.map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").to_owned()
        })?;
        Ok((run, others))
    }

    /// Reads the workflow, with the flags of a point.
    fn source(self, run: &Run) -> Result<Source, String> {
        if !self.arguments.drawn {
            let document = document(run).map_err(all)?;
            return Ok(Source::Recorded(Box::new(
                document.instance().map_err(all)?,
            )));
        }
        let rules = rules(&self.arguments.rules).map_err(text)?;
        let main = self.arguments.main.as_deref();
        let checked = check_by(&rules, &self.arguments.file, main)?;
        let drawing = Drawing::new(&checked, &self.arguments.file, &rules).map_err(all)?;
        Ok(Source::Drawn {
            checked: Box::new(checked),
            rules: Box::new(rules),
            idle: Mutex::new(vec![drawing]),
        })
    }
}

/// A workflow with the points at which it is predicted.
struct Study<'a> {
    points: Points<'a>,
    source: Source,
    /// True if a point has several replications.
    has_seeds: bool,
    /// The files that are read.
    inputs: Vec<PathBuf>,
}

impl<'a> Study<'a> {
    fn read(arguments: &'a Arguments, space: &'a Space) -> Result<Self, String> {
        let is_writing = |it: &&OsString| {
            let word = it.to_string_lossy();
            WRITING.contains(&word.split('=').next().unwrap_or_default())
        };
        if let Some(word) = arguments.flags.iter().find(is_writing) {
            let word = word.to_string_lossy();
            return Err(format!(
                "a sweep takes no flag `{word}` of its points: leave it out"
            ));
        }
        let points = Points { space, arguments };
        let (run, others) = points.run(0)?;
        let study = Self {
            points,
            source: points.source(&run)?,
            has_seeds: run.seeds().count() > 1,
            inputs: run.read_files(),
        };
        // Wrong flags are reported once, not at each point.
        for index in 1..space.points().min(CHECKED_MAX) {
            points.run(index)?;
        }
        if arguments.drawn {
            study.with_drawing(|it| it.check_flags(&others, &Run::names()).map_err(text))?;
        }
        Ok(study)
    }

    /// Does something with a drawing that no other thread has.
    fn with_drawing<T>(
        &self,
        act: impl FnOnce(&mut Drawing) -> Result<T, String>,
    ) -> Result<T, String> {
        let Source::Drawn {
            checked,
            rules,
            idle,
        } = &self.source
        else {
            return Err("the workflow is no drawing".to_owned());
        };
        let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = lock().pop();
        let mut drawing = match idle {
            Some(drawing) => drawing,
            None => Drawing::new(checked, &self.points.arguments.file, rules).map_err(all)?,
        };
        let done = act(&mut drawing);
        lock().push(drawing);
        done
    }

    /// All rows, in the order of the points.
    fn rows(&self, jobs: usize) -> Vec<SweepRow> {
        let mut rows = Vec::new();
        let work = |index| SweepRow {
            index,
            values: self.points.space.point(index),
            found: self.found(index).map_err(|why| plain::line(&why)),
        };
        in_order(
            0..self.points.space.points(),
            jobs,
            || true,
            work,
            |row| rows.push(row),
        );
        rows
    }

    fn found(&self, index: u64) -> Result<Found, String> {
        let (run, others) = self.points.run(index)?;
        let subject = match &self.source {
            Source::Recorded(recorded) => Subject::recorded((**recorded).clone()),
            Source::Drawn { .. } => {
                self.with_drawing(|drawing| Subject::unrolled(drawing, &run, &others).map_err(all))?
            }
        };
        let cases = cases(&run, &subject).map_err(text)?;
        let [case] = &*cases else {
            return Err("a point has one scheduler and one number of hosts".to_owned());
        };
        let instance = subject.of(case.replication);
        Ok(Found {
            metrics: metrics(instance, case),
            half_width_s: case.interval().map_or(f64::NAN, |it| it.half_width),
            seeds: case.replications(),
        })
    }

    /// The page of all rows.
    fn page(&self, program: &str, rows: &[SweepRow]) -> String {
        let parameter = |name: &str| {
            let parameter = Parameter::new(name, before(name));
            if RESOURCES.contains(&name) {
                parameter.resource()
            } else {
                parameter
            }
        };
        let parameters = self
            .points
            .space
            .axes()
            .map(|it| parameter(&it.name))
            .collect();
        let shown = prophet_sweep::output::metrics_beside(self.points.space, &RESULTS);
        let measure = |at: &usize| {
            let it = &RESULTS[*at];
            let measure = Measure::new(it.name, it.unit).about(it.about);
            if it.name == "utilization" {
                measure.better_if_more()
            } else {
                measure
            }
        };
        let measures = shown.iter().map(measure).collect();
        let mut table = Rows::new(self.points.space.points(), parameters, measures);
        for row in rows {
            let found = row.found.as_ref().ok();
            let means = found.map(|it| shown.iter().map(|at| it.metrics[*at]).collect());
            table.push(row, &means.unwrap_or_else(Vec::new));
        }
        let file = self.points.arguments.file.display().to_string();
        let door = program.strip_suffix(" sweep").unwrap_or(program);
        let mut command = format!("{door} run {} --", plain::shell(&file));
        for flag in &self.points.arguments.flags {
            command = command + " " + &plain::shell(&flag.to_string_lossy());
        }
        let mut data = Data {
            model: file.clone(),
            command,
            table: table.finish(),
            facts: vec![Fact {
                name: "Workflow".to_owned(),
                value: file,
            }],
            ..Data::default()
        };
        data.settle();
        render(&data)
    }
}

/// Text before the value of an axis in a command line: a flag, or the name of a parameter.
fn before(axis: &str) -> String {
    if flag_name(axis) == axis {
        format!("--{axis}=")
    } else {
        format!("--set {axis}=")
    }
}

/// The results of a prediction, in the order of [`RESULTS`].
#[expect(clippy::cast_precision_loss, reason = "at most 2^44 cores")]
fn metrics(instance: &Instance, case: &Case) -> [f64; METRICS.len()] {
    let usages = usages(&instance.workflow, &case.machine, &case.prediction);
    let makespan_s = case.makespan_s();
    let cores = case.machine.cores() as f64;
    let found = [
        makespan_s,
        utilization(case, &usages),
        core_hours(&usages),
        makespan_s * cores / 3600.0,
        cost(instance, case),
        case.prediction.moved_bytes(),
        case.machine.len() as f64,
        cores,
        case.failures as f64,
    ];
    let mut metrics = [f64::NAN; METRICS.len()];
    metrics[..found.len()].copy_from_slice(&found);
    metrics
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` gives")]
fn text(problem: Problem) -> String {
    let file = if problem.file.is_empty() {
        String::new()
    } else {
        format!("{}: ", problem.file)
    };
    format!("{file}{problem}")
}

fn all(problems: Vec<Problem>) -> String {
    let texts: Vec<String> = problems.into_iter().map(text).collect();
    texts.join("\nerror: ")
}
