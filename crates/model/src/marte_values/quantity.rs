//! Reads quantities: MARTE's tuples for non-functional properties, such as `(value=5, unit=ms,
//! statQ=mean)`.

use std::ops::Range;

use super::code::Scale;
use super::{Item, Value, ValueKind, ValueProblem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dimension {
    /// A duration, in seconds if it has no unit.
    Time,
    /// A rate, per second if it has no unit.
    Frequency,
    Number,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statistic {
    /// The mean, which is the default.
    Mean,
    /// The exact value, because the quantity doesn't vary.
    Constant,
    Largest,
    Smallest,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity<'t> {
    pub value: Value<'t>,
    /// The factor that converts the value to seconds, or a rate to operations per second.
    pub scale: Scale,
    pub statistic: Statistic,
    /// Whether the tuple contains a statistic (`statQ`).
    pub says_statistic: bool,
}

#[derive(Default)]
struct TupleParts<'t> {
    value: Option<Value<'t>>,
    unit: Option<(String, Range<usize>)>,
    statistic: Option<(&'t str, Range<usize>)>,
    source: Option<(&'t str, Range<usize>)>,
}

pub(crate) fn quantity(
    value: Value<'_>,
    dimension: Dimension,
) -> Result<Quantity<'_>, ValueProblem> {
    let at = value.at.clone();
    let mut parts = TupleParts::default();
    match value.kind {
        ValueKind::Tuple(items) => {
            for item in items {
                parts.add(item)?;
            }
        }
        kind => {
            let at = at.clone();
            parts.value = Some(Value { kind, at });
        }
    }
    let Some(value) = parts.value else {
        return ValueProblem::new(&at, "it needs a `value` or an `expr`");
    };
    if let Some((source @ ("calc" | "req"), at)) = parts.source {
        let what = match source {
            "calc" => "a result of an analysis (`source=calc`)",
            _ => "a requirement (`source=req`)",
        };
        return ValueProblem::new(
            &at,
            format!("it is {what}, not a value that a cost can use"),
        );
    }
    Ok(Quantity {
        value,
        scale: scale(parts.unit, dimension)?,
        statistic: statistic(parts.statistic.clone())?,
        says_statistic: parts.statistic.is_some(),
    })
}

impl<'t> TupleParts<'t> {
    fn add(&mut self, item: Item<'t>) -> Result<(), ValueProblem> {
        let Item { name, value } = item;
        let Some(name) = name else {
            return self.add_by_place(value);
        };
        let at = value.at.clone();
        let is_twice = match name.to_ascii_lowercase().as_str() {
            "value" | "expr" => self.value.replace(value).is_some(),
            "unit" => self
                .unit
                .replace((unit_name(&value)?, at.clone()))
                .is_some(),
            "statq" => self.statistic.replace(word(&value)?).is_some(),
            "source" => self.source.replace(word(&value)?).is_some(),
            "dir" | "precision" => false,
            _ => return ValueProblem::new(&at, format!("it has an unknown part `{name}`")),
        };
        if is_twice {
            return ValueProblem::new(&at, format!("its `{name}` is given twice"));
        }
        Ok(())
    }

    /// Adds a part without a name. The first one is the value. The meaning of others follows from
    /// the word.
    fn add_by_place(&mut self, value: Value<'t>) -> Result<(), ValueProblem> {
        if self.value.is_none() {
            self.value = Some(value);
            return Ok(());
        }
        let at = value.at.clone();
        match value.kind {
            ValueKind::Name("min") => {
                let message =
                    "`min` is both a unit and a statistic: write `unit=min` or `statQ=min`";
                return ValueProblem::new(&at, message);
            }
            ValueKind::Name(word) if self.source.is_none() && is_source(word) => {
                self.source = Some((word, at));
            }
            ValueKind::Name(word) if self.statistic.is_none() && is_statistic(word) => {
                self.statistic = Some((word, at));
            }
            ValueKind::Name("incr" | "decr") => {}
            _ if self.unit.is_none() => self.unit = Some((unit_name(&value)?, at)),
            _ => return ValueProblem::new(&at, "it has too many unnamed parts"),
        }
        Ok(())
    }
}

fn is_source(word: &str) -> bool {
    const SOURCES: [&str; 8] = ["est", "meas", "msr", "calc", "req", "assm", "pred", "ctrl"];
    SOURCES.contains(&word)
}

fn is_statistic(word: &str) -> bool {
    let statistics = [
        "mean", "max", "min", "range", "percent", "distrib", "determ",
    ];
    statistics.contains(&word) || matches!(word, "variance" | "stddev" | "other")
}

fn word<'t>(value: &Value<'t>) -> Result<(&'t str, Range<usize>), ValueProblem> {
    match value.kind {
        ValueKind::Name(word) | ValueKind::Text(word) => Ok((word, value.at.clone())),
        _ => ValueProblem::new(&value.at, "expected a word"),
    }
}

/// Returns the name of a unit. The unit of a rate consists of two units and an operator.
fn unit_name(value: &Value<'_>) -> Result<String, ValueProblem> {
    match &value.kind {
        ValueKind::Name(name) | ValueKind::Text(name) | ValueKind::Number(name) => {
            Ok((*name).to_owned())
        }
        ValueKind::Binary(operator, sides) => {
            let [left, right] = &**sides;
            let (left, right) = (unit_name(left)?, unit_name(right)?);
            Ok(format!("{left}{}{right}", operator.name))
        }
        _ => ValueProblem::new(&value.at, "expected a unit"),
    }
}

fn statistic(given: Option<(&str, Range<usize>)>) -> Result<Statistic, ValueProblem> {
    Ok(match given {
        None => Statistic::Mean,
        Some((word, at)) => match word {
            // The expression contains the distribution.
            "mean" | "distrib" | "other" => Statistic::Mean,
            "determ" => Statistic::Constant,
            "max" => Statistic::Largest,
            "min" => Statistic::Smallest,
            _ => {
                let message = format!("`statQ={word}` does not give a value that a cost can use");
                return ValueProblem::new(&at, message);
            }
        },
    })
}

/// Returns the factor that converts a unit to seconds, or to a rate per second.
fn scale(
    unit: Option<(String, Range<usize>)>,
    dimension: Dimension,
) -> Result<Scale, ValueProblem> {
    let Some((unit, at)) = unit else {
        return Ok(Scale::One);
    };
    let known = match (dimension, unit.as_str()) {
        (Dimension::Time, "s" | "sec") | (Dimension::Frequency, "Hz" | "1/s") => Scale::One,
        (Dimension::Time, "ms") => Scale::Over("1000.0"),
        (Dimension::Time, "us") => Scale::Over("1e6"),
        (Dimension::Time, "ns") => Scale::Over("1e9"),
        (Dimension::Time, "ps") => Scale::Over("1e12"),
        (Dimension::Time, "min") => Scale::Times("60.0"),
        (Dimension::Time, "h" | "hr" | "hrs") => Scale::Times("3600.0"),
        (Dimension::Time, "d" | "dys") => Scale::Times("86400.0"),
        (Dimension::Frequency, "kHz" | "KHz" | "1/ms") => Scale::Times("1000.0"),
        (Dimension::Frequency, "MHz" | "1/us") => Scale::Times("1e6"),
        (Dimension::Frequency, "GHz" | "1/ns") => Scale::Times("1e9"),
        (Dimension::Frequency, "rpm" | "1/min") => Scale::Over("60.0"),
        (Dimension::Frequency, "1/h" | "1/hr") => Scale::Over("3600.0"),
        _ => {
            let what = match dimension {
                Dimension::Time => "not a unit of time: use s, ms, us, ns, ps, min, hrs or dys",
                Dimension::Frequency => "not a unit of frequency: use Hz, kHz, MHz, GHz or rpm",
                Dimension::Number => "a unit, but a number without a unit is expected",
            };
            return ValueProblem::new(&at, format!("`{unit}` is {what}"));
        }
    };
    Ok(known)
}
