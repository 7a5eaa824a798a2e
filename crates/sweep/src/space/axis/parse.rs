//! Parses axes in the form `NAME=VALUES`.

use prophet_runtime::quantity::units_in;
use prophet_text::{Problem, problem};

use super::{Axis, Interval, Progression, Segment, Step};
use crate::space::value::{AxisValue, is_whole, shown, split};

const LISTED_MAX: u64 = 100_000;

impl Axis {
    /// Parses `NAME=VALUES`. Values are separated by commas, or by semicolons if values contain
    /// commas. A part such as `bandwidth=1GB/s`, without a model before it, belongs to the previous
    /// value. Numbers can be ranges:
    ///
    /// - `1..8`: all integers;
    /// - `2,4..16`, `1,2,4..64`: an arithmetic sequence, or a geometric one if the first three
    ///   numbers are one;
    /// - `0.1..0.9:5`: five numbers, evenly spaced; `1us..1ms:log7`: seven numbers, spaced by equal
    ///   factors;
    /// - `0.1..0.9`, `1us..1ms:log`: all numbers, for samples.
    ///
    /// Numbers of a range have the unit of its first number.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let (name, values) = text.split_once('=').ok_or_else(|| {
            problem!(
                "expected NAME=VALUES, such as nodes=1,2,4..64, found `{}`",
                shown(text)
            )
        })?;
        let name = name.trim();
        if name.is_empty() {
            return Err(problem!("`{}` has no name before the `=`", shown(text)));
        }
        let wrong = |problem: Problem| problem!("`{}`: {problem}", shown(text));
        let words = words(values);
        if words.iter().any(String::is_empty) {
            return Err(wrong("a value is missing".into()));
        }
        let mut segments = Vec::new();
        let mut before: Vec<String> = Vec::new();
        for word in words {
            if let Some((from, to)) = hyphened(&word) {
                return Err(wrong(problem!("write a range as `{name}={from}..{to}`")));
            }
            let Some((from, to)) = range(&word) else {
                before.push(word);
                continue;
            };
            let range = ranged(&before, from, to).map_err(wrong)?;
            segments.push(listed(&mut before));
            segments.push(range);
        }
        segments.push(listed(&mut before));
        segments.retain(|segment| segment.count() != Some(0));
        let has_interval = segments.iter().any(|segment| segment.count().is_none());
        if segments.is_empty() {
            return Err(wrong("the range is empty".into()));
        }
        if has_interval && segments.len() > 1 {
            let why = "an interval cannot be combined with other values; add a number of values, \
                       such as `0.1..0.9:5`";
            return Err(wrong(why.into()));
        }
        let name = name.to_owned();
        Ok(Self { name, segments })
    }
}

fn listed(words: &mut Vec<String>) -> Segment {
    let values = words.drain(..).map(|word| AxisValue::read(&word));
    Segment::Listed(values.collect())
}

/// Splits a list of values, which can contain commas.
fn words(values: &str) -> Vec<String> {
    if values.contains(';') {
        return values
            .split(';')
            .map(|word| word.trim().to_owned())
            .collect();
    }
    let mut words: Vec<String> = Vec::new();
    for word in values.split(',').map(str::trim) {
        let is_part = word
            .split(':')
            .next()
            .is_some_and(|head| head.contains('='));
        match words.last_mut() {
            Some(last) if is_part => {
                last.push(',');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Splits two whole numbers with a hyphen between them, which other tools use for ranges.
fn hyphened(word: &str) -> Option<(&str, &str)> {
    let is_whole = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    word.split_once('-')
        .filter(|(from, to)| is_whole(from) && is_whole(to))
}

/// Splits a range, which must start with a number. Other words are texts, such as
/// `../machine.toml`.
fn range(word: &str) -> Option<(&str, &str)> {
    let (from, to) = word.split_once("..")?;
    split(from).is_some().then_some((from, to))
}

/// Returns the values of a range that continues the preceding values.
fn ranged(before: &[String], from: &str, to: &str) -> Result<Segment, Problem> {
    let (to, form) = to
        .split_once(':')
        .map_or((to, None), |(to, form)| (to, Some(form)));
    let (first, unit) = number(from)?;
    let (last, last_unit) = number(to)?;
    let ratio = if unit == last_unit {
        Some(1.0)
    } else {
        units_in(last_unit, unit)
    };
    let last = last
        * ratio.ok_or_else(|| {
            let (from, to) = (shown(from), shown(to));
            problem!("the units of `{from}` and `{to}` are not of the same kind")
        })?;
    if let Some(form) = form {
        return spaced((first, last, unit), form);
    }
    let step = step(before, first, unit)?;
    let step = match step {
        Some(step) => step,
        None if unit.is_empty() && is_whole(first) && is_whole(last) => Step::Add(1.0),
        None => {
            return interval((first, last, unit), false);
        }
    };
    let count = count(first, last, step);
    if count == 0 {
        return Err(problem!(
            "the range {from}..{to} is empty; write the smaller number first: {to}..{from}",
            from = shown(from),
            to = shown(to)
        ));
    }
    let unit = unit.to_owned();
    Ok(Segment::Progression(Progression {
        first,
        step,
        count,
        unit,
    }))
}

/// Returns the step between the first terms; `None` if there are too few terms.
fn step(before: &[String], third: f64, unit: &str) -> Result<Option<Step>, Problem> {
    let term = |word: &String| {
        split(word)
            .filter(|(_, its)| *its == unit)
            .map(|(it, _)| it)
    };
    let mut terms = before.iter().rev().map_while(term);
    let Some(second) = terms.next() else {
        return Ok(None);
    };
    let step = third - second;
    let is_near = |one: f64, other: f64| (one - other).abs() <= 1e-9 * one.abs().max(other.abs());
    let step = match terms.next() {
        None => Step::Add(step),
        Some(first) if is_near(second - first, step) => Step::Add(step),
        Some(first) if is_near(second * second, first * third) => Step::Multiply(third / second),
        Some(first) => {
            return Err(problem!(
                "{first}{unit}, {second}{unit}, {third}{unit} have neither a common difference nor \
                 a common factor"
            ));
        }
    };
    let stands = matches!(step, Step::Add(0.0)) || matches!(step, Step::Multiply(1.0));
    if stands {
        return Err(problem!(
            "{second}{unit}, {third}{unit} do not grow or shrink"
        ));
    }
    Ok(Some(step))
}

/// Returns the number of terms from the first to the last.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a conversion that saturates; too many are refused by the space"
)]
fn count(first: f64, last: f64, step: Step) -> u64 {
    let steps = match step {
        Step::Add(step) => (last - first) / step,
        Step::Multiply(ratio) => libm::log(last / first) / libm::log(ratio),
    };
    if steps.is_nan() || steps < 0.0 {
        return 0;
    }
    // Include the last term despite rounding errors.
    ((steps + 1e-9) as u64).saturating_add(1)
}

fn spaced((first, last, unit): (f64, f64, &str), form: &str) -> Result<Segment, Problem> {
    let (is_logarithmic, number) = match form.strip_prefix("log") {
        Some(number) => (true, number),
        None => (false, form),
    };
    if is_logarithmic && number.is_empty() {
        return interval((first, last, unit), true);
    }
    let count = number
        .parse()
        .ok()
        .filter(|count| (2..=LISTED_MAX).contains(count));
    let Some(count) = count else {
        return Err(problem!(
            "expected a number of values from 2 to {LISTED_MAX}, or `log` followed by such a \
             number, found `{}`",
            shown(form)
        ));
    };
    let Segment::Interval(interval) = interval((first, last, unit), is_logarithmic)? else {
        return Err("the range is empty".into());
    };
    Ok(Segment::Listed(interval.spaced(count)))
}

fn interval((from, to, unit): (f64, f64, &str), is_logarithmic: bool) -> Result<Segment, Problem> {
    if from >= to {
        return Err(problem!(
            "the range {from}{unit}..{to}{unit} is empty; write the smaller number first: \
             {to}{unit}..{from}{unit}"
        ));
    }
    if is_logarithmic && from <= 0.0 {
        return Err("the numbers of a logarithmic range must be above 0".into());
    }
    let unit = unit.to_owned();
    Ok(Segment::Interval(Interval {
        from,
        to,
        is_logarithmic,
        is_whole: false,
        unit,
    }))
}

impl Interval {
    /// Returns `count` values with equal distances or equal factors. With equal factors, integers
    /// are rounded, and duplicates are removed.
    #[expect(clippy::cast_precision_loss, reason = "at most 100,000")]
    fn spaced(&self, count: u64) -> Vec<AxisValue> {
        let rounds =
            self.is_logarithmic && self.unit.is_empty() && is_whole(self.from) && is_whole(self.to);
        let value = |place: u64| {
            let share = place as f64 / (count - 1) as f64;
            match self.value(share) {
                AxisValue::Real(real) if rounds => AxisValue::from(libm::round(real)),
                value => value,
            }
        };
        let mut values: Vec<AxisValue> = (0..count).map(value).collect();
        values.dedup();
        values
    }
}

fn number(word: &str) -> Result<(f64, &str), Problem> {
    split(word.trim()).ok_or_else(|| problem!("expected a number, found `{}`", shown(word)))
}
