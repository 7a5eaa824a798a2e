//! Runs sweeps in chunks. They are planned and merged on one machine, and can be evaluated on any
//! machine.
//!
//! A plan contains everything that the sweep reads, so a node needs only the program and the plan.
//! A chunk is a range of points. The file with its rows is either complete or missing, so a chunk
//! counts once even if two nodes evaluate it at the same time.
//!
//! | module | is |
//! |---|---|
//! | `plan` | the plan, its file, and the command `sweep plan` |
//! | `files` | files included in a plan |
//! | `chunk` | a chunk's rows, and their file |
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
use std::path::Path;
use std::process::ExitCode;

use crate::study::{Points, Subjects};
use clap::Subcommand;
use prophet_text::Problem;

// This isn't a doc comment, because that would become the help text of `sweep`.
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
    /// Returns the file of the model or the plan, and the points that a plan of a model gets.
    pub(crate) fn subject(&self) -> (&Path, Option<&Points>) {
        match self {
            Self::Plan(arguments) => (&arguments.model, Some(&arguments.points)),
            Self::Work(arguments) => (&arguments.plan, None),
            Self::Merge(arguments) => (&arguments.plan, None),
            Self::Submit(arguments) => (&arguments.plan, None),
        }
    }

    /// Runs the command. `program` is how the user called `sweep`. `words` are the words up to
    /// `sweep` on this process's command line.
    pub(crate) fn run(
        &self,
        (program, words): (&str, &[OsString]),
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
