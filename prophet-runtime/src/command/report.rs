//! Result of a run, as a table for people and as JSON for programs.

use std::io::{self, Write};

use prophet_report::analysis::balance::Efficiency;
use serde::{Serialize, Serializer};

use crate::language::model::{Model, Value};
use crate::machine::system::System;
use crate::results::outcome::{
    ElementOutcome, Evaluation, JSON_PROCESSES_MAX, Outcome, ProcessOutcome,
};

mod table;

/// A result with its origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Report<'a> {
    pub(crate) model: &'a Model,
    pub(crate) system: &'a System,
    pub(crate) outcome: &'a Outcome,
    pub(crate) all_processes: bool,
}

impl Report<'_> {
    /// Writes the table; `styled` is for terminals that show colors.
    pub(crate) fn write_table(&self, out: &mut dyn Write, styled: bool) -> io::Result<()> {
        table::write(self, out, styled)
    }

    /// Writes the JSON.
    pub(crate) fn write_json(&self, mut out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut out, &self.json())?;
        writeln!(out)
    }

    /// Writes the JSON on one line, for other programs.
    pub(crate) fn write_record(&self, mut out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut out, &self.json())?;
        writeln!(out)
    }

    fn json(&self) -> Json<'_> {
        let system = self.system;
        let processes = &self.outcome.processes;
        let listed = self.all_processes || processes.len() <= JSON_PROCESSES_MAX;
        Json {
            model: self.model.name,
            system: JsonSystem {
                nodes: system.nodes,
                cpus_per_node: system.cpus_per_node,
                processes: system.processes,
                threads: system.threads,
            },
            parameters: Parameters {
                model: self.model,
                values: &system.parameters,
            },
            machine: system.machine(),
            seed: system.seed,
            predicted_time_s: self.outcome.predicted_time_s,
            partial: self.outcome.partial,
            evaluation: &self.outcome.evaluation,
            efficiency: self.outcome.efficiency().map(JsonEfficiency::of),
            processes: listed.then_some(processes),
            elements: &self.outcome.elements,
        }
    }
}

/// Keys in the order of the contract.
#[derive(Serialize)]
struct Json<'a> {
    model: &'a str,
    system: JsonSystem,
    parameters: Parameters<'a>,
    machine: String,
    seed: u64,
    predicted_time_s: f64,
    #[serde(skip_serializing_if = "is_false")]
    partial: bool,
    evaluation: &'a Evaluation,
    #[serde(skip_serializing_if = "Option::is_none")]
    efficiency: Option<JsonEfficiency>,
    #[serde(skip_serializing_if = "Option::is_none")]
    processes: Option<&'a Vec<ProcessOutcome>>,
    elements: &'a [ElementOutcome],
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Serialize)]
struct JsonEfficiency {
    parallel: f64,
    load_balance: f64,
    communication: f64,
}

impl JsonEfficiency {
    fn of(efficiency: Efficiency) -> Self {
        Self {
            parallel: efficiency.parallel,
            load_balance: efficiency.load_balance,
            communication: efficiency.communication,
        }
    }
}

#[derive(Serialize)]
struct JsonSystem {
    nodes: u32,
    cpus_per_node: u32,
    processes: u32,
    threads: u32,
}

/// An object from names to values, in the model's order.
struct Parameters<'a> {
    model: &'a Model,
    values: &'a [Value],
}

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names = self.model.parameters.iter().map(|parameter| parameter.name);
        serializer.collect_map(names.zip(self.values))
    }
}

#[cfg(test)]
mod tests;
