//! Builds the rows of an animation from the records and marks in a trace.

use std::collections::{BTreeMap, BTreeSet};

use prophet_interpreter::Interpreted;
use prophet_trace::{ReadError, Record, TraceReader, UnitId, UnitState};
use prophet_workflow::command::Stay as Task;
use serde::Serialize;

/// Visits of threads to elements, as columns and sorted by start.
#[derive(Debug, Default, Serialize)]
pub(super) struct Rows {
    elements: Vec<i64>,
    states: Vec<&'static str>,
    pid: Vec<u32>,
    tid: Vec<u32>,
    /// Index of the visited element in `elements`; -1 if the thread has ended.
    element: Vec<i32>,
    /// Index of the thread's state in `states`.
    state: Vec<u8>,
    start: Vec<f64>,
    end: Vec<f64>,
    /// Number of the moment in the process at which its variables have the values of this visit.
    number: Vec<u32>,
}

/// A thread's visit to an element, or the end of the thread.
#[derive(Debug, Clone, Copy)]
struct Stay {
    unit: UnitId,
    element: i32,
    state: u8,
    start_s: f64,
    end_s: f64,
    number: u32,
}

/// State of a thread that passes an element without spending time there.
const PASS: u8 = UnitState::Content as u8 + 1;
const ENDED: u8 = PASS + 1;

/// What is known about a thread from the records so far.
#[derive(Debug, Default)]
struct Thread {
    /// The element that the thread reached last, and the number of that moment in its process.
    at: Option<(i32, u32)>,
    /// When the thread reached the element; `None` if a record covers the element.
    passes_s: Option<f64>,
    end_s: Option<f64>,
}

struct Reading<'r> {
    interpreted: &'r Interpreted,
    /// Ids of the elements, by their index in the run.
    ids: BTreeMap<u32, i64>,
    places: BTreeMap<i64, i32>,
    elements: Vec<i64>,
    threads: BTreeMap<UnitId, Thread>,
    marks: BTreeMap<u32, u32>,
    stays: Vec<Stay>,
}

impl Rows {
    /// Reads the trace of an observed program. `is_whole` says whether the trace covers the whole
    /// run.
    pub(super) fn read(
        reader: &mut TraceReader,
        interpreted: &Interpreted,
        is_whole: bool,
    ) -> Result<Self, ReadError> {
        let elements = reader.results().elements.iter();
        let mut reading = Reading {
            interpreted,
            ids: elements.map(|it| (it.index, it.id)).collect(),
            places: BTreeMap::new(),
            elements: Vec::new(),
            threads: BTreeMap::new(),
            marks: BTreeMap::new(),
            stays: Vec::new(),
        };
        let mut records = Vec::new();
        while reader.next_batch(&mut records)? {
            for record in &records {
                reading.take(record);
            }
        }
        let ended = is_whole && reader.results().complete;
        Ok(reading.end(ended))
    }
}

impl Rows {
    /// Returns the visits of tasks to cores, sorted by start. `is_whole` says whether the list is
    /// complete.
    pub(super) fn of_tasks(tasks: &[Task], is_whole: bool) -> Self {
        let ids: BTreeSet<i64> = tasks.iter().map(|it| it.element).collect();
        let elements: Vec<i64> = ids.into_iter().collect();
        let mut last: BTreeMap<UnitId, (u32, f64)> = BTreeMap::new();
        let mut stays = Vec::new();
        for task in tasks {
            let unit = UnitId {
                pid: task.host,
                tid: task.core,
            };
            let [start_s, end_s] = task.times_s;
            let before = last.get(&unit).copied();
            let number = before.map_or(0, |it| it.0 + 1);
            if let Some((number, idle_s)) = before.filter(|it| it.1 < start_s) {
                stays.push(Stay::idle(unit, number, idle_s));
            }
            let place = elements.binary_search(&task.element).unwrap_or_default();
            last.insert(unit, (number, end_s));
            stays.push(Stay {
                unit,
                element: i32::try_from(place).unwrap_or(-1),
                state: UnitState::Compute as u8,
                start_s,
                end_s,
                number,
            });
        }
        if is_whole {
            let ends = last.into_iter();
            stays.extend(ends.map(|(unit, (number, end_s))| Stay::idle(unit, number, end_s)));
        }
        Self::ordered(elements, stays)
    }

    /// Builds the rows from visits. Each thread's visits keep their order.
    fn ordered(elements: Vec<i64>, mut stays: Vec<Stay>) -> Self {
        stays.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(a.unit.cmp(&b.unit)));
        let mut states: Vec<&'static str> = UnitState::ALL.map(UnitState::name).to_vec();
        states.extend(["pass", "ended"]);
        let mut rows = Self {
            elements,
            states,
            ..Self::default()
        };
        for stay in &stays {
            rows.pid.push(stay.unit.pid);
            rows.tid.push(stay.unit.tid);
            rows.element.push(stay.element);
            rows.state.push(stay.state);
            rows.start.push(stay.start_s);
            rows.end.push(stay.end_s);
            rows.number.push(stay.number);
        }
        rows
    }
}

impl Stay {
    /// Returns the visit of a core that is idle from `time_s` on.
    fn idle(unit: UnitId, number: u32, time_s: f64) -> Self {
        Self {
            unit,
            element: -1,
            state: ENDED,
            start_s: time_s,
            end_s: time_s,
            number,
        }
    }
}

impl Reading<'_> {
    fn take(&mut self, record: &Record) {
        let is_mark = record.state == UnitState::Content && record.element_index().is_none();
        if is_mark {
            self.mark(record);
        } else if record.state != UnitState::Content {
            self.stay(record);
        }
    }

    /// Records that a thread has reached an element.
    fn mark(&mut self, record: &Record) {
        let count = self.marks.entry(record.pid).or_default();
        let number = *count;
        *count += 1;
        let mark = record.size_bytes();
        let Some(id) = mark.and_then(|it| self.interpreted.element_of(it)) else {
            return;
        };
        let element = self.place(id);
        self.pass(record.unit());
        let thread = self.threads.entry(record.unit()).or_default();
        thread.at = Some((element, number));
        thread.passes_s = Some(record.start_s);
    }

    /// Adds the visit of a thread that has had no records since its last mark.
    fn pass(&mut self, unit: UnitId) {
        let thread = self.threads.entry(unit).or_default();
        if let (Some(time_s), Some(at)) = (thread.passes_s.take(), thread.at) {
            self.add(unit, at, PASS, (time_s, time_s));
        }
    }

    fn stay(&mut self, record: &Record) {
        let unit = record.unit();
        let own = record.element_index().and_then(|it| self.ids.get(&it));
        let own = own.copied().map(|id| self.place(id));
        let thread = self.threads.entry(unit).or_default();
        // Threads wait for each other at the end of a region, wherever they were last.
        let (at, is_elsewhere) = match (own, thread.at) {
            (Some(own), Some((element, number))) if record.state == UnitState::Synchronize => {
                (Some((own, number)), own != element)
            }
            (Some(own), None) if record.state == UnitState::Synchronize => {
                let marks = self.marks.get(&record.pid).copied().unwrap_or(0);
                (Some((own, marks.saturating_sub(1))), false)
            }
            (_, at) => (at, false),
        };
        if is_elsewhere {
            self.pass(unit);
        } else {
            thread.passes_s = None;
        }
        if let Some(at) = at {
            self.add(unit, at, record.state as u8, (record.start_s, record.end_s));
        }
    }

    fn add(&mut self, unit: UnitId, at: (i32, u32), state: u8, (start_s, end_s): (f64, f64)) {
        let last_s = self.threads.entry(unit).or_default().end_s;
        if let Some(last_s) = last_s.filter(|last_s| start_s > *last_s && unit.tid > 0) {
            self.add_end(unit, last_s);
        }
        // A row never starts before the previous row.
        let start_s = last_s.map_or(start_s, |last_s| start_s.max(last_s));
        let end_s = end_s.max(start_s);
        self.threads.entry(unit).or_default().end_s = Some(end_s);
        self.stays.push(Stay {
            unit,
            element: at.0,
            state,
            start_s,
            end_s,
            number: at.1,
        });
    }

    fn add_end(&mut self, unit: UnitId, time_s: f64) {
        self.stays.push(Stay {
            unit,
            element: -1,
            state: ENDED,
            start_s: time_s,
            end_s: time_s,
            number: 0,
        });
    }

    /// Returns the position of an element in `elements`, and adds the element if it is new.
    fn place(&mut self, id: i64) -> i32 {
        let next = i32::try_from(self.elements.len()).unwrap_or(-1);
        let place = *self.places.entry(id).or_insert(next);
        if place == next {
            self.elements.push(id);
        }
        place
    }

    /// Returns the rows. If `ended` is `true`, ends all threads first.
    fn end(mut self, ended: bool) -> Rows {
        let units: BTreeSet<UnitId> = self.threads.keys().copied().collect();
        for unit in units {
            self.pass(unit);
            let end_s = self.threads.get(&unit).and_then(|it| it.end_s);
            if let Some(end_s) = end_s.filter(|_| ended) {
                self.add_end(unit, end_s);
            }
        }
        Rows::ordered(self.elements, self.stays)
    }
}
