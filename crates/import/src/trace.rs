//! A trace of any format: which one it is, and its events.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use crate::goal::Schedule;
use crate::lines::Lines;
use crate::{Event, Problem, loggops, recorded, ti};

/// Bytes that are read at a time to find out what a file is.
const BUFFER: usize = 1 << 12;

/// A trace, whose events are read when they are asked for.
#[derive(Debug)]
pub struct Trace {
    form: Form,
}

#[derive(Debug)]
enum Form {
    TimeIndependent(ti::Trace),
    Goal(Schedule),
    Recorded(recorded::Trace),
}

/// Events of one rank, in order.
#[derive(Debug)]
pub struct Events(Source);

#[derive(Debug)]
enum Source {
    TimeIndependent(Box<ti::Events>),
    Listed(VecDeque<Event>),
}

impl Trace {
    /// Opens a trace: a file, a file that lists those of the ranks, or the folder of these.
    ///
    /// # Errors
    ///
    /// The file is no trace, or is not whole.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        let form = if path.is_dir() {
            Form::TimeIndependent(ti::Trace::of_files(files_in(path)?)?)
        } else if is_recorded(path)? {
            Form::Recorded(recorded::Trace::open(path)?)
        } else {
            match first_word(path)?.as_str() {
                "num_ranks" => Form::Goal(Schedule::open(path)?),
                word if word.bytes().all(|it| it.is_ascii_digit()) => {
                    Form::TimeIndependent(ti::Trace::of_file(path)?)
                }
                _ => Form::TimeIndependent(ti::Trace::of_files(listed(path)?)?),
            }
        };
        Ok(Self { form })
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        match &self.form {
            Form::TimeIndependent(trace) => trace.ranks,
            Form::Goal(schedule) => schedule.ranks(),
            Form::Recorded(trace) => trace.ranks,
        }
    }

    /// The events of a rank, which is below the number of ranks.
    ///
    /// # Errors
    ///
    /// The trace is wrong there.
    pub fn events(&self, rank: u32) -> Result<Events, Problem> {
        Ok(Events(match &self.form {
            Form::TimeIndependent(trace) => Source::TimeIndependent(Box::new(trace.events(rank))),
            Form::Goal(schedule) => Source::Listed(schedule.events(rank)?),
            Form::Recorded(trace) => Source::Listed(trace.events(rank)?),
        }))
    }

    /// Gives all events to `take`, those of each rank in order; a file is read once.
    ///
    /// # Errors
    ///
    /// The trace is wrong, or `take` has refused an event.
    pub fn for_each(
        &self,
        mut take: impl FnMut(u32, Event) -> Result<(), String>,
    ) -> Result<(), Problem> {
        match &self.form {
            Form::TimeIndependent(trace) => trace.for_each(take),
            Form::Recorded(trace) => trace.for_each(take),
            Form::Goal(schedule) => {
                for rank in 0..schedule.ranks() {
                    for event in schedule.events(rank)? {
                        take(rank, event).map_err(|why| schedule.problem(why))?;
                    }
                }
                Ok(())
            }
        }
    }

    /// Simulates a GOAL schedule by the rules of `LogGOPSim`; nothing for other traces.
    ///
    /// # Errors
    ///
    /// The schedule is wrong, or can't end.
    pub fn loggops(
        &self,
        parameters: loggops::Parameters,
    ) -> Option<Result<loggops::Ends, Problem>> {
        match &self.form {
            Form::TimeIndependent(_) | Form::Recorded(_) => None,
            Form::Goal(schedule) => Some(loggops::simulate(schedule, parameters)),
        }
    }
}

impl Events {
    /// Reads the next event; nothing at the end.
    ///
    /// # Errors
    ///
    /// The trace is wrong there.
    pub fn next_event(&mut self) -> Result<Option<Event>, Problem> {
        match &mut self.0 {
            Source::TimeIndependent(events) => events.next(),
            Source::Listed(events) => Ok(events.pop_front()),
        }
    }
}

/// True if a file is a trace of one of our own runs.
fn is_recorded(path: &Path) -> Result<bool, Problem> {
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(6).read_to_end(&mut begin));
    read.map_err(|error| Problem::of(path, error.to_string()))?;
    Ok(begin == *b"ARROW1")
}

/// The first word of a file that is in no comment.
fn first_word(path: &Path) -> Result<String, Problem> {
    let mut lines = Lines::all(path, BUFFER);
    while lines.advance()? {
        let text = lines.text().trim_start();
        let is_comment = text.starts_with('#') || text.starts_with('/');
        if let Some(word) = text.split_ascii_whitespace().next().filter(|_| !is_comment) {
            return Ok(word.to_owned());
        }
    }
    Err(Problem::of(path, "the trace is empty"))
}

/// The files that a file lists, which lie in its folder.
fn listed(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files = Vec::new();
    let mut lines = Lines::all(path, BUFFER);
    while lines.advance()? {
        let Some(name) = lines.text().split_ascii_whitespace().next() else {
            continue;
        };
        let name = Path::new(name);
        let is_inside =
            |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let file = folder.join(name);
        if !name.components().all(is_inside) || !file.is_file() {
            let name = name.display();
            let why = format!("`{name}` is no action of a trace, and no file in its folder");
            return Err(lines.problem(why));
        }
        files.push(file);
    }
    Ok(files)
}

/// The files of a folder, those of rank 2 before those of rank 10.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let wrong = |error: std::io::Error| Problem::of(folder, error.to_string());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Problem::of(folder, "the folder has no file"));
    }
    files.sort_by_cached_key(|path| natural(&path.to_string_lossy()));
    Ok(files)
}

/// A name as its words and numbers.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digit = rest
            .find(|it: char| it.is_ascii_digit())
            .unwrap_or(rest.len());
        let (word, number) = rest.split_at(digit);
        let end = number
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(number.len());
        parts.push((word.to_owned(), number[..end].parse().unwrap_or(u64::MAX)));
        rest = &number[end..];
    }
    parts
}
