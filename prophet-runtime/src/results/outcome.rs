//! Defines the outcome of a run.

use prophet_report::analysis::balance::Balance;
use prophet_result::Efficiency;

pub use prophet_result::{
    AcceleratorOutcome, ElementEnergy, ElementOutcome, Energy, Evaluation, Extrapolation,
    ProcessOutcome, Repeated, Repetition, RunCost, Simulated,
};

/// Maximum number of processes in the JSON, unless all are requested.
pub(crate) const JSON_PROCESSES_MAX: usize = 10_000;

/// The prediction of a run and its parts. Times are in simulated seconds unless stated otherwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The largest end time of a process.
    pub predicted_time_s: f64,
    /// Whether the run was interrupted, so that all values are partial: the prediction is a lower
    /// bound, and so are the times and counts of the elements.
    pub partial: bool,
    /// The processes, by pid. If some processes represent all, as the evaluation says, only those
    /// are listed.
    pub processes: Vec<ProcessOutcome>,
    /// For each process, by pid, the index in `processes` of the one that represents it, if several
    /// represent all.
    pub classes: Vec<u32>,
    /// The executed elements, by index.
    pub elements: Vec<ElementOutcome>,
    /// The used accelerators, by kind.
    pub accelerators: Vec<AcceleratorOutcome>,
    /// The energy of the run; `None` if the machine has no powers.
    pub energy: Option<Energy>,
    /// The cost of the run; `None` without a tariff.
    pub cost: Option<RunCost>,
    /// Tables with lookups outside of their points, by name; for each table, the farthest lookup.
    pub extrapolations: Vec<Extrapolation>,
    /// Whether random numbers were drawn, so that another seed gives another prediction.
    pub is_random: bool,
    /// The predictions with several seeds; all other fields are from the first seed.
    pub replications: Option<Replicated>,
    /// The cost of the evaluation itself.
    pub evaluation: Evaluation,
}

/// Predictions with several seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replicated {
    /// Number of predictions.
    pub count: u32,
    /// The average of the predicted times.
    pub mean_s: f64,
    /// Half of the 95% interval of the average.
    pub half_width_s: f64,
}

impl Outcome {
    /// Returns the number of processes.
    pub fn count_processes(&self) -> usize {
        let folded = self.evaluation.folded.map(|ranks| ranks as usize);
        folded.unwrap_or(self.processes.len())
    }

    /// Lists all processes by pid, even if some represent all.
    pub fn each_process(&self) -> impl Iterator<Item = ProcessOutcome> + Clone {
        (0..self.count_processes()).map(|place| self.process(place))
    }

    pub(crate) fn process(&self, place: usize) -> ProcessOutcome {
        if self.evaluation.folded.is_none() {
            return self.processes[place].clone();
        }
        // Each is on the node with its number.
        let number = u32::try_from(place).unwrap_or(u32::MAX);
        let class = self.classes.get(place).map_or(0, |class| *class as usize);
        ProcessOutcome {
            pid: number,
            nid: number,
            ..self.processes[class].clone()
        }
    }

    /// Returns the average of the predicted times if several seeds were used, otherwise the
    /// predicted time.
    pub fn mean_s(&self) -> f64 {
        self.replications
            .map_or(self.predicted_time_s, |it| it.mean_s)
    }

    /// Returns the efficiency of the processes; `None` if nothing was computed.
    pub fn efficiency(&self) -> Option<Efficiency> {
        let computed = self.each_process().map(|process| process.compute_s);
        let balance = Balance::of(computed, self.predicted_time_s)?;
        Some(balance.efficiency)
    }
}
