//! Writes the table of processes. Bars show how each process spends its time.

use std::io::{self, Write};

use prophet_text::plain::line;
use prophet_text::{self as text, time};

use super::{BAR_MAX, Ink, Style, bar_width, marks, widths, write_row};
use crate::command::report::Report;
use crate::results::outcome::{Outcome, ProcessOutcome};

/// Maximum number of processes. If there are more, only the first and last ones are shown.
const PROCESSES_MAX: usize = 12;
const PROCESSES_AT_EACH_END: usize = 4;

pub(super) fn write(report: &Report, ink: Ink, out: &mut dyn Write) -> io::Result<()> {
    let (outcome, system) = (report.outcome, report.system);
    // Few models have elements that hold, and a line doesn't have room for waiting as well as
    // holding.
    if { outcome.processes.iter() }.any(|process| process.hold_s > 0.0) {
        // The headings contain the marks that the bars use.
        let headings = ["Process", "End", "Compute #", "Comm. =", "Wait .", "Hold :"];
        let row = |process: &ProcessOutcome| {
            let times_s = [process.end_s, process.compute_s, process.communication_s];
            let [end, compute, communication] = times_s.map(time);
            let [wait, hold] = [process.wait_s, process.hold_s].map(time);
            let pid = process.pid.to_string();
            [pid, end, compute, communication, wait, hold]
        };
        write_rows(outcome, (headings, row), ink, out)
    } else {
        let headings = ["Process", "Node", "End", "Compute #", "Comm. =", "Wait ."];
        let row = |process: &ProcessOutcome| {
            let times_s = [process.end_s, process.compute_s, process.communication_s];
            let [end, compute, communication] = times_s.map(time);
            let (pid, node) = (process.pid.to_string(), system.node_name(process.nid));
            let node = line(&node);
            [pid, node, end, compute, communication, time(process.wait_s)]
        };
        write_rows(outcome, (headings, row), ink, out)
    }
}

fn write_rows<const N: usize>(
    outcome: &Outcome,
    (headings, row): ([&str; N], impl Fn(&ProcessOutcome) -> [String; N]),
    ink: Ink,
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = outcome.count_processes();
    let cut = count > PROCESSES_MAX;
    let ends = if cut { PROCESSES_AT_EACH_END } else { count };
    let last = if cut { count - ends } else { count };
    let places = (0..ends).chain(last..count);
    let shown: Vec<ProcessOutcome> = places.map(|place| outcome.process(place)).collect();
    let rows: Vec<[String; N]> = shown.iter().map(row).collect();
    let widths = widths(headings, &rows);
    let width = bar_width(&widths).min(BAR_MAX);
    let longest_s = outcome.processes.iter().map(|process| process.end_s);
    let longest_s = longest_s.fold(0.0, f64::max);
    write_row(&headings.map(str::to_owned), widths, 0, "", out)?;
    for (index, (row, process)) in rows.iter().zip(&shown).enumerate() {
        if cut && index == ends {
            let hidden = text::count((count - 2 * ends) as u64);
            writeln!(out, "… {hidden} more (--format json lists them)")?;
        }
        write_row(row, widths, 0, &bar(process, longest_s, width, ink), out)?;
    }
    Ok(())
}

/// Draws a bar of four parts, in proportion to the longest time.
fn bar(process: &ProcessOutcome, longest_s: f64, width: usize, ink: Ink) -> String {
    let (mut seconds, mut from) = (0.0, 0);
    let mut bar = String::new();
    for (part_s, mark, style) in [
        (process.compute_s, "#", Style::Compute),
        (process.communication_s, "=", Style::Communication),
        (process.wait_s, ".", Style::Wait),
        (process.hold_s, ":", Style::Hold),
    ] {
        seconds += part_s;
        let to = marks(seconds, longest_s, width).max(from);
        bar += &ink.paint(style, &mark.repeat(to - from));
        from = to;
    }
    bar
}
