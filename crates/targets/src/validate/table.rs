//! Formats the comparison as a table for people.

use std::fmt;

use prophet_text::{count, counted, percent, signed_percent, time};

use super::{Comparison, Element};

/// Maximum number of processes to show.
const PROCESSES_MAX: usize = 16;
const NAME_MAX: usize = 28;
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
        let threads = counted(threads.into(), "thread", "threads");
        writeln!(
            f,
            "Processes  {}, with {threads} each",
            count(processes.into())
        )?;
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
            ", {}, costs {}",
            match self.runs {
                1 => "in one run".to_owned(),
                runs => format!("the fastest of {} runs", count(runs.into())),
            },
            self.costs
        )?;
        if (self.scale - 1.0).abs() > 0.0 {
            let scale = self.scale;
            writeln!(
                f,
                "Scale      {scale}: costs were spent in this fraction of their time, and measured"
            )?;
            writeln!(
                f,
                "           times, including message times, are divided by it"
            )?;
        }
        write_doubt(f, self.oversubscribed)?;
        write_elements(f, &self.elements)?;
        writeln!(f, "\nProcess      Predicted     Measured      Error")?;
        for process in self.processes.iter().take(PROCESSES_MAX) {
            let (predicted, measured) = (process.predicted_end_s, process.measured_end_s);
            let (predicted, measured) = (time(predicted), time(measured));
            let error = signed_percent(process.error.unwrap_or(f64::NAN));
            writeln!(
                f,
                "{:<9}{predicted:>13}{measured:>13}{error:>11}",
                process.pid
            )?;
        }
        if self.processes.len() > PROCESSES_MAX {
            let more = count((self.processes.len() - PROCESSES_MAX) as u64);
            writeln!(f, "… {more} more (--format json lists them)")?;
        }
        Ok(())
    }
}

/// Explains why the times of elements are unreliable on a busy machine.
fn write_doubt(f: &mut fmt::Formatter<'_>, oversubscribed: bool) -> fmt::Result {
    if oversubscribed {
        writeln!(
            f,
            "Note       this machine has fewer CPUs than the program has threads: where\n\
             \u{20}          computing dominates, only totals are meaningful; elements of \
             communication\n\
             \u{20}          may be off by any factor, because they also wait for CPUs"
        )
    } else {
        writeln!(
            f,
            "Note       if other programs share the machine's CPUs and computing dominates, only\n\
             \u{20}          totals are meaningful: elements of communication also wait for CPUs"
        )
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
        let error = signed_percent(element.error.unwrap_or(f64::NAN));
        let (times, other) = (element.predicted_count, element.measured_count);
        write!(
            f,
            "{name:<width$}  {kind:<16}{:>9}{predicted:>13}{measured:>13}{error:>11}",
            count(times)
        )?;
        if times == other {
            writeln!(f)?;
        } else {
            writeln!(f, "  executed {} times", count(other))?;
        }
    }
    Ok(())
}

/// Removes hidden characters from a text, and cuts it off after `most` characters.
fn shown(text: &str, most: usize) -> String {
    let plain = text.chars().filter(|c| !prophet_text::plain::is_hidden(*c));
    plain.take(most).collect()
}

fn off(error: Option<f64>) -> String {
    match error {
        Some(error) if error < 0.0 => format!("{} too short", percent(-error)),
        Some(error) => format!("{} too long", percent(error)),
        None => "nothing to compare".to_owned(),
    }
}
