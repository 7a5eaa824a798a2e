//! Renders saved runs as text for people, and as CSV.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_result::RunResult;
use prophet_text::plain::cell;
use prophet_text::{Align, columns, count, counted, table, time};
use serde_json::Value;

use crate::plain::plain;
use crate::repository::{Kept, ListedRun};

const NAME: usize = 24;

/// Renders a table with a row for each run, at most `width` columns wide. A property that has its
/// default value in all runs is omitted.
pub fn list(runs: &[ListedRun], width: usize) -> String {
    let mut shown: Vec<Column> = COLUMNS.into_iter().filter(|it| it.is_shown(runs)).collect();
    // Texts share the width that numbers leave.
    let cells = |column: &Column| runs.iter().map(column.cell).collect::<Vec<_>>();
    let widest = |column: &Column| {
        let cells = cells(column).into_iter().map(|cell| columns(&cell)).max();
        cells.unwrap_or(0).max(columns(column.name))
    };
    let fixed: usize = shown.iter().filter(|it| !it.is_cut).map(widest).sum();
    let mut left = width.saturating_sub(fixed + 2 * shown.len().saturating_sub(1));
    let mut texts = shown.iter().filter(|it| it.is_cut).count();
    let mut widths: Vec<(usize, usize)> = shown.iter().map(widest).zip(0..).collect();
    widths.sort_unstable();
    for (widest, index) in widths {
        if shown[index].is_cut {
            shown[index].width = widest.min((left / texts).max(TEXT_MIN));
            left = left.saturating_sub(shown[index].width);
            texts -= 1;
        }
    }
    let heading: Vec<_> = shown.iter().map(|it| (it.name, it.align)).collect();
    let row = |run: &ListedRun| {
        let cell = |column: &Column| plain(&(column.cell)(run), column.width);
        shown.iter().map(cell).collect()
    };
    table(&heading, &runs.iter().map(row).collect::<Vec<Vec<_>>>())
}

#[derive(Clone, Copy)]
struct Column {
    name: &'static str,
    align: Align,
    cell: fn(&ListedRun) -> String,
    /// The column is omitted if all runs have this value.
    usual: Option<&'static str>,
    /// Whether the column is shortened if lines are too long.
    is_cut: bool,
    width: usize,
}

impl Column {
    const fn number(name: &'static str, cell: fn(&ListedRun) -> String) -> Self {
        Self {
            name,
            align: Align::Right,
            cell,
            usual: None,
            is_cut: false,
            width: usize::MAX,
        }
    }

    const fn text(name: &'static str, cell: fn(&ListedRun) -> String) -> Self {
        Self {
            align: Align::Left,
            is_cut: true,
            ..Self::number(name, cell)
        }
    }

    const fn unless(self, usual: &'static str) -> Self {
        Self {
            usual: Some(usual),
            ..self
        }
    }

    fn is_shown(&self, runs: &[ListedRun]) -> bool {
        let differs = |usual: &str| runs.iter().any(|run| (self.cell)(run) != usual);
        self.usual.is_none_or(differs)
    }
}

/// Minimum width of a text, in columns.
const TEXT_MIN: usize = 8;

const COLUMNS: [Column; 12] = [
    Column::number("Run", |run| run.id.to_string()),
    Column {
        is_cut: false,
        ..Column::text("Saved", |run| {
            let minute = run.saved_at.chars().take(16);
            minute.map(|c| if c == 'T' { ' ' } else { c }).collect()
        })
    },
    Column::text("Model", |run| run.model.clone()),
    Column::number("Nodes", |run| run.nodes.to_string()),
    Column::number("Processes", |run| run.processes.to_string()),
    Column::number("Threads", |run| run.threads.to_string()).unless("1"),
    Column::number("Time", |run| time(run.predicted_time_s)),
    Column::number("Seed", |run| run.seed.to_string()).unless("1"),
    Column::text("Parameters", |run| parameters(&values(run))).unless(""),
    Column::text("Machine", |run| run.machine.clone()).unless("default"),
    Column::text("Flags", other_flags).unless(""),
    Column::text("", |run| {
        let note = if run.partial { "interrupted" } else { "" };
        note.to_owned()
    })
    .unless(""),
];

fn values(run: &ListedRun) -> BTreeMap<String, Value> {
    serde_json::from_str(run.parameters.get()).unwrap_or_default()
}

/// Flags of generated programs that don't affect predictions, or that other columns show.
///
/// This crate doesn't depend on the generated programs, because it gets runs as text. A test
/// compares these names with the programs' flags.
pub const FLAGS_ELSEWHERE: [&str; 18] = [
    "--all-processes",
    "--nodes",
    "--processes",
    "--threads",
    "--seed",
    "--machine",
    "--network",
    "--intranode",
    "--set",
    "--format",
    "--record",
    "--report",
    "--picture",
    "--expect",
    "--kept",
    "--trace",
    "--trace-filter",
    "--engine",
];

/// Returns the flags of a run that no other column shows.
fn other_flags(run: &ListedRun) -> String {
    let parameters = values(run);
    let of_parameter = |flag: &str| {
        let name = flag.trim_start_matches('-').replace('-', "_");
        parameters.keys().any(|key| key.to_lowercase() == name)
    };
    let mut shown: Vec<&str> = Vec::new();
    let mut words = run.command.iter().flatten().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let flag = word.split_once('=').map_or(word, |(flag, _)| flag);
        let has_value = flag != word || words.peek().is_none_or(|next| next.starts_with("--"));
        let value = if has_value { None } else { words.next() };
        if !FLAGS_ELSEWHERE.contains(&flag) && !of_parameter(flag) {
            shown.push(word);
            shown.extend(value);
        }
    }
    shown.join(" ")
}

/// Renders a run for people, without its processes.
pub fn show(kept: &Kept) -> String {
    let run = &kept.run;
    let result = &run.result;
    let interrupted = if result.partial {
        "; interrupted: partial"
    } else {
        ""
    };
    let mut lines = vec![
        (
            "Run",
            format!("{}, saved {}{interrupted}", kept.id, kept.saved_at),
        ),
        ("Predicted time", time(result.predicted_time_s)),
        ("Model", result.model.clone()),
        ("System", system(result)),
        ("Machine", result.machine.clone()),
        ("Parameters", parameters(result.parameters.iter())),
        ("Seed", result.seed.to_string()),
        (
            "Evaluation",
            format!(
                "{} engine, {}",
                result.evaluation.engine,
                time(result.evaluation.wall_s)
            ),
        ),
    ];
    let facts = [
        ("Model file", run.model_file.clone()),
        ("Model hash", run.model_hash.clone()),
        ("Crate hash", run.crate_hash.clone()),
        (
            "Flags",
            run.command.as_ref().map(|command| command.join(" ")),
        ),
        ("Trace", run.trace.clone()),
    ];
    lines.extend(
        facts
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    let mut text = String::new();
    for (name, value) in lines {
        let _ = writeln!(
            text,
            "{}",
            format!("{name:<16}{}", plain(&value, usize::MAX)).trim_end()
        );
    }
    text.push('\n');
    text.push_str(&elements(result));
    text
}

fn elements(result: &RunResult<'_>) -> String {
    let heading = [
        ("Element", Align::Left),
        ("Type", Align::Left),
        ("Count", Align::Right),
        ("Total", Align::Right),
        ("Mean", Align::Right),
        ("Longest", Align::Right),
    ];
    let rows: Vec<_> = result
        .elements
        .iter()
        .map(|element| {
            vec![
                plain(&element.name, NAME),
                plain(&element.kind, NAME),
                count(element.count),
                time(element.total_s),
                time(element.mean_s),
                time(element.max_s),
            ]
        })
        .collect();
    table(&heading, &rows)
}

/// Renders a system as `8 nodes x 4 CPUs, 32 processes x 1 thread`.
fn system(result: &RunResult<'_>) -> String {
    let system = result.system;
    format!(
        "{} x {}, {} x {}",
        counted(system.nodes.into(), "node", "nodes"),
        counted(system.cpus_per_node.into(), "CPU", "CPUs"),
        counted(system.processes.into(), "process", "processes"),
        counted(system.threads.into(), "thread", "threads"),
    )
}

/// Renders parameters as `NAT = 32, P = 0.5`.
fn parameters<'a>(values: impl IntoIterator<Item = (&'a String, &'a Value)>) -> String {
    let values: Vec<String> = values
        .into_iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    values.join(", ")
}

/// Renders runs as CSV (RFC 4180): a header, then a line for each run. The parameters are a JSON
/// object.
pub fn csv(runs: &[Kept]) -> String {
    let mut text = "id,saved_at,model,model_file,model_hash,crate_hash,nodes,cpus_per_node,\
        processes,threads,parameters,machine,seed,predicted_time_s,partial,engine,wall_s,trace\r\n"
        .to_owned();
    for kept in runs {
        let run = &kept.run;
        let result = &run.result;
        let system = result.system;
        let maybe = |text: &Option<String>| text.as_deref().map_or_else(String::new, cell);
        let parameters = serde_json::to_string(&result.parameters);
        // Numbers and fixed words are written as they are, other texts as cells.
        let cells = [
            kept.id.to_string(),
            cell(&kept.saved_at),
            cell(&result.model),
            maybe(&run.model_file),
            maybe(&run.model_hash),
            maybe(&run.crate_hash),
            system.nodes.to_string(),
            system.cpus_per_node.to_string(),
            system.processes.to_string(),
            system.threads.to_string(),
            cell(&parameters.unwrap_or_default()),
            cell(&result.machine),
            result.seed.to_string(),
            format!("{:?}", result.predicted_time_s),
            result.partial.to_string(),
            cell(&result.evaluation.engine),
            format!("{:?}", result.evaluation.wall_s),
            maybe(&run.trace),
        ];
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use prophet_testing::assert_says;

    use super::*;

    fn summary(id: i64, seed: u64, threads: i64, command: &str) -> ListedRun {
        let command = command.split(' ').map(str::to_owned).collect();
        let parameters = r#"{"NAT": 64, "T_CELL": 1e-6}"#.to_owned();
        ListedRun {
            id,
            saved_at: "2026-01-31T12:00:00Z".to_owned(),
            model: "Lapw0".to_owned(),
            nodes: 8,
            cpus_per_node: 4,
            processes: 32,
            threads,
            parameters: serde_json::value::RawValue::from_string(parameters).expect("it is JSON"),
            machine: "default".to_owned(),
            seed,
            predicted_time_s: 1.5,
            partial: false,
            command: Some(command),
        }
    }

    #[test]
    fn a_list_shows_what_is_not_by_default() {
        let usual = [summary(1, 1, 1, "--nodes 8 --nat=64 --format json")];
        let text = list(&usual, 100);
        let heading = text.lines().next();
        assert_eq!(
            heading,
            Some("Run  Saved             Model  Nodes  Processes     Time  Parameters")
        );
        let command =
            "--seed 7 --t-cell 1us --discipline round-robin --all-processes --quantum=5ms";
        let other = summary(2, 7, 4, command);
        let text = list(&[usual[0].clone(), other], 100);
        assert_says(&text, &["Threads", "Seed", "Flags", " 7 ", " 4 "]);
        assert!(!text.contains("Machine"), "{text}");
        assert!(text.contains("--discipline"), "{text}");
        assert!(!text.contains("--t-cell"), "{text}");
        assert!(text.lines().all(|line| columns(line) <= 100), "{text}");
        let wide = list(&[summary(2, 7, 4, command)], 200);
        let flags = "--discipline round-robin --quantum=5ms";
        assert!(wide.contains(flags), "{wide}");
    }
}
