//! Declares a run's result, as `--format json` prints it, and names of flags, so that different
//! programs share them.
//!
//! A [`RunResult`] from the runtime borrows its run's lists; a result that was read owns them.
//! Readers ignore unknown keys. Keys with a default can be missing, as in results of versions that
//! didn't write them; each key's documentation states the default.
//!
//! ```
//! use prophet_result::RunResult;
//!
//! let text = r#"{"model": "Pi", "predicted_time_s": 1.5,
//!     "system": {"nodes": 1, "cpus_per_node": 4, "processes": 4, "threads": 1}}"#;
//! let result: RunResult<'_> = serde_json::from_str(text)?;
//! assert_eq!((result.system.processes, result.predicted_time_s), (4, 1.5));
//! assert!(result.processes.is_empty() && !result.evaluation.is_known());
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! | module | is |
//! |---|---|
//! | `energy` | a run's energy and cost |
//! | `expectation` | expectations about a result |

mod energy;
mod expectation;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use energy::{ElementEnergy, Energy, RunCost};
pub use expectation::{Expectation, Growth};

/// Values of a model's parameters, by name: integers, reals and booleans.
pub type Parameters = BTreeMap<String, serde_json::Value>;

/// A prediction with its origin and parts. All times are simulated seconds unless stated otherwise.
///
/// Keys are in the order of the fields. `P` holds the parameters: a program writes them in its
/// model's order, and readers have them by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult<'a, P = Parameters> {
    /// Name of the model.
    pub model: String,
    /// Size of the system.
    pub system: SystemSize,
    /// Values of the parameters; empty by default.
    #[serde(default)]
    pub parameters: P,
    /// Description of the machine; empty by default.
    #[serde(default)]
    pub machine: String,
    /// Seed of the random numbers; 0 by default.
    #[serde(default)]
    pub seed: u64,
    /// The latest end time of a process.
    pub predicted_time_s: f64,
    /// Half width of that time's 95% interval, if it is the mean of predictions with several seeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_time_half_width_s: Option<f64>,
    /// Range of that time according to measurements on the machine; omitted if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<PredictedRange>,
    /// Number of predictions with different seeds. Everything but the predicted time is from the
    /// first. Omitted if 1, the default.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub replications: u32,
    /// Whether random numbers were drawn, so that another seed gives another prediction; omitted if
    /// false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub random: bool,
    /// Whether the run was interrupted, so that all values are partial; omitted if false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partial: bool,
    /// Where the costs come from if they aren't the model's own: assumed steps, or nothing. Omitted
    /// if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub costs: String,
    /// Cost of the evaluation; unknown by default.
    #[serde(default)]
    pub evaluation: Evaluation,
    /// Efficiency of the processes; omitted if nothing was computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
    /// The processes, by pid; empty if there are too many to write.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub processes: Cow<'a, [ProcessOutcome]>,
    /// The executed elements, by index; empty by default.
    #[serde(default)]
    pub elements: Cow<'a, [ElementOutcome]>,
    /// The accelerators used, by kind; omitted if empty.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub accelerators: Cow<'a, [AcceleratorOutcome]>,
    /// Energy; omitted if the machine specifies no power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Energy>,
    /// Cost; omitted without a tariff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<RunCost>,
    /// Table lookups outside a table's points; omitted if empty.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub extrapolations: Cow<'a, [Extrapolation]>,
    /// Sentences about assumptions where the drawing leaves something open; omitted if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

/// The range that contains 90 % of measured times, as far as similar programs show.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PredictedRange {
    /// Time that 5 % of them are below.
    pub from_s: f64,
    /// Time that 5 % of them exceed.
    pub to_s: f64,
    /// What was measured.
    pub source: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(value: &bool) -> bool {
    !value
}

fn is_empty(processes: &[ProcessOutcome]) -> bool {
    processes.is_empty()
}

/// Use of a kind of accelerator, summed over the accelerators that were used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AcceleratorOutcome {
    /// Name in the machine file.
    pub name: String,
    /// Number of accelerators used.
    pub devices: u32,
    /// Number of copy engines per accelerator.
    pub copy_engines: u32,
    /// Time in which kernels ran on them.
    pub kernels_s: f64,
    /// Time in which their copy engines were copying.
    pub copies_s: f64,
}

/// A lookup in an `interpolate` table outside its points, the farthest in a run. Its value is the
/// nearest point's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extrapolation {
    /// The table's file, next to the model.
    pub table: String,
    /// The argument that is looked up: `x` or `y`.
    pub argument: Cow<'static, str>,
    /// The requested number.
    pub asked: f64,
    /// Smallest number in the table.
    pub from: f64,
    /// Largest number in the table.
    pub to: f64,
}

impl fmt::Display for Extrapolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            table, argument, ..
        } = self;
        let [asked, from, to] = [self.asked, self.from, self.to].map(short);
        write!(
            f,
            "the table `{table}` was looked up at {argument} = {asked}, outside its points ({from} \
             to {to}): the nearest point was used"
        )
    }
}

/// Formats a number of any size with few characters.
fn short(number: f64) -> String {
    let mut text = format!("{number:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

/// The size of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemSize {
    /// Number of nodes.
    pub nodes: u32,
    /// Number of CPUs per node.
    pub cpus_per_node: u32,
    /// Number of processes.
    pub processes: u32,
    /// Number of threads per process.
    pub threads: u32,
}

/// Cost of the evaluation itself, in real seconds. It is the only part that differs between runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The engine that evaluated the model.
    pub engine: Cow<'static, str>,
    /// Why that isn't the local engine, if the choice was free.
    #[serde(skip)]
    pub why_not_local: Option<String>,
    /// Number of threads that the engine used. Omitted if 1, the default.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub threads: u32,
    /// Why that is one thread, if several were requested; omitted otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_one_thread: Option<String>,
    /// Number of processes represented by simulated ones; omitted if each was simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folded: Option<u32>,
    /// Number of processes simulated for all, if several; omitted otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<u32>,
    /// Why each process was simulated, if that wasn't requested; omitted otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not_folded: Option<String>,
    /// `native` for a compiled program, which is the default, or `interpreted`.
    #[serde(default = "native")]
    pub evaluated: Cow<'static, str>,
    /// Elapsed time.
    pub wall_s: f64,
    /// CPU time; 0, the default, if the system doesn't report it.
    #[serde(default)]
    pub cpu_s: f64,
    /// Number of events that the engine handled; 0 by default.
    #[serde(default)]
    pub events: u64,
    /// Number of messages that the processes sent; 0 by default.
    #[serde(default)]
    pub messages: u64,
    /// Peak resident memory in bytes; 0, the default, if the system doesn't report it.
    #[serde(default)]
    pub peak_memory_bytes: u64,
    /// Iterations that were computed instead of simulated; omitted if not requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetition: Option<Repetition>,
}

/// Loop iterations that were computed instead of simulated, because they repeat earlier ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetition {
    /// Loops with computed iterations.
    pub computed: Vec<Repeated>,
    /// Loops with only simulated iterations.
    pub simulated: Vec<Simulated>,
    /// Phases of messages in packets; omitted for other networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Phases>,
}

/// Phases of messages on a network. A phase lasts as long as any message is in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// Number of all phases.
    pub phases: u64,
    /// Number of phases that were computed, because they repeat earlier ones.
    pub computed: u64,
}

/// A loop with computed iterations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeated {
    /// Name of the loop.
    #[serde(rename = "loop")]
    pub name: String,
    /// Number of iterations that each process computed.
    pub iterations: u64,
    /// Number of iterations after which the program's state was the same except for time.
    pub period: u64,
}

/// A loop with only simulated iterations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simulated {
    /// Name of the loop; omitted if the reason applies to the whole run.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The reason.
    pub why: String,
}

impl Repetition {
    /// Adds the network's number of phases, and how many were computed. If there are any, not
    /// everything was simulated.
    pub fn add_phases(&mut self, counted: Option<(u64, u64)>) {
        self.network = counted.map(|(phases, computed)| Phases { phases, computed });
        if counted.is_some_and(|(_, computed)| computed > 0) {
            self.simulated.clear();
        }
    }

    /// Adds a simulated loop, or the whole run, with the reason.
    pub fn add_simulated(&mut self, name: Option<String>, why: impl Into<String>) {
        let why = why.into();
        self.simulated.push(Simulated { name, why });
    }
}

const fn native() -> Cow<'static, str> {
    Cow::Borrowed("native")
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_one(count: &u32) -> bool {
    *count <= 1
}

impl Evaluation {
    /// Returns `true` if the result includes its evaluation.
    pub fn is_known(&self) -> bool {
        !self.engine.is_empty()
    }
}

/// Efficiencies of the processes, each from 0 to 1. The first is the product of the other two.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// Mean CPU time as a share of the predicted time.
    pub parallel: f64,
    /// Mean CPU time as a share of the longest.
    pub load_balance: f64,
    /// Longest CPU time as a share of the predicted time.
    pub communication: f64,
}

/// Times of one process. Once it has ended, the four parts sum to its end, up to rounding.
///
/// The activities of a region's threads count as their mean: while four threads compute for 1 s,
/// their process computes for 1 s. If a thread enters a nested region, its time is divided by the
/// number of threads of both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProcessOutcome {
    /// The process's number.
    pub pid: u32,
    /// Its node's number.
    pub nid: u32,
    /// End time. If a partial outcome's process hasn't ended, the time that it had reached.
    pub end_s: f64,
    /// CPU time.
    pub compute_s: f64,
    /// Communication time from its own cost: overheads, transfer, collective cost.
    pub communication_s: f64,
    /// Time in queues for a CPU or a facility, and waiting for messages, other processes and other
    /// threads.
    pub wait_s: f64,
    /// Time that user-defined elements let pass; 0 by default.
    #[serde(default)]
    pub hold_s: f64,
}

/// One element's executions over all processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementOutcome {
    /// Name in the model.
    pub name: String,
    /// Id in the model.
    pub id: i64,
    /// Stereotype in lower case, such as `action+`.
    #[serde(rename = "type")]
    pub kind: Cow<'static, str>,
    /// Number of executions.
    pub count: u64,
    /// Total time.
    pub total_s: f64,
    /// Mean time.
    pub mean_s: f64,
    /// Longest time.
    pub max_s: f64,
    /// Share of the time of all processes, from 0 to 1; NaN by default. Executions of threads
    /// together count as in [`ProcessOutcome`].
    #[serde(default = "unknown")]
    pub share: f64,
}

const fn unknown() -> f64 {
    f64::NAN
}

/// Returns a model parameter's flag, which is the same in every program of the model: `PNAT_MAX`
/// becomes `pnat-max`. Empty if no part of the name can be in a flag.
pub fn flag_name(parameter: &str) -> String {
    let hyphenated: String = parameter
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    hyphenated.trim_matches('-').to_owned()
}
