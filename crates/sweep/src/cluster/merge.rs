//! Runs `sweep merge`, which joins the rows of all chunks.

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::evaluate::SweepRow;
use crate::space::Space;
use clap::Args;
use prophet_files::Inputs;
use prophet_text::{Context as _, Problem, problem};

use super::chunk::{self, Chunk, ChunkState, Unread};
use super::plan::Planned;
use crate::goal::OpenGoals;
use crate::output::{self, Format, check_words};
use crate::readers::{Readers, RowTally};
use crate::study::Subjects;

/// Arguments of `sweep merge`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The plan written by `sweep plan`
    pub(super) plan: PathBuf,
    #[command(flatten)]
    joined: Joined,
}

/// Place of the joined rows.
#[derive(Debug, Args)]
pub(super) struct Joined {
    /// File for the rows
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Format of the rows: csv, jsonl, parquet [default: from the file name, otherwise csv]
    #[arg(long, value_enum, hide_possible_values = true)]
    format: Option<Format>,
    /// Write a page with curves, maps and all points: one file that works offline
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Print the results of the plan's goals as JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(super) fn run(&self, program: &str, subjects: &dyn Subjects) -> Result<ExitCode, Problem> {
        let planned = Planned::read(&self.plan, subjects)?;
        self.joined.check(&planned)?;
        self.joined.write(program, &planned)?;
        Ok(ExitCode::SUCCESS)
    }
}

pub(super) fn missing(planned: &Planned<'_>) -> Result<Vec<u32>, Problem> {
    let mut missing = Vec::new();
    for chunk in chunk::all(planned) {
        match chunk.state() {
            ChunkState::Whole => {}
            ChunkState::Missing => missing.push(chunk.number()),
            ChunkState::Wrong(why) => {
                return Err(problem!("{why}; remove it and evaluate the chunk again"));
            }
        }
    }
    Ok(missing)
}

/// Formats numbers as ranges in the syntax of `--array` in batch systems, such as `1,3-5`.
pub(super) fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let text = |(first, last): &(u32, u32)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    };
    ranges.iter().map(text).collect::<Vec<_>>().join(",")
}

impl Joined {
    /// Rejects outputs that have no effect, and two outputs to the same file.
    pub(super) fn check(&self, planned: &Planned<'_>) -> Result<(), Problem> {
        let plan = planned.words()?;
        let has_goals = !plan.find.is_empty();
        let outputs = [("--out", &self.out), ("--report", &self.report)];
        let outputs = outputs
            .into_iter()
            .filter_map(|(flag, it)| Some((flag, it.as_ref()?)));
        Inputs::from_iter([&planned.path]).refuse(outputs)?;
        self.format()?;
        check_words(
            has_goals,
            self.json,
            self.format.filter(|_| self.out.is_none()),
        )
    }

    /// Checks every chunk, then writes the rows of all chunks and reports the findings.
    pub(super) fn write(&self, program: &str, planned: &Planned<'_>) -> Result<(), Problem> {
        let missing = missing(planned)?;
        if !missing.is_empty() {
            return Err(problem!(
                "missing chunks: {} of {}; evaluate them with `sweep work`",
                ranges(&missing),
                planned.plan.chunks
            ));
        }
        let plan = planned.words()?;
        let (space, _) = plan.points()?;
        let (metrics, columns) = planned.columns()?;
        let goals = OpenGoals::read(&plan.find, &space, metrics, true)?;
        let page = self.report.as_ref();
        let page = page.map(|_| planned.page(program, &plan, goals.as_ref()));
        let page = page.transpose()?;
        let mut readers = Readers {
            goals,
            page,
            tally: RowTally::default(),
        };
        match &self.out {
            None if readers.goals.is_some() => {
                join(planned, &space, |row| {
                    readers.take(row);
                    Ok(())
                })?;
            }
            None => {
                let out = BufWriter::new(io::stdout().lock());
                let mut writer =
                    output::writer(self.format()?, columns, out).cannot("write", "the rows")?;
                join(planned, &space, |row| {
                    readers.take(row);
                    writer.row(row)
                })?;
                writer.finish().cannot("write", "the rows")?;
            }
            Some(path) => output::commit(path, self.format()?, columns, |writer| {
                join(planned, &space, |row| {
                    readers.take(row);
                    writer.row(row)
                })
            })?,
        }
        readers.finish(self.json, self.report.as_deref())
    }

    fn format(&self) -> Result<Format, Problem> {
        Format::choose(self.format, self.out.as_deref())
    }
}

fn join(
    planned: &Planned<'_>,
    space: &Space,
    mut take: impl FnMut(&SweepRow) -> io::Result<()>,
) -> Result<(), Problem> {
    chunk::all(planned).try_for_each(|chunk| {
        let read = chunk.read(|index, found| {
            let row = SweepRow {
                index,
                values: space.point(index),
                found,
            };
            take(&row).cannot("write", "the rows")
        });
        read.map_err(|unread| told(chunk, unread))
    })
}

/// Returns an error about the output, or about a chunk that has changed since it was checked.
fn told(chunk: Chunk<'_>, unread: Unread) -> Problem {
    match unread {
        Unread::Missing => problem!("chunk {} has just been removed", chunk.number()),
        Unread::Wrong(why) => problem!("chunk {}: {why}", chunk.number()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_ranges() {
        assert_eq!(ranges(&[1, 3, 4, 5, 9, 10]), "1,3-5,9-10");
        assert_eq!(ranges(&[]), "");
    }
}
