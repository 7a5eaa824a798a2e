//! Represents a page's data.
//!
//! All times are simulated seconds unless stated otherwise. Elements are indices into
//! [`Data::elements`], or [`NO_ELEMENT`]; processes are pids; units are uids (`pid *
//! units_of_process + tid`). Tables are stored as columns of equal length, with one entry per row.

use prophet_page::Column;
use prophet_result::{ElementEnergy, Energy, RunCost};
use prophet_text::si_quantity;
use serde::Serialize;

use super::network::Network;
use crate::analysis::balance::Balance;
use crate::analysis::path::PathStep;
use crate::analysis::totals::Split;

/// Stands for "no element" in a column of elements.
pub const NO_ELEMENT: u32 = u32::MAX;

/// Maximum number of records to draw individually. Code that fills [`Records`] must reject or
/// filter more.
pub const RECORDS_MAX: usize = 1 << 20;

/// Maximum number of message lines on a page.
pub const MESSAGES_MAX: usize = 1 << 18;

/// The data of a page: one run in detail, and other runs for comparison.
///
/// Unknown data is `None` or empty; for example, a run without a trace has no records. The page
/// then says so or omits the view.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Data {
    /// Description of the run.
    pub run: Run,
    /// The executed elements, with totals over all processes; other fields refer to them by index.
    pub elements: Vec<Element>,
    /// The processes.
    pub processes: Processes,
    /// Executions of each element by each process.
    pub totals: TotalsData,
    /// Records over time, for the space-time diagram and the animator.
    pub records: Option<Records>,
    /// Message lines in the space-time diagram.
    pub messages: Option<MessageData>,
    /// Traffic between processes.
    pub matrix: Option<MatrixData>,
    /// The critical path, which makes up the predicted time.
    pub critical_path: Option<CriticalPathData>,
    /// Distribution of the work over the processes.
    pub imbalance: Option<Imbalance>,
    /// Gains from faster elements, largest first.
    pub what_if: Option<WhatIf>,
    /// Utilization of CPUs and links.
    pub utilization: Vec<UtilizationData>,
    /// The network, if messages shared links.
    pub network: Option<Network>,
    /// The model's activity diagrams, the main one first.
    pub diagrams: Vec<Diagram>,
    /// Runs to compare, this one first; empty or just this run if there is nothing to compare.
    pub runs: Vec<RunSummary>,
    /// Sentences that a reader must know, for example that a trace was filtered or cut.
    pub notes: Vec<String>,
}

/// Description of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Run {
    /// The model's name.
    pub model: String,
    /// Number of nodes.
    pub nodes: u32,
    /// Number of CPUs per node.
    pub cpus_per_node: u32,
    /// Number of processes.
    pub processes: u32,
    /// Number of threads per process from `--threads`: `NUM_THREADS` in costs.
    pub threads: u32,
    /// Maximum number of threads that a process had, or may have had, at the same time.
    pub units_of_process: u32,
    /// The model's parameters with their values, in the model's order.
    pub parameters: Vec<Fact>,
    /// The machine, as in the JSON result.
    pub machine: String,
    /// The seed in decimal, because JavaScript's numbers are too small for it.
    pub seed: String,
    /// Origin of this result: the tool's version and other identification.
    pub versions: Vec<Fact>,
    /// The predicted time.
    pub predicted_time_s: f64,
    /// Whether the run was interrupted, so that times are lower bounds.
    pub partial: bool,
    /// Cost of the evaluation; unknown for a trace.
    pub evaluation: Option<Evaluation>,
    /// Energy and cost; empty if unknown, as for a trace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub energy: Vec<Fact>,
}

/// Returns facts about a run's energy and cost.
pub fn energy_facts(energy: Option<&Energy>, cost: Option<&RunCost>) -> Vec<Fact> {
    let fact = |name: &str, value: String| Fact {
        name: name.to_owned(),
        value,
    };
    let joules = |(name, joules): (&str, f64)| fact(name, si_quantity(joules, "J"));
    let mut facts = Vec::new();
    if let Some(energy) = energy {
        facts.push(joules(("Energy", energy.total_j)));
        facts.push(fact("Mean power", si_quantity(energy.mean_power_w, "W")));
        let parts = energy.parts().into_iter().filter(|part| part.1 != 0.0);
        facts.extend(parts.map(joules));
        let elements = energy.elements.iter();
        let sum = |it: &ElementEnergy| it.cpus_j + it.memory_j + it.network_j;
        facts.extend(elements.map(|it| joules((&it.name, sum(it)))));
    }
    facts.extend(cost.map(|cost| fact("Cost", cost.to_string())));
    facts
}

/// A name and a value, both as displayed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Fact {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Cost of the evaluation, in real seconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evaluation {
    /// The engine that evaluated the model.
    pub engine: String,
    /// Elapsed time.
    pub wall_s: f64,
    /// CPU time; 0 if unknown.
    pub cpu_s: f64,
    /// Number of events that the engine handled.
    pub events: u64,
    /// Number of messages sent.
    pub messages: u64,
    /// Peak resident memory; 0 if unknown.
    pub peak_memory_bytes: u64,
}

impl From<&prophet_result::Evaluation> for Evaluation {
    fn from(evaluation: &prophet_result::Evaluation) -> Self {
        Self {
            engine: evaluation.engine.to_string(),
            wall_s: evaluation.wall_s,
            cpu_s: evaluation.cpu_s,
            events: evaluation.events,
            messages: evaluation.messages,
            peak_memory_bytes: evaluation.peak_memory_bytes,
        }
    }
}

/// An element and its totals over all processes, as in the JSON result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Element {
    /// Name in the model.
    pub name: String,
    /// Id in the model, in decimal.
    pub id: String,
    /// Stereotype in lower case, such as `action+`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Number of executions.
    pub count: u64,
    /// Sum of the execution times.
    pub total_s: f64,
    /// Longest execution time.
    pub max_s: f64,
    /// Share of the time of all processes, from 0 to 1.
    pub share: f64,
    /// Place in the model, if known.
    pub place: Option<ElementPlace>,
}

/// An element's place in a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ElementPlace {
    /// The model file and the line, such as `models/ring.uml:42`.
    pub line: String,
    /// Path in the model; empty if unknown.
    pub path: String,
}

/// The processes in columns, by pid; the last four columns add up to the end. Threads in a region
/// count with the mean of their activities.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Processes {
    /// Process numbers, ascending.
    pub pid: Column<u32>,
    /// Node numbers.
    pub nid: Column<u32>,
    /// End times.
    pub end_s: Column<f64>,
    /// Computing times.
    pub compute_s: Column<f64>,
    /// Communication times.
    pub communication_s: Column<f64>,
    /// Waiting times.
    pub wait_s: Column<f64>,
    /// Times that user-defined elements let pass.
    pub hold_s: Column<f64>,
}

impl Processes {
    pub(crate) fn push(&mut self, [pid, nid]: [u32; 2], end_s: f64, split: Split) {
        self.pid.push(pid);
        self.nid.push(nid);
        self.end_s.push(end_s);
        self.compute_s.push(split.compute_s);
        self.communication_s.push(split.communication_s);
        self.wait_s.push(split.wait_s);
        self.hold_s.push(split.hold_s);
    }
}

/// Executions of each element by each process. Process `i` (by position in [`Processes`]) has the
/// rows `offsets[i]..offsets[i + 1]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TotalsData {
    /// One more entry than there are processes; empty if the totals are unknown.
    pub offsets: Column<u32>,
    /// The elements.
    pub element: Column<u32>,
    /// Numbers of executions.
    pub count: Column<f64>,
    /// Sums of the execution times.
    pub total_s: Column<f64>,
    /// Longest execution times.
    pub max_s: Column<f64>,
    /// Shares of the process's time; threads that share a region count with their parts.
    pub taken_s: Column<f64>,
    /// Computing in that time, without content.
    pub compute_s: Column<f64>,
    /// Communicating in that time, without content.
    pub communication_s: Column<f64>,
    /// Waiting in that time, without content.
    pub wait_s: Column<f64>,
    /// Holding in that time, without content.
    pub hold_s: Column<f64>,
}

/// State of a unit during a record, or in a segment of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum SegmentState {
    /// The unit uses a CPU.
    Compute = 0,
    /// The unit sends a message.
    Send = 1,
    /// The unit receives a message.
    Receive = 2,
    /// The unit waits for a message, a partner or a CPU.
    Wait = 3,
    /// The unit takes part in a collective.
    Collective = 4,
    /// The unit waits for other threads or for a lock.
    Synchronize = 5,
    /// No unit does anything, because a message is in flight. This state occurs only on the
    /// critical path.
    Network = 6,
    /// The unit lets time pass in a user-defined element.
    Hold = 7,
}

impl SegmentState {
    /// Returns the name of the state with that number; empty for other numbers.
    pub fn name_of(number: u8) -> &'static str {
        const NAMES: [&str; 8] = [
            "compute",
            "send",
            "receive",
            "wait",
            "collective",
            "synchronize",
            "transfer",
            "hold",
        ];
        NAMES.get(usize::from(number)).copied().unwrap_or_default()
    }
}

/// A row below the units in the space-time diagram, with a stream's kernels or an engine's copies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AcceleratorLane {
    /// Label next to the row.
    pub label: String,
    /// Full name.
    pub name: String,
}

/// Records over time. Unit `units[i]` has the rows `offsets[i]..offsets[i + 1]`, in time order and
/// without overlap. At most [`RECORDS_MAX`] rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Records {
    /// The uids, ascending, followed by the numbers of accelerator lanes, which no unit has.
    pub units: Column<u32>,
    /// Accelerator lanes: the last rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<AcceleratorLane>,
    /// One more entry than there are units.
    pub offsets: Column<u32>,
    /// The elements.
    pub element: Column<u32>,
    /// The states: [`SegmentState`] as a number.
    pub state: Column<u8>,
    /// Which side of a message each collective is busy with: 1 sends, 2 receives, 0 has no message.
    /// Empty if all are 0.
    pub role: Column<u8>,
    /// n for each record that gets 1/n of the process's time because threads share it; 0 if
    /// unknown. Empty if every record gets the whole time.
    pub parts: Column<u32>,
    /// Starts of the records.
    pub start_s: Column<f64>,
    /// Ends of the records.
    pub end_s: Column<f64>,
    /// Whether there were too many to list, so that short ones are joined or some processes are
    /// omitted.
    pub joined: bool,
}

/// Messages, sorted by send time; at most [`MESSAGES_MAX`] rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MessageData {
    /// The senders' uids.
    pub from: Column<u32>,
    /// The receivers' uids.
    pub to: Column<u32>,
    /// Starts of the sends, ascending.
    pub sent_s: Column<f64>,
    /// Ends of the receives.
    pub received_s: Column<f64>,
    /// Sizes in bytes.
    pub bytes: Column<f64>,
    /// Number of messages, including unlisted ones.
    pub count: u64,
}

/// Traffic between processes: the nonzero cells.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MatrixData {
    /// Number of rows and columns.
    pub size: u32,
    /// Number of processes with consecutive pids per row or column.
    pub block: u32,
    /// The rows.
    pub from: Column<u32>,
    /// The columns.
    pub to: Column<u32>,
    /// Total sizes.
    pub bytes: Column<f64>,
    /// Numbers of messages.
    pub messages: Column<f64>,
}

/// The critical path: the chain of activities that had to wait for each other, from 0 to the
/// predicted time without gaps.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CriticalPathData {
    /// The uids; for a message in flight, its sender's uid.
    pub unit: Column<u32>,
    /// The elements.
    pub element: Column<u32>,
    /// The states: [`SegmentState`] as a number.
    pub state: Column<u8>,
    /// Starts of the segments.
    pub start_s: Column<f64>,
    /// Ends of the segments.
    pub end_s: Column<f64>,
    /// Parts of the path, longest first; they add up to the predicted time.
    pub parts: Vec<PathPart>,
    /// Steps from element to element within a process, which the page doesn't show.
    #[serde(skip)]
    pub steps: Vec<PathStep>,
}

/// All segments of the critical path for one element in one state.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PathPart {
    /// The element.
    pub element: u32,
    /// The state: [`SegmentState`] as a number.
    pub state: u8,
    /// Number of segments.
    pub count: u64,
    /// Total time of the segments.
    pub total_s: f64,
}

/// Distribution of the work over the processes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Imbalance {
    /// Mean computing time of the processes.
    pub mean_compute_s: f64,
    /// Longest computing time of a process.
    pub max_compute_s: f64,
    /// The process that computes longest.
    pub max_compute_pid: u32,
    /// Mean divided by longest computing time; 1 means even.
    pub load_balance: f64,
    /// Longest computing time divided by the predicted time.
    pub communication_efficiency: f64,
    /// Mean computing time divided by the predicted time: the product of the previous two fields.
    pub parallel_efficiency: f64,
    /// The least evenly executed elements, worst first.
    pub elements: Vec<ElementImbalance>,
}

impl Imbalance {
    /// Computes the balance of the processes, without elements. Returns `None` if nothing was
    /// computed.
    pub fn of(processes: &Processes, predicted_time_s: f64) -> Option<Self> {
        let computed_s = processes.compute_s.iter().copied();
        let balance = Balance::of(computed_s, predicted_time_s)?;
        let efficiency = balance.efficiency;
        Some(Self {
            mean_compute_s: balance.mean_s,
            max_compute_s: balance.most_s,
            max_compute_pid: balance.busiest,
            load_balance: efficiency.load_balance,
            communication_efficiency: efficiency.communication,
            parallel_efficiency: efficiency.parallel,
            elements: Vec::new(),
        })
    }
}

/// Distribution of one element over the processes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ElementImbalance {
    /// The element.
    pub element: u32,
    /// Mean of its time over all processes.
    pub mean_s: f64,
    /// Longest time in a process.
    pub max_s: f64,
    /// The process with the longest time.
    pub max_pid: u32,
}

/// Gains from faster elements.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WhatIf {
    /// Reduction of the elements' times, such as 0.1 for 10%.
    pub reduction: f64,
    /// A sentence on how the gains were computed.
    pub method: String,
    /// All elements, largest gain first.
    pub elements: Vec<WhatIfElement>,
}

/// Gain from one faster element.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WhatIfElement {
    /// The element.
    pub element: u32,
    /// The time that would be predicted.
    pub predicted_time_s: f64,
    /// Gain: the difference from the run's predicted time.
    pub gain_s: f64,
    /// Whether the program was run again to find the gain; otherwise it is an upper bound.
    pub exact: bool,
}

/// Utilization of one kind of device, in steps of equal length.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct UtilizationData {
    /// Name of the kind, such as `CPUs` or `Links`.
    pub title: String,
    /// A sentence that explains the values.
    pub meaning: String,
    /// Unit of the values: `""` for a share of the capacity, otherwise for example `B/s`.
    pub unit: String,
    /// Length of a step.
    pub step_s: f64,
    /// Number of steps.
    pub steps: u32,
    /// Names of the devices, such as `node 0`.
    pub names: Vec<String>,
    /// The first device's values, followed by the second's, and so on.
    pub values: Column<f32>,
}

/// An activity diagram.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Diagram {
    /// The activity's name.
    pub name: String,
    /// The drawing; groups of elements have `class="element"` and `data-element` with the id.
    pub svg: String,
}

/// A run in a comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunSummary {
    /// A label that identifies it, such as `32 processes`.
    pub label: String,
    /// Description of the run.
    pub run: Run,
    /// Computing time, summed over the processes.
    pub compute_s: f64,
    /// Communication time, summed over the processes.
    pub communication_s: f64,
    /// Waiting time, summed over the processes.
    pub wait_s: f64,
    /// Holding time, summed over the processes.
    pub hold_s: f64,
    /// The elements; elements of different runs are matched by id.
    pub elements: Vec<Element>,
}

impl RunSummary {
    /// Summarizes a run under a label.
    pub fn of(data: &Data, label: String) -> Self {
        let processes = &data.processes;
        Self {
            label,
            run: data.run.clone(),
            compute_s: processes.compute_s.iter().sum(),
            communication_s: processes.communication_s.iter().sum(),
            wait_s: processes.wait_s.iter().sum(),
            hold_s: processes.hold_s.iter().sum(),
            elements: data.elements.clone(),
        }
    }
}
