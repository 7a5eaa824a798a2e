//! Reads `SimGrid`'s time-independent traces, in which each line is an action: `RANK ACTION
//! ARGUMENTS`.
//!
//! | module | is |
//! |---|---|
//! | `action` | an action's arguments |

mod action;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use prophet_text::Problem;

use crate::RankEvent;
use crate::lines::Lines;
use crate::requests::Requests;

/// Number of bytes to read at a time when a file is read only once.
const BUFFER: usize = 1 << 16;
const BUFFERS: usize = 256 << 20;
/// Maximum number of ranks. Without it, an invalid number could exhaust the memory.
const RANKS_MAX: u32 = 1 << 20;

#[derive(Debug)]
pub(crate) struct TimeIndependentTrace {
    /// A single file for all ranks, or one file per rank.
    files: Vec<PathBuf>,
    pub(crate) ranks: u32,
}

impl TimeIndependentTrace {
    /// Opens a trace with one file per rank.
    pub(crate) fn of_files(files: Vec<PathBuf>) -> Result<Self, Problem> {
        let ranks = u32::try_from(files.len()).unwrap_or(u32::MAX);
        if ranks > RANKS_MAX {
            let why = format!("there are more than {RANKS_MAX} rank files");
            return Err(Problem::of(&files[0], why));
        }
        Ok(Self { files, ranks })
    }

    /// Opens a trace with all ranks in one file.
    pub(crate) fn of_file(path: &Path) -> Result<Self, Problem> {
        let mut lines = Lines::all(path, BUFFER);
        let mut ranks = 0;
        while lines.advance()? {
            if let Some((rank, _)) = split(&lines)? {
                ranks = ranks.max(rank + 1);
            }
        }
        if ranks == 0 {
            return Err(Problem::of(path, "the trace has no actions"));
        }
        let files = vec![path.to_owned()];
        Ok(Self { files, ranks })
    }

    pub(crate) fn events(&self, rank: u32) -> TimeIndependentEvents {
        let file = match self.files.as_slice() {
            [one] => one,
            files => &files[rank as usize],
        };
        let buffer = (BUFFERS / self.ranks as usize).clamp(1 << 10, BUFFER);
        TimeIndependentEvents {
            lines: Lines::all(file, buffer),
            actions: Actions::new(rank, self.ranks),
            is_shared: self.files.len() == 1,
            ready: VecDeque::new(),
        }
    }

    /// Passes all events to `take`, rank by rank or in file order. Each file is read only once.
    pub(crate) fn for_each(
        &self,
        mut take: impl FnMut(u32, RankEvent) -> Result<(), String>,
    ) -> Result<(), Problem> {
        let mut ready = VecDeque::new();
        let mut actions: Vec<Actions> = (0..self.ranks)
            .map(|rank| Actions::new(rank, self.ranks))
            .collect();
        for (number, file) in (0..).zip(&self.files) {
            let mut lines = Lines::all(file, BUFFER);
            while lines.advance()? {
                let Some((rank, words)) = split(&lines)? else {
                    continue;
                };
                if self.files.len() > 1 && rank != number {
                    return Err(foreign(&lines, number, rank));
                }
                let read = actions[rank as usize].read(words, &mut ready);
                read.map_err(|why| lines.problem(why))?;
                for event in ready.drain(..) {
                    take(rank, event).map_err(|why| lines.problem(why))?;
                }
            }
        }
        for (rank, actions) in actions.iter().enumerate() {
            let file = self.files.get(rank).unwrap_or(&self.files[0]);
            actions.check_end().map_err(|why| Problem::of(file, why))?;
        }
        Ok(())
    }
}

/// Returns the error for a line with a rank other than the file's.
fn foreign(lines: &Lines, number: u32, rank: u32) -> Problem {
    lines.problem(format!(
        "this file is for rank {number}, but this line is for rank {rank}"
    ))
}

/// Returns the rank and the remaining words; `None` for an empty line or a comment.
fn split(lines: &Lines) -> Result<Option<(u32, std::str::SplitAsciiWhitespace<'_>)>, Problem> {
    let mut words = lines.text().split_ascii_whitespace();
    let Some(first) = words.next().filter(|it| !it.starts_with('#')) else {
        return Ok(None);
    };
    match first.parse() {
        Ok(rank) if rank < RANKS_MAX => Ok(Some((rank, words))),
        _ => Err(lines.problem(format!(
            "the line starts with `{first}`, which is not a rank"
        ))),
    }
}

#[derive(Debug)]
pub(crate) struct TimeIndependentEvents {
    lines: Lines,
    actions: Actions,
    /// Whether the rank's file contains lines of other ranks.
    is_shared: bool,
    ready: VecDeque<RankEvent>,
}

impl TimeIndependentEvents {
    pub(crate) fn next(&mut self) -> Result<Option<RankEvent>, Problem> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(Some(event));
            }
            if !self.lines.advance()? {
                let end = self.actions.check_end();
                return end.map(|()| None).map_err(|why| self.lines.problem(why));
            }
            match split(&self.lines)? {
                Some((rank, words)) if rank == self.actions.rank => {
                    let read = self.actions.read(words, &mut self.ready);
                    read.map_err(|why| self.lines.problem(why))?;
                }
                Some((rank, _)) if !self.is_shared => {
                    return Err(foreign(&self.lines, self.actions.rank, rank));
                }
                _ => {}
            }
        }
    }
}

#[derive(Debug)]
struct Actions {
    rank: u32,
    ranks: u32,
    /// Size of an element in bytes if the action doesn't specify a data type.
    element_bytes: u64,
    requests: Requests<(i64, i64, i64)>,
    is_over: bool,
}

impl Actions {
    fn new(rank: u32, ranks: u32) -> Self {
        Self {
            rank,
            ranks,
            element_bytes: 1,
            requests: Requests::default(),
            is_over: false,
        }
    }

    /// Returns an error message if the trace ends too early.
    fn check_end(&self) -> Result<(), String> {
        if self.is_over {
            return Ok(());
        }
        let rank = self.rank;
        Err(format!(
            "the trace of rank {rank} is cut off: it has no `finalize`"
        ))
    }
}
