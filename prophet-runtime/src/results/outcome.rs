//! Outcome of a run.

use prophet_report::analysis::balance::Balance;
use prophet_result::Efficiency;

pub use prophet_result::{
    AcceleratorOutcome, ElementEnergy, ElementOutcome, Energy, Evaluation, Extrapolation,
    ProcessOutcome, Repeated, Repetition, RunCost, Simulated,
};

/// Maximum number of processes in the JSON unless all are requested.
pub(crate) const JSON_PROCESSES_MAX: usize = 10_000;

/// Prediction and its parts; all times are simulated seconds unless stated.
#[derive(Debug, Clone, Default, PartialEq)]
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
    /// The accelerators that were used, by kind.
    pub accelerators: Vec<AcceleratorOutcome>,
    /// Energy; `None` if the machine names no power.
    pub energy: Option<Energy>,
    /// Cost; `None` without a tariff.
    pub cost: Option<RunCost>,
    /// Tables that were looked up outside of their points, by name; the farthest of each.
    pub extrapolations: Vec<Extrapolation>,
    /// Cost of the evaluation itself.
    pub evaluation: Evaluation,
}

impl Outcome {
    /// Efficiency of the processes; `None` if nothing was computed.
    pub fn efficiency(&self) -> Option<Efficiency> {
        let computed = self.processes.iter().map(|process| process.compute_s);
        let balance = Balance::of(computed, self.predicted_time_s)?;
        Some(balance.efficiency)
    }
}
