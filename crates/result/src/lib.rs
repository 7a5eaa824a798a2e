//! Defines the result of a run, as `--format json` prints it, and the names of parameters' flags.
//!
//! A [`RunResult`] from the runtime borrows the lists of the run. A result read from JSON owns its
//! lists. Readers ignore unknown keys. Keys with a default, which their documentation states, can
//! be missing, for example in results from older versions.
//!
//! ```
//! use prophet_result::RunResult;
//!
//! let text = r#"{"model": "Pi", "predicted_time_s": 1.5,
//!     "system": {"nodes": 1, "cpus_per_node": 4, "processes": 4, "threads": 1}}"#;
//! let result = RunResult::from_json(text.as_bytes())?;
//! assert_eq!((result.system.processes, result.predicted_time_s), (4, 1.5));
//! assert!(result.processes.is_empty() && !result.evaluation.is_known());
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! | module | is |
//! |---|---|
//! | `energy` | a run's energy and cost |
//! | `expectation` | expectations about a result |
//! | `parameters` | the values of parameters |

mod energy;
mod expectation;
mod parameters;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use energy::{ElementEnergy, Energy, RunCost};
pub use expectation::{Expectation, Growth};
pub use parameters::Parameters;

/// A prediction, with its inputs and details. All times are in simulated seconds unless stated
/// otherwise.
///
/// Keys are in the order of the fields. `P` is the type of the parameters. Programs write
/// parameters in the order of the model, and readers get them by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult<'a> {
    pub model: String,
    pub system: SystemSize,
    /// Empty by default.
    #[serde(default)]
    pub parameters: Parameters,
    /// Description of the machine; empty by default.
    #[serde(default)]
    pub machine: String,
    /// Seed of the random numbers; 0 by default.
    #[serde(default)]
    pub seed: u64,
    /// When the last process ends.
    pub predicted_time_s: f64,
    /// Half the width of the 95% confidence interval of the predicted time. Omitted unless that
    /// time is a mean over several seeds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_time_half_width_s: Option<f64>,
    /// Range of measured times to expect, according to measurements on the machine; omitted if
    /// unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<PredictedRange>,
    /// Number of predictions with different seeds. Everything except the predicted time is from the
    /// first prediction. Omitted if 1, the default.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub replications: u32,
    /// Whether the run drew random numbers, so that other seeds can lead to other predictions;
    /// omitted if false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub random: bool,
    /// Whether the run was interrupted, so that all values are partial; omitted if false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partial: bool,
    /// Where the costs come from if they aren't the model's own (for example, from assumed steps);
    /// omitted if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub costs: String,
    /// How the prediction was computed, and at what cost; unknown by default.
    #[serde(default)]
    pub evaluation: Evaluation,
    /// How efficiently processes use their time; omitted if no process computed anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
    /// The processes, by pid; empty by default, or if there are too many to write.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub processes: Cow<'a, [ProcessOutcome]>,
    /// The executed elements, by index; empty by default.
    #[serde(default)]
    pub elements: Cow<'a, [ElementOutcome]>,
    /// The accelerators that were used, by kind; omitted if empty.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub accelerators: Cow<'a, [AcceleratorOutcome]>,
    /// The speed of a training; omitted unless the model trains a language model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<Training>,
    /// Energy of the run; omitted if the machine file doesn't specify power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Energy>,
    /// Cost of the run; omitted without a tariff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<RunCost>,
    /// Lookups outside a table's points; omitted if empty.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub extrapolations: Cow<'a, [Extrapolation]>,
    /// What was assumed where the drawing leaves something open, as sentences; omitted if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

impl RunResult<'static> {
    /// Reads a result from JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the text isn't JSON, or isn't a result.
    pub fn from_json(text: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(text)
    }
}

impl RunResult<'_> {
    /// Returns the result as JSON on a single line.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be written as JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// Returns the result as JSON for people, with one key per line.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be written as JSON.
    pub fn to_pretty_json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Returns the result as a JSON value, in which you can look up any key.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be written as JSON.
    pub fn to_value(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::from_str(&self.to_json()?)
    }
}

/// The speed at which a language model is trained, from the predicted time of an iteration.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Tokens that all GPUs together process per second.
    pub tokens_per_s: f64,
    /// Tokens that each GPU processes per second.
    pub tokens_per_s_per_gpu: f64,
    /// Operations of the language model that each GPU performs per second, in 10^12; operations
    /// that are done again because activations are recomputed don't count.
    pub tflops_per_gpu: f64,
    /// `tflops_per_gpu` as a share of the GPU's peak (model FLOPs utilization, MFU); omitted if the
    /// machine doesn't state the peak.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mfu: Option<f64>,
}

/// The range that contains 90 % of measured times, judging by similar programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PredictedRange {
    /// 5 % of measured times are shorter.
    pub from_s: f64,
    /// 5 % of measured times are longer.
    pub to_s: f64,
    /// What was measured.
    pub source: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_empty(processes: &[ProcessOutcome]) -> bool {
    processes.is_empty()
}

/// How much the accelerators of one kind were used, summed over all used accelerators of this kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AcceleratorOutcome {
    /// Name of the kind in the machine file.
    pub name: String,
    /// Number of accelerators that were used.
    pub devices: u32,
    /// Copy engines per accelerator.
    pub copy_engines: u32,
    /// How long kernels ran on the accelerators.
    pub kernels_s: f64,
    /// How long copy engines of the accelerators were copying.
    pub copies_s: f64,
    /// The most memory that kernels say they need on one accelerator, in bytes; 0, the default, if
    /// they don't say. Omitted if 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub memory_bytes: u64,
}

/// The lookup in an `interpolate` table that was farthest outside the table's points during a run.
/// Such a lookup returns the value of the nearest point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extrapolation {
    /// Name of the table's file, which is next to the model.
    pub table: String,
    /// The argument outside the points: `x` or `y`.
    pub argument: Cow<'static, str>,
    /// Value of that argument.
    pub asked: f64,
    /// Smallest value of that argument in the table.
    pub from: f64,
    /// Largest value of that argument in the table.
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

/// Formats a number of any magnitude with few characters.
fn short(number: f64) -> String {
    let mut text = format!("{number:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemSize {
    pub nodes: u32,
    pub cpus_per_node: u32,
    pub processes: u32,
    /// Threads per process.
    pub threads: u32,
}

/// How the prediction was computed, and at what cost in real seconds. Only this part of a result
/// can differ between runs with the same input.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    pub engine: Cow<'static, str>,
    /// Why the local engine wasn't used, if the program could choose it; otherwise omitted.
    #[serde(skip)]
    pub why_not_local: Option<String>,
    /// Number of threads that the engine used; omitted if 1, the default.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub threads: u32,
    /// Why the engine used one thread, if several were requested; otherwise omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_one_thread: Option<String>,
    /// Number of processes in the run if only some of them were simulated, to represent all;
    /// otherwise omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folded: Option<u32>,
    /// Number of processes that were simulated to represent all; omitted if 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<u32>,
    /// Why every process was simulated, although the user asked to simulate only some of them;
    /// otherwise omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not_folded: Option<String>,
    /// `native`, the default, for a compiled program, or `interpreted`.
    #[serde(default = "native")]
    pub evaluated: Cow<'static, str>,
    /// Elapsed time, in real seconds.
    pub wall_s: f64,
    /// CPU time, in seconds; 0, the default, if the operating system doesn't report it.
    #[serde(default)]
    pub cpu_s: f64,
    /// Number of events that the engine handled; 0 by default.
    #[serde(default)]
    pub events: u64,
    /// Number of messages that the processes sent; 0 by default.
    #[serde(default)]
    pub messages: u64,
    /// Peak resident memory, in bytes; 0, the default, if the operating system doesn't report it.
    #[serde(default)]
    pub peak_memory_bytes: u64,
    /// Which loop iterations were computed instead of simulated; omitted unless the user asked for
    /// this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetition: Option<Repetition>,
}

/// Which loop iterations were computed instead of simulated because they repeat earlier ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetition {
    /// Loops in which some iterations were computed.
    pub computed: Vec<Repeated>,
    /// Loops in which every iteration was simulated.
    pub simulated: Vec<Simulated>,
    /// Phases of messages in a network with packets; omitted for other networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Phases>,
}

/// Phases of messages in a network. A phase lasts as long as any message is in transit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// Total number of phases.
    pub phases: u64,
    /// Number of phases that were computed instead of simulated because they repeat earlier ones.
    pub computed: u64,
}

/// A loop in which some iterations were computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeated {
    #[serde(rename = "loop")]
    pub name: String,
    /// Number of computed iterations per process.
    pub iterations: u64,
    /// Number of iterations after which the program's state repeats, except for the time.
    pub period: u64,
}

/// A loop in which every iteration was simulated, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simulated {
    /// Name of the loop; omitted if the reason applies to the whole run.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Why every iteration was simulated.
    pub why: String,
}

impl Repetition {
    /// Adds the number of phases in the network, and of those that were computed. If any were,
    /// removes the reasons why everything was simulated.
    pub fn add_phases(&mut self, counted: Option<(u64, u64)>) {
        self.network = counted.map(|(phases, computed)| Phases { phases, computed });
        if counted.is_some_and(|(_, computed)| computed > 0) {
            self.simulated.clear();
        }
    }

    /// Adds a loop in which every iteration was simulated, or the whole run if `name` is `None`.
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
    /// Returns `true` if the result states how it was computed.
    pub fn is_known(&self) -> bool {
        !self.engine.is_empty()
    }
}

/// How efficiently processes use their time, as numbers from 0 to 1. `parallel` is the product of
/// the other two.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// Mean CPU time of the processes, as a share of the predicted time.
    pub parallel: f64,
    /// Mean CPU time of the processes, as a share of the longest CPU time.
    pub load_balance: f64,
    /// Longest CPU time of a process, as a share of the predicted time.
    pub communication: f64,
}

/// The times of one process. Once the process has ended, its four kinds of activity add up to its
/// end time, except for rounding.
///
/// The threads of a region share the process's time equally: if four threads compute for 1 s, their
/// process computes for 1 s. In a nested region, a thread's time is divided by the numbers of
/// threads in both regions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProcessOutcome {
    pub pid: u32,
    /// Number of the node that the process runs on.
    pub nid: u32,
    /// When the process ended or, in a partial result, the time that it had reached.
    pub end_s: f64,
    /// How long the process computed.
    pub compute_s: f64,
    /// The process's own communication time: overheads, transfers and the costs of collectives.
    pub communication_s: f64,
    /// How long the process waited for CPUs, facilities, messages, other processes and other
    /// threads.
    pub wait_s: f64,
    /// How long custom elements let time pass; 0 by default.
    #[serde(default)]
    pub hold_s: f64,
}

/// An element's executions in all processes.
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
    /// Total time of all executions.
    pub total_s: f64,
    /// Mean time of an execution.
    pub mean_s: f64,
    /// Time of the longest execution.
    pub max_s: f64,
    /// Share of the time of all processes, from 0 to 1; NaN by default. Executions in the threads
    /// of a region count as in [`ProcessOutcome`].
    #[serde(default = "unknown")]
    pub share: f64,
}

const fn unknown() -> f64 {
    f64::NAN
}

/// Returns the name of a model parameter's flag. For example, `PNAT_MAX` becomes `pnat-max`. All
/// programs use the same name. It is empty if the parameter's name has no characters that a flag
/// can contain.
pub fn flag_name(parameter: &str) -> String {
    let hyphenated: String = parameter
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    hyphenated.trim_matches('-').to_owned()
}
