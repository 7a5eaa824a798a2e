//! Compares the results of two simulators.

use std::fmt;

use prophet_result::{Evaluation, Parameters, RunResult, SystemSize};
use prophet_text::{Align, counted, memory, ratio, table, time};
use serde::Serialize;

use crate::measure::{Measured, SimGridResult};

/// Two simulators' predictions for the same model, and what each simulation costs.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    pub model: String,
    /// Number of nodes, CPUs, processes and threads.
    pub system: SystemSize,
    pub parameters: Parameters,
    /// The Performance Prophet engine that ran the model.
    pub engine: String,
    pub messages: u64,
    /// Number of runs of each simulator. Times are medians of these runs.
    pub runs: usize,
    pub prophet: Costs,
    pub simgrid: Costs,
    /// Difference between the predicted times, divided by Performance Prophet's.
    pub difference: f64,
    /// Largest difference between a process's two end times, divided by the predicted time.
    pub largest_difference_of_ends: f64,
    /// `SimGrid`'s costs, divided by Performance Prophet's.
    pub ratios: Ratios,
}

/// A simulator's prediction and its cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Costs {
    /// Predicted time in seconds.
    pub predicted_time_s: f64,
    /// Wall time of the simulation itself, in seconds.
    pub simulation_wall_s: f64,
    /// Wall time of the simulator's process from start to end, in seconds.
    pub process_wall_s: f64,
    /// Peak resident memory of the simulator in bytes.
    pub peak_memory_bytes: f64,
}

/// One simulator's costs, divided by the other's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ratios {
    /// Ratio of the simulations' wall times.
    pub simulation_wall: f64,
    /// Ratio of the processes' wall times, from start to end.
    pub process_wall: f64,
    /// Ratio of the peak resident memory.
    pub peak_memory: f64,
}

impl Costs {
    /// Computes medians over the runs. `told` extracts a run's prediction and its cost.
    fn new<R>(runs: &[Measured<R>], told: fn(&R) -> (f64, &Evaluation)) -> Self {
        let over = |figure: &dyn Fn(&Measured<R>) -> f64| median(runs.iter().map(figure).collect());
        Self {
            predicted_time_s: over(&|run| told(&run.result).0),
            simulation_wall_s: over(&|run| told(&run.result).1.wall_s),
            process_wall_s: over(&|run| run.process_wall_s),
            peak_memory_bytes: over(&|run| real(told(&run.result).1.peak_memory_bytes)),
        }
    }
}

impl Comparison {
    /// Compares runs of both simulators. Each must have at least one run.
    pub(crate) fn new(
        ours: &[Measured<RunResult<'static>>],
        theirs: &[Measured<SimGridResult>],
    ) -> Self {
        let prophet = Costs::new(ours, |it| (it.predicted_time_s, &it.evaluation));
        let simgrid = Costs::new(theirs, |it| (it.predicted_time_s, &it.evaluation));
        let (first, other) = (&ours[0].result, &theirs[0].result);
        let ends = first.processes.iter().zip(&other.processes);
        let apart = ends.map(|(our, their)| (our.end_s - their.end_s).abs());
        let largest_s = apart.fold(0.0, f64::max);
        let part = |seconds: f64| match prophet.predicted_time_s {
            0.0 if seconds == 0.0 => 0.0,
            whole => seconds / whole,
        };
        Self {
            model: first.model.clone(),
            system: first.system,
            parameters: first.parameters.clone(),
            engine: first.evaluation.engine.to_string(),
            messages: first.evaluation.messages,
            runs: ours.len(),
            difference: part((simgrid.predicted_time_s - prophet.predicted_time_s).abs()),
            largest_difference_of_ends: part(largest_s),
            ratios: Ratios {
                simulation_wall: simgrid.simulation_wall_s / prophet.simulation_wall_s,
                process_wall: simgrid.process_wall_s / prophet.process_wall_s,
                peak_memory: simgrid.peak_memory_bytes / prophet.peak_memory_bytes,
            },
            prophet,
            simgrid,
        }
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ours, theirs, ratios) = (&self.prophet, &self.simgrid, &self.ratios);
        let system = self.system;
        writeln!(
            f,
            "{}: {} x {}, {} x {}, {}; engine {}\n",
            self.model,
            counted(system.nodes.into(), "node", "nodes"),
            counted(system.cpus_per_node.into(), "CPU", "CPUs"),
            counted(system.processes.into(), "process", "processes"),
            counted(system.threads.into(), "thread", "threads"),
            counted(self.messages, "message", "messages"),
            self.engine,
        )?;
        let head = ["", "prophet", "simgrid", "ratio"];
        let heading: Vec<_> = head
            .into_iter()
            .zip([Align::Left, Align::Right, Align::Right, Align::Right])
            .collect();
        let row = |what: &str, figure: fn(&Costs) -> String, times: f64| {
            vec![what.to_owned(), figure(ours), figure(theirs), ratio(times)]
        };
        let predicted = theirs.predicted_time_s / ours.predicted_time_s;
        let rows = [
            row("predicted time", |it| time(it.predicted_time_s), predicted),
            row(
                "wall time of the simulation",
                |it| time(it.simulation_wall_s),
                ratios.simulation_wall,
            ),
            row(
                "wall time of the process",
                |it| time(it.process_wall_s),
                ratios.process_wall,
            ),
            row(
                "peak memory",
                |it| memory(whole(it.peak_memory_bytes)),
                ratios.peak_memory,
            ),
        ];
        write!(f, "{}", table(&heading, &rows))?;
        let (apart, ends) = (self.difference, self.largest_difference_of_ends);
        if apart == 0.0 && ends == 0.0 {
            writeln!(
                f,
                "\nThe predicted times and all end times of processes are equal."
            )?;
        } else {
            writeln!(
                f,
                "\nThe relative difference of the predicted times is {apart:.1e}; the end times of \
                 processes differ by at most {ends:.1e}."
            )?;
        }
        match self.runs {
            1 => writeln!(f, "Wall times come from one run."),
            runs => writeln!(f, "Wall times are medians of {runs} runs."),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "memory is far below 2^53 bytes")]
fn real(bytes: u64) -> f64 {
    bytes as f64
}

/// Rounds a number of bytes. As a median, it can be a fraction.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "memory is far below 2^53 bytes"
)]
fn whole(bytes: f64) -> u64 {
    bytes as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;
    use serde_json::json;

    fn measured<R: DeserializeOwned>(end_s: f64, wall_s: f64) -> Measured<R> {
        let process = |pid: u32, end_s: f64| {
            json!({
                "pid": pid, "nid": pid, "end_s": end_s, "compute_s": end_s,
                "communication_s": 0.0, "wait_s": 0.0
            })
        };
        Measured {
            result: serde_json::from_value(json!({
                "model": "M",
                "system": {"nodes": 2, "cpus_per_node": 1, "processes": 2, "threads": 1},
                "predicted_time_s": end_s,
                "evaluation": {
                    "engine": "local", "wall_s": wall_s, "messages": 4,
                    "peak_memory_bytes": 1_048_576
                },
                "processes": [process(0, 1.0), process(1, end_s)]
            }))
            .expect("it is a result"),
            process_wall_s: 2.0 * wall_s,
        }
    }

    #[test]
    fn medians_are_compared() {
        let ours = vec![
            measured(2.0, 0.5),
            measured(2.0, 0.001),
            measured(2.0, 0.002),
        ];
        let theirs = vec![
            measured(2.02, 0.2),
            measured(2.02, 0.1),
            measured(2.02, 0.4),
        ];
        let comparison = Comparison::new(&ours, &theirs);
        assert!((comparison.ratios.simulation_wall - 100.0).abs() < 1e-9);
        assert!((comparison.difference - 0.01).abs() < 1e-9);
        assert!((comparison.largest_difference_of_ends - 0.01).abs() < 1e-9);
        let expected = "\
M: 2 nodes x 1 CPU, 2 processes x 1 thread, 4 messages; engine local

                              prophet     simgrid  ratio
predicted time                2.000 s     2.020 s   1.01
wall time of the simulation  2.000 ms  200.000 ms    100
wall time of the process     4.000 ms  400.000 ms    100
peak memory                   1.0 MiB     1.0 MiB   1.00

The relative difference of the predicted times is 1.0e-2; the end times of processes differ by at \
most 1.0e-2.
Wall times are medians of 3 runs.
";
        assert_eq!(comparison.to_string(), expected);
    }
}
