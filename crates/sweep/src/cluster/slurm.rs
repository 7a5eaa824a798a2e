//! Calls the Slurm commands that a sweep on a cluster needs.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use prophet_text::{Context as _, Problem, plain::line, problem};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Job(String);

impl Job {
    pub(super) fn of(text: &str) -> Option<Self> {
        let number = text.trim();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| Self(number.to_owned()))
    }

    pub(super) fn number(&self) -> &str {
        &self.0
    }
}

#[derive(Debug)]
pub(super) struct Array<'a> {
    /// Numbers of the tasks, in the syntax of `--array`.
    pub(super) tasks: &'a str,
    pub(super) script: &'a Path,
    pub(super) folder: &'a Path,
    pub(super) options: &'a [OsString],
}

pub(super) fn submit(array: &Array<'_>) -> Result<Job, Problem> {
    let mut command = Command::new("sbatch");
    // In a path, `%` starts a pattern.
    let folder = array.folder.display().to_string().replace('%', "%%");
    command.args(["--parsable", "--job-name=sweep"]);
    command.arg(format!("--array={}", array.tasks));
    command.arg(format!("--output={folder}/slurm-%A_%a.txt"));
    command.args(array.options).arg(array.script);
    let output = run(command)?;
    if !output.status.success() {
        return Err(problem!("sbatch rejected the tasks: {}", problem(&output)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    // If there are several clusters, the cluster's name follows.
    let number = text.trim().split(';').next().unwrap_or_default();
    Job::of(number).ok_or_else(|| problem!("sbatch did not print a job number: {}", line(&text)))
}

/// Returns `true` while any of a job's tasks is waiting or running.
pub(super) fn is_active(job: &Job) -> Result<bool, Problem> {
    let mut command = Command::new("squeue");
    command.args(["--noheader", "--format=%T", "--jobs", job.number()]);
    let output = run(command)?;
    if output.status.success() {
        return Ok(!output.stdout.trim_ascii().is_empty());
    }
    let problem = problem(&output);
    // Slurm forgets a job some minutes after it ended.
    if problem.contains("Invalid job id") {
        return Ok(false);
    }
    Err(problem!("squeue failed: {problem}"))
}

fn run(mut command: Command) -> Result<Output, Problem> {
    let program = command.get_program().display().to_string();
    let output = command.stdin(Stdio::null()).output();
    output.cannot("start", format_args!("{program} of Slurm"))
}

/// Returns the error output of a command as a single line.
fn problem(output: &Output) -> String {
    line(String::from_utf8_lossy(&output.stderr).trim())
}

/// Returns the script of a task, which determines its chunk from the task's number in the array.
pub(super) fn script(program: &[OsString], plan: &Path) -> String {
    let words = program.iter().map(|word| word.display().to_string());
    let words: Vec<String> = words.map(|word| quoted(&word)).collect();
    let (words, plan) = (words.join(" "), quoted(&plan.display().to_string()));
    format!(
        "#!/bin/sh\n\
         exec {words} work {plan} --chunk \"$SLURM_ARRAY_TASK_ID\" \
         --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"\n"
    )
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_runs_the_chunk_of_its_task() {
        let program = ["/opt/it's here/prophet".into(), "sweep".into()];
        let expected = "#!/bin/sh\n\
            exec '/opt/it'\\''s here/prophet' 'sweep' work '/data/a.plan' --chunk \
            \"$SLURM_ARRAY_TASK_ID\" --jobs \"${SLURM_CPUS_PER_TASK:-1}\"\n";
        assert_eq!(script(&program, Path::new("/data/a.plan")), expected);
    }

    #[test]
    fn jobs_have_numbers() {
        assert_eq!(Job::of(" 17\n"), Some(Job("17".to_owned())));
        for text in ["", "17;x", "--all"] {
            assert_eq!(Job::of(text), None, "{text}");
        }
    }
}
