//! Outcome of a run.

use prophet_report::analysis::balance::Efficiency;
use serde::Serialize;

/// Maximum number of processes in the JSON unless all are requested.
pub(crate) const JSON_PROCESSES_MAX: usize = 10_000;

/// Prediction and its parts; all times are simulated seconds unless stated.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The largest end time of a process.
    pub predicted_time_s: f64,
    /// True if the run was interrupted, so that all values are partial: the prediction is a lower
    /// bound, and so are the times and counts of the elements.
    pub partial: bool,
    /// The processes, by pid.
    pub processes: Vec<ProcessOutcome>,
    /// The elements that were executed, by index.
    pub elements: Vec<ElementOutcome>,
    /// Cost of the evaluation itself.
    pub evaluation: Evaluation,
}

impl Outcome {
    /// Efficiency of the processes; `None` if nothing was computed.
    pub(crate) fn efficiency(&self) -> Option<Efficiency> {
        let computed = self.processes.iter().map(|process| process.compute_s);
        Efficiency::of(computed, self.predicted_time_s)
    }
}

/// Times of one process; the four parts sum to its end when it has ended, up to rounding.
///
/// The activities of threads in a region together count as their mean: with each of four threads
/// computing for 1 s, their process has computed for 1 s. The time of a thread that meets
/// a region within one is divided by the threads of both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProcessOutcome {
    /// Number of the process.
    pub pid: u32,
    /// Number of its node.
    pub nid: u32,
    /// Time of its end; in a partial outcome, the time that it had reached if it had not ended.
    pub end_s: f64,
    /// Time on a CPU.
    pub compute_s: f64,
    /// Time of communication by its own cost: overheads, transfer, collective cost.
    pub communication_s: f64,
    /// Time in queues for a CPU or a facility, and in waits for messages, other processes and other
    /// threads.
    pub wait_s: f64,
    /// Time that user-defined elements let pass.
    pub hold_s: f64,
}

/// Executions of one element, over all processes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ElementOutcome {
    /// Name in the model.
    pub name: String,
    /// Id in the model.
    pub id: i64,
    /// Stereotype in lower case, such as `action+`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Number of executions.
    pub count: u64,
    /// Sum of their times.
    pub total_s: f64,
    /// Mean of their times.
    pub mean_s: f64,
    /// Longest of their times.
    pub max_s: f64,
    /// Share in the time of all processes, from 0 to 1. The executions of threads together count as
    /// in [`ProcessOutcome`].
    pub share: f64,
}

/// Cost of the evaluation itself, in real seconds; the only part that differs between runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// The engine that evaluated the model.
    pub engine: &'static str,
    /// Reason why that is not the local engine, if the choice was free.
    #[serde(skip)]
    pub why_not_local: Option<String>,
    /// `native` for a program that was compiled, or `interpreted`.
    pub evaluated: &'static str,
    /// Elapsed time.
    pub wall_s: f64,
    /// CPU time; 0 if the system does not report it.
    pub cpu_s: f64,
    /// Number of events that the engine handled.
    pub events: u64,
    /// Number of messages that the processes sent.
    pub messages: u64,
    /// Peak resident memory; 0 if the system does not report it.
    pub peak_memory_bytes: u64,
}
