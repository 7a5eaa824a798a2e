//! Builds the data of a page from a trace.
//!
//! Two passes read the trace forward, for the sums and the drawings, and one reads it backward, for
//! the critical path. Memory use depends on the number of processes and the capacity of a page, but
//! not on the length of the trace.

use prophet_trace::{
    ElementTotals, Header, ProcessOutcome, ReadError, TraceReader, UnitId, UnitState,
};

use crate::analysis::messages::Messages;
use crate::analysis::path::{Activity, CriticalPath};
use crate::analysis::rows::for_each;
use crate::analysis::totals::{Split, Times, Totals};
use crate::analysis::{matrix, utilization};
use crate::page::{self, Data, WhatIf, WhatIfElement};

mod accelerators;
mod charts;
mod lines;
mod network;
mod number;
mod records;
mod run;

pub use run::{DRAWN, PARTIAL};

use lines::Lines;
use number::{offset, place, state, uid};
use records::Lanes;

/// What a page shows in addition to the data in a trace, if known.
#[derive(Debug, Clone, Default)]
pub struct Extras {
    /// How long it took to evaluate the model, and what it used.
    pub evaluation: Option<page::Evaluation>,
    /// The processes of the run. If empty, the page shows the processes that the trace lists or
    /// that occur in its rows.
    pub processes: Vec<ProcessOutcome>,
    /// Whether the run drew random numbers, so that the page shows just one random draw.
    pub is_random: bool,
    /// The energy that the run uses, and its cost.
    pub energy: Vec<page::Fact>,
    pub diagrams: Vec<page::Diagram>,
}

/// Builds the data of a page from a trace.
///
/// # Errors
///
/// Returns an error if the trace can't be read or is damaged.
///
/// ```
/// use prophet_report::{Extras, of_trace};
/// use prophet_trace::{
///     Header, ProcessOutcome, Record, Results, TraceReader, TraceWriter, UnitState,
/// };
///
/// let mut writer = TraceWriter::new(Vec::new(), Header::default())?;
/// writer.write(&[Record::new(0, 0, UnitState::Compute, 0.0, 1.5).element(0).began(0.0)])?;
/// let process = ProcessOutcome {
///     pid: 0, nid: 0, end_s: 1.5, compute_s: 1.5, communication_s: 0.0, wait_s: 0.0, hold_s: 0.0,
/// };
/// let results = Results {
///     predicted_time_s: 1.5, complete: true, processes: vec![process], ..Results::default()
/// };
/// let file = writer.finish(results)?;
/// let mut reader = TraceReader::new(std::io::Cursor::new(file))?;
/// let data = of_trace(&mut reader, Extras::default())?;
/// assert_eq!(data.critical_path.unwrap().end_s, [1.5]);
/// assert_eq!(data.imbalance.unwrap().parallel_efficiency, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_trace(reader: &mut TraceReader, extras: Extras) -> Result<Data, ReadError> {
    let results = reader.results().clone();
    let mut run = run::of_header(reader.header(), &results);
    let mut notes = run::notes(reader.header(), &results);
    let whole = reader.header().filter.is_none();
    let indices: Vec<u32> = results
        .elements
        .iter()
        .map(|element| element.index)
        .collect();
    let shown = run::shown(run.processes, reader.rows());
    let mapping = mapping(&extras.processes, &results.processes, &run, shown);
    notes.extend(extras.is_random.then(|| DRAWN.to_owned()));
    notes.extend(run::left_out(&run, mapping.len()));

    let mut sums = Sums::new(reader.header(), &run, &indices, &mapping);
    for_each(reader, |row| sums.add(row))?;
    // All units of the displayed processes must have numbers.
    let most = u32::MAX / shown.max(1);
    run.units_of_process = run.threads.max(sums.totals.threads()).min(most);
    run.evaluation = extras.evaluation;
    run.energy = extras.energy;
    let mut data = Data {
        run,
        elements: results.elements.iter().map(element).collect(),
        diagrams: extras.diagrams,
        notes,
        ..Data::default()
    };
    let listed = [extras.processes, results.processes.clone()];
    let listed = listed.into_iter().find(|processes| are_times(processes));
    data.processes = processes(listed, &sums.totals, &mapping);
    sums.fill(&mut data);
    let limit = page::RECORDS_MAX;
    let mut lanes = Lanes::new(&indices, results.predicted_time_s, &sums.totals, limit);
    for_each(reader, |row| lanes.add(row))?;
    data.notes.extend(lanes.note());
    let mut records = lanes.records(data.run.units_of_process);
    let first = data.run.processes.saturating_mul(data.run.units_of_process);
    let left_out = accelerators::add(reader, &indices, &mut records, (limit, first))?;
    if left_out > 0 {
        data.notes.push(format!(
            "{left_out} operations of accelerators are missing from the space-time diagram, \
             because there are too many to draw."
        ));
    }
    data.records = Some(records);
    if whole {
        data.network = network::network(reader, results.predicted_time_s)?;
    }
    if whole && results.predicted_time_s > 0.0 {
        let unit = last_process(&data.processes);
        let path = CriticalPath::find(reader, unit, results.predicted_time_s)?;
        data.what_if = what_if(&path, &indices, results.predicted_time_s);
        data.critical_path = Some(charts::critical_path(&path, &indices, &mut data));
    }
    Ok(data)
}

fn element(element: &ElementTotals) -> page::Element {
    page::Element {
        name: element.name.clone(),
        id: element.id.to_string(),
        kind: element.kind.clone(),
        count: element.count,
        total_s: element.total_s,
        max_s: element.max_s,
        // A damaged trace can contain anything.
        share: if element.share > 0.0 {
            element.share.min(1.0)
        } else {
            0.0
        },
        place: None,
    }
}

/// Returns `true` if there are processes and their times add up, which may not be the case in a
/// damaged trace.
fn are_times(processes: &[ProcessOutcome]) -> bool {
    !processes.is_empty() && processes.iter().all(Split::adds_up)
}

/// Returns the node of each process to display. If the nodes are unknown, assumes that consecutive
/// processes share a node.
fn mapping(
    known: &[ProcessOutcome],
    listed: &[ProcessOutcome],
    run: &page::Run,
    shown: u32,
) -> Vec<u32> {
    let processes = if known.is_empty() { listed } else { known };
    if !processes.is_empty() {
        return processes.iter().map(|process| process.nid).collect();
    }
    let count = u64::from(run.processes.max(1));
    let nid = |pid: u32| u64::from(pid) * u64::from(run.nodes) / count;
    let nids = (0..shown).map(nid);
    nids.map(|nid| u32::try_from(nid).unwrap_or(0)).collect()
}

/// Builds the processes from the list or, if there is none, from the rows.
fn processes(
    listed: Option<Vec<ProcessOutcome>>,
    totals: &Totals,
    mapping: &[u32],
) -> page::Processes {
    let mut columns = page::Processes::default();
    if let Some(listed) = listed {
        for process in listed {
            let split = Split::of(&process);
            columns.push([process.pid, process.nid], process.end_s, split);
        }
    } else {
        let known = totals.processes().into_iter().zip(totals.ends_s());
        for (pid, (split, end_s)) in (0..).zip(known) {
            let nid = mapping.get(pid as usize).copied().unwrap_or(0);
            columns.push([pid, nid], *end_s, split);
        }
    }
    columns
}

/// Returns the first thread of the process that ends last (the one with the lowest pid, if several
/// do).
fn last_process(processes: &page::Processes) -> UnitId {
    let mut last = (0, 0.0);
    for (pid, end_s) in processes.pid.iter().zip(processes.end_s.iter()) {
        if *end_s > last.1 {
            last = (*pid, *end_s);
        }
    }
    UnitId {
        pid: last.0,
        tid: 0,
    }
}

struct Sums {
    totals: Totals,
    matrix: matrix::Matrix,
    messages: Messages,
    lines: Lines,
    utilization: utilization::Utilization,
}

impl Sums {
    fn new(header: &Header, run: &page::Run, indices: &[u32], mapping: &[u32]) -> Self {
        let predicted_s = run.predicted_time_s;
        Self {
            totals: Totals::new(predicted_s, mapping.len(), indices),
            matrix: matrix::Matrix::default(),
            messages: Messages::default(),
            lines: Lines::default(),
            utilization: utilization::Utilization::new(header, predicted_s, run.nodes, mapping),
        }
    }

    fn add(&mut self, row: &prophet_trace::Record) {
        self.totals.add(row);
        self.matrix.add(row);
        self.utilization.add(row);
        if let Some(message) = self.messages.add(row) {
            self.utilization.add_message(&message);
            self.lines.add(message);
        }
    }

    fn fill(&mut self, data: &mut Data) {
        data.totals = totals(&self.totals, data.processes.pid.len());
        if data.totals.offsets.is_empty() {
            data.notes.push(format!(
                "There are too many processes and elements to show the elements of each process; \
                 the limit is {}.",
                Totals::PLACES_MAX
            ));
        }
        data.matrix = charts::matrix(&mut self.matrix, data.run.processes);
        data.imbalance = charts::imbalance(&self.totals, data);
        data.utilization = charts::utilization(&self.utilization, data);
        if self.totals.is_partial() {
            let note = "The trace does not say where some threads start, so their activities are \
                        not assigned to any process.";
            data.notes.push(note.to_owned());
        }
        let lost = self.messages.lost();
        if lost > 0 {
            data.notes.push(format!(
                "{lost} messages are missing from the lines of the space-time diagram and from the \
                 bytes on their way, because too many messages were on their way at the same \
                 time."
            ));
        }
        data.messages = self.lines.columns(data.run.units_of_process);
    }
}

fn totals(totals: &Totals, processes: usize) -> page::TotalsData {
    let mut columns = page::TotalsData::default();
    for pid in 0..u32::try_from(processes).unwrap_or(u32::MAX) {
        let Some(elements) = totals.elements_of(pid) else {
            return page::TotalsData::default();
        };
        columns.offsets.push(offset(columns.element.len()));
        let was_there = |(_, times): &(u32, Times)| times.count > 0 || times.split.seconds() > 0.0;
        for (element, times) in (0..).zip(elements).filter(was_there) {
            columns.element.push(element);
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
            columns.count.push(times.count as f64);
            columns.total_s.push(times.total_s);
            columns.max_s.push(times.max_s);
            columns.taken_s.push(times.taken_s);
            columns.compute_s.push(times.split.compute_s);
            columns.communication_s.push(times.split.communication_s);
            columns.wait_s.push(times.split.wait_s);
            columns.hold_s.push(times.split.hold_s);
        }
    }
    columns.offsets.push(offset(columns.element.len()));
    columns
}

const REDUCTION: f64 = 0.1;

/// Computes how much the run can gain at most if elements become faster. Making an element faster
/// gains at most its own time on the critical path, and nothing if it isn't on the path.
///
/// This is an upper bound: the rest of the path is a chain that still takes its time, as long as
/// units get CPUs, locks and messages in the same order.
fn what_if(path: &CriticalPath, indices: &[u32], predicted_s: f64) -> Option<WhatIf> {
    let mut own_s = vec![0.0; indices.len()];
    for part in &path.parts {
        let waits = matches!(
            part.activity,
            Activity::State(UnitState::Wait | UnitState::Synchronize | UnitState::Content)
                | Activity::Unknown
        );
        if !waits && let Some(own_s) = own_s.get_mut(place(indices, part.element) as usize) {
            *own_s += part.seconds;
        }
    }
    let element = |(element, own_s): (u32, f64)| WhatIfElement {
        element,
        predicted_time_s: predicted_s - REDUCTION * own_s,
        gain_s: REDUCTION * own_s,
        exact: false,
    };
    let elements: Vec<WhatIfElement> = (0..).zip(own_s).map(element).collect();
    (!elements.is_empty()).then(|| WhatIf::new(REDUCTION, &elements))
}

#[cfg(test)]
mod tests;
