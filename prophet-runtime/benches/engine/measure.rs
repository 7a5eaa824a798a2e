//! Computes medians, and creates the rows of the table.

use std::fmt;

pub(crate) use prophet_testing::Stopwatch;

/// Returns the resident memory of this process in bytes, or 0 if the system doesn't report it.
pub(crate) fn resident_bytes() -> u64 {
    status_bytes("VmRSS:")
}

/// Returns the peak of the resident memory since [`reset_peak`], in bytes.
pub(crate) fn peak_bytes() -> u64 {
    status_bytes("VmHWM:")
}

/// Resets the peak. If the system can't do that, the peak of all rows so far remains.
pub(crate) fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Returns the CPU time of all threads of this process in seconds, in steps of 10 ms, or NaN if the
/// system doesn't report it.
pub(crate) fn process_cpu_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The program's name ends at the last parenthesis.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: Option<Vec<f64>> = ticks.map(|it| it.parse().ok()).collect();
    ticks.map_or(f64::NAN, |ticks| ticks.iter().sum::<f64>() / 100.0)
}

fn status_bytes(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kibibytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

/// The times per unit of work in this engine and in the reference. Each is the median over the
/// pairs.
#[derive(Clone, Copy)]
pub(crate) struct Compared {
    /// The time in this engine, in seconds.
    pub(crate) ours_s: f64,
    pub(crate) reference_s: f64,
    /// The median of the pairs' ratios: the reference's time divided by this engine's.
    pub(crate) ratio: f64,
}

/// Runs `reference` and `ours` alternately. Each returns the time per unit of work in seconds.
pub(crate) fn compare(
    pairs: usize,
    reference: impl Fn() -> f64,
    ours: impl Fn() -> f64,
) -> Compared {
    let measured: Vec<(f64, f64)> = (0..pairs).map(|_| (reference(), ours())).collect();
    Compared {
        reference_s: median(measured.iter().map(|(reference, _)| *reference)),
        ours_s: median(measured.iter().map(|(_, ours)| *ours)),
        ratio: median(measured.iter().map(|(reference, ours)| reference / ours)),
    }
}

pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

pub(crate) struct Bench {
    pub(crate) work: &'static str,
    measure: Box<dyn Fn(&str) -> Row>,
}

impl Bench {
    pub(crate) fn new(work: &'static str, measure: impl Fn(&str) -> Row + 'static) -> Self {
        Self {
            work,
            measure: Box::new(measure),
        }
    }

    pub(crate) fn measure(&self) -> Row {
        (self.measure)(self.work)
    }
}

pub(crate) struct Row {
    work: String,
    target: String,
    seen: String,
    is_met: bool,
}

impl Row {
    pub(crate) fn new(work: &str, target: &str, seen: String, is_met: bool) -> Self {
        Self {
            work: work.to_owned(),
            target: target.to_owned(),
            seen,
            is_met,
        }
    }

    /// Creates a row whose target is to be `target` times as fast as a reference.
    pub(crate) fn ratio(work: &str, reference: &str, target: f64, seen: Compared) -> Self {
        let Compared {
            ours_s,
            reference_s,
            ratio,
        } = seen;
        let text = format!(
            "{ratio:.2} × ({:.1} M/s against {:.1} M/s)",
            1e-6 / ours_s,
            1e-6 / reference_s
        );
        Self::new(
            work,
            &format!("≥ {target} × {reference}"),
            text,
            ratio >= target,
        )
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_met { "yes" } else { "no" };
        write!(
            f,
            "| {} | {} | {} | {verdict} |",
            self.work, self.target, self.seen
        )
    }
}
