//! Table of the processes, with a bar of the parts of each one's time.

use std::io::{self, Write};

use prophet_text::{count, time};

use super::{BAR_MAX, Ink, Style, bar_width, marks, widths, write_row};
use crate::results::outcome::ProcessOutcome;

/// Maximum number of processes; more are cut to the first and last ones.
const PROCESSES_MAX: usize = 12;
const PROCESSES_AT_EACH_END: usize = 4;

pub(super) fn write(processes: &[ProcessOutcome], ink: Ink, out: &mut dyn Write) -> io::Result<()> {
    // Few models have elements that hold, and a line has no room for both.
    if processes.iter().any(|process| process.hold_s > 0.0) {
        // The marks of the bars stand with their meaning.
        let headings = ["Process", "End", "Compute #", "Comm. =", "Wait .", "Hold :"];
        let row = |process: &ProcessOutcome| {
            let times_s = [process.end_s, process.compute_s, process.communication_s];
            let [end, compute, communication] = times_s.map(time);
            let [wait, hold] = [process.wait_s, process.hold_s].map(time);
            let pid = process.pid.to_string();
            [pid, end, compute, communication, wait, hold]
        };
        write_rows(processes, (headings, row), ink, out)
    } else {
        let headings = ["Process", "Node", "End", "Compute #", "Comm. =", "Wait ."];
        let row = |process: &ProcessOutcome| {
            let times_s = [process.end_s, process.compute_s, process.communication_s];
            let [end, compute, communication] = times_s.map(time);
            let [pid, nid] = [process.pid, process.nid].map(|number| number.to_string());
            [pid, nid, end, compute, communication, time(process.wait_s)]
        };
        write_rows(processes, (headings, row), ink, out)
    }
}

fn write_rows<const N: usize>(
    processes: &[ProcessOutcome],
    (headings, row): ([&str; N], impl Fn(&ProcessOutcome) -> [String; N]),
    ink: Ink,
    out: &mut dyn Write,
) -> io::Result<()> {
    let cut = processes.len() > PROCESSES_MAX;
    let ends = if cut {
        PROCESSES_AT_EACH_END
    } else {
        processes.len()
    };
    let (first, rest) = processes.split_at(ends);
    let last = if cut { &rest[rest.len() - ends..] } else { &[] };
    let shown: Vec<&ProcessOutcome> = first.iter().chain(last).collect();
    let rows: Vec<[String; N]> = shown.iter().map(|process| row(process)).collect();
    let widths = widths(headings, &rows);
    let width = bar_width(&widths).min(BAR_MAX);
    let longest_s = processes.iter().map(|process| process.end_s);
    let longest_s = longest_s.fold(0.0, f64::max);
    write_row(&headings.map(str::to_owned), widths, 0, "", out)?;
    for (index, (row, process)) in rows.iter().zip(shown).enumerate() {
        if cut && index == ends {
            let hidden = (processes.len() - 2 * ends) as u64;
            writeln!(out, "… {} more (--format json lists them)", count(hidden))?;
        }
        write_row(row, widths, 0, &bar(process, longest_s, width, ink), out)?;
    }
    Ok(())
}

/// Draws a bar in four parts, as long as the process's share of the longest time.
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
