//! The comparison as people read it.

use std::fmt;

use super::{Comparison, Element};

/// More processes than that are cut to the first ones.
const PROCESSES_MAX: usize = 16;
/// How much of a long name is shown.
const NAME_MAX: usize = 28;
/// How much of a long text is shown.
const TEXT_MAX: usize = 100;

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (predicted, measured) = (time(self.predicted_time_s), time(self.measured_time_s));
        writeln!(
            f,
            "Predicted {predicted}, measured {measured}: {}",
            off(self.error)
        )?;
        let (processes, threads) = self.processes_and_threads;
        writeln!(f, "Model      {}", shown(&self.model, TEXT_MAX))?;
        writeln!(f, "Processes  {processes}, with {threads} thread(s) each")?;
        writeln!(
            f,
            "Predicted  for {}",
            shown(&self.predicted_machine, TEXT_MAX)
        )?;
        write!(
            f,
            "Measured   on {}",
            shown(&self.measured_machine, TEXT_MAX)
        )?;
        writeln!(
            f,
            ", the fastest of {} run(s), costs {}",
            self.runs, self.costs
        )?;
        if (self.scale - 1.0).abs() > 0.0 {
            let scale = self.scale;
            writeln!(
                f,
                "Scale      {scale}: costs passed in that part of their time, and measured"
            )?;
            writeln!(
                f,
                "           times are divided by it, those of messages too"
            )?;
        }
        write_elements(f, &self.elements)?;
        writeln!(f, "\nProcess      Predicted     Measured      Error")?;
        for process in self.processes.iter().take(PROCESSES_MAX) {
            let (predicted, measured) = (process.predicted_end_s, process.measured_end_s);
            let (predicted, measured) = (time(predicted), time(measured));
            let error = percent(process.error);
            writeln!(
                f,
                "{:<9}{predicted:>13}{measured:>13}{error:>11}",
                process.pid
            )?;
        }
        if self.processes.len() > PROCESSES_MAX {
            let more = self.processes.len() - PROCESSES_MAX;
            writeln!(f, "… {more} more (--format json lists them)")?;
        }
        Ok(())
    }
}

fn write_elements(f: &mut fmt::Formatter<'_>, elements: &[Element]) -> fmt::Result {
    let widest = elements
        .iter()
        .map(|it| shown(&it.name, NAME_MAX).chars().count());
    let width = widest.max().unwrap_or(0).max("Element".len());
    writeln!(
        f,
        "\n{:<width$}  {:<16}{:>9}{:>13}{:>13}{:>11}",
        "Element", "Type", "Count", "Predicted", "Measured", "Error"
    )?;
    for element in elements {
        let (name, kind) = (shown(&element.name, NAME_MAX), &element.kind);
        let (predicted, measured) = (time(element.predicted_s), time(element.measured_s));
        let error = percent(element.error);
        let (count, other) = (element.predicted_count, element.measured_count);
        write!(
            f,
            "{name:<width$}  {kind:<16}{count:>9}{predicted:>13}{measured:>13}{error:>11}"
        )?;
        if count == other {
            writeln!(f)?;
        } else {
            writeln!(f, "  executed {other} times")?;
        }
    }
    Ok(())
}

/// A text in one line, not too long.
fn shown(text: &str, most: usize) -> String {
    let plain = text.chars().filter(|c| !c.is_control());
    plain.take(most).collect()
}

/// A time with three decimals in the unit that suits it.
fn time(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us")];
    let size = seconds.abs();
    let unit = units.into_iter().find(|(one, _)| size >= *one);
    let (one, name) = match unit {
        Some(unit) => unit,
        None if size == 0.0 => (1.0, "s"),
        None => (1e-9, "ns"),
    };
    format!("{:.3} {name}", seconds / one)
}

fn percent(error: Option<f64>) -> String {
    error.map_or_else(|| "-".to_owned(), |it| format!("{:+.1} %", 100.0 * it))
}

/// The error in words.
fn off(error: Option<f64>) -> String {
    match error {
        Some(error) if error < 0.0 => format!("{:.1} % too short", -100.0 * error),
        Some(error) => format!("{:.1} % too long", 100.0 * error),
        None => "nothing to compare".to_owned(),
    }
}
