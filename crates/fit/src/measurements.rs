//! Reads measurements of programs from CSV files and from the files of Extra-P, Caliper, Google
//! Benchmark, Criterion, hyperfine, Slurm, GNU time and `ReFrame`.
//!
//! [`read`] detects a file's format from its contents and returns [`Series`]: the measured values
//! of one metric in one region of a program, each at a point of the parameter space. Times are
//! converted to seconds, whatever the file's unit is. Files are untrusted, so their sizes are
//! limited, and each error is reported with its file and line.
//!
//! ```
//! use prophet_fit::measurements::{Choice, parse};
//!
//! let text = "p, time_ms\n1, 40\n2, 21\n2, 19\n";
//! let series = parse("times.csv", text.as_bytes(), &Choice::default())?;
//! assert_eq!(series[0].parameters, ["p"]);
//! assert_eq!(series[0].points[1].values, [0.021, 0.019]);
//! # Ok::<(), prophet_text::Problem>(())
//! ```
//!
//! | module | is |
//! |---|---|
//! | `unit` | units of time and memory in the names of columns and metrics |
//! | `series` | measured values at points of parameters |
//! | `collector` | rows of any file, collected into series |
//! | `csv` | CSV with a header row |
//! | `lines` | Extra-P's JSON Lines and `TaLPas` |
//! | `text` | Extra-P's text format |
//! | `scalar` | values of JSON documents |
//! | `experiment` | Extra-P's JSON |
//! | `document` | one JSON document, and which tool wrote it |
//! | `caliper`, `benchmark` (also pytest's), `hyperfine`, `criterion` | these tools' files |
//! | `cali` | Caliper's own files |
//! | `job` | a batch system's job, or a run of a command |
//! | `jobs` | all files' jobs as rows: which count, and with which parameters |
//! | `sacct`, `gnu_time` | Slurm jobs, and reports of `/usr/bin/time -v` |
//! | `reframe` | `ReFrame` performance logs |
//! | `template` | commands with parameter names in place of numbers |

mod benchmark;
mod cali;
mod caliper;
mod collector;
mod criterion;
mod csv;
mod document;
mod experiment;
mod gnu_time;
mod hyperfine;
mod job;
mod jobs;
mod lines;
mod reframe;
mod sacct;
mod scalar;
mod series;
mod template;
mod text;
mod unit;

use std::path::{Path, PathBuf};

use prophet_text::{FileKind, FileRole, Problem, file_format, problem};

use collector::Collector;
pub use series::{Choice, Point, Series, Tie};

const BYTES_MAX: u64 = 256 << 20;

/// Reads measurement files, and returns their series in file order.
///
/// # Errors
///
/// Returns an error with file and line if a file can't be read or its format is unknown.
pub fn read(files: &[PathBuf], choice: &Choice) -> Result<Vec<Series>, Problem> {
    let mut collector = Collector::new(choice);
    for file in files {
        let bytes = bytes_of(file)?;
        add(&mut collector, &file.display().to_string(), &bytes)?;
    }
    finish(collector)
}

/// Parses the contents of a file as [`read`] does. Messages call the file `name`.
///
/// # Errors
///
/// Returns an error with name and line if the format is unknown.
pub fn parse(name: &str, bytes: &[u8], choice: &Choice) -> Result<Vec<Series>, Problem> {
    parse_all([(name, bytes)], choice)
}

/// Parses the contents of several files as [`parse`] does, each with its name.
///
/// # Errors
///
/// Returns an error with name and line if a format is unknown.
pub fn parse_all<'f>(
    files: impl IntoIterator<Item = (&'f str, &'f [u8])>,
    choice: &Choice,
) -> Result<Vec<Series>, Problem> {
    let mut collector = Collector::new(choice);
    for (name, bytes) in files {
        add(&mut collector, name, bytes)?;
    }
    finish(collector)
}

/// Returns the series of all files. Call it after reading the last file.
fn finish(mut collector: Collector<'_>) -> Result<Vec<Series>, Problem> {
    jobs::settle(&mut collector)?;
    collector.finish()
}

/// Number of bytes that are enough to recognize a file's format.
#[expect(clippy::cast_possible_truncation, reason = "it is small")]
const BEGIN_BYTES: usize = prophet_text::BEGIN_BYTES as usize;

/// Returns `true` for files that can't be measurements. Tables are accepted, although they can
/// belong to workflows.
fn is_other(kind: FileKind) -> bool {
    use FileKind as K;
    let is_table = matches!(
        kind,
        K::NextflowTrace | K::TaskTimes | K::Benchmark | K::Json
    );
    kind.role() != FileRole::Measurements && !is_table
}

fn bytes_of(file: &Path) -> Result<Vec<u8>, Problem> {
    prophet_files::load(file, BYTES_MAX)
}

fn add(collector: &mut Collector<'_>, name: &str, bytes: &[u8]) -> Result<(), Problem> {
    collector.begin(name);
    if bytes.starts_with(b"PK\x03\x04") || bytes.get(257..262) == Some(b"ustar") {
        let why = "it is an archive, as written by Extra-P or Score-P (CUBE); export its values as \
                   text, for example with `cube_dump -m time -c all -s csv`";
        return Err(collector.told(0, why));
    }
    let format = file_format(name, &bytes[..bytes.len().min(BEGIN_BYTES)]);
    if let Some(other) = format.filter(|it| is_other(it.kind)) {
        return Err(problem!(
            "{name}: {}",
            other.told_for(FileRole::Measurements)
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let line = bytes[..at].split(|it| *it == b'\n').count();
        collector.told(line, "it is not UTF-8 text")
    })?;
    let text = text.trim_start_matches('\u{feff}');
    let Some(first) = collector::content(text).next() else {
        let why = "it has no rows: start with a header such as `p,time_s`";
        return Err(problem!("{name}: {why}, then one row per measured value"));
    };
    if let Some(header) = benchmark::header(text) {
        return benchmark::add_table(collector, text, header);
    }
    if gnu_time::is_report(text) {
        return gnu_time::add(collector, text);
    }
    match first.1.as_bytes().first() {
        Some(b'{') if lines::is_line(first.1) => lines::add(collector, text),
        Some(b'{' | b'[') => document::add(collector, text),
        _ if reframe::is_header(first.1) => reframe::add(collector, text),
        _ if sacct::is_header(first.1) => sacct::add(collector, text),
        _ if cali::is_record(first.1) => cali::add(collector, text),
        _ if text::is_text(first.1) => text::add(collector, text),
        _ => csv::add(collector, text),
    }
}
