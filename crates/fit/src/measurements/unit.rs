//! Units of time in the names of columns and metrics: `time_ms`, `real time [us]`, `median/s`.

/// Words that name a time.
const TIMES: &[&str] = &[
    "time", "times", "seconds", "duration", "runtime", "elapsed", "walltime", "latency", "wall",
    "wtime",
];
/// Names of a time in seconds, if nothing else is in them.
const WHOLE: &[&str] = &["mean", "median", "t"];

/// Units of time by their words, with their seconds.
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

/// A metric by its name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Metric {
    /// The name without its unit.
    pub(crate) base: String,
    /// Seconds of the unit; `None` for a unit that is not a time.
    pub(crate) seconds: Option<f64>,
}

/// Finds the unit in the name of a metric; a time without one is in seconds.
pub(crate) fn metric(name: &str) -> Metric {
    let is_between = |it: char| !it.is_alphanumeric();
    let words: Vec<&str> = name.split(is_between).filter(|it| !it.is_empty()).collect();
    let unit = words.iter().rposition(|word| seconds(word).is_some());
    // A name that is a unit alone, such as `seconds`, keeps it.
    let rest = words.iter().enumerate();
    let rest = rest.filter(|(index, _)| words.len() == 1 || Some(*index) != unit);
    let base = rest.map(|(_, word)| *word).collect::<Vec<_>>().join("_");
    let is_time = words
        .iter()
        .any(|word| TIMES.contains(&word.to_lowercase().as_str()))
        || WHOLE.contains(&name.to_lowercase().as_str());
    let seconds = unit.and_then(|unit| seconds(words[unit]));
    Metric {
        base,
        seconds: seconds.or_else(|| is_time.then_some(1.0)),
    }
}

/// Seconds of a unit of time.
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
        ];
        for (name, base, seconds) in cases {
            let expected = Metric {
                base: base.to_owned(),
                seconds,
            };
            assert_eq!(metric(name), expected, "{name}");
        }
    }
}
