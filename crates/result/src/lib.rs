//! Result of a run, as `--format json` prints it, and names of flags: the one declaration that
//! different programs share.
//!
//! A [`RunResult`] of the runtime borrows the lists of its run; one that is read owns them. Readers
//! ignore unknown keys. Keys that have a default here may be missing, as in results of versions
//! that did not write them; the documentation of each says what it is then.
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
//! | `energy` | energy and cost of a run |
//! | `expectation` | what a result is expected to be |

mod energy;
mod expectation;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

pub use energy::{ElementEnergy, Energy, RunCost};
pub use expectation::{Expectation, Growth};

/// Values of the parameters of a model, by name: integers, reals and booleans.
pub type Parameters = BTreeMap<String, serde_json::Value>;

/// Prediction with its origin and its parts; all times are simulated seconds unless stated.
///
/// The keys are in the order of the fields. `P` has the parameters: a program writes them in the
/// order of its model, readers have them by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult<'a, P = Parameters> {
    /// Name of the model.
    pub model: String,
    /// Size of the system.
    pub system: SystemSize,
    /// Values of the parameters; by default none.
    #[serde(default)]
    pub parameters: P,
    /// The machine, in words; empty by default.
    #[serde(default)]
    pub machine: String,
    /// Seed of the random numbers; 0 by default.
    #[serde(default)]
    pub seed: u64,
    /// The largest end time of a process.
    pub predicted_time_s: f64,
    /// Half of the 95% interval of that time, if it is the average of several seeds' predictions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_time_half_width_s: Option<f64>,
    /// Range of that time by what was measured on the machine; the key is omitted if that is not
    /// known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<PredictedRange>,
    /// Number of predictions with different seeds; all but the predicted time is of the first. 1
    /// is the default, and not written.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub replications: u32,
    /// True if random numbers were drawn, so that another seed gives another prediction; false is
    /// not written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub random: bool,
    /// True if the run was interrupted, so that all values are partial; false is not written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partial: bool,
    /// Costs that the prediction is made of, if they are not the model's own: assumed steps, or
    /// nothing; empty is not written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub costs: String,
    /// Cost of the evaluation; by default, it is not known.
    #[serde(default)]
    pub evaluation: Evaluation,
    /// Efficiency of the processes; not written if nothing was computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<Efficiency>,
    /// The processes, by pid; empty if there are too many to write.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub processes: Cow<'a, [ProcessOutcome]>,
    /// The elements that were executed, by index; by default none.
    #[serde(default)]
    pub elements: Cow<'a, [ElementOutcome]>,
    /// The accelerators that were used, by kind; the key is omitted if empty.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub accelerators: Cow<'a, [AcceleratorOutcome]>,
    /// Energy; the key is omitted if the machine names no power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Energy>,
    /// Cost; the key is omitted without a tariff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<RunCost>,
    /// Tables that were looked up outside of their points; the key is omitted if empty.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub extrapolations: Cow<'a, [Extrapolation]>,
    /// Sentences on assumptions where the drawing leaves something open; the key is omitted if
    /// empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

/// Range that holds 90 % of measured times, as far as other programs of the kind tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PredictedRange {
    /// Time that 5 % stay below.
    pub from_s: f64,
    /// Time that 5 % exceed.
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

/// Use of the accelerators of a kind, summed over those that were used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AcceleratorOutcome {
    /// Name in the machine's file.
    pub name: String,
    /// Number of accelerators that were used.
    pub devices: u32,
    /// Number of copy engines of each.
    pub copy_engines: u32,
    /// Time in which kernels ran on them.
    pub kernels_s: f64,
    /// Time in which their copy engines copied.
    pub copies_s: f64,
}

/// Lookup of a table of `interpolate` outside of its points, the farthest of a run: the value is
/// the nearest point's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extrapolation {
    /// File of the table, beside the model.
    pub table: String,
    /// Number that the table is looked up by: `x` or `y`.
    pub argument: Cow<'static, str>,
    /// Number asked.
    pub asked: f64,
    /// Least number that the table has a value for.
    pub from: f64,
    /// Largest number that the table has a value for.
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

/// A number of any size, in few characters.
fn short(number: f64) -> String {
    let mut text = format!("{number:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

/// Numbers of the parts of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemSize {
    /// Number of nodes.
    pub nodes: u32,
    /// Number of CPUs of each node.
    pub cpus_per_node: u32,
    /// Number of processes.
    pub processes: u32,
    /// Number of threads of each process.
    pub threads: u32,
}

/// Cost of the evaluation itself, in real seconds; the only part that differs between runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The engine that evaluated the model.
    pub engine: Cow<'static, str>,
    /// Reason why that is not the local engine, if the choice was free.
    #[serde(skip)]
    pub why_not_local: Option<String>,
    /// Number of threads on which the engine ran; 1 is the default, and not written.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub threads: u32,
    /// Reason why that is one, if several were asked for; not written otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_one_thread: Option<String>,
    /// Number of processes for which one stands, or several; not written if each was simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folded: Option<u32>,
    /// Number of processes that stand for all, if several do; not written otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<u32>,
    /// Reason why each was simulated, if that was not asked for; not written otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not_folded: Option<String>,
    /// `native` for a program that was compiled, which is the default, or `interpreted`.
    #[serde(default = "native")]
    pub evaluated: Cow<'static, str>,
    /// Elapsed time.
    pub wall_s: f64,
    /// CPU time; 0, the default, if the system does not report it.
    #[serde(default)]
    pub cpu_s: f64,
    /// Number of events that the engine handled; 0 by default.
    #[serde(default)]
    pub events: u64,
    /// Number of messages that the processes sent; 0 by default.
    #[serde(default)]
    pub messages: u64,
    /// Peak resident memory; 0, the default, if the system does not report it.
    #[serde(default)]
    pub peak_memory_bytes: u64,
    /// Iterations that were computed instead of simulated; not written if that was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetition: Option<Repetition>,
}

/// Iterations of loops that were computed instead of simulated, because they repeat earlier ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetition {
    /// Loops with iterations that were computed.
    pub computed: Vec<Repeated>,
    /// Loops whose iterations were all simulated.
    pub simulated: Vec<Simulated>,
    /// Phases of messages in packets; not written for other networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Phases>,
}

/// Phases of messages on a network: each lasts as long as any message is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// Number of all phases.
    pub phases: u64,
    /// Number of phases that were computed, since they repeat earlier ones.
    pub computed: u64,
}

/// A loop with iterations that were computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeated {
    /// Name of the loop.
    #[serde(rename = "loop")]
    pub name: String,
    /// Number of iterations that each process computed.
    pub iterations: u64,
    /// Number of iterations after which the state of the program was the same except for time.
    pub period: u64,
}

/// A loop whose iterations were all simulated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Simulated {
    /// Name of the loop; not written if the reason concerns the whole run.
    #[serde(default, rename = "loop", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Reason why.
    pub why: String,
}

impl Repetition {
    /// Adds the numbers of phases of the network, and of those that were computed: with any of
    /// these, not all is simulated.
    pub fn add_phases(&mut self, counted: Option<(u64, u64)>) {
        self.network = counted.map(|(phases, computed)| Phases { phases, computed });
        if counted.is_some_and(|(_, computed)| computed > 0) {
            self.simulated.clear();
        }
    }

    /// Adds a loop that was simulated, or the whole run, and the reason.
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
    /// True if the result has its evaluation.
    pub fn is_known(&self) -> bool {
        !self.engine.is_empty()
    }
}

/// Efficiencies of the processes, each from 0 to 1: the first is the product of the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Efficiency {
    /// Mean time on a CPU, as a share of the predicted time.
    pub parallel: f64,
    /// Mean time on a CPU, as a share of the longest.
    pub load_balance: f64,
    /// Longest time on a CPU, as a share of the predicted time.
    pub communication: f64,
}

/// Times of one process; the four parts sum to its end when it has ended, up to rounding.
///
/// The activities of threads in a region together count as their mean: with each of four threads
/// computing for 1 s, their process has computed for 1 s. The time of a thread that meets
/// a region within one is divided by the threads of both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Time that user-defined elements let pass; 0 by default.
    #[serde(default)]
    pub hold_s: f64,
}

/// Executions of one element, over all processes.
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
    /// Sum of their times.
    pub total_s: f64,
    /// Mean of their times.
    pub mean_s: f64,
    /// Longest of their times.
    pub max_s: f64,
    /// Share in the time of all processes, from 0 to 1; not a number by default. The executions of
    /// threads together count as in [`ProcessOutcome`].
    #[serde(default = "unknown")]
    pub share: f64,
}

const fn unknown() -> f64 {
    f64::NAN
}

/// The flag of a model parameter, in every program of the model: `PNAT_MAX` has `pnat-max`. Empty
/// if nothing of the name fits a flag.
pub fn flag_name(parameter: &str) -> String {
    let hyphenated: String = parameter
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { '-' })
        .collect();
    hyphenated.trim_matches('-').to_owned()
}
