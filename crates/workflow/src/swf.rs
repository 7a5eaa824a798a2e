//! Reads logs in the Standard Workload Format, which the Parallel Workloads Archive uses.
//!
//! <https://www.cs.huji.ac.il/labs/parallel/workload/swf.html>: comments start with `;`, and every
//! other line describes a job with 18 numbers, in which a negative number means unknown. Submission
//! times are used as recorded; preceding jobs and think times are ignored.

use prophet_text::Problem;

use crate::{Job, quoted};

const FIELDS: usize = 18;
pub(crate) const LARGEST_BYTES: u64 = 1 << 30;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Log {
    /// Jobs that ran, in submission order, and the line number of each in the log.
    pub jobs: Vec<(Job, usize)>,
    /// Number of jobs that were skipped, because they didn't run or lack a time or a number of
    /// processors.
    pub skipped: usize,
    /// Number of processors of the machine, if the header specifies it.
    pub processors: Option<u64>,
}

/// Parses a log. In the result, submission times count from the time `from_s` of the log, in
/// seconds.
///
/// # Errors
///
/// Returns an error with the line number if a line doesn't describe a job.
pub fn parse(text: &str, from_s: f64) -> Result<Log, Problem> {
    let mut log = Log::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix(';') {
            let processors = comment.trim().strip_prefix("MaxProcs:");
            log.processors = log
                .processors
                .or(processors.and_then(|it| it.trim().parse().ok()));
        } else if !line.is_empty() {
            let job = job(line).map_err(|what| {
                let help = "Write the 18 numbers of the Standard Workload Format for each job.";
                Problem::with_help(what, help).on_line(number as u64 + 1)
            })?;
            match job {
                Some(job) => log.jobs.push((job, number + 1)),
                None => log.skipped += 1,
            }
        }
    }
    for (job, _) in &mut log.jobs {
        job.submit_s -= from_s;
    }
    log.jobs
        .sort_by(|left, right| left.0.submit_s.total_cmp(&right.0.submit_s));
    Ok(log)
}

fn job(line: &str) -> Result<Option<Job>, String> {
    let mut values = [0.0; FIELDS];
    let mut count = 0;
    for word in line.split_ascii_whitespace() {
        let value: Option<f64> = word.parse().ok().filter(|it: &f64| it.is_finite());
        let value = value.ok_or_else(|| format!("expected a number, found {}", quoted(word)))?;
        if let Some(place) = values.get_mut(count) {
            *place = value;
        }
        count += 1;
    }
    if count != FIELDS {
        return Err(format!("expected {FIELDS} numbers in a job, found {count}"));
    }
    let [
        _,
        submit_s,
        _,
        run_s,
        allocated,
        _,
        _,
        asked,
        requested_s,
        ..,
    ] = values;
    let cores = if allocated > 0.0 { allocated } else { asked };
    if submit_s < 0.0 || run_s <= 0.0 || cores < 1.0 {
        return Ok(None);
    }
    if cores > f64::from(u32::MAX) || cores.fract() != 0.0 {
        return Err(format!("{cores} is not a number of processors"));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it was checked"
    )]
    let cores = cores as u32;
    let requested_s = if requested_s > 0.0 {
        requested_s
    } else {
        run_s
    };
    Ok(Some(Job {
        submit_s,
        cores,
        run_s,
        requested_s,
    }))
}
