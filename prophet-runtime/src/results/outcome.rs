//! What a run gives.

use prophet_report::analysis::balance::Efficiency;
use serde::Serialize;

/// More processes are left out of the JSON unless asked for.
pub(crate) const JSON_PROCESSES_MAX: usize = 10_000;

/// The prediction and what it is made of; all times are simulated seconds unless said.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The largest end time of a process.
    pub predicted_time_s: f64,
    /// Whether the run was interrupted, and all this is what was known by then: the prediction is
    /// a lower bound, and so are the times and counts of the elements.
    pub partial: bool,
    /// The processes, by pid.
    pub processes: Vec<ProcessOutcome>,
    /// The elements that were executed, by index.
    pub elements: Vec<ElementOutcome>,
    /// What the evaluation itself took.
    pub evaluation: Evaluation,
}

impl Outcome {
    /// How well the processes used their time; none where nothing was computed.
    pub(crate) fn efficiency(&self) -> Option<Efficiency> {
        let computed = self.processes.iter().map(|process| process.compute_s);
        Efficiency::of(computed, self.predicted_time_s)
    }
}

/// How one process spent its time; the four parts sum to its end when it has ended, up to
/// rounding.
///
/// What threads do while they are in a region together counts as their mean: with each of four
/// threads computing for 1 s, their process has computed for 1 s. The time of a thread that meets
/// a region within one is divided by the threads of both.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProcessOutcome {
    /// Its number.
    pub pid: u32,
    /// Its node.
    pub nid: u32,
    /// When it ended; if a partial outcome has come before that, the time that it had reached.
    pub end_s: f64,
    /// How long it was on a CPU.
    pub compute_s: f64,
    /// How long its communication took by its own cost: overheads, transfer, collective cost.
    pub communication_s: f64,
    /// How long it queued for a CPU or a facility, or waited for messages, other processes and
    /// other threads.
    pub wait_s: f64,
    /// How long elements of the user's own let time pass.
    pub hold_s: f64,
}

/// How one element was executed, over all processes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ElementOutcome {
    /// Its name in the model.
    pub name: String,
    /// Its id in the model.
    pub id: i64,
    /// Its stereotype in lower case, such as `action+`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// How often it was executed.
    pub count: u64,
    /// The sum of the times that it took.
    pub total_s: f64,
    /// Their mean.
    pub mean_s: f64,
    /// The longest of them.
    pub max_s: f64,
    /// What it took of the time of all processes, from 0 to 1. What threads execute together
    /// counts as in [`ProcessOutcome`].
    pub share: f64,
}

/// What the evaluation itself took, in real seconds; the one part that differs between runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// The engine that evaluated the model.
    pub engine: &'static str,
    /// Why that is not the local engine, when the choice was free.
    #[serde(skip)]
    pub why_not_local: Option<String>,
    /// Elapsed time.
    pub wall_s: f64,
    /// CPU time; 0 where the system does not tell.
    pub cpu_s: f64,
    /// How many events the engine handled.
    pub events: u64,
    /// How many messages the processes sent.
    pub messages: u64,
    /// The most memory that was resident; 0 where the system does not tell.
    pub peak_memory_bytes: u64,
}
