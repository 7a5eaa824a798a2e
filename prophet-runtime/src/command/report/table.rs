//! Writes the result as a table for people, at most 80 columns wide. The prediction comes first.

use std::io::{self, Write};

use prophet_result::Training;
use prophet_text::plain::line;
use prophet_text::{
    columns, count, counted, decimal_bytes, fitted, left, memory, percent, right, short_time,
};

use super::Report;
use crate::results::outcome::{Evaluation, Outcome, Replicated};

mod elements;
mod ink;
mod processes;

use ink::{Ink, Style};

const WIDTH: usize = 80;
const BAR_MAX: usize = 20;

/// Writes the table. `styled` adds colors for terminals.
pub(super) fn write(report: &Report, out: &mut dyn Write, styled: bool) -> io::Result<()> {
    let ink = Ink { styled };
    let predicted = short_time(report.outcome.mean_s());
    let at_least = if report.outcome.partial {
        "at least "
    } else {
        ""
    };
    let draws = draws(report.outcome);
    let first = format!("Predicted time  {at_least}{predicted}{draws}");
    writeln!(out, "{}", ink.paint(Style::Bold, &first))?;
    write_facts(report, out)?;
    if !report.outcome.elements.is_empty() {
        writeln!(out)?;
        elements::write(report.outcome, ink, out)?;
    }
    if !report.outcome.processes.is_empty() {
        writeln!(out)?;
        processes::write(report, ink, out)?;
    }
    write_assumptions(report.model.assumptions, out)
}

/// Returns a note if the prediction depends on random numbers.
fn draws(outcome: &Outcome) -> String {
    match outcome.replications {
        Some(Replicated {
            count,
            half_width_s,
            ..
        }) => {
            let half = short_time(half_width_s);
            format!(" ± {half} (95% interval of the mean, {count} replications)")
        }
        None if outcome.is_random => {
            " (one random draw; --replications 30 gives the mean)".to_owned()
        }
        None => String::new(),
    }
}

/// If there are replications, returns a note that says which one the following lines describe.
fn first_of(report: &Report) -> String {
    let Outcome {
        replications,
        predicted_time_s,
        ..
    } = report.outcome;
    let time = short_time(*predicted_time_s);
    replications.map_or_else(String::new, |_| {
        format!(
            "{time} with seed {}; all values below belong to this draw",
            report.system.seed
        )
    })
}

fn write_assumptions(assumptions: &[&str], out: &mut dyn Write) -> io::Result<()> {
    if assumptions.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nAssumed")?;
    for assumption in assumptions {
        writeln!(out, "  {}", line(assumption))?;
    }
    Ok(())
}

/// Writes facts about the prediction, one per line.
fn write_facts(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let system = report.system;
    let parameters: Vec<String> = report
        .model
        .parameters
        .iter()
        .zip(&system.parameters)
        .map(|(parameter, value)| format!("{} = {value}", parameter.name))
        .collect();
    let training = report.training();
    let facts = [
        ("Range of 90%", range(report)),
        (
            "Training",
            training.as_ref().map_or_else(String::new, tokens),
        ),
        (
            "MFU",
            training.as_ref().map_or_else(String::new, operations),
        ),
        ("Partial", partial(report.outcome)),
        ("First draw", first_of(report)),
        ("Costs", line(report.model.costs)),
        ("Model", report.model.name.to_owned()),
        ("System", report.layout()),
        ("Machine", system.machine()),
        ("Parameters", parameters.join(", ")),
        ("Seed", system.seed.to_string()),
        ("Evaluation", evaluation(&report.outcome.evaluation)),
        ("Not local", why_not_local(&report.outcome.evaluation)),
        ("Threads", threads(&report.outcome.evaluation)),
        ("Folded", folded(&report.outcome.evaluation)),
        ("Repetition", repetition(&report.outcome.evaluation)),
        ("Accelerators", accelerators(report)),
        (efficiency_of(report.outcome), efficiency(report.outcome)),
        ("Energy", text(report.outcome.energy.as_ref())),
        ("Cost", text(report.outcome.cost.as_ref())),
    ];
    for (name, fact) in facts.iter().filter(|(_, fact)| !fact.is_empty()) {
        writeln!(out, "{}  {}", left(name, 14), fitted(fact, WIDTH - 16))?;
    }
    Ok(())
}

/// Returns the range of the predicted time and what it is based on.
fn range(report: &Report) -> String {
    report.range().map_or_else(String::new, |range| {
        let (from, to) = (short_time(range.from_s), short_time(range.to_s));
        format!("{from} to {to}, as {} took", range.source)
    })
}

/// Returns the tokens per second of a training.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a conversion that saturates"
)]
fn tokens(training: &Training) -> String {
    let tokens_per_s = [training.tokens_per_s, training.tokens_per_s_per_gpu];
    let [all, each] = tokens_per_s.map(|it| count(it.round() as u64));
    format!("{all} tokens/s, {each} per GPU")
}

/// Returns the operations per second of a training.
fn operations(training: &Training) -> String {
    let share = training.mfu.map_or_else(String::new, |share| {
        format!("{} of the peak, ", percent(share))
    });
    format!("{share}{:.1} TFLOP/s per GPU", training.tflops_per_gpu)
}

/// Formats an optional fact. The text is empty if the fact is missing.
fn text(fact: Option<&impl ToString>) -> String {
    fact.map_or_else(String::new, ToString::to_string)
}

/// Returns a note if the run was interrupted.
fn partial(outcome: &Outcome) -> String {
    if outcome.partial {
        "the run was interrupted; all values are partial".to_owned()
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

/// Returns the fractions of the time when accelerators and their copy engines were busy, and the
/// memory that kernels need.
fn accelerators(report: &Report) -> String {
    let outcome = report.outcome;
    let all_s = outcome.predicted_time_s;
    let used = outcome.accelerators.iter().filter(|_| all_s > 0.0);
    let text = used.map(|it| {
        let devices_s = f64::from(it.devices) * all_s;
        let kernels = percent(it.kernels_s / devices_s);
        let copies = percent(it.copies_s / (devices_s * f64::from(it.copy_engines)));
        let memory = match it.memory_bytes {
            0 => String::new(),
            bytes => format!(", memory {}", decimal_bytes(bytes.into())),
        };
        format!(
            "{} x {}: kernels {kernels}, copies {copies}{memory}",
            it.devices,
            line(&it.name)
        )
    });
    text.collect::<Vec<_>>().join("; ")
}

/// Returns the reason why the local engine, which is faster, didn't run the program.
fn why_not_local(evaluation: &Evaluation) -> String {
    evaluation.why_not_local.clone().unwrap_or_default()
}

/// Returns the number of threads that simulated the run, or the reason why it was only one.
fn threads(evaluation: &Evaluation) -> String {
    match &evaluation.why_one_thread {
        Some(why) => format!("1: {why}"),
        None if evaluation.threads > 1 => evaluation.threads.to_string(),
        None => String::new(),
    }
}

/// Returns how many processes were not simulated because others represented them, or why all were
/// simulated.
fn folded(evaluation: &Evaluation) -> String {
    let ranks = match (&evaluation.why_not_folded, evaluation.folded) {
        (Some(why), _) => return format!("no: {why}"),
        (None, None) => return String::new(),
        (None, Some(ranks)) => counted(ranks.into(), "process", "processes"),
    };
    match evaluation.simulated {
        None => format!("{ranks}, simulated once"),
        Some(classes) => format!("{ranks}, {} simulated", count(classes.into())),
    }
}

/// Returns how many iterations were computed rather than simulated.
fn repetition(evaluation: &Evaluation) -> String {
    let computed = evaluation.repetition.iter().flat_map(|it| &it.computed);
    let loops = computed.map(|it| {
        let iterations = counted(it.iterations, "iteration", "iterations");
        format!("{}: {iterations} computed (period {})", it.name, it.period)
    });
    let network = evaluation.repetition.iter().filter_map(|it| it.network);
    let network = network.filter(|it| it.computed > 0).map(|it| {
        let phases = counted(it.phases, "phase", "phases");
        format!("network: {} of {phases} computed", count(it.computed))
    });
    loops.chain(network).collect::<Vec<String>>().join(", ")
}

/// Returns the label of the efficiency. With accelerators, it says that it is only about the CPUs,
/// because these mostly wait.
fn efficiency_of(outcome: &Outcome) -> &'static str {
    if outcome.accelerators.is_empty() {
        "Efficiency"
    } else {
        "CPU efficiency"
    }
}

/// Returns the efficiency of the processes. Empty if nothing was computed.
fn efficiency(outcome: &Outcome) -> String {
    let Some(efficiency) = outcome.efficiency() else {
        return String::new();
    };
    format!(
        "{} = load balance {} x communication {}",
        percent(efficiency.parallel),
        percent(efficiency.load_balance),
        percent(efficiency.communication)
    )
}

fn widths<const N: usize>(headings: [&str; N], rows: &[[String; N]]) -> [usize; N] {
    let mut widths = headings.map(columns);
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = columns(cell).max(*width);
        }
    }
    widths
}

/// Returns the width that is left for a bar next to a row's columns.
fn bar_width(widths: &[usize]) -> usize {
    let gaps = 2 * widths.len();
    WIDTH.saturating_sub(widths.iter().sum::<usize>() + gaps)
}

/// Returns the length of a bar for `seconds`, in columns, if `longest_s` takes `width` columns.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a bar's length is small and not negative"
)]
fn marks(seconds: f64, longest_s: f64, width: usize) -> usize {
    if longest_s <= 0.0 {
        return 0;
    }
    ((seconds / longest_s * width as f64).round() as usize).min(width)
}

/// Writes a line: `names` columns as text, the other columns as numbers, and then a bar.
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
