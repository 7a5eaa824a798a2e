//! Collects the rows of all files into series.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use prophet_text::{Problem, problem};

use crate::measurements::job::Job;
use crate::measurements::series::{Choice, Point, Series, Tie};
use crate::measurements::unit::{Metric, metric};

const VALUES_MAX: usize = 1_000_000;
const JOBS_MAX: usize = 1_000_000;
const SERIES_MAX: usize = 10_000;
const PARAMETERS_MAX: usize = 16;

#[derive(Debug, Clone, Copy)]
pub(crate) struct MeasuredRow<'r> {
    pub(crate) region: &'r str,
    pub(crate) metric: &'r str,
    /// The unit of the value in seconds; `None` if the name of the metric includes the unit.
    pub(crate) unit: Option<f64>,
    pub(crate) at: &'r [(&'r str, f64)],
    pub(crate) value: f64,
}

/// Rows read so far, by series.
#[derive(Debug)]
pub(crate) struct Collector<'c> {
    choice: &'c Choice,
    file: String,
    series: Vec<Rows>,
    /// Indices in `series`, by region and metric.
    places: BTreeMap<String, BTreeMap<String, usize>>,
    values: usize,
    jobs: Vec<Job>,
    ties: BTreeMap<String, Vec<Tie>>,
    notes: BTreeMap<String, Vec<String>>,
}

#[derive(Debug)]
struct Rows {
    region: String,
    metric: String,
    about: Metric,
    parameters: Vec<String>,
    /// Parameter values and measured value of each row.
    numbers: Vec<f64>,
    /// File and line of the first row.
    from: String,
    negative: Option<String>,
}

impl<'c> Collector<'c> {
    pub(crate) const fn new(choice: &'c Choice) -> Self {
        Self {
            choice,
            file: String::new(),
            series: Vec::new(),
            places: BTreeMap::new(),
            values: 0,
            jobs: Vec::new(),
            ties: BTreeMap::new(),
            notes: BTreeMap::new(),
        }
    }

    /// Keeps a job until all files have been read, because a later file can contain a later
    /// attempt.
    pub(crate) fn keep(&mut self, job: Job) -> Result<(), Problem> {
        if self.jobs.len() == JOBS_MAX {
            let why = format!("more than {JOBS_MAX} jobs are not supported; export fewer");
            return Err(self.told(job.line, why));
        }
        self.jobs.push(job);
        Ok(())
    }

    /// Returns the kept jobs and forgets them, so that each becomes only one row.
    pub(crate) fn take_jobs(&mut self) -> Vec<Job> {
        std::mem::take(&mut self.jobs)
    }

    /// Records a size of a region that isn't one of its parameters.
    pub(crate) fn tie(&mut self, region: &str, tie: Tie) {
        self.ties.entry(region.to_owned()).or_default().push(tie);
    }

    pub(crate) fn note(&mut self, region: &str, note: String) {
        self.notes.entry(region.to_owned()).or_default().push(note);
    }

    pub(crate) fn note_once(&mut self, region: &str, note: String) {
        let known = self.notes.get(region);
        if !known.is_some_and(|it| it.contains(&note)) {
            self.note(region, note);
        }
    }

    /// Sets the file that the next rows come from.
    pub(crate) fn begin(&mut self, file: &str) {
        file.clone_into(&mut self.file);
    }

    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    pub(crate) const fn choice(&self) -> &'c Choice {
        self.choice
    }

    /// Returns a problem about a line; line 0 means the whole file.
    pub(crate) fn told(&self, line: usize, why: impl Into<String>) -> Problem {
        Problem::new(why).in_file(&self.file).on_line(line as u64)
    }

    fn place(&self, line: usize) -> String {
        if line == 0 {
            return self.file.clone();
        }
        format!("{}:{line}", self.file)
    }

    pub(crate) fn add(&mut self, line: usize, row: &MeasuredRow<'_>) -> Result<(), Problem> {
        if let Some(chosen) = &self.choice.metric
            && !is_named(chosen, row.metric)
        {
            return Ok(());
        }
        if self.values == VALUES_MAX {
            let why =
                format!("more than {VALUES_MAX} values are not supported; keep fewer repetitions");
            return Err(self.told(line, why));
        }
        self.values += 1;
        let index = self.series(line, row)?;
        let series = &self.series[index];
        let mut numbers = Vec::with_capacity(series.parameters.len() + 1);
        for name in &series.parameters {
            let found = row.at.iter().find(|(other, _)| other == name);
            let Some((_, number)) = found else {
                let why = other_parameters(series, row);
                return Err(self.told(line, why));
            };
            numbers.push(self.finite(line, name, *number)?);
        }
        let is_all = self.choice.parameters.is_empty();
        if is_all && row.at.len() != series.parameters.len() {
            let why = other_parameters(series, row);
            return Err(self.told(line, why));
        }
        let about = &series.about;
        let unit = row.unit.or(about.seconds).or(about.bytes).unwrap_or(1.0);
        numbers.push(self.finite(line, row.metric, row.value * unit)?);
        if row.value < 0.0 && series.negative.is_none() {
            let shown = prophet_text::plain::line(row.metric);
            let told = format!("{}: `{shown}` is {}", self.place(line), row.value);
            self.series[index].negative = Some(told);
        }
        self.series[index].numbers.append(&mut numbers);
        Ok(())
    }

    fn finite(&self, line: usize, name: &str, number: f64) -> Result<f64, Problem> {
        if number.is_finite() {
            return Ok(number);
        }
        let why = format!("`{name}` is {number}, which is not a finite number; remove the row");
        Err(self.told(line, why))
    }

    /// Returns the index of the series to which a row belongs, and adds the series if it is new.
    fn series(&mut self, line: usize, row: &MeasuredRow<'_>) -> Result<usize, Problem> {
        let known = self.places.get(row.region);
        if let Some(index) = known.and_then(|metrics| metrics.get(row.metric)) {
            return Ok(*index);
        }
        let parameters = self.parameters(line, row)?;
        if self.series.len() == SERIES_MAX {
            let why = format!("more than {SERIES_MAX} regions and metrics are not supported");
            return Err(self.told(line, why));
        }
        let (index, from) = (self.series.len(), self.place(line));
        let mut about = metric(row.metric);
        about.seconds = row.unit.or(about.seconds);
        about.bytes = about.bytes.filter(|_| row.unit.is_none());
        about.per_seconds = about.per_seconds.filter(|_| row.unit.is_none());
        self.series.push(Rows {
            region: row.region.to_owned(),
            metric: row.metric.to_owned(),
            about,
            parameters,
            numbers: Vec::new(),
            from,
            negative: None,
        });
        let metrics = self.places.entry(row.region.to_owned()).or_default();
        metrics.insert(row.metric.to_owned(), index);
        Ok(index)
    }

    /// Returns the names of a series' parameters, which its first row determines.
    fn parameters(&self, line: usize, row: &MeasuredRow<'_>) -> Result<Vec<String>, Problem> {
        let there: Vec<&str> = row.at.iter().map(|it| it.0).collect();
        let chosen = &self.choice.parameters;
        if let Some(missing) = chosen.iter().find(|it| !there.contains(&it.as_str())) {
            let why = format!(
                "unknown parameter `{missing}`; choose one of {}",
                listed(&there)
            );
            return Err(self.told(line, why));
        }
        if chosen.is_empty() && there.len() > PARAMETERS_MAX {
            let why = format!(
                "{} parameters are too many; choose at most {PARAMETERS_MAX}",
                there.len()
            );
            return Err(self.told(line, why));
        }
        if !chosen.is_empty() {
            return Ok(chosen.clone());
        }
        Ok(there.into_iter().map(str::to_owned).collect())
    }

    pub(crate) fn finish(self) -> Result<Vec<Series>, Problem> {
        if self.series.is_empty() {
            let why = match &self.choice.metric {
                Some(metric) => format!("no values of the metric `{metric}` found"),
                None => "no measured values found".to_owned(),
            };
            return Err(problem!("{}: {why}", self.file));
        }
        self.refuse_mixed_units()?;
        let mut series: Vec<Series> = self.series.into_iter().map(Rows::series).collect();
        for one in &mut series {
            one.ties = self.ties.get(&one.region).cloned().unwrap_or_default();
            one.notes = self.notes.get(&one.region).cloned().unwrap_or_default();
        }
        Ok(series)
    }

    /// Rejects a region's metric with two different units, because one of them may be a mistake.
    fn refuse_mixed_units(&self) -> Result<(), Problem> {
        let mut bases = BTreeMap::new();
        let has_unit = |it: &&Rows| it.about.seconds.or(it.about.bytes).is_some();
        for series in self.series.iter().filter(has_unit) {
            let key = (&series.region, &series.about.base);
            if let Some(other) = bases.insert(key, series) {
                return Err(problem!(
                    "{}: `{}` is `{}` at {}: the units are mixed; use one of them, or choose one \
                     with --metric",
                    series.from,
                    series.metric,
                    other.metric,
                    other.from,
                ));
            }
        }
        Ok(())
    }
}

impl Rows {
    fn series(self) -> Series {
        let width = self.parameters.len() + 1;
        let mut rows: Vec<&[f64]> = self.numbers.chunks_exact(width).collect();
        let at = |row: &[f64]| row[..width - 1].to_vec();
        // The sort is stable, so repetitions stay in the order in which they were measured.
        rows.sort_by(|a, b| compare(&a[..width - 1], &b[..width - 1]));
        let same = rows.chunk_by(|a, b| compare(&a[..width - 1], &b[..width - 1]).is_eq());
        let points = same.map(|rows| Point {
            at: at(rows[0]),
            values: rows.iter().map(|row| row[width - 1]).collect(),
        });
        Series {
            points: points.collect(),
            region: self.region,
            metric: self.metric,
            is_time: self.about.seconds.is_some(),
            is_memory: self.about.bytes.is_some(),
            per_seconds: self.about.per_seconds,
            parameters: self.parameters,
            ties: Vec::new(),
            notes: Vec::new(),
            negative: self.negative,
        }
    }
}

/// Returns the message for a row whose parameters differ from those in the other rows of its
/// series.
fn other_parameters(series: &Rows, row: &MeasuredRow<'_>) -> String {
    let names: Vec<&str> = row.at.iter().map(|it| it.0).collect();
    format!(
        "the parameters are {}, but {} at {}: all rows of `{}` need the same parameters",
        listed(&names),
        listed(&series.parameters),
        series.from,
        series.metric,
    )
}

/// Compares points, treating 0 and -0 as equal.
fn compare(a: &[f64], b: &[f64]) -> Ordering {
    let pairs = a.iter().zip(b);
    let orders = pairs.map(|(a, b)| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    orders.fold(Ordering::Equal, Ordering::then)
}

/// Returns `true` if `name` refers to the metric `of`, with or without its unit.
pub(crate) fn is_named(name: &str, of: &str) -> bool {
    name == of || name == metric(of).base
}

/// Formats names as a list for messages.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let quoted: Vec<String> = names
        .iter()
        .map(|it| format!("`{}`", it.as_ref()))
        .collect();
    quoted.join(", ")
}

/// Formats a number with at most six digits.
pub(crate) fn shown(number: f64) -> String {
    let rounded: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    rounded.to_string()
}

/// Returns the lines that are neither empty nor comments, with their numbers.
pub(crate) fn content(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    let lines = lines.map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Parses a text as a finite number.
pub(crate) fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok()
}

/// Splits a line into cells. A quoted cell can contain the separator (RFC 4180).
pub(crate) fn split(line: &str, separator: Option<char>, cells: &mut Vec<String>) {
    cells.clear();
    let Some(separator) = separator else {
        cells.extend(line.split_whitespace().map(str::to_owned));
        return;
    };
    if !line.contains('"') {
        cells.extend(line.split(separator).map(|it| it.trim().to_owned()));
        return;
    }
    let (mut cell, mut is_quoted) = (String::new(), false);
    for c in line.chars() {
        if c == separator && !is_quoted {
            cells.push(unquoted(&cell));
            cell.clear();
            continue;
        }
        is_quoted ^= c == '"';
        cell.push(c);
    }
    cells.push(unquoted(&cell));
}

fn unquoted(cell: &str) -> String {
    let cell = cell.trim();
    let inside = cell.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    inside.map_or_else(|| cell.to_owned(), |it| it.replace("\"\"", "\""))
}
