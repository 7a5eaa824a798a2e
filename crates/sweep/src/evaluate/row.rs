//! Represents the results at a point of a sweep.

use prophet_runtime::Prediction;

use crate::space::AxisValue;

/// A numeric result that predictions can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Name of the result's column in the output.
    pub name: &'static str,
    /// Empty for counts and shares.
    pub unit: &'static str,
    pub about: &'static str,
    /// What a prediction needs to have this result, as a clause after a semicolon; empty if every
    /// prediction has it.
    pub needs: &'static str,
}

impl Metric {
    /// Returns `true` if this result is an integer at every point.
    pub fn is_count(&self) -> bool {
        ["messages", "nodes", "cpus_per_node", "processes", "threads"].contains(&self.name)
    }

    /// Creates a result that every prediction has.
    pub const fn new(name: &'static str, unit: &'static str, about: &'static str) -> Self {
        Self {
            name,
            unit,
            about,
            needs: "",
        }
    }

    const fn needs(self, needs: &'static str) -> Self {
        Self { needs, ..self }
    }
}

const fn metric(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric::new(name, unit, about)
}

/// What results about energy need, and what results about prices need.
const POWER: &str = "energy needs a machine with `[power]`";
const TARIFF: &str = "prices need `--tariff`, and prices of energy also need a machine with \
                      `[power]`";

/// The results of a prediction, in column order. After the first [`PLAIN_METRICS`], they exist only
/// for machines with power data, or for runs with a tariff.
pub const METRICS: [Metric; 16] = [
    metric("predicted_time_s", "s", "the predicted time"),
    metric(
        "parallel_efficiency",
        "",
        "mean time on a CPU, as a share of the predicted time",
    ),
    metric(
        "load_balance",
        "",
        "mean time on a CPU, as a share of the longest",
    ),
    metric(
        "communication_efficiency",
        "",
        "longest time on a CPU, as a share of the predicted time",
    ),
    metric(
        "compute_s",
        "s",
        "time on a CPU, averaged over the processes",
    ),
    metric(
        "communication_s",
        "s",
        "communication time, averaged over the processes",
    ),
    metric(
        "wait_s",
        "s",
        "time in waits and queues, averaged over the processes",
    ),
    metric("messages", "", "messages that were sent"),
    metric("nodes", "", "nodes"),
    metric("cpus_per_node", "", "CPUs of each node"),
    metric("processes", "", "processes"),
    metric("threads", "", "threads of each process"),
    metric("energy_j", "J", "the energy").needs(POWER),
    metric("mean_power_w", "W", "the mean power").needs(POWER),
    metric("cost", "", "the price of the energy and of the nodes").needs(TARIFF),
    metric("carbon_g", "g", "carbon dioxide emitted for the energy").needs(TARIFF),
];

/// Number of results that every prediction has.
pub const PLAIN_METRICS: usize = 12;

/// A point of a sweep, and its results.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepRow {
    pub index: u64,
    pub values: Vec<AxisValue>,
    /// The results, or why the point has no results.
    pub found: Result<PointResults, String>,
}

/// The results at a point; with several seeds, their means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointResults {
    /// In the order of [`METRICS`], or of the metrics of another kind of prediction, which must not
    /// have more. NaN if undefined.
    pub metrics: [f64; METRICS.len()],
    /// Half width of the 95 % confidence interval of the mean predicted time, in seconds; NaN for
    /// fewer than two seeds.
    pub half_width_s: f64,
    pub seeds: u64,
}

impl PointResults {
    /// Returns the predicted time in seconds.
    pub fn predicted_time_s(&self) -> f64 {
        self.metrics[0]
    }

    /// Returns the result with this name; `None` if there is no such result.
    pub fn metric(&self, name: &str) -> Option<f64> {
        let place = METRICS.iter().position(|metric| metric.name == name)?;
        Some(self.metrics[place])
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts that are compared, not summed"
)]
pub(crate) fn metrics(prediction: &Prediction) -> [f64; METRICS.len()] {
    let Prediction { system, outcome } = prediction;
    let efficiency = outcome.efficiency();
    let share =
        |share: fn(&prophet_result::Efficiency) -> f64| efficiency.as_ref().map_or(f64::NAN, share);
    let (energy, cost) = (outcome.energy.as_ref(), outcome.cost.as_ref());
    let processes = outcome.count_processes() as f64;
    let mean = |time: fn(&prophet_runtime::ProcessOutcome) -> f64| {
        outcome.each_process().map(|it| time(&it)).sum::<f64>() / processes
    };
    let metrics = [
        outcome.predicted_time_s,
        share(|it| it.parallel),
        share(|it| it.load_balance),
        share(|it| it.communication),
        mean(|it| it.compute_s),
        mean(|it| it.communication_s),
        mean(|it| it.wait_s),
        outcome.evaluation.messages as f64,
        f64::from(system.nodes),
        f64::from(system.cpus_per_node),
        f64::from(system.processes),
        f64::from(system.threads),
        energy.map_or(f64::NAN, |it| it.total_j),
        energy.map_or(f64::NAN, |it| it.mean_power_w),
        cost.and_then(|it| it.total).unwrap_or(f64::NAN),
        cost.and_then(|it| it.carbon_g).unwrap_or(f64::NAN),
    ];
    // Files can't contain infinite numbers.
    metrics.map(|metric| if metric.is_finite() { metric } else { f64::NAN })
}
