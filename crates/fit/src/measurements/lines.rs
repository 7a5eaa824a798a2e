//! Reads Extra-P's JSON Lines and `TaLPas` files, which contain one object for each measured value
//! or each point.

use std::fmt;

use prophet_text::Problem;
use serde::Deserialize;
use serde::de::{MapAccess, Visitor};

use crate::measurements::collector::{Collector, MeasuredRow, content};
use crate::measurements::document;

#[derive(Debug, Deserialize)]
struct Line {
    #[serde(alias = "parameters")]
    params: Parameters,
    #[serde(default)]
    callpath: String,
    #[serde(default = "time")]
    metric: String,
    value: Values,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Values {
    One(f64),
    Many(Vec<f64>),
}

fn time() -> String {
    "time".to_owned()
}

/// Parameters in file order, which a map would lose.
#[derive(Debug)]
struct Parameters(Vec<(String, f64)>);

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Parameters;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map from parameters to numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parameters, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Parameters(pairs))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Returns `true` if a line is a JSON object or looks like one.
pub(crate) fn is_line(text: &str) -> bool {
    let is_talpas = text.contains("\"parameters\"") && text.contains("\"callpath\"");
    (text.contains("\"params\"") || is_talpas && text.contains("\"value\"")) && text.ends_with('}')
}

pub(crate) fn add(collector: &mut Collector<'_>, text: &str) -> Result<(), Problem> {
    for (number, text) in content(text) {
        let line: Line = serde_json::from_str(&with_commas(text))
            .map_err(|error| collector.told(number, why(&error)))?;
        let at: Vec<(&str, f64)> = line.params.0.iter().map(|it| (&*it.0, it.1)).collect();
        let values = match &line.value {
            Values::One(value) => std::slice::from_ref(value),
            Values::Many(values) => values,
        };
        for &value in values {
            let row = MeasuredRow {
                region: &line.callpath,
                metric: &line.metric,
                unit: None,
                at: &at,
                value,
            };
            collector.add(number, &row)?;
        }
    }
    Ok(())
}

/// Replaces the semicolons between members in `TaLPas` files with commas, as JSON requires.
fn with_commas(text: &str) -> String {
    let (mut is_text, mut is_escaped) = (false, false);
    let comma = |c: char| {
        is_text ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        if c == ';' && !is_text { ',' } else { c }
    };
    text.chars().map(comma).collect()
}

/// Returns the reason of an error without its line, which is always 1.
fn why(error: &serde_json::Error) -> String {
    let form = r#"{"params": {"p": 4}, "callpath": "main", "metric": "time", "value": 1.5}"#;
    format!("{}; a line is {form}", document::why(error))
}
