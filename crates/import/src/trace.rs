//! Represents a trace in any supported format.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use prophet_files::Inputs;
use prophet_text::{FileFormat, FileKind, FileRole, Problem};

use crate::calls;
use crate::files::{self, first_line};
use crate::goal::Schedule;
use crate::recording::{self, Recording};
use crate::{RankEvent, chakra, json, kineto, otf2, recorded, tasks, time_independent};

/// A trace whose events are read on demand.
#[derive(Debug)]
pub struct ImportedTrace {
    form: TraceForm,
}

#[derive(Debug)]
enum TraceForm {
    TimeIndependent(time_independent::TimeIndependentTrace),
    Goal(Schedule),
    Recorded(recorded::RunTrace),
    Calls(calls::CallTrace),
    Otf2(otf2::Otf2Archive),
    Tasks(tasks::TaskTrace),
}

/// Returns all input files of the trace at `path`. Files that can't be listed are left out; reading
/// the trace reports them.
pub fn inputs(path: &Path) -> Inputs {
    let mut inputs = Inputs::from_iter([path]);
    let others = if path.is_dir() {
        files::in_folder(path)
    } else {
        files::beside(path)
    };
    inputs.extend(others.unwrap_or_default());
    inputs.extend(files::listed(path).unwrap_or_default());
    if let Some(anchor) = files::anchor(path) {
        inputs.extend(files::in_folder(&anchor.with_extension("")).unwrap_or_default());
        inputs.extend([anchor.with_extension("def"), anchor]);
    } else if let Some(folder) = path.parent() {
        // Chakra's file of groups is next to the trace.
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let beside = files::in_folder(folder).unwrap_or_default();
        inputs.extend(beside.into_iter().filter(|it| json::is_of_groups(it)));
    }
    inputs
}

/// The events of one rank, in order.
#[derive(Debug)]
pub struct Events(EventSource);

#[derive(Debug)]
enum EventSource {
    TimeIndependent(Box<time_independent::TimeIndependentEvents>),
    Listed(VecDeque<RankEvent>),
    Calls(Box<calls::CallEvents>),
    Otf2(Box<otf2::Otf2Events>),
}

impl TraceForm {
    fn of_text(path: &Path) -> Result<Self, Problem> {
        let format = json::format(path);
        if is_liballprof(format) {
            let files = files::beside(path)?;
            return Ok(Self::Calls(calls::CallTrace::of_files(files)?));
        }
        let line = first_line(path)?;
        let word = line.split_ascii_whitespace().next().unwrap_or_default();
        Ok(match word {
            "num_ranks" => Self::Goal(Schedule::open(path)?),
            word if word.bytes().all(|it| it.is_ascii_digit()) => {
                Self::TimeIndependent(time_independent::TimeIndependentTrace::of_file(path)?)
            }
            _ => Self::of_ranks(files::listed(path)?)?,
        })
    }

    /// Opens a trace of tasks. The first file determines the format.
    fn of_tasks(files: Vec<PathBuf>) -> Result<Option<Self>, Problem> {
        let format = files.first().and_then(|it| json::format(it));
        let trace = match format.map(|it| it.kind) {
            Some(FileKind::Kineto) => kineto::open(files)?,
            Some(FileKind::Chakra) => chakra::open(files)?,
            _ => return Ok(None),
        };
        Ok(Some(Self::Tasks(trace)))
    }

    fn of_ranks(files: Vec<PathBuf>) -> Result<Self, Problem> {
        if let Some(form) = Self::of_tasks(json::of_ranks(&files))? {
            return Ok(form);
        }
        let format = files.first().and_then(|it| json::format(it));
        if format.is_some_and(|it| it.kind.role() != FileRole::Trace) {
            let folder = files[0].parent().unwrap_or(Path::new(""));
            let why = "it contains no trace; pass the file of a trace, or the folder of the ranks' \
                       files";
            return Err(Problem::of(folder, why));
        }
        Ok(if is_liballprof(format) {
            Self::Calls(calls::CallTrace::of_files(files)?)
        } else {
            Self::TimeIndependent(time_independent::TimeIndependentTrace::of_files(files)?)
        })
    }
}

impl ImportedTrace {
    /// Opens a trace: a file, a file that lists the ranks' files, or a folder of such files.
    ///
    /// # Errors
    ///
    /// Returns an error if `path` contains no trace or an incomplete one.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        let format = json::format(path);
        let form = if let Some(folder) = recording::folder(path) {
            let recording = Recording::open(&folder)?;
            TraceForm::Calls(calls::CallTrace::of_recording(recording))
        } else if let Some(anchor) = files::anchor(path) {
            TraceForm::Otf2(otf2::Otf2Archive::open(&anchor)?)
        } else if path.is_dir() {
            TraceForm::of_ranks(files::in_folder(path)?)?
        } else if let Some(told) = format.and_then(|it| it.unless(FileRole::Trace)) {
            return Err(Problem::of(path, told));
        } else if format.is_some_and(|it| it.kind == FileKind::Recorded) {
            TraceForm::Recorded(recorded::RunTrace::open(path)?)
        } else if let Some(form) = TraceForm::of_tasks(vec![path.to_owned()])? {
            form
        } else {
            TraceForm::of_text(path)?
        };
        Ok(Self { form })
    }

    /// Returns `true` if `path` is a recording made by `record`: its folder, or a file in it.
    pub fn is_recording(path: &Path) -> bool {
        recording::folder(path).is_some()
    }

    /// Finds the trace in a folder. This is the folder itself, a file in it that lists other files,
    /// or the only file in it. Returns `None` if nothing there looks like a trace.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        if recording::folder(folder).is_some() || files::anchor(folder).is_some() {
            return Some(folder.to_owned());
        }
        let files = files::in_folder(folder).ok()?;
        let is_list = |it: &&PathBuf| files::listed(it).is_ok_and(|listed| !listed.is_empty());
        let list = files.iter().find(is_list);
        if let Some(file) = list.or((files.len() == 1).then(|| &files[0])) {
            return (list.is_some() || begins_as_trace(file)).then(|| file.clone());
        }
        begins_as_trace(files.first()?).then(|| folder.to_owned())
    }

    pub fn ranks(&self) -> u32 {
        match &self.form {
            TraceForm::TimeIndependent(trace) => trace.ranks,
            TraceForm::Goal(schedule) => schedule.ranks(),
            TraceForm::Recorded(trace) => trace.ranks,
            TraceForm::Calls(trace) => trace.ranks,
            TraceForm::Otf2(trace) => trace.ranks(),
            TraceForm::Tasks(trace) => trace.ranks(),
        }
    }

    /// Returns `true` if the trace contains measured times.
    pub fn is_measured(&self) -> bool {
        matches!(
            self.form,
            TraceForm::Calls(_) | TraceForm::Otf2(_) | TraceForm::Tasks(_)
        )
    }

    /// Returns the number of groups of ranks that have collectives of their own.
    pub(crate) fn groups(&self) -> u32 {
        match &self.form {
            TraceForm::Calls(trace) => trace.recording().map_or(0, Recording::groups),
            TraceForm::Tasks(trace) => trace.groups,
            _ => 0,
        }
    }

    /// Returns `true` if `SimGrid` can replay the trace too.
    pub(crate) fn is_of_simgrid(&self) -> bool {
        matches!(self.form, TraceForm::TimeIndependent(_))
    }

    /// Returns the events of a rank; `rank` must be less than the number of ranks.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace is invalid where these events start.
    pub fn events(&self, rank: u32) -> Result<Events, Problem> {
        Ok(Events(match &self.form {
            TraceForm::TimeIndependent(trace) => {
                EventSource::TimeIndependent(Box::new(trace.events(rank)))
            }
            TraceForm::Goal(schedule) => EventSource::Listed(schedule.events(rank)?),
            TraceForm::Recorded(trace) => EventSource::Listed(trace.events(rank)?),
            TraceForm::Calls(trace) => EventSource::Calls(Box::new(trace.events(rank))),
            TraceForm::Otf2(trace) => EventSource::Otf2(Box::new(trace.events(rank)?)),
            TraceForm::Tasks(trace) => EventSource::Listed(trace.events(rank)?),
        }))
    }

    /// Passes all events to `take`. The events of each rank are in order, and each file is read
    /// once.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace is invalid, or if `take` rejects an event.
    pub fn for_each(
        &self,
        take: impl FnMut(u32, RankEvent) -> Result<(), String>,
    ) -> Result<(), Problem> {
        match &self.form {
            TraceForm::TimeIndependent(trace) => trace.for_each(take),
            TraceForm::Recorded(trace) => trace.for_each(take),
            TraceForm::Calls(trace) => trace.for_each(take),
            TraceForm::Otf2(trace) => trace.for_each(take),
            TraceForm::Goal(schedule) => {
                let of = |rank| schedule.events(rank);
                listed(schedule.ranks(), of, take).map_err(|it| it.or_in_file(schedule.file()))
            }
            TraceForm::Tasks(trace) => {
                let of = |rank| trace.events(rank);
                listed(trace.ranks(), of, take).map_err(|it| it.or_in_file(trace.file()))
            }
        }
    }

    /// Passes all events to `take`, each with the number of its call site in the rank's file; 0
    /// without call sites.
    pub(crate) fn for_each_placed(
        &self,
        mut take: impl FnMut(u32, RankEvent, u32) -> Result<(), String>,
    ) -> Result<(), Problem> {
        match &self.form {
            TraceForm::Calls(trace) => trace.for_each_placed(take),
            _ => self.for_each(|rank, event| take(rank, event, 0)),
        }
    }

    /// Returns the recording that the trace was opened from; `None` if it is in another format.
    pub fn recording(&self) -> Option<&Recording> {
        match &self.form {
            TraceForm::Calls(trace) => trace.recording(),
            _ => None,
        }
    }

    pub(crate) fn notes(&self) -> &[String] {
        self.tasks().map_or(&[], |it| &it.notes)
    }

    /// Returns the ranks' tasks, if tasks can overlap in this format.
    pub(crate) fn tasks(&self) -> Option<&tasks::TaskTrace> {
        match &self.form {
            TraceForm::Tasks(trace) => Some(trace),
            _ => None,
        }
    }
}

impl Events {
    /// Reads the next event; returns `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace is invalid at that event.
    pub fn next_event(&mut self) -> Result<Option<RankEvent>, Problem> {
        match &mut self.0 {
            EventSource::TimeIndependent(events) => events.next(),
            EventSource::Listed(events) => Ok(events.pop_front()),
            EventSource::Calls(events) => events.next(),
            EventSource::Otf2(events) => events.next(),
        }
    }
}

/// Passes the events of all ranks to `take`, in order.
fn listed(
    ranks: u32,
    events: impl Fn(u32) -> Result<VecDeque<RankEvent>, Problem>,
    mut take: impl FnMut(u32, RankEvent) -> Result<(), String>,
) -> Result<(), Problem> {
    for rank in 0..ranks {
        for event in events(rank)? {
            take(rank, event).map_err(Problem::new)?;
        }
    }
    Ok(())
}

fn is_liballprof(format: Option<&FileFormat>) -> bool {
    format.is_some_and(|it| it.kind == FileKind::Liballprof)
}

/// Returns `true` if a file starts like a trace in any supported format.
fn begins_as_trace(path: &Path) -> bool {
    json::format(path).is_some_and(|it| it.kind.role() == FileRole::Trace)
}
