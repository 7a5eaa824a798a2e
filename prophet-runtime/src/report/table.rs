//! The table for people: at most 80 columns, the prediction first.

use std::io::{self, Write};

use super::Report;
use crate::outcome::{ElementOutcome, Evaluation, Outcome, ProcessOutcome};
use crate::text::{
    columns, count, counted, fitted, left, memory, right, short_count, short_time, time,
};

const WIDTH: usize = 80;
/// More elements than that are cut to those that took longest.
const ELEMENTS_MAX: usize = 24;
/// More processes than that are cut to the first and last ones.
const PROCESSES_MAX: usize = 12;
const PROCESSES_AT_EACH_END: usize = 4;
const BAR_MIN: usize = 6;
const BAR_MAX: usize = 20;

pub(super) fn write(report: &Report, out: &mut dyn Write, bold: bool) -> io::Result<()> {
    let predicted = short_time(report.outcome.predicted_time_s);
    let (start, end) = if bold {
        ("\u{1b}[1m", "\u{1b}[0m")
    } else {
        ("", "")
    };
    let at_least = if report.outcome.partial {
        "at least "
    } else {
        ""
    };
    writeln!(out, "{start}Predicted time  {at_least}{predicted}{end}")?;
    write_facts(report, out)?;
    if !report.outcome.elements.is_empty() {
        writeln!(out)?;
        write_elements(&report.outcome.elements, out)?;
    }
    if !report.outcome.processes.is_empty() {
        writeln!(out)?;
        write_processes(&report.outcome.processes, out)?;
    }
    Ok(())
}

/// What the prediction is of, a line each.
fn write_facts(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let system = report.system;
    let layout = format!(
        "{} x {}, {} x {}",
        counted(u64::from(system.nodes), "node", "nodes"),
        counted(u64::from(system.cpus_per_node), "CPU", "CPUs"),
        counted(u64::from(system.processes), "process", "processes"),
        counted(u64::from(system.threads), "thread", "threads"),
    );
    let parameters: Vec<String> = report
        .model
        .parameters
        .iter()
        .zip(&system.parameters)
        .map(|(parameter, value)| format!("{} = {value}", parameter.name))
        .collect();
    let facts = [
        ("Partial", partial(report.outcome)),
        ("Model", report.model.name.to_owned()),
        ("System", layout),
        ("Machine", system.machine()),
        ("Parameters", parameters.join(", ")),
        ("Seed", system.seed.to_string()),
        ("Evaluation", evaluation(&report.outcome.evaluation)),
        ("Not local", why_not_local(&report.outcome.evaluation)),
    ];
    for (name, fact) in facts.iter().filter(|(_, fact)| !fact.is_empty()) {
        writeln!(out, "{}  {}", left(name, 14), fitted(fact, WIDTH - 16))?;
    }
    Ok(())
}

/// That the run was interrupted.
fn partial(outcome: &Outcome) -> String {
    if outcome.partial {
        "the run was interrupted; all this is what was known by then".to_owned()
    } else {
        String::new()
    }
}

fn evaluation(evaluation: &Evaluation) -> String {
    let mut text = format!(
        "{} engine, {}, {}, {}",
        evaluation.engine,
        counted(evaluation.events, "event", "events"),
        counted(evaluation.messages, "message", "messages"),
        short_time(evaluation.wall_s),
    );
    if evaluation.peak_memory_bytes > 0 {
        text = text + ", " + &memory(evaluation.peak_memory_bytes);
    }
    text
}

/// Why the faster engine did not run the program.
fn why_not_local(evaluation: &Evaluation) -> String {
    evaluation.why_not_local.clone().unwrap_or_default()
}

fn write_elements(elements: &[ElementOutcome], out: &mut dyn Write) -> io::Result<()> {
    let longest_s = elements
        .iter()
        .map(|element| element.total_s)
        .fold(0.0, f64::max);
    let shown = longest(elements);
    let rows: Vec<[String; 6]> = shown
        .iter()
        .map(|element| {
            [
                element.name.clone(),
                element.kind.to_owned(),
                short_count(element.count),
                time(element.total_s),
                time(element.mean_s),
                time(element.max_s),
            ]
        })
        .collect();
    let headings = ["Element", "Type", "Count", "Total", "Mean", "Longest"];
    let mut widths = widths(headings, &rows);
    // The name gives way to the numbers, and the bar takes what is left of the line.
    let gaps = 2 * headings.len();
    let numbers: usize = widths.iter().skip(1).sum();
    widths[0] = widths[0]
        .min(WIDTH.saturating_sub(numbers + gaps + BAR_MIN))
        .max(4);
    let bar_width = WIDTH
        .saturating_sub(numbers + gaps + widths[0])
        .min(BAR_MAX);
    write_row(&headings.map(str::to_owned), widths, 2, "", out)?;
    for (row, element) in rows.into_iter().zip(&shown) {
        write_row(
            &row,
            widths,
            2,
            &bar(element.total_s, longest_s, bar_width),
            out,
        )?;
    }
    let hidden = elements.len() - shown.len();
    if hidden > 0 {
        let hidden = counted(
            hidden as u64,
            "element that took less",
            "elements that took less",
        );
        writeln!(out, "… and {hidden} (--format json lists all)")?;
    }
    Ok(())
}

/// The elements that took longest, in the order of the model.
fn longest(elements: &[ElementOutcome]) -> Vec<&ElementOutcome> {
    let mut ranked: Vec<(usize, &ElementOutcome)> = elements.iter().enumerate().collect();
    ranked.sort_by(|(_, a), (_, b)| b.total_s.total_cmp(&a.total_s));
    ranked.truncate(ELEMENTS_MAX);
    ranked.sort_by_key(|&(index, _)| index);
    ranked.into_iter().map(|(_, element)| element).collect()
}

/// A bar as long as the share of the longest time; whatever took time has a mark.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a bar's length is small and not negative"
)]
fn bar(total_s: f64, longest_s: f64, width: usize) -> String {
    if total_s <= 0.0 {
        return String::new();
    }
    let marks = (total_s / longest_s * width as f64).round() as usize;
    "#".repeat(marks.clamp(1, width.max(1)))
}

fn write_processes(processes: &[ProcessOutcome], out: &mut dyn Write) -> io::Result<()> {
    let cut = processes.len() > PROCESSES_MAX;
    let ends = if cut {
        PROCESSES_AT_EACH_END
    } else {
        processes.len()
    };
    let row = |process: &ProcessOutcome| {
        [
            process.pid.to_string(),
            process.nid.to_string(),
            time(process.end_s),
            time(process.compute_s),
            time(process.communication_s),
            time(process.wait_s),
        ]
    };
    let mut rows: Vec<[String; 6]> = processes.iter().take(ends).map(row).collect();
    if cut {
        rows.extend(processes.iter().skip(processes.len() - ends).map(row));
    }
    let headings = ["Process", "Node", "End", "Compute", "Communication", "Wait"];
    let widths = widths(headings, &rows);
    write_row(&headings.map(str::to_owned), widths, 0, "", out)?;
    for (index, row) in rows.into_iter().enumerate() {
        if cut && index == ends {
            let hidden = (processes.len() - 2 * ends) as u64;
            writeln!(out, "… {} more (--format json lists them)", count(hidden))?;
        }
        write_row(&row, widths, 0, "", out)?;
    }
    Ok(())
}

/// The width of each column.
fn widths<const N: usize>(headings: [&str; N], rows: &[[String; N]]) -> [usize; N] {
    let mut widths = headings.map(columns);
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = columns(cell).max(*width);
        }
    }
    widths
}

/// One line: the first columns as names, the others as numbers, and a bar at the end.
fn write_row<const N: usize>(
    cells: &[String; N],
    widths: [usize; N],
    names: usize,
    bar: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut line = String::new();
    for (index, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let cell = fitted(cell, width);
        line += &if index < names {
            left(&cell, width)
        } else {
            right(&cell, width)
        };
        line += "  ";
    }
    line += bar;
    writeln!(out, "{}", line.trim_end())
}
