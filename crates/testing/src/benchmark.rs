//! Provides what benchmarks have in common: table rows, a stopwatch, and a description of the
//! machine.

use std::time::Instant;

/// Returns `true` if the benchmark should measure the row `work`: the command line contains no
/// words, or the row's name contains one of them.
#[must_use]
pub fn is_asked_for(work: &str) -> bool {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut words = words.iter().filter(|it| !it.starts_with("--")).peekable();
    words.peek().is_none() || words.any(|it| work.contains(it.as_str()))
}

#[must_use]
pub const fn verdict(is_met: bool) -> &'static str {
    if is_met { "yes" } else { "no" }
}

/// Returns the median, or `None` if there are no values. Of two values in the middle, it is the
/// greater one.
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Measures the CPU time of this thread, because other load affects it less than wall time. Where
/// CPU time isn't available, it measures wall time.
#[derive(Debug)]
pub struct Stopwatch {
    start: Instant,
    cpu_start_s: Option<f64>,
}

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    pub fn start() -> Self {
        Self {
            cpu_start_s: cpu_s(),
            start: Instant::now(),
        }
    }

    /// Returns the wall time since the start, in seconds.
    pub fn wall_seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns the CPU time since the start, in seconds, or the wall time where CPU time isn't
    /// available.
    pub fn seconds(&self) -> f64 {
        match (self.cpu_start_s, cpu_s()) {
            (Some(start_s), Some(end_s)) => end_s - start_s,
            _ => self.start.elapsed().as_secs_f64(),
        }
    }
}

fn cpu_s() -> Option<f64> {
    // The kernel updates the number when it schedules.
    std::thread::yield_now();
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(stat.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

/// Describes the processor, its cores and the current load, for pages that show measured times.
pub fn machine() -> String {
    let cpu_info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu_info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split(':').nth(1))
        .map_or("unknown CPU", str::trim);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("unknown");
    format!("Machine: {model}, {cores} cores, load average {load} at the end.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_measurement_counts() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), Some(3.0));
        assert_eq!(median(Vec::new()), None);
    }
}
