//! Time that a benchmark takes.

use std::time::Instant;

/// CPU time of this thread where the system tells it, which others on the machine disturb less
/// than the time on the wall.
#[derive(Debug)]
pub struct Stopwatch {
    start: Instant,
    cpu_start_s: Option<f64>,
}

impl Stopwatch {
    /// A stopwatch that runs.
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    pub fn start() -> Self {
        Self {
            cpu_start_s: cpu_s(),
            start: Instant::now(),
        }
    }

    /// Seconds of the wall clock since its start.
    pub fn wall_seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Seconds since its start.
    pub fn seconds(&self) -> f64 {
        match (self.cpu_start_s, cpu_s()) {
            (Some(start_s), Some(end_s)) => end_s - start_s,
            _ => self.start.elapsed().as_secs_f64(),
        }
    }
}

fn cpu_s() -> Option<f64> {
    // The kernel brings the number up to date when it schedules.
    std::thread::yield_now();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(stat.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}
