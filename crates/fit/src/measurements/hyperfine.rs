//! Reads hyperfine's JSON. A command's parameters come from `--parameter-scan`, or are the numbers
//! in the command.

use std::collections::BTreeMap;

use prophet_text::Problem;
use serde::Deserialize;

use crate::measurements::collector::{Collector, MeasuredRow};
use crate::measurements::job::Text;
use crate::measurements::scalar::Scalar;
use crate::measurements::template::{self, Call};

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

pub(crate) fn add(collector: &mut Collector<'_>, commands: &[Command]) -> Result<(), Problem> {
    let mut calls: Vec<Call> = commands.iter().map(call).collect();
    template::restore(&mut calls, Text::Command);
    for (command, call) in commands.iter().zip(&calls) {
        let at: Vec<(&str, f64)> = call.at.iter().map(|it| (&*it.0, it.2)).collect();
        if at.is_empty() {
            let why = format!(
                "`{}` has no numeric parameter; measure with --parameter-scan",
                command.text
            );
            return Err(collector.told(0, why));
        }
        let mean = command.mean.filter(|_| command.times.is_empty());
        for value in command.times.iter().copied().chain(mean) {
            let row = MeasuredRow {
                region: &call.text,
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

fn call(command: &Command) -> Call {
    let numbers = command.parameters.iter().filter_map(|(name, value)| {
        let text = match value {
            Scalar::Number(number) => number.to_string(),
            Scalar::Text(text) => text.clone(),
            Scalar::Other(_) => return None,
        };
        Some((name.clone(), text, value.number()?))
    });
    Call {
        text: command.text.clone(),
        at: numbers.collect(),
    }
}
