//! Measures the real time and the memory of an evaluation. No other module reads a clock.

use std::fs;
use std::time::Instant;

use crate::simulation::threads::thread_cpu_s;

/// Measures the time since its creation.
#[derive(Debug)]
pub struct WallClock {
    /// `None` if there is no clock, as on a web page.
    start: Option<Instant>,
    /// The thread's CPU time at the start, or `None` if it isn't measured.
    cpu_start_s: Option<f64>,
}

impl WallClock {
    /// Starts measuring.
    #[expect(
        clippy::disallowed_methods,
        reason = "the evaluation's own cost is in real seconds"
    )]
    pub fn start() -> Self {
        Self {
            cpu_start_s: None,
            start: (!cfg!(target_family = "wasm")).then(Instant::now),
        }
    }

    /// Starts measuring CPU time too. Querying it takes as long as a small run.
    pub(crate) fn with_cpu(self) -> Self {
        Self {
            cpu_start_s: Some(thread_cpu_s()),
            ..self
        }
    }

    /// Returns the elapsed time in seconds, or 0 without a clock.
    pub fn wall_s(&self) -> f64 {
        self.start
            .map_or(0.0, |start| start.elapsed().as_secs_f64())
    }

    /// Returns this thread's CPU time in seconds, or 0 if it isn't measured or the system doesn't
    /// report it.
    pub(crate) fn cpu_s(&self) -> f64 {
        self.cpu_start_s
            .map_or(0.0, |start_s| thread_cpu_s() - start_s)
    }
}

/// Returns the peak resident memory of this process in bytes, or 0 if the system doesn't report it.
pub(crate) fn peak_memory_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0).saturating_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes() {
        let watch = WallClock::start().with_cpu();
        let mut sum = 0.0_f64;
        while watch.wall_s() < 0.02 {
            sum += libm::sin(sum + 1.0);
        }
        assert!(sum.is_finite() && watch.wall_s() >= 0.02);
        assert!((0.0..=watch.wall_s() + 0.01).contains(&watch.cpu_s()));
        assert_eq!(WallClock::start().cpu_s().to_bits(), 0);
    }

    #[test]
    fn memory_is_used_where_it_is_told() {
        let told = fs::read_to_string("/proc/self/status").is_ok_and(|s| s.contains("VmHWM:"));
        assert_eq!(peak_memory_bytes() > 100_000, told);
    }
}
