//! Checks expectations about a result, such as `predicted_time_s < 2`, for `--expect`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use prophet_text::{Problem, did_you_mean, problem};
use serde_json::Value;

use crate::RunResult;

/// An expected limit for a number in a result.
///
/// Users write the number as its JSON keys, joined by dots. For an entry of a list, they write its
/// name, id or pid, as in `elements.Exchange.max_s` or `processes.0.wait_s`.
///
/// ```
/// use prophet_result::Expectation;
///
/// let is_fast: Expectation = "predicted_time_s < 2".parse()?;
/// let result = serde_json::json!({"predicted_time_s": 2.5});
/// let unmet = Expectation::unmet(&[is_fast], &result)?;
/// assert_eq!(unmet, ["expected predicted_time_s < 2, found 2.5"]);
/// # Ok::<(), prophet_text::Problem>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    path: String,
    comparison: &'static str,
    limit: f64,
}

/// Comparison operators. If one is a prefix of another, the longer one comes first.
const COMPARISONS: [&str; 5] = ["<=", ">=", "==", "<", ">"];

impl Expectation {
    /// Exit code of programs whose result isn't as expected.
    pub const EXIT_CODE: u8 = 4;

    /// Returns a message for each number that isn't as expected.
    ///
    /// # Errors
    ///
    /// Returns an error if one of the numbers isn't in the result.
    pub fn unmet(expected: &[Self], result: &Value) -> Result<Vec<String>, Problem> {
        let mut unmet = Vec::new();
        for expectation in expected {
            let found = expectation.number(result)?;
            if !expectation.holds(found) {
                unmet.push(format!("expected {expectation}, found {found}"));
            }
        }
        Ok(unmet)
    }

    fn number(&self, result: &Value) -> Result<f64, Problem> {
        let found = find(result, &self.path).and_then(Value::as_f64);
        found.ok_or_else(|| {
            let mut names = Vec::new();
            numbers(result, "", &mut names);
            let is_within = |it: &&String| it.ends_with(&format!(".{}", self.path));
            let near = match names.iter().find(is_within) {
                Some(whole) => format!("; did you mean `{whole}`?"),
                None => did_you_mean(&self.path, names.iter().map(String::as_str)),
            };
            Problem::with_help(
                format!(
                    "the result does not contain the number `{}`{near}",
                    self.path
                ),
                "list all numbers with `--format json`; `elements.NAME.max_s`, for example, \
                 belongs to an element",
            )
        })
    }

    #[expect(clippy::float_cmp, reason = "who writes == means it")]
    fn holds(&self, number: f64) -> bool {
        match self.comparison {
            "<=" => number <= self.limit,
            ">=" => number >= self.limit,
            "==" => number == self.limit,
            "<" => number < self.limit,
            _ => number > self.limit,
        }
    }
}

impl FromStr for Expectation {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let wrong = || problem!("write a comparison with a number, such as 'predicted_time_s < 2'");
        let split = |comparison| Some((comparison, text.split_once(comparison)?));
        let mut splits = COMPARISONS.into_iter().filter_map(split);
        let (comparison, (path, limit)) = splits.next().ok_or_else(wrong)?;
        let limit: f64 = limit.trim().parse().map_err(|_| wrong())?;
        let path = path.trim().to_owned();
        if path.is_empty() || !limit.is_finite() {
            return Err(wrong());
        }
        Ok(Self {
            path,
            comparison,
            limit,
        })
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.path, self.comparison, self.limit)
    }
}

/// Returns the value at a path. Names can contain dots.
fn find<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    let ends = path.match_indices('.').map(|(at, _)| at);
    ends.chain([path.len()]).find_map(|end| {
        let (key, rest) = (&path[..end], path.get(end + 1..));
        let child = match value {
            Value::Object(entries) => entries.get(key),
            Value::Array(entries) => entries.iter().find(|it| is_named(it, key)),
            _ => None,
        }?;
        rest.map_or(Some(child), |rest| find(child, rest))
    })
}

fn is_named(entry: &Value, name: &str) -> bool {
    let number = |key| entry[key].as_i64().is_some_and(|it| it.to_string() == name);
    entry["name"] == name || number("id") || number("pid")
}

/// Collects the paths of numbers outside lists.
fn numbers(value: &Value, path: &str, all: &mut Vec<String>) {
    for (key, child) in value.as_object().into_iter().flatten() {
        let path = format!("{path}{key}");
        if child.is_number() {
            all.push(path);
        } else {
            numbers(child, &format!("{path}."), all);
        }
    }
}

/// An element that takes longer than in an earlier result.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    pub name: String,
    /// Mean time per process in the earlier result, in seconds.
    pub earlier_s: f64,
    /// Mean time per process in the new result, in seconds.
    pub now_s: f64,
}

impl Growth {
    /// Returns the element whose time grew most between two results; `None` if no time grew.
    /// Elements with the same name are combined.
    pub fn most(earlier: &RunResult<'_>, now: &RunResult<'_>) -> Option<Self> {
        let (before, after) = (times_s(earlier), times_s(now));
        let grown = after.into_iter().map(|(name, now_s)| Self {
            earlier_s: before.get(name).copied().unwrap_or(0.0),
            name: name.to_owned(),
            now_s,
        });
        let by = |it: &Self| it.now_s - it.earlier_s;
        grown
            .filter(|it| by(it) > 0.0)
            .max_by(|a, b| by(a).total_cmp(&by(b)))
    }
}

/// Returns the mean time per process of all elements with the same name, by name.
fn times_s<'r>(result: &'r RunResult<'_>) -> BTreeMap<&'r str, f64> {
    let mut times_s = BTreeMap::new();
    for element in result.elements.iter() {
        let share_s = element.total_s / f64::from(result.system.processes.max(1));
        *times_s.entry(&*element.name).or_default() += share_s;
    }
    times_s
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn number(path: &str) -> Result<f64, Problem> {
        let result = json!({
            "predicted_time_s": 2.5,
            "efficiency": {"parallel": 0.75},
            "processes": [{"pid": 0, "wait_s": 0.5}, {"pid": 1, "wait_s": 1.5}],
            "elements": [{"name": "Sub.Exchange", "id": -7, "max_s": 3.5}],
        });
        let expectation: Expectation = format!("{path} < 1").parse().unwrap();
        expectation.number(&result)
    }

    #[test]
    fn numbers_are_found_by_keys_names_and_ids() {
        assert_eq!(number("predicted_time_s"), Ok(2.5));
        assert_eq!(number("efficiency.parallel"), Ok(0.75));
        assert_eq!(number("processes.1.wait_s"), Ok(1.5));
        assert_eq!(number("elements.Sub.Exchange.max_s"), Ok(3.5));
        assert_eq!(number("elements.-7.max_s"), Ok(3.5));
    }

    #[test]
    fn what_is_no_number_is_told_with_a_suggestion() {
        let message = "the result does not contain the number `predicted_time`; did you mean \
                       `predicted_time_s`?";
        assert_eq!(number("predicted_time").unwrap_err().message, message);
        let message = "the result does not contain the number `parallel`; did you mean \
                       `efficiency.parallel`?";
        assert_eq!(number("parallel").unwrap_err().message, message);
        let message = "the result does not contain the number `efficiency`; did you mean \
                       `efficiency.parallel`?";
        assert_eq!(number("efficiency").unwrap_err().message, message);
    }

    #[test]
    fn comparisons_are_read_and_made() {
        let holds = |text: &str| text.parse::<Expectation>().unwrap().holds(2.0);
        let cases = ["x < 3", "x<=2", "x == 2.0", "x >= 2e0", " x >-1 "];
        assert!(cases.into_iter().all(holds));
        let cases = ["x < 2", "x <= 1.5", "x == 3", "x >= 2.5", "x > 2"];
        assert!(!cases.into_iter().any(holds));
        for wrong in ["", "x", "x < fast", "< 2", "x < inf", "x = 2"] {
            let error = wrong.parse::<Expectation>().unwrap_err();
            assert!(error.message.starts_with("write a comparison"), "{wrong}");
        }
        let shown = "x<=2".parse::<Expectation>().unwrap().to_string();
        assert_eq!(shown, "x <= 2");
    }
}
