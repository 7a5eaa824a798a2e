//! Runs `sweep submit`: has a cluster evaluate the missing chunks, and waits for them.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use prophet_runtime::RunHandle;
use prophet_text::{Context as _, Problem, plain::line, problem};

use super::chunk::folder;
use super::merge::{Joined, missing, ranges};
use super::plan::Planned;
use super::slurm::{self, Array, Job};
use crate::study::Subjects;
use crate::terminal::{STOPPED, listen};

/// Arguments of `sweep submit`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The plan written by `sweep plan`
    pub(super) plan: PathBuf,
    /// Submit to Slurm, as an array with one task per chunk
    #[arg(long, required = true)]
    slurm: bool,
    /// Submit a chunk at most this many times
    #[arg(long, value_name = "N", default_value_t = 3)]
    tries: u32,
    /// Seconds between two checks of the tasks
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=3600)
    )]
    every: u64,
    #[command(flatten)]
    joined: Joined,
    /// Options of `sbatch`, such as --partition=batch --cpus-per-task=64 --time=1:00:00
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<OsString>,
}

/// A submission of a plan's chunks. Only one process can submit a plan at a time.
#[derive(Debug)]
struct Submission<'a> {
    planned: &'a Planned<'a>,
    arguments: &'a Arguments,
    folder: PathBuf,
    program: Vec<OsString>,
    handle: RunHandle,
    _lock: File,
}

impl Arguments {
    pub(super) fn run(
        &self,
        called: &str,
        words: &[OsString],
        subjects: &dyn Subjects,
    ) -> Result<ExitCode, Problem> {
        let planned = Planned::read(&self.plan, subjects)?;
        self.joined.check(&planned)?;
        let program = std::env::current_exe().context("cannot find the file of this program")?;
        let program = [program.into_os_string()].into_iter();
        let folder = folder(&planned.path);
        fs::create_dir_all(&folder).map_err(|error| cannot_write(&folder, &error))?;
        let submission = Submission {
            planned: &planned,
            arguments: self,
            program: program.chain(words.iter().cloned()).collect(),
            handle: listen(),
            _lock: lock(&folder)?,
            folder,
        };
        if !submission.finish()? {
            return Ok(ExitCode::from(STOPPED));
        }
        self.joined.write(called, &planned)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Problem {
    problem!(
        "cannot write {}: {error}",
        line(&path.display().to_string())
    )
}

fn lock(folder: &Path) -> Result<File, Problem> {
    let path = folder.join("submit.lock");
    let file = File::options().create(true).append(true).open(&path);
    let file = file.map_err(|error| cannot_write(&path, &error))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(
            "another `sweep submit` is waiting for this plan: let it finish, or stop it first"
                .into(),
        ),
        // If the system doesn't support locks, a chunk that is evaluated twice still counts once.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

impl Submission<'_> {
    /// Submits missing chunks until none is missing. Returns `false` if the user stopped the
    /// submission.
    fn finish(&self) -> Result<bool, Problem> {
        let mut tries = 0;
        // The tasks of a submission that was stopped keep running.
        if let Some(job) = self.last_job()
            && slurm::is_active(&job)?
        {
            prophet_text::tell!("job {} of this plan is still running", job.number());
            if !self.wait(&job)? {
                return Ok(false);
            }
        }
        loop {
            let missing = missing(self.planned)?;
            if missing.is_empty() {
                return Ok(true);
            }
            let tasks = ranges(&missing);
            if tries == self.arguments.tries {
                return Err(problem!(
                    "chunks {tasks} were not evaluated; the output of their tasks is in {}",
                    line(&self.folder.display().to_string())
                ));
            }
            tries += 1;
            let job = self.submit(&tasks)?;
            prophet_text::tell!("job {}: chunks {tasks}", job.number());
            if !self.wait(&job)? {
                return Ok(false);
            }
        }
    }

    fn submit(&self, tasks: &str) -> Result<Job, Problem> {
        let path = self.folder.join("task.sh");
        let script = slurm::script(&self.program, &self.planned.path);
        prophet_files::write(&path, script).map_err(|error| cannot_write(&path, &error))?;
        let job = slurm::submit(&Array {
            tasks,
            script: &path,
            folder: &self.folder,
            options: &self.arguments.options,
        })?;
        let path = self.folder.join("slurm.job");
        let kept = prophet_files::write(&path, job.number());
        kept.map_err(|error| cannot_write(&path, &error))?;
        Ok(job)
    }

    fn last_job(&self) -> Option<Job> {
        let text = fs::read_to_string(self.folder.join("slurm.job")).ok()?;
        Job::of(&text)
    }

    /// Waits for the end of a job. Returns `false` if the user stopped waiting.
    fn wait(&self, job: &Job) -> Result<bool, Problem> {
        let mut failures = 0;
        loop {
            match slurm::is_active(job) {
                Ok(false) => return Ok(true),
                Ok(true) => failures = 0,
                // The controller may be restarting.
                Err(problem) if failures == FAILURES_MAX => return Err(problem),
                Err(_) => failures += 1,
            }
            for _ in 0..self.arguments.every * LOOKS_A_SECOND {
                if self.handle.is_stopped() {
                    let number = job.number();
                    prophet_text::tell!(
                        "interrupted: job {number} continues; run the same command to wait for it \
                         again"
                    );
                    return Ok(false);
                }
                pause();
            }
        }
    }
}

/// Maximum number of consecutive failures to read the queue.
const FAILURES_MAX: u32 = 30;
/// Number of times per second to check for Ctrl-C.
const LOOKS_A_SECOND: u64 = 10;

#[expect(clippy::disallowed_methods, reason = "tasks of others take their time")]
fn pause() {
    std::thread::sleep(Duration::from_millis(1000 / LOOKS_A_SECOND));
}
