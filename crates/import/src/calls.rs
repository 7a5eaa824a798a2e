//! Reads traces of MPI calls with their times, as tracers of real programs write them, with one
//! file per rank. The time between calls counts as computing; the time inside a call is predicted.
//!
//! | module | is |
//! |---|---|
//! | `record` | an MPI call: its function, times and arguments |
//! | `liballprof`, `recording` | readers for the formats |
//! | `rank` | a rank's calls as events |
//! | `waits` | the requests a call waits for |
//! | `collective` | collective calls |

mod collective;
mod liballprof;
mod rank;
mod record;
mod recording;
mod waits;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use prophet_text::Problem;

use crate::RankEvent;
use crate::lines::Lines;
use crate::recording::Recording;
use rank::CallState;
use record::MpiCall;

const BUFFERS: usize = 256 << 20;
const BUFFER: usize = 1 << 16;
const RANKS_MAX: usize = 1 << 20;

/// Returns `true` if `import` and `run` support the MPI function `function`, named without `MPI_`,
/// such as `Send`.
pub fn is_read(function: &str) -> bool {
    let is_collective = collective::kind(function).is_some();
    is_collective || collective::blocking(function).is_some() || rank::is_read(function)
}

#[derive(Debug)]
pub(crate) struct CallTrace {
    source: CallSource,
    pub(crate) ranks: u32,
}

#[derive(Debug)]
enum CallSource {
    Files(Vec<PathBuf>),
    Recording(Arc<Recording>),
}

impl CallTrace {
    /// Creates a `liballprof` trace from its files, one per rank.
    pub(crate) fn of_files(files: Vec<PathBuf>) -> Result<Self, Problem> {
        if files.len() > RANKS_MAX {
            let why = format!("there are more than {RANKS_MAX} rank files");
            return Err(Problem::of(&files[0], why));
        }
        let ranks = u32::try_from(files.len()).unwrap_or(u32::MAX);
        let source = CallSource::Files(files);
        Ok(Self { source, ranks })
    }

    pub(crate) fn of_recording(recording: Recording) -> Self {
        let ranks = u32::try_from(recording.ranks().len()).unwrap_or(u32::MAX);
        let source = CallSource::Recording(Arc::new(recording));
        Self { source, ranks }
    }

    pub(crate) fn recording(&self) -> Option<&Recording> {
        match &self.source {
            CallSource::Files(_) => None,
            CallSource::Recording(recording) => Some(recording),
        }
    }

    pub(crate) fn events(&self, rank: u32) -> CallEvents {
        let buffer = (BUFFERS / self.ranks as usize).clamp(1 << 10, BUFFER);
        let (reader, state) = match &self.source {
            CallSource::Files(files) => {
                let lines = Lines::all(&files[rank as usize], buffer);
                let state = CallState::new(rank, self.ranks);
                (CallReader::Liballprof(lines), state)
            }
            CallSource::Recording(recording) => {
                let reader = Box::new(recording::RecordingReader::new(recording, rank));
                (
                    CallReader::Recording(reader),
                    CallState::complete(rank, self.ranks),
                )
            }
        };
        CallEvents {
            reader,
            rank: state,
            record: MpiCall::default(),
            ready: VecDeque::new(),
        }
    }

    pub(crate) fn for_each(
        &self,
        mut take: impl FnMut(u32, RankEvent) -> Result<(), String>,
    ) -> Result<(), Problem> {
        self.for_each_placed(|rank, event, _| take(rank, event))
    }

    /// Passes all events to `take`, rank by rank, each with the number of its call site.
    pub(crate) fn for_each_placed(
        &self,
        mut take: impl FnMut(u32, RankEvent, u32) -> Result<(), String>,
    ) -> Result<(), Problem> {
        for rank in 0..self.ranks {
            let mut events = self.events(rank);
            while let Some((event, site)) = events.next_placed()? {
                take(rank, event, site).map_err(|why| events.reader.problem(why))?;
            }
        }
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct CallEvents {
    reader: CallReader,
    rank: CallState,
    record: MpiCall,
    ready: VecDeque<RankEvent>,
}

impl CallEvents {
    pub(crate) fn next(&mut self) -> Result<Option<RankEvent>, Problem> {
        Ok(self.next_placed()?.map(|it| it.0))
    }

    /// Returns the next event with the number of its call site; `None` at the end.
    pub(crate) fn next_placed(&mut self) -> Result<Option<(RankEvent, u32)>, Problem> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some((event, self.record.site)));
            }
            if self.rank.is_over() {
                return Ok(None);
            }
            if !self.reader.next(&self.rank, &mut self.record)? {
                let number = self.rank.number();
                return Err(self.reader.problem(format!(
                    "the trace of rank {number} is cut off: it has no `MPI_Finalize`"
                )));
            }
            let read = self.rank.call(&self.record, &mut self.ready);
            read.map_err(|why| self.reader.problem(why))?;
        }
    }
}

#[derive(Debug)]
enum CallReader {
    Liballprof(Lines),
    Recording(Box<recording::RecordingReader>),
}

impl CallReader {
    /// Reads the next call of a rank. Returns `false` at the end.
    fn next(&mut self, rank: &CallState, record: &mut MpiCall) -> Result<bool, Problem> {
        match self {
            Self::Liballprof(lines) => liballprof::next(lines, rank, record),
            Self::Recording(reader) => reader.next(rank, record),
        }
    }

    fn problem(&self, why: impl Into<String>) -> Problem {
        match self {
            Self::Liballprof(lines) => lines.problem(why),
            Self::Recording(reader) => reader.problem(why.into()),
        }
    }
}
