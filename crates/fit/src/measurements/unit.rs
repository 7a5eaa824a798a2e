//! Finds units of time and memory in the names of columns and metrics, such as `time_ms`,
//! `real time [us]`, `median/s` or `max_rss_kb`.

const TIMES: &[&str] = &[
    "time", "times", "seconds", "duration", "runtime", "elapsed", "walltime", "latency", "wall",
    "wtime",
];
/// Names of metrics that are times in seconds if the name contains nothing else.
const WHOLE: &[&str] = &["mean", "median", "t"];

/// Words for units of time, and their values in seconds.
const UNITS: &[(&str, f64)] = &[
    ("s", 1.0),
    ("sec", 1.0),
    ("secs", 1.0),
    ("second", 1.0),
    ("seconds", 1.0),
    ("ms", 1e-3),
    ("msec", 1e-3),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("μs", 1e-6),
    ("usec", 1e-6),
    ("ns", 1e-9),
    ("nsec", 1e-9),
    ("minutes", 60.0),
    ("hours", 3600.0),
];

/// Units of time that metrics rarely have, but by which rates are often divided.
const PER: &[(&str, f64)] = &[
    ("min", 60.0),
    ("minute", 60.0),
    ("h", 3600.0),
    ("hr", 3600.0),
    ("hour", 3600.0),
    ("day", 86400.0),
];
/// Words about times that come before the unit. For example, the unit in `median/ns` is
/// nanoseconds.
const STATISTICS: &[&str] = &[
    "mean", "median", "min", "max", "avg", "real", "cpu", "user", "sys",
];
/// Units of amounts, as before the second in `bw_MB_s`. With `ps` after them, they form a rate.
const AMOUNTS: &[&str] = &[
    "b", "byte", "bytes", "bit", "bits", "flop", "flops", "op", "ops",
];
/// Names of rates, which can have a prefix such as `G`.
const RATES: &[&str] = &[
    "bps", "iops", "teps", "lups", "qps", "rps", "tps", "fps", "ips",
];
/// Words that name a rate only if no time was measured.
const FLOWS: &[&str] = &["throughput", "bandwidth", "bw"];
/// Words for the memory of a program.
const RESIDENT: &[&str] = &["rss", "maxrss", "vmhwm"];
/// Words for memory if a unit follows.
const MEMORY: &[&str] = &["memory", "mem"];

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Metric {
    pub(crate) base: String,
    /// The unit in seconds; `None` if it isn't a unit of time.
    pub(crate) seconds: Option<f64>,
    /// The unit in bytes; `None` if it isn't a unit of memory.
    pub(crate) bytes: Option<f64>,
    /// Seconds that a rate, such as `MB/s`, is divided by; `None` if the metric isn't a rate.
    pub(crate) per_seconds: Option<f64>,
}

impl Metric {
    pub(crate) const fn is_measured(&self) -> bool {
        self.seconds.is_some() || self.bytes.is_some() || self.per_seconds.is_some()
    }
}

fn words(name: &str) -> Vec<&str> {
    let is_between = |it: char| !it.is_alphanumeric();
    name.split(is_between).filter(|it| !it.is_empty()).collect()
}

/// Returns the number of seconds by which a rate is divided, as in `MB/s`, `zones per minute`,
/// `GB_s`, `s^-1` or `Gflops`.
fn per_seconds(name: &str) -> Option<f64> {
    let lower = name.to_lowercase();
    let unit = |word: &str| {
        let found = PER.iter().find(|(name, _)| *name == word);
        seconds(word).or_else(|| found.map(|(_, seconds)| *seconds))
    };
    let is_amount = |word: &str| {
        let is = |it: &str| AMOUNTS.contains(&it);
        let rest = word.strip_prefix(['k', 'm', 'g', 't', 'p']);
        is(word) || rest.is_some_and(|it| is(it) || is(it.trim_start_matches('i')))
    };
    let is_rate = |word: &str| {
        let rest = word.strip_prefix(['k', 'm', 'g', 't', 'p']).unwrap_or(word);
        let is_flops = rest == "flops" && rest != word;
        is_flops || RATES.contains(&word) || RATES.contains(&rest)
    };
    let lower = lower.replace('/', " per ");
    let all = words(&lower);
    let is_time =
        |it: &&str| TIMES.contains(it) || STATISTICS.contains(it) || seconds(it).is_some();
    if let Some(per) = all.iter().position(|it| *it == "per") {
        let is_unit_of_time = all[..per].iter().any(is_time);
        return all
            .get(per + 1)
            .and_then(|it| unit(it))
            .filter(|_| !is_unit_of_time);
    }
    let pairs = || all.windows(2);
    if let Some(pair) = pairs().find(|it| is_amount(it[0]) && seconds(it[1]).is_some()) {
        return seconds(pair[1]);
    }
    let is_inverse = lower.contains("s^-1") || pairs().any(|it| it == ["s", "1"]);
    (is_inverse || all.iter().any(|it| is_rate(it))).then_some(1.0)
}

/// Returns `true` if a name is a rate with a unit, such as `bandwidth_GB/s`.
pub(crate) fn has_rate_unit(name: &str) -> bool {
    per_seconds(name).is_some()
}

/// Returns `true` for a name such as `bandwidth`, which is a rate unless a time was measured too.
pub(crate) fn is_flow(name: &str) -> bool {
    words(&name.to_lowercase())
        .iter()
        .any(|it| FLOWS.contains(it))
}

/// Finds the unit in the name of a metric. Times without a unit are in seconds.
pub(crate) fn metric(name: &str) -> Metric {
    let per_seconds = per_seconds(name).or_else(|| is_flow(name).then_some(1.0));
    if per_seconds.is_some() {
        return Metric {
            base: name.to_owned(),
            seconds: None,
            bytes: None,
            per_seconds,
        };
    }
    let words = words(name);
    let memory = memory(&words);
    let is_unit = |word: &&str| match memory {
        Some(_) => bytes(word).is_some(),
        None => seconds(word).is_some(),
    };
    let unit = words.iter().rposition(is_unit);
    // A name that is only a unit, such as `seconds`, keeps it.
    let rest = words.iter().enumerate();
    let rest = rest.filter(|(index, _)| words.len() == 1 || Some(*index) != unit);
    let base = rest.map(|(_, word)| *word).collect::<Vec<_>>().join("_");
    let is_time = words
        .iter()
        .any(|word| TIMES.contains(&word.to_lowercase().as_str()))
        || WHOLE.contains(&name.to_lowercase().as_str());
    let seconds = unit.and_then(|unit| seconds(words[unit]));
    let seconds = seconds.or_else(|| is_time.then_some(1.0));
    Metric {
        base,
        seconds: seconds.filter(|_| memory.is_none()),
        bytes: memory,
        per_seconds: None,
    }
}

/// Returns the unit of memory in a name, in bytes. `max_rss` without a unit is in bytes.
fn memory(words: &[&str]) -> Option<f64> {
    let has = |names: &[&str]| {
        let mut words = words.iter().map(|it| it.to_lowercase());
        words.any(|it| names.contains(&&*it))
    };
    if words.iter().any(|it| seconds(it).is_some()) || has(TIMES) {
        return None;
    }
    let unit = words.iter().rev().find_map(|it| bytes(it));
    let is_resident = has(RESIDENT);
    unit.filter(|_| is_resident || has(MEMORY))
        .or_else(|| is_resident.then_some(1.0))
}

/// Returns a unit of memory, such as `kb`, `K` or `MiB`, in bytes. All units are powers of 1024, as
/// in the tools that measure programs.
pub(crate) fn bytes(unit: &str) -> Option<f64> {
    let lower = unit.to_lowercase();
    let prefix = match lower.as_str() {
        "b" | "byte" | "bytes" => return Some(1.0),
        "kbyte" | "kbytes" => "k",
        it => {
            let it = it.strip_suffix('b').unwrap_or(it);
            it.strip_suffix('i').unwrap_or(it)
        }
    };
    let mut powers = ["k", "m", "g", "t", "p"].iter().zip(1..);
    let (_, power) = powers.find(|it| *it.0 == prefix)?;
    Some(1024_f64.powi(power))
}

pub(crate) fn seconds(unit: &str) -> Option<f64> {
    let found = UNITS.iter().find(|(name, _)| *name == unit);
    found.map(|(_, seconds)| *seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_stand_in_names() {
        let cases = [
            ("time", "time", Some(1.0)),
            ("time_ms", "time", Some(1e-3)),
            ("Time [µs]", "Time", Some(1e-6)),
            ("time_us_median", "time_median", Some(1e-6)),
            ("seconds", "seconds", Some(1.0)),
            ("median/ns", "median", Some(1e-9)),
            ("time_min", "time_min", Some(1.0)),
            ("energy_J", "energy_J", None),
            ("flops", "flops", None),
            ("wall", "wall", Some(1.0)),
            ("mean", "mean", Some(1.0)),
            ("mean_flops", "mean_flops", None),
            ("s/step", "step", Some(1.0)),
            ("time_per_step_ms", "time_per_step", Some(1e-3)),
            ("ns per op", "per_op", Some(1e-9)),
        ];
        for (name, base, seconds) in cases {
            let expected = Metric {
                base: base.to_owned(),
                seconds,
                bytes: None,
                per_seconds: None,
            };
            assert_eq!(metric(name), expected, "{name}");
        }
    }

    #[test]
    fn memory_has_units_of_bytes() {
        let cases = [
            ("max_rss_kb", "max_rss", Some(1024.0)),
            ("rss_MB", "rss", Some(1_048_576.0)),
            ("Memory [GiB]", "Memory", Some(1_073_741_824.0)),
            ("peak_mem_bytes", "peak_mem", Some(1.0)),
            ("maxrss", "maxrss", Some(1.0)),
            ("MaxRSS", "MaxRSS", Some(1.0)),
            ("memory", "memory", None),
            ("p_MB", "p_MB", None),
            ("rss_GB/s", "rss_GB/s", None),
        ];
        for (name, base, bytes) in cases {
            let found = metric(name);
            assert_eq!((&*found.base, found.bytes), (base, bytes), "{name}");
            assert_eq!(found.seconds, None, "{name}");
        }
        assert_eq!(metric("memory_time_ms").seconds, Some(1e-3));
    }

    #[test]
    fn rates_are_not_times() {
        let rates = [
            "MB/s",
            "bw_MB/s",
            "Gflop/s",
            "zones/s",
            "ops_per_s",
            "Photons/s",
            "requests per s",
            "GFLOPS",
            "mflops",
            "GB_s",
            "bandwidth_GiB_s",
            "flop_s",
            "bytes/sec",
            "it/s",
            "1/s",
            "iterations per second",
            "tokens/s/GPU",
            "MLUPS",
            "GTEPS",
            "IOPS",
            "Gbps",
            "MBps",
            "throughput",
            "bandwidth_s",
            "steps_s^-1",
            "s-1",
            "samples/second",
            "Throughput (T/s)",
        ];
        for name in rates {
            let found = metric(name);
            assert_eq!(
                (found.seconds, found.per_seconds),
                (None, Some(1.0)),
                "{name}"
            );
        }
        let others = [
            ("jobs/min", 60.0),
            ("ops/ms", 1e-3),
            ("ns/day", 86400.0),
            ("zones per h", 3600.0),
        ];
        for (name, seconds) in others {
            let found = metric(name);
            let expected = if name == "ns/day" {
                None
            } else {
                Some(seconds)
            };
            assert_eq!(found.per_seconds, expected, "{name}");
        }
    }
}
