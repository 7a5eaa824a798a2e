//! Describes a run, based on its trace.

use prophet_trace::{Header, Results};
use serde_json::Value;

use crate::page::{Fact, Run};

/// Maximum number of processes, nodes or threads that a trace can state.
const COUNT_MAX: u32 = 1 << 24;
/// Number of processes that are displayed even if most of them have no records.
const SILENT_MAX: u32 = 1 << 16;

/// Note about a run that drew random numbers only once.
pub const DRAWN: &str = "The times come from one random draw; run with --replications 30 to get \
                         the mean and its interval.";

/// Note about a run that was interrupted.
pub const PARTIAL: &str = "The run was interrupted: all times are partial.";

pub(super) fn of_header(header: &Header, results: &Results) -> Run {
    let count = |name: &str| {
        let number = header.system.get(name).and_then(Value::as_u64);
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.unwrap_or(1).clamp(1, COUNT_MAX)
    };
    let parameters = header.parameters.iter().map(|(name, value)| Fact {
        name: name.clone(),
        value: value.to_string(),
    });
    Run {
        model: header.model.clone(),
        nodes: count("nodes"),
        cpus_per_node: count("cpus_per_node"),
        processes: count("processes"),
        threads: count("threads"),
        units_of_process: 1,
        parameters: parameters.collect(),
        machine: header.machine.clone(),
        seed: header.seed.to_string(),
        versions: vec![Fact {
            name: "Performance Prophet".to_owned(),
            value: header.version.clone(),
        }],
        predicted_time_s: results.predicted_time_s,
        partial: !results.complete,
        evaluation: None,
        energy: Vec::new(),
    }
}

/// Returns how many processes to display for a trace with `records` records. The numbers in a file
/// must not cost more memory than its contents.
pub(super) fn shown(processes: u32, records: u64) -> u32 {
    let records = u32::try_from(records).unwrap_or(u32::MAX);
    processes.min(records.max(SILENT_MAX))
}

pub(super) fn left_out(run: &Run, shown: usize) -> Option<String> {
    let is_part = (shown as u64) < u64::from(run.processes);
    is_part.then(|| {
        format!(
            "The trace says that the run had {} processes, but contains too few records for them: \
             the first {shown} processes are shown.",
            run.processes
        )
    })
}

/// Returns the notes that readers must see first.
pub(super) fn notes(header: &Header, results: &Results) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(filter) = &header.filter {
        notes.push(format!(
            "The trace was filtered ({filter}): everything computed from its records covers only \
             these, and the critical path is unknown."
        ));
    }
    if !results.complete {
        notes.push(PARTIAL.to_owned());
    }
    notes
}
