//! What is kept, as text for people, and as CSV.

use std::fmt::Write as _;

use serde_json::Value;

use crate::table::{Align, plain, table, time};
use crate::{Kept, RunResult, Summary};

/// The longest name in a table.
const NAME: usize = 24;
/// The most parameters of a row.
const PARAMETERS: usize = 40;

/// A row for each run.
pub fn list(runs: &[Summary]) -> String {
    let heading = [
        ("Run", Align::Right),
        ("Saved", Align::Left),
        ("Model", Align::Left),
        ("Nodes", Align::Right),
        ("Processes", Align::Right),
        ("Time", Align::Right),
        ("Parameters", Align::Left),
    ];
    let row = |run: &Summary| {
        let partial = if run.partial { " (interrupted)" } else { "" };
        let values: Value = serde_json::from_str(run.parameters.get()).unwrap_or_default();
        let values = values.as_object().into_iter().flatten();
        vec![
            run.id.to_string(),
            run.saved_at
                .chars()
                .take(16)
                .map(|c| if c == 'T' { ' ' } else { c })
                .collect(),
            plain(&run.model, NAME),
            run.nodes.to_string(),
            run.processes.to_string(),
            time(run.predicted_time_s),
            plain(&format!("{}{partial}", parameters(values)), PARAMETERS),
        ]
    };
    table(&heading, &runs.iter().map(row).collect::<Vec<_>>())
}

/// All of a run, without its processes.
pub fn show(kept: &Kept) -> String {
    let run = &kept.run;
    let result = &run.result;
    let interrupted = if result.partial {
        "; interrupted: what was known by then"
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
        ("Parameters", parameters(&result.parameters)),
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

fn elements(result: &RunResult) -> String {
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
                element.count.to_string(),
                time(element.total_s),
                time(element.mean_s),
                time(element.max_s),
            ]
        })
        .collect();
    table(&heading, &rows)
}

/// `8 nodes x 4 CPUs, 32 processes x 1 thread`.
fn system(result: &RunResult) -> String {
    let system = result.system;
    let counted = |count: u32, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    format!(
        "{} x {}, {} x {}",
        counted(system.nodes, "node", "nodes"),
        counted(system.cpus_per_node, "CPU", "CPUs"),
        counted(system.processes, "process", "processes"),
        counted(system.threads, "thread", "threads"),
    )
}

/// `NAT = 32, P = 0.5`.
fn parameters<'a>(values: impl IntoIterator<Item = (&'a String, &'a Value)>) -> String {
    let values: Vec<String> = values
        .into_iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    values.join(", ")
}

/// A line for each run, below a heading (RFC 4180); parameters are a JSON object.
pub fn csv(runs: &[Kept]) -> String {
    let mut text = "id,saved_at,model,model_file,model_hash,crate_hash,nodes,cpus_per_node,\
        processes,threads,parameters,machine,seed,predicted_time_s,partial,engine,wall_s,trace\r\n"
        .to_owned();
    for kept in runs {
        let run = &kept.run;
        let result = &run.result;
        let system = result.system;
        let maybe = |text: &Option<String>| text.clone().unwrap_or_default();
        let parameters = serde_json::to_string(&result.parameters);
        let cells = [
            kept.id.to_string(),
            kept.saved_at.clone(),
            result.model.clone(),
            maybe(&run.model_file),
            maybe(&run.model_hash),
            maybe(&run.crate_hash),
            system.nodes.to_string(),
            system.cpus_per_node.to_string(),
            system.processes.to_string(),
            system.threads.to_string(),
            parameters.unwrap_or_default(),
            result.machine.clone(),
            result.seed.to_string(),
            format!("{:?}", result.predicted_time_s),
            result.partial.to_string(),
            result.evaluation.engine.clone(),
            format!("{:?}", result.evaluation.wall_s),
            maybe(&run.trace),
        ];
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    }
    text
}

/// A cell of CSV, in quotes where it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_csv_are_quoted_where_they_need_it() {
        for (cell, text) in [
            ("LAPW0", "LAPW0"),
            ("a,b", "\"a,b\""),
            ("a\"b\n", "\"a\"\"b\n\""),
        ] {
            assert_eq!(quoted(cell), text);
        }
    }
}
