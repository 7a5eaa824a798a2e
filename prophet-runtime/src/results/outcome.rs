//! Defines the outcome of a run.

use prophet_report::analysis::balance::Balance;
use prophet_result::Efficiency;

pub use prophet_result::{
    AcceleratorOutcome, ElementEnergy, ElementOutcome, Energy, Evaluation, Extrapolation,
    ProcessOutcome, Repeated, Repetition, RunCost, Simulated,
};

/// Maximum number of processes in the JSON, unless the user asks for all of them.
pub(crate) const JSON_PROCESSES_MAX: usize = 10_000;

/// The prediction of a run, with details. Times are in simulated seconds unless stated otherwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The predicted time: when the last process ends.
    pub predicted_time_s: f64,
    /// Whether the run was interrupted. If so, all values are partial, and the predicted time and
    /// the times and counts of elements are lower bounds.
    pub partial: bool,
    /// The processes, by pid. If some processes represent the others (see [`Evaluation::folded`]),
    /// only those are listed.
    pub processes: Vec<ProcessOutcome>,
    /// For each process, by pid, the index in `processes` of the process that represents it. Empty
    /// unless several processes represent all others.
    pub classes: Vec<u32>,
    /// The elements that were executed, by index.
    pub elements: Vec<ElementOutcome>,
    /// The accelerators that were used, by kind.
    pub accelerators: Vec<AcceleratorOutcome>,
    /// The energy of the run, or `None` if the machine doesn't describe its power.
    pub energy: Option<Energy>,
    /// The cost of the run, or `None` without a tariff.
    pub cost: Option<RunCost>,
    /// Lookups outside of a table's points, sorted by table. For each argument of a table, this
    /// contains only the lookup that is farthest outside.
    pub extrapolations: Vec<Extrapolation>,
    /// The most processes and threads of a node that needed a CPU at the same time, or 0 if there
    /// was always a CPU for each of them.
    pub cpus_wanted: u32,
    /// Whether the run drew random numbers, so that the prediction can change with the seed.
    pub is_random: bool,
    /// A summary of the predictions with several seeds, or `None` with a single seed. All other
    /// fields are about the first seed.
    pub replications: Option<Replicated>,
    /// How the prediction was evaluated, and at what cost.
    pub evaluation: Evaluation,
}

/// A summary of predictions with several seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replicated {
    /// Number of predictions.
    pub count: u32,
    /// The mean of the predicted times.
    pub mean_s: f64,
    /// Half the width of the mean's 95% confidence interval, in seconds.
    pub half_width_s: f64,
}

impl Outcome {
    /// Returns the number of processes.
    pub fn count_processes(&self) -> usize {
        let folded = self.evaluation.folded.map(|ranks| ranks as usize);
        folded.unwrap_or(self.processes.len())
    }

    /// Returns all processes by pid, including those that another process represents.
    pub fn each_process(&self) -> impl Iterator<Item = ProcessOutcome> + Clone {
        (0..self.count_processes()).map(|place| self.process(place))
    }

    pub(crate) fn process(&self, place: usize) -> ProcessOutcome {
        if self.evaluation.folded.is_none() {
            return self.processes[place].clone();
        }
        // Each process is on the node with the same number.
        let number = u32::try_from(place).unwrap_or(u32::MAX);
        let class = self.classes.get(place).map_or(0, |class| *class as usize);
        ProcessOutcome {
            pid: number,
            nid: number,
            ..self.processes[class].clone()
        }
    }

    /// Returns the mean of the predicted times if there are several seeds, or else the predicted
    /// time.
    pub fn mean_s(&self) -> f64 {
        self.replications
            .map_or(self.predicted_time_s, |it| it.mean_s)
    }

    /// Returns how efficiently the processes use their time, or `None` if no process computed
    /// anything.
    pub fn efficiency(&self) -> Option<Efficiency> {
        let computed = self.each_process().map(|process| process.compute_s);
        let balance = Balance::of(computed, self.predicted_time_s)?;
        Some(balance.efficiency)
    }
}
