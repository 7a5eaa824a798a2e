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

/// Maximum number of records that are drawn individually. Code that fills in [`Records`] must leave
/// out or join records if there are more.
pub const RECORDS_MAX: usize = 1 << 20;

/// Maximum number of message lines on a page.
pub const MESSAGES_MAX: usize = 1 << 18;

/// The data of a page: one run in detail, and other runs for comparison.
///
/// Unknown data is `None` or empty; for example, a run without a trace has no records. The page
/// then says that the data is missing, or omits the view.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Data {
    /// Description of the run.
    pub run: Run,
    /// The elements that were executed, with totals over all processes. Other fields contain
    /// indices into this list.
    pub elements: Vec<Element>,
    /// The processes.
    pub processes: Processes,
    /// How often and how long each process executed each element.
    pub totals: TotalsData,
    /// What each unit did over time, for the space-time diagram and the animator.
    pub records: Option<Records>,
    /// The messages that the space-time diagram shows as lines.
    pub messages: Option<MessageData>,
    /// Traffic between processes.
    pub matrix: Option<MatrixData>,
    /// The critical path, which explains the predicted time.
    pub critical_path: Option<CriticalPathData>,
    /// How the work is distributed over the processes.
    pub imbalance: Option<Imbalance>,
    /// How much time would be gained if elements were faster, largest gain first.
    pub what_if: Option<WhatIf>,
    /// Utilization of CPUs and links.
    pub utilization: Vec<UtilizationData>,
    /// The network; `None` unless messages shared links.
    pub network: Option<Network>,
    /// The model's activity diagrams, the main one first.
    pub diagrams: Vec<Diagram>,
    /// The runs that the page compares, this one first. Empty, or only this run, if there is
    /// nothing to compare.
    pub runs: Vec<RunSummary>,
    /// Sentences that a reader has to know, for example that a trace was filtered or cut off.
    pub notes: Vec<String>,
}

/// Description of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Run {
    /// Name of the model.
    pub model: String,
    /// Number of nodes.
    pub nodes: u32,
    /// Number of CPUs per node.
    pub cpus_per_node: u32,
    /// Number of processes.
    pub processes: u32,
    /// Number of threads per process as set with `--threads`, which is `NUM_THREADS` in costs.
    pub threads: u32,
    /// Maximum number of threads that a process had, or could have had, at the same time.
    pub units_of_process: u32,
    /// The model's parameters and their values, in the model's order.
    pub parameters: Vec<Fact>,
    /// Description of the machine, as in the JSON result.
    pub machine: String,
    /// Seed as a decimal text, because JavaScript's numbers can't represent all seeds.
    pub seed: String,
    /// What produced this result: the tool's version and other identification.
    pub versions: Vec<Fact>,
    /// Predicted time in simulated seconds.
    pub predicted_time_s: f64,
    /// Whether the run was interrupted, so that its times are lower bounds.
    pub partial: bool,
    /// The cost of evaluating the model; `None` for a trace, which doesn't contain it.
    pub evaluation: Option<Evaluation>,
    /// The run's energy and cost; empty if unknown, as for a trace.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub energy: Vec<Fact>,
}

/// Returns the energy and cost of a run as facts to be displayed.
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

/// A name and a value, as the page displays them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Fact {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// The cost of evaluating a model. Times are real seconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evaluation {
    /// The engine that evaluated the model.
    pub engine: String,
    /// Elapsed time.
    pub wall_s: f64,
    /// CPU time; 0 means unknown.
    pub cpu_s: f64,
    /// Number of events that the engine handled.
    pub events: u64,
    /// Number of messages that were sent.
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

/// An element and its totals over all processes, as in the JSON result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Element {
    /// Name in the model.
    pub name: String,
    /// Id in the model, as a decimal text.
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
    /// Share of the time of all processes that the element takes, from 0 to 1.
    pub share: f64,
    /// Where the element is in the model, if known.
    pub place: Option<ElementPlace>,
}

/// Where an element is in a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ElementPlace {
    /// Model file and line, such as `models/ring.uml:42`.
    pub line: String,
    /// Path of the element in the model; empty if unknown.
    pub path: String,
}

/// The processes as columns, by pid. The last four columns add up to the end time. While a process
/// has several threads in a region, the mean of their activities counts.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Processes {
    /// Numbers of the processes, in ascending order.
    pub pid: Column<u32>,
    /// Numbers of the nodes that the processes run on.
    pub nid: Column<u32>,
    /// When the processes end.
    pub end_s: Column<f64>,
    /// Times that the processes compute.
    pub compute_s: Column<f64>,
    /// Times that the processes spend on communication itself.
    pub communication_s: Column<f64>,
    /// Times that the processes wait.
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

/// How often and how long each process executed each element. The process at position `i` in
/// [`Processes`] has the rows `offsets[i]..offsets[i + 1]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TotalsData {
    /// The first row of each process, followed by the number of rows; empty if the totals are
    /// unknown.
    pub offsets: Column<u32>,
    /// The element in each row.
    pub element: Column<u32>,
    /// How often the process executed the element.
    pub count: Column<f64>,
    /// Sum of the execution times.
    pub total_s: Column<f64>,
    /// Longest execution time.
    pub max_s: Column<f64>,
    /// Process time spent in these executions. If threads share a region, each counts only for its
    /// share of the process's time.
    pub taken_s: Column<f64>,
    /// Part of that time spent computing, without the element's content.
    pub compute_s: Column<f64>,
    /// Part of that time spent on communication itself, without the element's content.
    pub communication_s: Column<f64>,
    /// Part of that time spent waiting, without the element's content.
    pub wait_s: Column<f64>,
    /// Part of that time that user-defined elements let pass, without the element's content.
    pub hold_s: Column<f64>,
}

/// What a unit does during a record or a segment of the critical path.
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
    /// Returns the name of the state with this number; empty if there is no such state.
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

/// A row below the units in the space-time diagram, which shows the kernels of a stream or the
/// copies of a copy engine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AcceleratorLane {
    /// Short label next to the row.
    pub label: String,
    /// Full name of the stream or copy engine.
    pub name: String,
}

/// What units did over time, in at most [`RECORDS_MAX`] rows. Unit `units[i]` has the rows
/// `offsets[i]..offsets[i + 1]`, which are in time order and don't overlap.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Records {
    /// Uids of the units in ascending order, followed by the numbers of accelerator lanes, which no
    /// unit has.
    pub units: Column<u32>,
    /// The accelerator lanes, which have the last rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lanes: Vec<AcceleratorLane>,
    /// The first row of each unit, followed by the number of rows.
    pub offsets: Column<u32>,
    /// The element in each record.
    pub element: Column<u32>,
    /// The state in each record: a [`SegmentState`] as a number.
    pub state: Column<u8>,
    /// For each record, which side of a collective's message the unit is busy with: 1 for sending,
    /// 2 for receiving, or 0 if there is no message. Empty if all are 0.
    pub role: Column<u8>,
    /// For each record, the number n of threads that share the process's time, so that the record
    /// counts for 1/n of it; 0 if unknown. Empty if no record shares the time.
    pub parts: Column<u32>,
    /// When the records start.
    pub start_s: Column<f64>,
    /// When the records end.
    pub end_s: Column<f64>,
    /// Whether there were too many records to list, so that short ones were joined or some
    /// processes left out.
    pub joined: bool,
}

/// The messages to draw as lines, sorted by send time; at most [`MESSAGES_MAX`].
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MessageData {
    /// Uids of the senders.
    pub from: Column<u32>,
    /// Uids of the receivers.
    pub to: Column<u32>,
    /// When the sends start, in ascending order.
    pub sent_s: Column<f64>,
    /// When the receives end.
    pub received_s: Column<f64>,
    /// Sizes of the messages in bytes.
    pub bytes: Column<f64>,
    /// Number of messages in the run, including those that aren't listed.
    pub count: u64,
}

/// The traffic between processes: the cells of the matrix that aren't zero.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MatrixData {
    /// Number of rows and columns.
    pub size: u32,
    /// Number of processes in each row or column; their pids are consecutive.
    pub block: u32,
    /// Row of each cell: the senders.
    pub from: Column<u32>,
    /// Column of each cell: the receivers.
    pub to: Column<u32>,
    /// Total size of the messages in each cell, in bytes.
    pub bytes: Column<f64>,
    /// Number of messages in each cell.
    pub messages: Column<f64>,
}

/// The critical path: the chain of activities, each of which had to wait for the previous one, from
/// 0 to the predicted time without gaps.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CriticalPathData {
    /// Uid of the unit in each segment; for a message in flight, the uid of its sender.
    pub unit: Column<u32>,
    /// The element in each segment.
    pub element: Column<u32>,
    /// The state in each segment: a [`SegmentState`] as a number.
    pub state: Column<u8>,
    /// When the segments start.
    pub start_s: Column<f64>,
    /// When the segments end.
    pub end_s: Column<f64>,
    /// Parts of the path by element and state, longest part first. Their times add up to the
    /// predicted time.
    pub parts: Vec<PathPart>,
    /// Steps from one element to the next within a process. The page doesn't show them.
    #[serde(skip)]
    pub steps: Vec<PathStep>,
}

/// All segments of the critical path that belong to one element and one state.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PathPart {
    /// The element of the segments.
    pub element: u32,
    /// The state of the segments: a [`SegmentState`] as a number.
    pub state: u8,
    /// Number of segments.
    pub count: u64,
    /// Total time of the segments.
    pub total_s: f64,
}

/// How the work is distributed over the processes.
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
    /// Mean computing time divided by the predicted time, which is the product of the previous two
    /// fields.
    pub parallel_efficiency: f64,
    /// The elements whose time differs most between processes, worst first.
    pub elements: Vec<ElementImbalance>,
}

impl Imbalance {
    /// Computes how the work is distributed over the processes, but not over elements. Returns
    /// `None` if no process computed.
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
    /// The element.
    pub element: u32,
    /// Mean time of the element over all processes.
    pub mean_s: f64,
    /// Longest time of the element in a process.
    pub max_s: f64,
    /// Pid of the process in which the element takes longest.
    pub max_pid: u32,
}

/// How much time would be gained if elements were faster.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WhatIf {
    /// By how much the elements' times are reduced, such as 0.1 for 10%.
    pub reduction: f64,
    /// A sentence that explains how the gains were computed.
    pub method: String,
    /// All elements, largest gain first.
    pub elements: Vec<WhatIfElement>,
}

/// The gain if one element were faster.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WhatIfElement {
    /// The element.
    pub element: u32,
    /// The time that would then be predicted.
    pub predicted_time_s: f64,
    /// The gain: the run's predicted time minus the one that would then be predicted.
    pub gain_s: f64,
    /// Whether the gain is exact because the program was run again; otherwise, it is an upper
    /// bound.
    pub exact: bool,
}

/// Utilization of one kind of device over time, in steps of equal length.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct UtilizationData {
    /// Name of the kind of device, such as `CPUs` or `Links`.
    pub title: String,
    /// A sentence that explains the values.
    pub meaning: String,
    /// Unit of the values: empty for a share of the capacity, or for example `B/s`.
    pub unit: String,
    /// Length of a step.
    pub step_s: f64,
    /// Number of steps.
    pub steps: u32,
    /// Names of the devices, such as `node 0`.
    pub names: Vec<String>,
    /// Values of the first device for all steps, followed by the second device's values, and so on.
    pub values: Column<f32>,
}

/// An activity diagram of the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Diagram {
    /// Name of the activity.
    pub name: String,
    /// The drawing as SVG. The groups that represent elements have `class="element"`, and
    /// `data-element` with the element's id.
    pub svg: String,
}

/// A run in a comparison of several runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunSummary {
    /// A label that identifies the run, such as `32 processes`.
    pub label: String,
    /// Description of the run.
    pub run: Run,
    /// Computing time, summed over the processes.
    pub compute_s: f64,
    /// Communication time, summed over the processes.
    pub communication_s: f64,
    /// Waiting time, summed over the processes.
    pub wait_s: f64,
    /// Time that user-defined elements let pass, summed over the processes.
    pub hold_s: f64,
    /// The elements of the run. Elements of different runs are matched by id.
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
