//! Reads values of a `config.json` by key.

use prophet_machine::quantity::quoted;
use prophet_text::{Problem, problem};
use serde_json::Value as Json;

/// Maximum of each size, so that the product of two sizes can't overflow.
const MOST: i64 = 1_000_000_000;

/// Returns the first of `keys` that has a value other than null, and that value.
pub(super) fn found<'a>(
    config: &'a Json,
    keys: &[&'static str],
) -> Option<(&'static str, &'a Json)> {
    let mut all = keys.iter().filter_map(|key| Some((*key, config.get(key)?)));
    all.find(|(_, value)| !value.is_null())
}

pub(super) fn whole(config: &Json, keys: &[&'static str]) -> Result<Option<i64>, Problem> {
    let Some((key, value)) = found(config, keys) else {
        return Ok(None);
    };
    let size = value.as_i64().filter(|size| (1..=MOST).contains(size));
    let size =
        size.ok_or_else(|| expected(key, &format!("a whole number from 1 to {MOST}"), value));
    size.map(Some)
}

pub(super) fn flag(config: &Json, keys: &[&'static str], fallback: bool) -> Result<bool, Problem> {
    found(config, keys).map_or(Ok(fallback), |(key, value)| {
        let switch = value.as_bool();
        switch.ok_or_else(|| expected(key, "true or false", value))
    })
}

fn expected(key: &str, what: &str, value: &Json) -> Problem {
    let value = value.to_string();
    problem!("`{key}`: expected {what}, found `{}`", quoted(&value))
}
