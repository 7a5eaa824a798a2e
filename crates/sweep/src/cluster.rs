//! Sweeps in chunks: planned and merged on one machine, evaluated on any.
//!
//! A plan holds all that a sweep reads, so that a node needs the program and the plan alone. A
//! chunk is a range of its points, and its rows are a file, which is there whole or not at all. A
//! chunk may be evaluated twice, or by two nodes at the same time, and nothing is counted twice.
//!
//! | module | is |
//! |---|---|
//! | `plan` | the plan, its file, and the command `sweep plan` |
//! | `files` | files that a plan takes along |
//! | `chunk` | rows of a chunk, and their file |
//! | `work` | the command `sweep work` |
//! | `merge` | the command `sweep merge` |
//! | `submit`, `slurm` | the command `sweep submit`, and the batch system |

mod chunk;
mod files;
mod merge;
mod plan;
mod slurm;
mod submit;
mod work;

use std::ffi::OsString;
use std::process::ExitCode;

use crate::study::Subjects;
use clap::Subcommand;
use prophet_text::Problem;

// Not a doc comment, which would be the text about `sweep`: commands of sweeps in chunks.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Write a plan: the sweep in numbered chunks, with all files that it reads
    Plan(Box<plan::Arguments>),
    /// Evaluate one chunk of a plan, and write its rows next to the plan
    Work(work::Arguments),
    /// Join the rows of all chunks; the result has the same bytes as on one machine
    Merge(merge::Arguments),
    /// Let a cluster evaluate the rest of a plan, wait for it, and merge the rows
    Submit(submit::Arguments),
}

impl Task {
    /// Runs the command. `program` is what the user called, and `words` are the words of this
    /// process in front of the command, such as `sweep`.
    pub(crate) fn run(
        &self,
        program: &str,
        words: &[OsString],
        subjects: &dyn Subjects,
    ) -> Result<ExitCode, Problem> {
        match self {
            Self::Plan(arguments) => arguments.run(subjects),
            Self::Work(arguments) => arguments.run(subjects),
            Self::Merge(arguments) => arguments.run(program, subjects),
            Self::Submit(arguments) => arguments.run(program, words, subjects),
        }
    }
}
