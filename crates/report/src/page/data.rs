//! What a page shows.
//!
//! All times are simulated seconds unless said. Elements are indices into [`Data::elements`],
//! [`NO_ELEMENT`] where there is none; processes are pids; units are uids
//! (`pid * units_of_process + tid`). What is many comes in columns of equal length, one entry a
//! row.

use serde::Serialize;

use super::column::Column;
use crate::analysis::balance::Efficiency;

/// In a column of elements: none of them.
pub const NO_ELEMENT: u32 = u32::MAX;

/// More records than these are not drawn one by one: a report of them is to be refused or
/// filtered by who fills [`Records`].
pub const RECORDS_MAX: usize = 1 << 20;

/// More message lines than these are not kept on a page.
pub const MESSAGES_MAX: usize = 1 << 18;

/// What a page shows: one run in detail, and others to compare it with.
///
/// What is not known (a run that was not traced has no records) is `None` or empty; the page
/// says so or leaves the view out.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Data {
    /// What was run.
    pub run: Run,
    /// The elements that were executed, over all processes; others refer to them by index.
    pub elements: Vec<Element>,
    /// The processes.
    pub processes: Processes,
    /// How each process executed each element.
    pub totals: Totals,
    /// What happened when, for the space-time diagram and the animator.
    pub records: Option<Records>,
    /// Lines of the space-time diagram.
    pub messages: Option<Messages>,
    /// Who sent how much to whom.
    pub matrix: Option<Matrix>,
    /// What the predicted time is made of.
    pub critical_path: Option<CriticalPath>,
    /// How evenly work is spread.
    pub imbalance: Option<Imbalance>,
    /// What faster elements would bring, the largest gain first.
    pub what_if: Option<WhatIf>,
    /// How busy CPUs and links were.
    pub utilization: Vec<Utilization>,
    /// The model's activity diagrams, the main one first.
    pub diagrams: Vec<Diagram>,
    /// The runs to compare, this one first; empty or of one if there is nothing to compare.
    pub runs: Vec<RunSummary>,
    /// Sentences that a reader must know, such as that a trace was filtered or cut.
    pub notes: Vec<String>,
}

/// What was run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Run {
    /// The model's name.
    pub model: String,
    /// How many nodes.
    pub nodes: u32,
    /// How many CPUs each node has.
    pub cpus_per_node: u32,
    /// How many processes.
    pub processes: u32,
    /// How many threads each process has by `--threads`: `NUM_THREADS` in costs.
    pub threads: u32,
    /// The most threads that a process had at one time, or may have had.
    pub units_of_process: u32,
    /// The model's parameters with their values, in the model's order.
    pub parameters: Vec<Fact>,
    /// The machine, as the result in JSON has it.
    pub machine: String,
    /// The seed, in decimal (JavaScript's numbers are too small for it).
    pub seed: String,
    /// What made this result: the tool's version and what else tells it apart.
    pub versions: Vec<Fact>,
    /// The predicted time.
    pub predicted_time_s: f64,
    /// Whether the run was interrupted, and times are lower bounds.
    pub partial: bool,
    /// What the evaluation took; unknown for a trace.
    pub evaluation: Option<Evaluation>,
}

/// A name and a value, both as they are shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Fact {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// What the evaluation took, in real seconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evaluation {
    /// The engine that evaluated the model.
    pub engine: String,
    /// Elapsed time.
    pub wall_s: f64,
    /// CPU time; 0 if unknown.
    pub cpu_s: f64,
    /// How many events the engine handled.
    pub events: u64,
    /// How many messages were sent.
    pub messages: u64,
    /// The most memory that was resident; 0 if unknown.
    pub peak_memory_bytes: u64,
}

/// An element and its totals over all processes, as in the result in JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Element {
    /// Its name in the model.
    pub name: String,
    /// Its id in the model, in decimal.
    pub id: String,
    /// Its stereotype in lower case, such as `action+`.
    #[serde(rename = "type")]
    pub kind: String,
    /// How often it was executed.
    pub count: u64,
    /// The sum of the times that it took.
    pub total_s: f64,
    /// The longest of them.
    pub max_s: f64,
    /// What it took of the time of all processes, from 0 to 1.
    pub share: f64,
    /// Where the model has it, if that is known.
    pub place: Option<Place>,
}

/// Where a model has an element.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The model file and the line, as `models/ring.uml:42`.
    pub line: String,
    /// Its path in the model; empty if that is not known.
    pub path: String,
}

/// The processes in columns, by pid; the last four sum to the end. What threads do while they are
/// in a region together counts as their mean.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Processes {
    /// Their numbers, ascending.
    pub pid: Column<u32>,
    /// Their nodes.
    pub nid: Column<u32>,
    /// When they ended.
    pub end_s: Column<f64>,
    /// How long they computed.
    pub compute_s: Column<f64>,
    /// How long they communicated.
    pub communication_s: Column<f64>,
    /// How long they waited.
    pub wait_s: Column<f64>,
    /// How long elements of the user's own let time pass.
    pub hold_s: Column<f64>,
}

/// How each process executed each element: the rows of process `i` (by place in [`Processes`])
/// are `offsets[i]..offsets[i + 1]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Totals {
    /// One more than there are processes; empty if this is not known.
    pub offsets: Column<u32>,
    /// The elements.
    pub element: Column<u32>,
    /// How often each was executed.
    pub count: Column<f64>,
    /// The sum of the times that it took.
    pub total_s: Column<f64>,
    /// The longest of them.
    pub max_s: Column<f64>,
    /// What they took of the process's time: that of threads which share a region is a part.
    pub taken_s: Column<f64>,
    /// How much of that, without the content, was computing.
    pub compute_s: Column<f64>,
    /// How much of that, without the content, was communicating.
    pub communication_s: Column<f64>,
    /// How much of that, without the content, was waiting.
    pub wait_s: Column<f64>,
    /// How much of that, without the content, was holding.
    pub hold_s: Column<f64>,
}

/// What a unit does during a record, or a segment of the critical path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// Holds a CPU.
    Compute = 0,
    /// Sends a message.
    Send = 1,
    /// Receives a message.
    Receive = 2,
    /// Waits: for a message, a partner or a CPU.
    Wait = 3,
    /// Takes part in a collective.
    Collective = 4,
    /// Waits for other threads, or for a lock.
    Synchronize = 5,
    /// Nobody does anything: a message is under way. Only on the critical path.
    Network = 6,
    /// Lets time pass: an element of the user's own.
    Hold = 7,
}

/// What happened when: the records of unit `units[i]` are rows `offsets[i]..offsets[i + 1]`,
/// which follow each other in time and do not overlap. At most [`RECORDS_MAX`] rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Records {
    /// The uids, ascending.
    pub units: Column<u32>,
    /// One more than there are units.
    pub offsets: Column<u32>,
    /// The elements.
    pub element: Column<u32>,
    /// The states: [`State`] as a number.
    pub state: Column<u8>,
    /// Of how many parts of its process's time each is one, as threads share it; 0 if that is not
    /// known. Empty where each is all of it.
    pub parts: Column<u32>,
    /// When each begins.
    pub start_s: Column<f64>,
    /// When each ends.
    pub end_s: Column<f64>,
    /// Whether there were too many to list: short ones are joined, or some processes left out.
    pub joined: bool,
}

/// Messages, by the time at which they are sent; at most [`MESSAGES_MAX`] rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Messages {
    /// The uids of the senders.
    pub from: Column<u32>,
    /// The uids of the receivers.
    pub to: Column<u32>,
    /// When each send begins, ascending.
    pub sent_s: Column<f64>,
    /// When each receive ends.
    pub received_s: Column<f64>,
    /// Their sizes.
    pub bytes: Column<f64>,
    /// How many messages there were, those that are not listed included.
    pub count: u64,
}

/// Who sent how much to whom: cells that are not 0.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Matrix {
    /// How many rows and columns.
    pub size: u32,
    /// How many processes (neighbors by pid) a row or column stands for.
    pub block: u32,
    /// The rows.
    pub from: Column<u32>,
    /// The columns.
    pub to: Column<u32>,
    /// Sums of sizes.
    pub bytes: Column<f64>,
    /// Numbers of messages.
    pub messages: Column<f64>,
}

/// The chain of what had to wait for each other, from 0 to the predicted time without a gap.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct CriticalPath {
    /// The uids; for a message under way, the one who sent it.
    pub unit: Column<u32>,
    /// The elements.
    pub element: Column<u32>,
    /// The states: [`State`] as a number.
    pub state: Column<u8>,
    /// When each segment begins.
    pub start_s: Column<f64>,
    /// When each segment ends.
    pub end_s: Column<f64>,
    /// What it is made of, the longest first; sums to the predicted time.
    pub parts: Vec<PathPart>,
}

/// All segments of the critical path of one element in one state.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PathPart {
    /// The element.
    pub element: u32,
    /// The state: [`State`] as a number.
    pub state: u8,
    /// How many segments.
    pub count: u64,
    /// How long they are together.
    pub total_s: f64,
}

/// How evenly work is spread over the processes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Imbalance {
    /// The mean time that a process computes.
    pub mean_compute_s: f64,
    /// The longest time that a process computes.
    pub max_compute_s: f64,
    /// That process.
    pub max_compute_pid: u32,
    /// Mean by longest: 1 is even.
    pub load_balance: f64,
    /// Longest computing by predicted time.
    pub communication_efficiency: f64,
    /// Mean computing by predicted time, the product of the two before.
    pub parallel_efficiency: f64,
    /// The elements that are executed the least evenly, the worst first.
    pub elements: Vec<ElementImbalance>,
}

impl Imbalance {
    /// That of the processes alone; none where nothing was computed.
    pub fn of(processes: &Processes, predicted_time_s: f64) -> Option<Self> {
        let computed_s = processes.compute_s.iter().copied();
        let efficiency = Efficiency::of(computed_s, predicted_time_s)?;
        Some(Self {
            mean_compute_s: efficiency.mean_s,
            max_compute_s: efficiency.most_s,
            max_compute_pid: efficiency.busiest,
            load_balance: efficiency.load_balance,
            communication_efficiency: efficiency.communication,
            parallel_efficiency: efficiency.parallel,
            elements: Vec::new(),
        })
    }
}

/// How evenly one element is spread.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ElementImbalance {
    /// The element.
    pub element: u32,
    /// The mean over all processes of the time that it takes.
    pub mean_s: f64,
    /// The longest of a process.
    pub max_s: f64,
    /// That process.
    pub max_pid: u32,
}

/// What faster elements would bring.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WhatIf {
    /// How much faster, such as 0.1 for 10 %.
    pub reduction: f64,
    /// A sentence that says how this was computed.
    pub method: String,
    /// All elements, the largest gain first.
    pub elements: Vec<WhatIfElement>,
}

/// What one faster element would bring.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WhatIfElement {
    /// The element.
    pub element: u32,
    /// The time that would be predicted.
    pub predicted_time_s: f64,
    /// How much less that is.
    pub gain_s: f64,
    /// Whether the program was run again with that; otherwise the gain is at most that.
    pub exact: bool,
}

/// How busy one kind of devices was, in steps of equal length.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Utilization {
    /// What they are, such as `CPUs` or `Links`.
    pub title: String,
    /// A sentence that says what the values are.
    pub meaning: String,
    /// What a value of 1 means: `""` for a share of the capacity, else a unit such as `B/s`.
    pub unit: String,
    /// How long a step is.
    pub step_s: f64,
    /// How many steps.
    pub steps: u32,
    /// The names of the devices, such as `node 0`.
    pub names: Vec<String>,
    /// The values of the first device, then those of the second, and so on.
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

/// One of the runs that are compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunSummary {
    /// What tells it apart, such as `32 processes`.
    pub label: String,
    /// What was run.
    pub run: Run,
    /// Sums over its processes: computing.
    pub compute_s: f64,
    /// Sums over its processes: communicating.
    pub communication_s: f64,
    /// Sums over its processes: waiting.
    pub wait_s: f64,
    /// Sums over its processes: holding.
    pub hold_s: f64,
    /// Its elements; those of different runs belong together by id.
    pub elements: Vec<Element>,
}
