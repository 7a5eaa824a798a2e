//! Runs `sweep work`, which evaluates one chunk of a plan.

use std::fs;
use std::io::BufWriter;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::evaluate::{Evaluate, read_threads, threads};
use clap::Args;
use prophet_runtime::RunHandle;
use prophet_text::{Context as _, Problem, counted, plain::line, problem};

use super::chunk::{Chunk, ChunkState};
use super::plan::Planned;
use crate::study::Subjects;
use crate::terminal::{Progress, STOPPED, listen};

/// Arguments of `sweep work`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The plan written by `sweep plan`
    pub(super) plan: PathBuf,
    /// The number of the chunk, from 1, such as 3 or 3/16
    #[arg(long, value_name = "I/N", value_parser = Number::parse)]
    chunk: Number,
    /// Evaluate on this many threads [default: one per core]
    #[arg(long, short, value_name = "N", value_parser = read_threads)]
    jobs: Option<NonZero<usize>>,
}

/// The number of a chunk, and the number of chunks if the user specified it.
#[derive(Debug, Clone, Copy)]
struct Number {
    chunk: u32,
    of: Option<u32>,
}

impl Number {
    fn parse(text: &str) -> Result<Self, Problem> {
        let (chunk, of) = match text.split_once('/') {
            Some((chunk, of)) => (chunk, Some(of)),
            None => (text, None),
        };
        let number = |text: &str| text.trim().parse().ok();
        let of_all = of.map(number);
        match (number(chunk), of_all) {
            (Some(chunk), None) => Ok(Self { chunk, of: None }),
            (Some(chunk), Some(Some(of))) => Ok(Self {
                chunk,
                of: Some(of),
            }),
            _ => Err("expected a number of 1 or more, such as 3 or 3/16".into()),
        }
    }
}

impl Arguments {
    pub(super) fn run(&self, subjects: &dyn Subjects) -> Result<ExitCode, Problem> {
        let planned = Planned::read(&self.plan, subjects)?;
        let chunks = planned.plan.chunks;
        if let Some(of) = self.chunk.of.filter(|of| *of != chunks) {
            return Err(problem!(
                "the plan has {}, not {of}",
                counted(u64::from(chunks), "chunk", "chunks")
            ));
        }
        let chunk = Chunk::new(&planned, self.chunk.chunk)?;
        match chunk.state() {
            ChunkState::Missing => {}
            ChunkState::Whole => {
                prophet_text::tell!("chunk {} already exists", chunk.number());
                return Ok(ExitCode::SUCCESS);
            }
            ChunkState::Wrong(why) => return Err(problem!("{why}; remove it first")),
        }
        let handle = listen();
        let jobs = threads(self.jobs);
        planned.with_sweep(|sweep| evaluate(sweep, chunk, jobs, &handle))?;
        if handle.is_stopped() {
            prophet_text::tell!("interrupted: chunk {} was not written", chunk.number());
            return Ok(ExitCode::from(STOPPED));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Evaluates a chunk and writes its file, unless `handle` stops the evaluation.
fn evaluate(
    sweep: &dyn Evaluate,
    chunk: Chunk<'_>,
    jobs: usize,
    handle: &RunHandle,
) -> Result<(), Problem> {
    let path = chunk.path();
    let shown = line(&path.display().to_string());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).cannot("write", &shown)?;
    }
    let mut file = prophet_files::Output::create(&path).cannot("write", &shown)?;
    let mut writer = chunk
        .write(BufWriter::new(&mut file))
        .cannot("write", &shown)?;
    let range = chunk.range();
    let mut progress = Progress::new(range.end - range.start);
    let mut written = Ok(());
    sweep.evaluate(range, jobs, handle, |row| {
        progress.count();
        if written.is_ok() {
            written = writer.write_row(&row.found);
            if written.is_err() {
                handle.stop();
            }
        }
    });
    progress.clear();
    written.cannot("write", &shown)?;
    if handle.is_stopped() {
        return Ok(());
    }
    writer.finish().cannot("write", &shown)?;
    file.commit().map(drop).cannot("write", &shown)
}
