//! Writes the result of a run as a table for people, or as JSON for programs.

use std::borrow::Cow;
use std::io::{self, Write};

use prophet_machine::system::System;
use prophet_machine::value::Value;
use prophet_result::{Parameters, PredictedRange, RunResult, SystemSize, Training};
use prophet_text::counted;
use prophet_text::plain::line;

use crate::language::model::Model;
use crate::results::outcome::{JSON_PROCESSES_MAX, Outcome};

mod table;
mod training;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Report<'a> {
    pub(crate) model: &'a Model,
    pub(crate) system: &'a System,
    pub(crate) outcome: &'a Outcome,
    pub(crate) all_processes: bool,
}

impl<'a> Report<'a> {
    /// Writes the table. `styled` adds colors for terminals.
    pub(crate) fn write_table(&self, out: &mut dyn Write, styled: bool) -> io::Result<()> {
        table::write(self, out, styled)
    }

    pub(crate) fn layout(&self) -> String {
        let system = self.system;
        format!(
            "{} x {}, {} x {}",
            counted(u64::from(system.nodes), "node", "nodes"),
            counted(u64::from(system.cpus_per_node), "CPU", "CPUs"),
            counted(u64::from(system.processes), "process", "processes"),
            counted(u64::from(system.threads), "thread", "threads"),
        )
    }

    pub(crate) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let text = self.result().to_pretty_json()?;
        writeln!(out, "{}", prophet_text::plain::json(&text))
    }

    /// Writes the result as JSON on a single line, for other programs.
    pub(crate) fn write_record(&self, out: &mut dyn Write) -> io::Result<()> {
        let text = self.result().to_json()?;
        writeln!(out, "{}", prophet_text::plain::json(&text))
    }

    /// Returns the range of the predicted time. This takes prices that were compared with
    /// measurements.
    fn range(&self) -> Option<PredictedRange> {
        let accuracy = self.system.accuracy()?;
        let predicted_s = self.outcome.mean_s();
        let is_known = !self.model.opcodes.is_empty() && !self.outcome.partial;
        let [low, high] = accuracy.bounds(self.system.nodes);
        let source = line(&accuracy.source);
        let source = match accuracy.nodes.filter(|it| *it < self.system.nodes) {
            None => source,
            Some(most) => {
                let most = prophet_text::counted(most.into(), "node", "nodes");
                format!("{source} (wider beyond {most})")
            }
        };
        is_known.then_some(PredictedRange {
            from_s: low * predicted_s,
            to_s: high * predicted_s,
            source,
        })
    }

    /// Returns the speed of a training, if the run is complete.
    fn training(&self) -> Option<Training> {
        let predicted_s = self.outcome.mean_s();
        let speed = || training::speed(self.model, self.system, predicted_s);
        (!self.outcome.partial).then(speed).flatten()
    }

    /// Returns the result as it is written to JSON.
    pub(crate) fn result(&self) -> RunResult<'a> {
        let (system, outcome) = (self.system, self.outcome);
        let listed = self.all_processes || outcome.count_processes() <= JSON_PROCESSES_MAX;
        let processes = match outcome.evaluation.folded {
            _ if !listed => Cow::default(),
            Some(_) => outcome.each_process().collect(),
            None => Cow::Borrowed(&outcome.processes[..]),
        };
        RunResult {
            model: self.model.name.to_owned(),
            system: SystemSize {
                nodes: system.nodes,
                cpus_per_node: system.cpus_per_node,
                processes: system.processes,
                threads: system.threads,
            },
            parameters: parameters(self.model, &system.parameters),
            machine: system.machine(),
            seed: system.seed,
            predicted_time_s: outcome.mean_s(),
            predicted_time_half_width_s: outcome.replications.map(|it| it.half_width_s),
            range: self.range(),
            replications: outcome.replications.map_or(1, |it| it.count),
            random: outcome.is_random,
            partial: outcome.partial,
            costs: line(self.model.costs),
            evaluation: outcome.evaluation.clone(),
            efficiency: outcome.efficiency(),
            processes,
            elements: (&outcome.elements).into(),
            accelerators: (&outcome.accelerators).into(),
            training: self.training(),
            energy: outcome.energy.clone(),
            cost: outcome.cost.clone(),
            extrapolations: (&outcome.extrapolations).into(),
            assumptions: self.model.assumptions.iter().copied().map(line).collect(),
        }
    }
}

/// Returns the parameters in the model's order.
fn parameters(model: &Model, values: &[Value]) -> Parameters {
    let names = model.parameters.iter().map(|parameter| parameter.name);
    let value = |value: &Value| match *value {
        Value::Int(value) => value.into(),
        Value::Real(value) => value.into(),
        Value::Bool(value) => value.into(),
    };
    names
        .zip(values)
        .map(|(name, it)| (name.to_owned(), value(it)))
        .collect()
}

#[cfg(test)]
mod tests;
