//! Reads prices of energy and nodes, and carbon emissions, by date.

use std::fmt;
use std::path::Path;

use prophet_text::{Problem, problem, toml_mistake};
use serde::Deserialize;
use toml::Spanned;

use crate::quantity::{ParseError, one_line, quoted};

const BYTES_MAX: u64 = 1 << 20;

/// A calendar day, written as `2026-01-31`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Parses a date.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is invalid.
    pub fn read(text: &str) -> Result<Self, ParseError> {
        let read = || {
            let is_there = |at: usize| text.as_bytes().get(at) == Some(&b'-');
            let digits = |range: std::ops::Range<usize>| {
                let part = text.get(range)?;
                let are_digits = part.bytes().all(|it| it.is_ascii_digit());
                are_digits.then_some(part)?.parse::<u16>().ok()
            };
            let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let days = match month {
                2 => 28 + u16::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            let is_date = text.len() == 10 && is_there(4) && is_there(7);
            let is_day = (1..=12).contains(&month) && (1..=days).contains(&day);
            (is_date && is_day).then_some(Self {
                year,
                month: u8::try_from(month).ok()?,
                day: u8::try_from(day).ok()?,
            })
        };
        read().ok_or_else(|| {
            let message = format!(
                "expected a date such as 2026-01-31, found `{}`",
                quoted(text)
            );
            ParseError::new(message)
        })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    source: String,
    currency: Option<String>,
    #[serde(default, rename = "tariff")]
    tariffs: Vec<Spanned<Entry>>,
}

/// A `[[tariff]]`: prices that apply from a given date.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Entry {
    from: Spanned<String>,
    kwh: Option<Spanned<f64>>,
    node_hour: Option<Spanned<f64>>,
    carbon: Option<Spanned<f64>>,
}

/// Prices of energy and nodes, and carbon emissions of energy, that apply from a given date.
#[derive(Debug, Clone, PartialEq)]
pub struct Tariff {
    pub from: Date,
    /// Currency of the prices; empty if there are no prices.
    pub currency: String,
    /// Price of a kilowatt-hour, if specified.
    pub kwh: Option<f64>,
    /// Price of one node for one hour, if specified.
    pub node_hour: Option<f64>,
    /// Carbon dioxide emitted per kilowatt-hour, in grams, if specified.
    pub carbon_g: Option<f64>,
}

impl Tariff {
    /// Returns `true` if costs or emissions depend on energy.
    pub fn needs_energy(&self) -> bool {
        self.kwh.is_some() || self.carbon_g.is_some()
    }

    /// Reads the tariff that applies on `date` from a file, or the last tariff if `date` is `None`.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if the file is invalid, or if no tariff applies on that date.
    pub fn read(path: &str, date: Option<Date>) -> Result<Self, Problem> {
        let shown = one_line(path);
        let bytes = prophet_files::load(Path::new(path), BYTES_MAX)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| problem!("the tariffs `{shown}` are not UTF-8 text"))?;
        let all = parse(&text).map_err(|(at, message)| {
            let before = text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            problem!("{shown}:{line}: {}", one_line(message.trim_end()))
        })?;
        let first = all.first().map(|tariff| tariff.from);
        let holds = |tariff: &&Self| date.is_none_or(|date| tariff.from <= date);
        all.iter().rfind(holds).cloned().ok_or_else(|| {
            let (date, first) = (date.map(text_of), first.map(text_of));
            let (date, first) = (date.unwrap_or_default(), first.unwrap_or_default());
            problem!("{shown}: no tariff for {date}: the first one starts on {first}")
        })
    }
}

fn text_of(date: Date) -> String {
    date.to_string()
}

/// Parses all tariffs. If an entry omits a key, the previous entry's value still applies.
fn parse(text: &str) -> Result<Vec<Tariff>, (usize, String)> {
    let entries: Entries = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let why = match error.message() {
            "missing field `source`" => {
                "missing key `source`: say where the prices come from, such as \
                 `source = \"our contract\"`"
                    .to_owned()
            }
            message => toml_mistake(text, error.span(), message),
        };
        (start, why)
    })?;
    if entries.source.trim().is_empty() {
        return Err((0, "say where the numbers come from".to_owned()));
    }
    let currency = entries.currency.as_deref().unwrap_or_default().trim();
    let mut all: Vec<Tariff> = Vec::new();
    for entry in &entries.tariffs {
        let Entry {
            from,
            kwh,
            node_hour,
            carbon,
        } = entry.get_ref();
        let date = Date::read(from.get_ref());
        let date = date.map_err(|error| (from.span().start, error.to_string()))?;
        let before = all.last();
        if let Some(before) = before.filter(|before| before.from >= date) {
            let why = format!(
                "{date} is not after {}: sort the tariffs by date",
                before.from
            );
            return Err((from.span().start, why));
        }
        let price = kwh.as_ref().or(node_hour.as_ref());
        if let Some(price) = price.filter(|_| currency.is_empty()) {
            let why = "a price needs a `currency` at the top of the file".to_owned();
            return Err((price.span().start, why));
        }
        let [kwh, node_hour, carbon_g] = [
            number(kwh.as_ref(), before.and_then(|it| it.kwh))?,
            number(node_hour.as_ref(), before.and_then(|it| it.node_hour))?,
            number(carbon.as_ref(), before.and_then(|it| it.carbon_g))?,
        ];
        all.push(Tariff {
            from: date,
            currency: currency.to_owned(),
            kwh,
            node_hour,
            carbon_g,
        });
    }
    if all.is_empty() {
        let why = "missing `[[tariff]]` with a date `from`, and `kwh`, `node-hour` or `carbon`";
        return Err((0, why.to_owned()));
    }
    Ok(all)
}

fn number(
    entry: Option<&Spanned<f64>>,
    before: Option<f64>,
) -> Result<Option<f64>, (usize, String)> {
    let Some(entry) = entry else {
        return Ok(before);
    };
    let number = *entry.get_ref();
    if number >= 0.0 && number.is_finite() {
        return Ok(Some(number));
    }
    let message = format!("expected a finite number of 0 or more, found {number}");
    Err((entry.span().start, message))
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_cases;

    use super::{Date, parse};

    #[test]
    fn tariffs_are_read_or_refused_with_their_place() {
        assert_cases("src/tariffs.txt", |case| match parse(case.input) {
            Ok(all) => {
                let lines: Vec<String> = all.iter().map(|it| format!("{it:?}")).collect();
                lines.join("\n") + "\n"
            }
            Err((at, message)) => {
                let line = case.input[..at].matches('\n').count() + 1;
                format!("{line}: {message}\n")
            }
        });
    }

    #[test]
    fn dates_are_days_of_the_calendar() {
        for text in ["2024-02-29", "2000-02-29", "2026-12-31", "0001-01-01"] {
            assert_eq!(Date::read(text).unwrap().to_string(), text);
        }
        for text in [
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-13-01",
            "2026-00-10",
        ] {
            assert!(Date::read(text).is_err(), "{text}");
        }
        for text in [
            "2026-1-01",
            "2026/01/01",
            "26-01-01",
            "2026-01-010",
            "",
            "2026-01-+1",
        ] {
            assert!(Date::read(text).is_err(), "{text}");
        }
    }
}
