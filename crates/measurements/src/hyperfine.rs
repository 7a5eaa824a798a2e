//! hyperfine's JSON: commands with the parameters of `--parameter-scan`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::collector::{Collector, Row};
use crate::document::Scalar;

/// A command, with the seconds of its runs.
#[derive(Debug, Deserialize)]
pub(crate) struct Command {
    #[serde(rename = "command")]
    text: String,
    mean: Option<f64>,
    #[serde(default)]
    times: Vec<f64>,
    #[serde(default)]
    parameters: BTreeMap<String, Scalar>,
}

pub(crate) fn add(collector: &mut Collector<'_>, commands: &[Command]) -> Result<(), String> {
    for command in commands {
        let numbers = command.parameters.iter();
        let numbers = numbers.filter_map(|(name, value)| Some((&**name, value.number()?)));
        let at: Vec<(&str, f64)> = numbers.collect();
        if at.is_empty() {
            let why = format!(
                "`{}` has no parameter that is a number; measure with --parameter-scan",
                command.text
            );
            return Err(collector.told(0, &why));
        }
        let region = region(command);
        let mean = command.mean.filter(|_| command.times.is_empty());
        for value in command.times.iter().copied().chain(mean) {
            let row = Row {
                region: &region,
                metric: "time",
                unit: Some(1.0),
                at: &at,
                value,
            };
            collector.add(0, &row)?;
        }
    }
    Ok(())
}

/// The command as the user wrote it, with the names of parameters in place of numbers.
fn region(command: &Command) -> String {
    let mut words: Vec<String> = command.text.split(' ').map(str::to_owned).collect();
    for (name, value) in &command.parameters {
        let text = match value {
            Scalar::Number(number) => number.to_string(),
            Scalar::Text(text) if value.number().is_some() => text.clone(),
            Scalar::Text(_) | Scalar::Other(_) => continue,
        };
        for word in &mut words {
            let is_inside = |rest: &str| !rest.contains(|it: char| it.is_ascii_digit());
            if let Some((before, behind)) = word.split_once(&text)
                && is_inside(before)
                && is_inside(behind)
            {
                *word = format!("{before}{{{name}}}{behind}");
            }
        }
    }
    words.join(" ")
}
