//! Reads Slurm jobs from the output of `sacct`: with cells separated by `|`, as a table, or as
//! JSON.

use std::collections::BTreeMap;
use std::rc::Rc;

use prophet_text::{Problem, problem};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::measurements::collector::{Collector, listed, number};
use crate::measurements::job::{COMPLETED, Job, Text};
use crate::measurements::scalar::Scalar;
use crate::measurements::unit::bytes;

/// Columns that contain ids. A first line without any of these names isn't a header.
const IDS: &[&str] = &["JobID", "JobIDRaw"];
const STATES: &[&str] = &["State"];
const TIMES: &[&str] = &["ElapsedRaw", "Elapsed"];
const MEMORIES: &[&str] = &["MaxRSS"];
const NODES: &[&str] = &["NNodes", "AllocNodes"];
const TASKS: &[&str] = &["NTasks"];
const CPUS: &[&str] = &["NCPUS", "AllocCPUS"];
/// Words that mean "not measured".
const UNKNOWN: &[&str] = &["", "Unknown", "INVALID", "N/A"];

/// States of jobs. Tables truncate the longer ones.
const KNOWN: &[&str] = &[
    "BOOT_FAIL",
    "CANCELLED",
    COMPLETED,
    "COMPLETING",
    "DEADLINE",
    "FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PENDING",
    "PREEMPTED",
    "REQUEUED",
    "RESIZING",
    "REVOKED",
    "RUNNING",
    "SUSPENDED",
    "TIMEOUT",
];

/// Command that prints the required columns.
const COMMAND: &str = "`sacct -P --format=JobID,JobName,State,NNodes,NTasks,NCPUS,Elapsed,MaxRSS`";

/// How a line is split into cells.
enum Layout {
    /// Cells are separated by `|`.
    Bars,
    /// Cells are ranges of characters.
    Table(Vec<(usize, usize)>),
}

impl Layout {
    fn cells<'t>(&self, line: &'t str) -> Vec<&'t str> {
        let ends = match self {
            Self::Bars => return line.split('|').map(str::trim).collect(),
            Self::Table(ends) => ends,
        };
        let byte = |column: usize| {
            line.char_indices()
                .nth(column)
                .map_or(line.len(), |it| it.0)
        };
        let cell = |it: &(usize, usize)| line[byte(it.0)..byte(it.1)].trim();
        ends.iter().map(cell).collect()
    }
}

/// Iterates over the lines of a text with their numbers. Blanks, which tables need, are kept.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line));
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

pub(crate) fn is_header(line: &str) -> bool {
    let mut words = line.split(|it: char| it == '|' || it.is_whitespace());
    words.any(|it| IDS.contains(&it))
}

pub(crate) fn add(collector: &mut Collector<'_>, text: &str) -> Result<(), Problem> {
    let mut lines = lines(text).peekable();
    let Some((first, header)) = lines.next() else {
        return Ok(());
    };
    let dashes = lines.next_if(|(_, line)| line.chars().all(|it| it == '-' || it == ' '));
    let layout = match dashes {
        Some((_, dashes)) => Layout::Table(columns(dashes)),
        None if header.contains('|') => Layout::Bars,
        None => {
            let why = format!(
                "the names need a line of dashes below them, or `|` between them; export them with \
                 {COMMAND}"
            );
            return Err(collector.told(first, why));
        }
    };
    let names = layout.cells(header);
    let place = |of: &[&str]| {
        of.iter()
            .find_map(|it| names.iter().position(|name| name == it))
    };
    let columns = Columns {
        id: place(IDS).unwrap_or_default(),
        name: place(&["JobName"]),
        state: place(STATES),
        time: place(TIMES),
        memory: place(MEMORIES),
        sizes: [NODES, TASKS, CPUS].map(place),
        width: names.len(),
        is_table: matches!(layout, Layout::Table(_)),
    };
    if let Some(missing) = columns.missing() {
        let why = format!(
            "missing column `{missing}`, found {}; export the jobs with {COMMAND}",
            listed(&names)
        );
        return Err(collector.told(first, why));
    }
    let mut table = Table {
        columns,
        jobs: Vec::new(),
        places: BTreeMap::new(),
    };
    let file: Rc<str> = collector.file().into();
    // If a file contains several outputs, the header is repeated.
    let is_repeated = |text: &str| text == header || text.starts_with("---");
    for (line, text) in lines.filter(|it| !is_repeated(it.1)) {
        let cells = layout.cells(text);
        let added = table.row(&file, line, &cells);
        added.map_err(|why| collector.told(line, why.to_string()))?;
    }
    if table.jobs.is_empty() {
        let why = format!("no line describes a whole job; export the jobs with {COMMAND}");
        return Err(collector.told(first, why));
    }
    for job in table.jobs {
        collector.keep(job)?;
    }
    Ok(())
}

/// Returns the ranges of characters that consist of dashes.
fn columns(dashes: &str) -> Vec<(usize, usize)> {
    let mut columns = Vec::new();
    let mut from = 0;
    for word in dashes.split(' ') {
        if !word.is_empty() {
            columns.push((from, from + word.len()));
        }
        from += word.len() + 1;
    }
    columns
}

struct Columns {
    id: usize,
    name: Option<usize>,
    state: Option<usize>,
    time: Option<usize>,
    memory: Option<usize>,
    sizes: [Option<usize>; 3],
    width: usize,
    is_table: bool,
}

impl Columns {
    /// Returns the name of a required column that is missing, if any.
    const fn missing(&self) -> Option<&'static str> {
        match self {
            Self { state: None, .. } => Some("State"),
            Self {
                time: None,
                memory: None,
                ..
            } => Some("Elapsed"),
            _ => None,
        }
    }
}

/// The jobs in a table, and the index of each job's last attempt.
struct Table {
    columns: Columns,
    jobs: Vec<Job>,
    places: BTreeMap<String, usize>,
}

impl Table {
    /// Adds a job, or adds the data of a step to its job.
    fn row(&mut self, file: &Rc<str>, line: usize, cells: &[&str]) -> Result<(), Problem> {
        let columns = &self.columns;
        // With `-p`, every line also ends with `|`.
        let has = cells.len() - usize::from(cells.len() > columns.width && cells.ends_with(&[""]));
        if has != columns.width {
            let needs = columns.width;
            return Err(problem!(
                "the row has {has} cells, but the header has {needs}"
            ));
        }
        let cell = |place: Option<usize>| {
            let text = place.map_or("", |it| cells[it]);
            (!UNKNOWN.contains(&text)).then_some(text)
        };
        let id = cells[columns.id];
        let (whole, step) = id
            .split_once('.')
            .map_or((id, None), |it| (it.0, Some(it.1)));
        if columns.is_table && step.is_none() && whole.ends_with('+') {
            return Err(problem!(
                "the id `{id}` is cut off; export full ids with {COMMAND}"
            ));
        }
        let memory = cell(columns.memory).map(memory).transpose()?;
        let size = |place: Option<usize>| {
            let why = |text| problem!("`{text}` is not a number");
            cell(place)
                .map(|text| number(text).ok_or_else(|| why(text)))
                .transpose()
        };
        let [nodes, tasks, cpus] = columns.sizes.map(size);
        let (nodes, tasks, cpus) = (nodes?, tasks?, cpus?);
        if step.is_some() {
            let job = self.places.get(whole).map(|it| &mut self.jobs[*it]);
            if let Some(job) = job {
                job.grow(memory, tasks);
            }
            return Ok(());
        }
        let name = cell(columns.name).unwrap_or_default();
        let is_cut = columns.is_table && name.ends_with('+');
        let mut job = Job {
            file: Rc::clone(file),
            line,
            id: Some(whole.to_owned()),
            name: name.trim_end_matches(|it| is_cut && it == '+').to_owned(),
            text: Text::Name,
            is_cut,
            state: state(cell(columns.state).unwrap_or_default()),
            values: Vec::new(),
            sizes: vec![("nodes", nodes), ("ntasks", None), ("ncpus", cpus)],
        };
        if let Some(elapsed) = cell(columns.time) {
            job.values.push(("elapsed".to_owned(), clock(elapsed)?));
        }
        job.grow(memory, tasks);
        self.places.insert(whole.to_owned(), self.jobs.len());
        self.jobs.push(job);
        Ok(())
    }
}

impl Job {
    fn grow(&mut self, memory: Option<f64>, tasks: Option<f64>) {
        if let Some((_, most)) = self.sizes.iter_mut().find(|it| it.0 == "ntasks") {
            *most = [*most, tasks].into_iter().flatten().reduce(f64::max);
        }
        let Some(memory) = memory.filter(|it| *it > 0.0) else {
            return;
        };
        match self.values.iter_mut().find(|it| it.0 == "max_rss") {
            Some((_, most)) => *most = most.max(memory),
            None => self.values.push(("max_rss".to_owned(), memory)),
        }
    }
}

/// Returns the state of a job as a single word, such as `CANCELLED` for `CANCELLED by 1000` and
/// `CANCELLED+`.
fn state(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or("without a state");
    let begin = word.trim_end_matches('+');
    let known = KNOWN
        .iter()
        .find(|it| begin.len() < word.len() && it.starts_with(begin));
    known.map_or(begin, |it| it).to_owned()
}

/// Parses `[D-]HH:MM:SS`, `MM:SS.mmm` or a number of seconds, and returns seconds.
pub(crate) fn clock(text: &str) -> Result<f64, Problem> {
    let (days, rest) = text.split_once('-').unwrap_or(("0", text));
    let parts: Vec<&str> = rest.split(':').collect();
    let digits = |it: &&str| it.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    let is_clock = parts.len() <= 3 && parts.iter().chain([&days]).all(digits);
    let sum = parts
        .iter()
        .try_fold(0.0, |sum, it| Some(60.0 * sum + number(it)?));
    let seconds = sum.and_then(|it| Some(it + 86400.0 * number(days)?));
    let seconds = seconds.filter(|_| is_clock);
    seconds.ok_or_else(|| problem!("expected a time such as 1-02:03:04, found `{text}`"))
}

/// Parses `1234K`, `1.5G` or a number of bytes, and returns bytes.
fn memory(text: &str) -> Result<f64, Problem> {
    let is_letter = |it: char| it.is_ascii_alphabetic();
    let amount = text.trim_end_matches(is_letter);
    let unit = match &text[amount.len()..] {
        "" => Some(1.0),
        unit => bytes(unit),
    };
    let is_amount = amount.starts_with(|it: char| it.is_ascii_digit());
    let value = number(amount).filter(|_| is_amount);
    let value = value.and_then(|it| Some(it * unit?));
    value.ok_or_else(|| problem!("expected an amount of memory such as 1234K, found `{text}`"))
}

/// A job from `sacct --json`.
#[derive(Debug, Deserialize)]
pub(crate) struct JsonJob {
    job_id: Option<Scalar>,
    #[serde(default)]
    name: Option<String>,
    state: Option<State>,
    time: Option<Time>,
    allocation_nodes: Option<Count>,
    nodes: Option<Count>,
    required: Option<Required>,
    tres: Option<Allocated>,
    #[serde(default)]
    steps: Vec<Step>,
}

/// A state, as different versions of Slurm write it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum State {
    Text(String),
    List(Vec<String>),
    Current { current: Box<State> },
    Other(IgnoredAny),
}

impl State {
    fn word(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::List(list) => list.first().map_or("", String::as_str),
            Self::Current { current } => current.word(),
            Self::Other(_) => "",
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Count {
    Number(f64),
    Set { set: bool, number: f64 },
    Other(IgnoredAny),
}

impl Count {
    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Set { set, number } => set.then_some(*number),
            Self::Other(_) => None,
        }
        .filter(|it| *it >= 0.0)
    }
}

#[derive(Debug, Deserialize)]
struct Time {
    elapsed: Option<Count>,
}

#[derive(Debug, Deserialize)]
struct Required {
    #[serde(rename = "CPUs")]
    cpus: Option<Count>,
}

#[derive(Debug, Deserialize)]
struct Allocated {
    #[serde(default)]
    allocated: Vec<Resource>,
}

#[derive(Debug, Deserialize)]
struct Resource {
    #[serde(rename = "type")]
    kind: String,
    count: Option<Count>,
}

#[derive(Debug, Deserialize)]
struct Step {
    tasks: Option<Tasks>,
    tres: Option<StepResources>,
}

#[derive(Debug, Deserialize)]
struct Tasks {
    count: Option<Count>,
}

#[derive(Debug, Deserialize)]
struct StepResources {
    requested: Option<Most>,
    consumed: Option<Most>,
}

#[derive(Debug, Deserialize)]
struct Most {
    #[serde(default)]
    max: Vec<Resource>,
}

fn amount(list: &[Resource], kind: &str) -> Option<f64> {
    list.iter()
        .find(|it| it.kind == kind)?
        .count
        .as_ref()?
        .number()
}

pub(crate) fn add_json(collector: &mut Collector<'_>, all: Vec<JsonJob>) -> Result<(), Problem> {
    if all.iter().all(|it| it.state.is_none()) {
        let why = "its `jobs` have no `state`; use `sacct --json` to write jobs that have ended";
        let why = if all.is_empty() {
            "its list of `jobs` is empty"
        } else {
            why
        };
        return Err(collector.told(0, why));
    }
    let file: Rc<str> = collector.file().into();
    for json in all {
        collector.keep(json.job(Rc::clone(&file)))?;
    }
    Ok(())
}

impl JsonJob {
    fn job(self, file: Rc<str>) -> Job {
        let number = |it: &Option<Count>| it.as_ref().and_then(Count::number);
        let nodes = number(&self.allocation_nodes).or_else(|| number(&self.nodes));
        let allocated = self
            .tres
            .as_ref()
            .and_then(|it| amount(&it.allocated, "cpu"));
        let required = self.required.as_ref().and_then(|it| number(&it.cpus));
        let mut job = Job {
            file,
            line: 0,
            id: self.job_id.map(|it| it.shown()),
            name: self.name.unwrap_or_default(),
            text: Text::Name,
            is_cut: false,
            state: state(self.state.as_ref().map_or("", State::word)),
            values: Vec::new(),
            sizes: vec![
                ("nodes", nodes),
                ("ntasks", None),
                ("ncpus", allocated.or(required)),
            ],
        };
        let elapsed = self.time.as_ref().and_then(|it| number(&it.elapsed));
        job.values
            .extend(elapsed.map(|it| ("elapsed".to_owned(), it)));
        for step in &self.steps {
            let tres = step.tres.as_ref();
            let memory = tres.and_then(|it| {
                let lists = [&it.requested, &it.consumed].into_iter().flatten();
                lists
                    .filter_map(|it| amount(&it.max, "mem"))
                    .reduce(f64::max)
            });
            job.grow(memory, step.tasks.as_ref().and_then(|it| number(&it.count)));
        }
        job
    }
}
