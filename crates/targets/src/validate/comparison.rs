//! Compares predicted results with measured ones.

use prophet_result::{ElementOutcome, RunResult};
use serde::Serialize;

use super::Request;
use super::result::Measurement;

/// A prediction and a measured run of the same program. Times are in seconds of the model, so
/// measured times have been divided by [`Self::scale`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    pub model: String,
    /// Number of processes, and number of threads per process.
    pub processes_and_threads: (u32, u32),
    /// Machine that the prediction was made for.
    pub predicted_machine: String,
    /// Machine that the program ran on.
    pub measured_machine: String,
    /// How the measured run spent costs: `spin` or `sleep`.
    pub costs: &'static str,
    /// How many seconds a cost of one second took.
    pub scale: f64,
    /// Whether the program has more threads than the machine that it ran on has CPUs.
    pub oversubscribed: bool,
    /// Number of measured runs. The fastest run is shown.
    pub runs: u32,
    pub predicted_time_s: f64,
    pub measured_time_s: f64,
    /// Error of the prediction, relative to the measured time. It is positive if the predicted time
    /// is too long; `None` if the measured time is 0.
    pub error: Option<f64>,
    /// The processes, ordered by pid.
    pub processes: Vec<Process>,
    /// The elements, in the order of the model.
    pub elements: Vec<Element>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Process {
    pub pid: u32,
    /// Predicted end time.
    pub predicted_end_s: f64,
    /// Measured end time.
    pub measured_end_s: f64,
    /// Relative error, as in [`Comparison::error`].
    pub error: Option<f64>,
}

/// An element in both runs. Times are sums over all executions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Element {
    pub name: String,
    /// Id in the model.
    pub id: i64,
    /// Stereotype of the element.
    #[serde(rename = "type")]
    pub kind: String,
    /// Predicted number of executions.
    pub predicted_count: u64,
    /// Measured number of executions.
    pub measured_count: u64,
    pub predicted_s: f64,
    pub measured_s: f64,
    /// Relative error, as in [`Comparison::error`].
    pub error: Option<f64>,
}

impl Comparison {
    pub(super) fn new(
        predicted: &RunResult<'_>,
        measured: &Measurement,
        request: &Request<'_>,
    ) -> Self {
        let scale = if request.manner.scale > 0.0 {
            request.manner.scale
        } else {
            1.0
        };
        let ends = predicted.processes.iter().zip(&measured.processes);
        let processes = ends.map(|(predicted, measured)| {
            let measured_end_s = measured.end_s / scale;
            Process {
                pid: predicted.pid,
                predicted_end_s: predicted.end_s,
                measured_end_s,
                error: error(predicted.end_s, measured_end_s),
            }
        });
        let measured_time_s = measured.measured_time_s / scale;
        Self {
            model: predicted.model.clone(),
            processes_and_threads: (predicted.system.processes, predicted.system.threads),
            predicted_machine: predicted.machine.clone(),
            measured_machine: measured.machine.clone(),
            costs: request.manner.costs.name(),
            scale: request.manner.scale,
            oversubscribed: is_oversubscribed(predicted),
            runs: request.runs,
            predicted_time_s: predicted.predicted_time_s,
            measured_time_s,
            error: error(predicted.predicted_time_s, measured_time_s),
            processes: processes.collect(),
            elements: elements(&predicted.elements, &measured.elements, scale),
        }
    }
}

fn is_oversubscribed(predicted: &RunResult<'_>) -> bool {
    let system = predicted.system;
    let threads = u64::from(system.processes) * u64::from(system.threads);
    std::thread::available_parallelism().is_ok_and(|cpus| threads > cpus.get() as u64)
}

/// Pairs predicted with measured elements by id. If only one of the runs executed an element, its
/// count in the other run is 0.
fn elements(predicted: &[ElementOutcome], measured: &[ElementOutcome], scale: f64) -> Vec<Element> {
    type Maybe<'a> = Option<&'a ElementOutcome>;
    let same = |a: &ElementOutcome, b: &ElementOutcome| (a.id, &a.name) == (b.id, &b.name);
    let row = |one: &ElementOutcome, predicted: Maybe<'_>, measured: Maybe<'_>| {
        let predicted_s = predicted.map_or(0.0, |it| it.total_s);
        let measured_s = measured.map_or(0.0, |it| it.total_s) / scale;
        Element {
            name: one.name.clone(),
            id: one.id,
            kind: one.kind.to_string(),
            predicted_count: predicted.map_or(0, |it| it.count),
            measured_count: measured.map_or(0, |it| it.count),
            predicted_s,
            measured_s,
            error: error(predicted_s, measured_s),
        }
    };
    let both = predicted.iter().map(|one| {
        let other = measured.iter().find(|other| same(one, other));
        row(one, Some(one), other)
    });
    let more = measured
        .iter()
        .filter(|one| !predicted.iter().any(|other| same(one, other)));
    both.chain(more.map(|one| row(one, None, Some(one))))
        .collect()
}

/// Returns the error of a prediction relative to the measured time; `None` if the measured time is
/// 0.
fn error(predicted_s: f64, measured_s: f64) -> Option<f64> {
    (measured_s > 0.0).then(|| predicted_s / measured_s - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(name: &str, count: u64, total_s: f64) -> ElementOutcome {
        ElementOutcome {
            name: name.to_owned(),
            id: 7,
            kind: "action+".into(),
            count,
            total_s,
            mean_s: total_s,
            max_s: total_s,
            share: 1.0,
        }
    }

    #[test]
    fn elements_meet_by_name_and_id_and_none_is_lost() {
        let predicted = [result("A", 2, 3.0), result("B", 1, 1.0)];
        let measured = [result("C", 1, 0.1), result("A", 2, 0.4)];
        let rows = elements(&predicted, &measured, 0.1);
        let shown: Vec<_> = rows
            .iter()
            .map(|it| (it.name.as_str(), it.predicted_count, it.measured_count))
            .collect();
        assert_eq!(shown, [("A", 2, 2), ("B", 1, 0), ("C", 0, 1)]);
        assert!((rows[0].measured_s - 4.0).abs() < 1e-12);
        assert!(rows[0].error.is_some_and(|it| (it + 0.25).abs() < 1e-12));
        assert_eq!(rows[1].error, None);
        assert_eq!(rows[2].error, Some(-1.0));
    }
}
