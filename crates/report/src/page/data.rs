//! Represents the data of a page.
//!
//! All times are simulated seconds unless stated otherwise. Elements are indices into
//! [`Data::elements`], or [`NO_ELEMENT`]; processes are pids; units are uids (`pid *
//! units_of_process + tid`). A table is stored as columns of equal length, which have one entry per
//! row.

use prophet_page::Column;
use prophet_result::{ElementEnergy, Energy, RunCost};
use prophet_text::si_quantity;
use serde::Serialize;

use super::network::Network;
use crate::analysis::balance::Balance;
use crate::analysis::path::PathStep;
use crate::analysis::totals::Split;

/// The value that means "no element" in a column of elements.
pub const NO_ELEMENT: u32 = u32::MAX;

/// Maximum number of records that are drawn individually. If there are more, whoever fills in
/// [`Records`] must leave out or join some.
pub const RECORDS_MAX: usize = 1 << 20;

/// Maximum number of message lines on a page.
pub const MESSAGES_MAX: usize = 1 << 18;

/// The data of a page: one run in detail, and other runs for comparison.
///
/// Unknown data is `None` or empty; for example, a run without a trace has no records. The page
/// then says that the data is missing, or omits the view.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Data {
    pub run: Run,
    /// The elements that were executed, with their totals over all processes. Other fields refer to
    /// elements by their index in this list.
    pub elements: Vec<Element>,
    pub processes: Processes,
    /// How often and how long each process executed each element.
    pub totals: TotalsData,
    /// What each unit did over time, for the space-time diagram and the animator.
    pub records: Option<Records>,
    /// The messages that the space-time diagram shows as lines.
    pub messages: Option<MessageData>,
    /// Traffic between processes.
    pub matrix: Option<MatrixData>,
    pub critical_path: Option<CriticalPathData>,
    /// How the load is distributed over the processes.
    pub imbalance: Option<Imbalance>,
    /// How much time would be gained if elements were faster, largest gain first.
    pub what_if: Option<WhatIf>,
    pub utilization: Vec<UtilizationData>,
    /// `None` unless messages share links.
    pub network: Option<Network>,
    /// The model's activity diagrams, the main one first.
    pub diagrams: Vec<Diagram>,
    /// The runs to compare, this one first. If there is nothing to compare, this list is empty or
    /// contains only this run.
    pub runs: Vec<RunSummary>,
    /// Sentences that readers need to know, for example that a trace was filtered or cut off.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Run {
    pub model: String,
    pub nodes: u32,
    pub cpus_per_node: u32,
    pub processes: u32,
    /// Number of threads per process, as set with `--threads` (`NUM_THREADS` in costs).
    pub threads: u32,
    /// Maximum number of threads that a process had, or could have had, at the same time.
    pub units_of_process: u32,
    /// The model's parameters with their values, in the model's order.
    pub parameters: Vec<Fact>,
    /// Description of the machine, as in the JSON result.
    pub machine: String,
    /// As decimal text, because JavaScript's numbers can't represent all seeds.
    pub seed: String,
    /// What produced this result: the tool's version and other identification.
    pub versions: Vec<Fact>,
    pub predicted_time_s: f64,
    /// Whether the run was interrupted, so that its times are lower bounds.
    pub partial: bool,
    /// What evaluating the model took; `None` if the data comes from a trace.
    pub evaluation: Option<Evaluation>,
    /// Energy and cost; empty if unknown, for example if the data comes from a trace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub energy: Vec<Fact>,
}

/// Formats the energy and cost of a run.
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

/// A name and a value, as displayed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Fact {
    pub name: String,
    pub value: String,
}

/// What evaluating a model took. Times are real seconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evaluation {
    /// Name of the engine.
    pub engine: String,
    /// Elapsed time.
    pub wall_s: f64,
    /// CPU time; 0 means unknown.
    pub cpu_s: f64,
    pub events: u64,
    pub messages: u64,
    /// Peak resident memory in bytes; 0 means unknown.
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

/// An element with its totals over all processes, as in the JSON result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Element {
    pub name: String,
    /// Id in the model, as decimal text.
    pub id: String,
    /// Stereotype in lower case, such as `action+`.
    #[serde(rename = "type")]
    pub kind: String,
    pub count: u64,
    /// Sum of the execution times.
    pub total_s: f64,
    /// Longest execution time.
    pub max_s: f64,
    /// Share of the time of all processes, from 0 to 1.
    pub share: f64,
    /// `None` if unknown.
    pub place: Option<ElementPlace>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ElementPlace {
    /// Model file and line, such as `models/ring.uml:42`.
    pub line: String,
    /// Path of the element in the model; empty if unknown.
    pub path: String,
}

/// The processes as columns, by pid. The last four columns add up to the end time. While several
/// threads share a process's time, each counts for an equal share of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Processes {
    /// In ascending order.
    pub pid: Column<u32>,
    /// Node of each process.
    pub nid: Column<u32>,
    /// When each process ends.
    pub end_s: Column<f64>,
    /// Time that each process spends computing.
    pub compute_s: Column<f64>,
    /// Time that each process spends on messages and collectives, without waiting.
    pub communication_s: Column<f64>,
    /// Time that each process spends waiting.
    pub wait_s: Column<f64>,
    /// Time that user-defined elements let pass.
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

/// How often and how long each process executed each element. The rows of the process at position
/// `i` in [`Processes`] are `offsets[i]..offsets[i + 1]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TotalsData {
    /// The first row of each process, followed by the number of rows; empty if the totals are
    /// unknown.
    pub offsets: Column<u32>,
    /// Element of each row.
    pub element: Column<u32>,
    /// How often the process executed the element.
    pub count: Column<f64>,
    /// Sum of the execution times.
    pub total_s: Column<f64>,
    /// Longest execution time.
    pub max_s: Column<f64>,
    /// Process time spent in these executions. If several threads share the process's time, each
    /// counts only for its share.
    pub taken_s: Column<f64>,
    /// Part of `taken_s` spent computing, without the element's content.
    pub compute_s: Column<f64>,
    /// Part of `taken_s` spent on messages and collectives without waiting, and without the
    /// element's content.
    pub communication_s: Column<f64>,
    /// Part of `taken_s` spent waiting, without the element's content.
    pub wait_s: Column<f64>,
    /// Part of `taken_s` that user-defined elements let pass, without the element's content.
    pub hold_s: Column<f64>,
}

/// What a unit does during a record or a segment of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum SegmentState {
    Compute = 0,
    Send = 1,
    Receive = 2,
    /// The unit waits for a message, a partner or a CPU.
    Wait = 3,
    Collective = 4,
    /// The unit waits for other threads or for a lock.
    Synchronize = 5,
    /// No unit does anything, because a message is in flight. Occurs only on the critical path.
    Network = 6,
    /// The unit lets time pass in a user-defined element.
    Hold = 7,
}

impl SegmentState {
    /// Returns the name of the state with this number; empty if the number is invalid.
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

/// A row below the units in the space-time diagram. It shows the kernels of a stream, or the copies
/// of a copy engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AcceleratorLane {
    /// Label next to the row.
    pub label: String,
    /// Full name.
    pub name: String,
}

/// What units did over time, in at most [`RECORDS_MAX`] rows. The rows of unit `units[i]` are
/// `offsets[i]..offsets[i + 1]`. They are sorted by time and don't overlap.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Records {
    /// Uids of the units in ascending order, followed by numbers for the accelerator lanes that no
    /// unit has.
    pub units: Column<u32>,
    /// The accelerator lanes. Their rows are last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<AcceleratorLane>,
    /// The first row of each unit, followed by the number of rows.
    pub offsets: Column<u32>,
    /// Element of each record.
    pub element: Column<u32>,
    /// State of each record: a [`SegmentState`] as a number.
    pub state: Column<u8>,
    /// Which side of a collective's message the unit is busy with in each record: 1 for sending, 2
    /// for receiving, 0 for no message. Empty if all are 0.
    pub role: Column<u8>,
    /// Number n of threads that share the process's time in each record, so that the record counts
    /// for 1/n of it; 0 if unknown. Empty if no record shares the time.
    pub parts: Column<u32>,
    /// Start of each record.
    pub start_s: Column<f64>,
    /// End of each record.
    pub end_s: Column<f64>,
    /// Whether there were too many records, so that short ones were joined or some processes left
    /// out.
    pub joined: bool,
}

/// The messages to draw as lines, sorted by send time; at most [`MESSAGES_MAX`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MessageData {
    /// Uid of each sender.
    pub from: Column<u32>,
    /// Uid of each receiver.
    pub to: Column<u32>,
    /// Start of each send, in ascending order.
    pub sent_s: Column<f64>,
    /// End of each receive.
    pub received_s: Column<f64>,
    /// Size of each message in bytes.
    pub bytes: Column<f64>,
    /// Number of messages in the run, including those left out here.
    pub count: u64,
}

/// The traffic between processes: the nonzero cells of the matrix.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MatrixData {
    /// Number of rows and columns.
    pub size: u32,
    /// Number of processes per row or column, which have consecutive pids.
    pub block: u32,
    /// Row of each cell, for the senders.
    pub from: Column<u32>,
    /// Column of each cell, for the receivers.
    pub to: Column<u32>,
    /// Total size of the messages in each cell, in bytes.
    pub bytes: Column<f64>,
    /// Number of messages in each cell.
    pub messages: Column<f64>,
}

/// The critical path, as segments without gaps from 0 to the predicted time. Each segment had to
/// wait for the one before it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CriticalPathData {
    /// Uid of the unit in each segment. For a message in flight, this is its sender.
    pub unit: Column<u32>,
    /// Element of each segment.
    pub element: Column<u32>,
    /// State of each segment: a [`SegmentState`] as a number.
    pub state: Column<u8>,
    /// Start of each segment.
    pub start_s: Column<f64>,
    /// End of each segment.
    pub end_s: Column<f64>,
    /// Parts of the path by element and state, longest first. Their times add up to the predicted
    /// time.
    pub parts: Vec<PathPart>,
    /// Steps from one element to the next within a process, which pages don't show.
    #[serde(skip)]
    pub steps: Vec<PathStep>,
}

/// All segments of the critical path with the same element and state.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PathPart {
    pub element: u32,
    /// A [`SegmentState`] as a number.
    pub state: u8,
    pub count: u64,
    /// Total time of the segments.
    pub total_s: f64,
}

/// How the load is distributed over the processes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Imbalance {
    /// Mean computing time of the processes.
    pub mean_compute_s: f64,
    /// Longest computing time of a process.
    pub max_compute_s: f64,
    /// Pid of the process that computes longest.
    pub max_compute_pid: u32,
    /// Mean computing time divided by the longest one; 1 means that the load is perfectly balanced.
    pub load_balance: f64,
    /// Longest computing time divided by the predicted time.
    pub communication_efficiency: f64,
    /// Mean computing time divided by the predicted time. This is the product of the previous two
    /// fields.
    pub parallel_efficiency: f64,
    /// The elements whose times differ most between processes, worst first.
    pub elements: Vec<ElementImbalance>,
}

impl Imbalance {
    /// Computes everything except [`Self::elements`]. Returns `None` if no process computed.
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

/// How the time of one element is distributed over the processes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ElementImbalance {
    pub element: u32,
    /// Mean time per process.
    pub mean_s: f64,
    /// Longest time in any process.
    pub max_s: f64,
    /// Pid of the process with the longest time.
    pub max_pid: u32,
}

/// How much time would be gained if elements were faster.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WhatIf {
    /// Reduction of the elements' times, such as 0.1 for 10%.
    pub reduction: f64,
    /// A sentence that explains how the gains are computed.
    pub method: String,
    /// All elements, largest gain first.
    pub elements: Vec<WhatIfElement>,
}

/// The gain if one element were faster.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WhatIfElement {
    pub element: u32,
    /// Predicted time with the faster element.
    pub predicted_time_s: f64,
    /// The predicted time of the run minus the one with the faster element.
    pub gain_s: f64,
    /// Whether the gain is exact because the program was run again. Otherwise, it is an upper
    /// bound.
    pub exact: bool,
}

/// How busy devices of one kind are over time, in steps of equal length.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct UtilizationData {
    /// Name of the kind of device, such as `CPUs` or `Links`.
    pub title: String,
    /// Sentence that explains the values.
    pub meaning: String,
    /// Unit of the values, such as `B/s`; empty for a share of the capacity.
    pub unit: String,
    /// Length of a step.
    pub step_s: f64,
    pub steps: u32,
    /// Names of the devices, such as `node 0`.
    pub names: Vec<String>,
    /// Values of the first device in all steps, followed by the second device's values, and so on.
    pub values: Column<f32>,
}

/// An activity diagram of the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Diagram {
    pub name: String,
    /// SVG. Groups that represent elements have `class="element"`, and the element's id in
    /// `data-element`.
    pub svg: String,
}

/// A run in a comparison of several runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunSummary {
    /// Label that identifies the run, such as `32 processes`.
    pub label: String,
    pub run: Run,
    /// Sum over all processes.
    pub compute_s: f64,
    /// Sum over all processes.
    pub communication_s: f64,
    /// Sum over all processes.
    pub wait_s: f64,
    /// Time that user-defined elements let pass, summed over the processes.
    pub hold_s: f64,
    /// Elements are matched by id across runs.
    pub elements: Vec<Element>,
}

impl RunSummary {
    /// Summarizes a run; `label` identifies it in the comparison.
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
