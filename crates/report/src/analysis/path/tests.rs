#![expect(clippy::float_cmp, reason = "times are compared with themselves")]

use std::convert::Infallible;

use proptest::prelude::*;

use super::*;

struct Batches {
    rows: Vec<Record>,
    size: usize,
}

impl Rows for Batches {
    type Error = Infallible;

    fn batches(&self) -> usize {
        self.rows.len().div_ceil(self.size)
    }

    fn batch(&mut self, number: usize, rows: &mut Vec<Record>) -> Result<(), Infallible> {
        let batch = self.rows.chunks(self.size).nth(number);
        batch.unwrap_or_default().clone_into(rows);
        Ok(())
    }
}

/// An action of processes. Actions are in an order in which none waits for a later one.
#[derive(Debug, Clone)]
enum Act {
    Compute(u32, f64),
    /// A message with a transfer time and an overhead, in seconds.
    Message(u32, u32, f64, f64),
    Barrier,
    /// Computing on a CPU that all processes share.
    Share(u32, f64),
}

/// The trace of a program made of such actions.
struct Trace {
    rows: Vec<Record>,
    clocks: Vec<f64>,
    /// Last process on the shared CPU, and when it finished.
    shared: (u32, f64),
    messages: u32,
}

fn main_thread(pid: u32) -> UnitId {
    UnitId { pid, tid: 0 }
}

impl Trace {
    fn of(processes: u32, acts: &[Act]) -> Self {
        let mut trace = Self {
            rows: Vec::new(),
            clocks: vec![0.0; processes as usize],
            shared: (0, 0.0),
            messages: 0,
        };
        for (element, act) in (0..).zip(acts) {
            trace.act(element, act);
        }
        let order = |a: &Record, b: &Record| a.end_s.total_cmp(&b.end_s).then(a.pid.cmp(&b.pid));
        trace.rows.sort_by(order);
        trace
    }

    fn clock_s(&self, pid: u32) -> f64 {
        self.clocks[pid as usize]
    }

    /// Adds a row for a process, from its current time to `end_s`.
    fn go(&mut self, pid: u32, element: u32, state: UnitState, end_s: f64) -> &mut Record {
        let start_s = self.clocks[pid as usize];
        self.clocks[pid as usize] = end_s;
        let row = Record::new(pid, 0, state, start_s, end_s).element(element);
        self.rows.push(row);
        self.rows.last_mut().unwrap()
    }

    fn compute(&mut self, pid: u32, element: u32, seconds: f64) {
        let end_s = self.clock_s(pid) + seconds;
        self.go(pid, element, UnitState::Compute, end_s);
    }

    fn act(&mut self, element: u32, act: &Act) {
        match *act {
            Act::Compute(pid, seconds) => self.compute(pid, element, seconds),
            Act::Message(from, to, transfer_s, overhead_s) => {
                self.message((from, to), element, transfer_s, overhead_s);
            }
            Act::Barrier => {
                let last_s = self.clocks.iter().copied().fold(0.0, f64::max);
                let last = self.clocks.iter().position(|clock| *clock == last_s);
                let last = main_thread(u32::try_from(last.unwrap()).unwrap());
                for pid in 0..u32::try_from(self.clocks.len()).unwrap() {
                    let row = self.go(pid, element, UnitState::Wait, last_s);
                    if pid != last.pid {
                        *row = row.cause(last);
                    }
                }
            }
            Act::Share(pid, seconds) => {
                let (holder, free_s) = self.shared;
                if free_s > self.clock_s(pid) {
                    let row = self.go(pid, element, UnitState::Wait, free_s);
                    *row = row.cause(main_thread(holder));
                }
                self.compute(pid, element, seconds);
                self.shared = (pid, self.clock_s(pid));
            }
        }
    }

    fn message(&mut self, (from, to): (u32, u32), element: u32, transfer_s: f64, busy_s: f64) {
        let number = self.messages;
        self.messages += 1;
        let sent_s = self.clock_s(from) + busy_s;
        let row = self.go(from, element, UnitState::Send, sent_s);
        *row = row.message(Role::Send, number, to, 8);
        let arrival_s = sent_s + transfer_s;
        if arrival_s > self.clock_s(to) {
            let row = self.go(to, element, UnitState::Wait, arrival_s);
            *row = row.message(Role::Receive, number, from, 8);
        }
        let end_s = self.clock_s(to) + busy_s;
        let row = self.go(to, element, UnitState::Receive, end_s);
        *row = row.message(Role::Receive, number, from, 8);
    }

    /// Returns the end of the run, and the unit that ends it.
    fn end(&self) -> (f64, UnitId) {
        let end_s = self.clocks.iter().copied().fold(0.0, f64::max);
        let pid = self.clocks.iter().position(|clock| *clock == end_s);
        (end_s, main_thread(u32::try_from(pid.unwrap()).unwrap()))
    }

    fn path(&self, size: usize) -> CriticalPath {
        let (end_s, unit) = self.end();
        let mut batches = Batches {
            rows: self.rows.clone(),
            size,
        };
        let Ok(path) = CriticalPath::find(&mut batches, unit, end_s);
        path
    }
}

fn check(path: &CriticalPath, end_s: f64) {
    let mut from_s = 0.0_f64;
    for segment in &path.segments {
        assert_eq!(segment.from_s.to_bits(), from_s.to_bits(), "{segment:?}");
        assert!(segment.to_s > segment.from_s, "{segment:?}");
        from_s = segment.to_s;
    }
    assert_eq!(from_s.to_bits(), end_s.to_bits());
    let sum_s: f64 = path.parts.iter().map(|part| part.seconds).sum();
    assert!((sum_s - end_s).abs() <= 1e-12 * end_s, "{sum_s} {end_s}");
    let segments: u64 = path.parts.iter().map(|part| part.segments).sum();
    assert_eq!(segments, path.count);
}

fn acts(processes: u32) -> impl Strategy<Value = Vec<Act>> {
    let pid = 0..processes;
    // Include whole numbers, so that events coincide.
    let seconds = prop_oneof![(0..4_u8).prop_map(f64::from), 0.0..3.0_f64];
    let act = prop_oneof![
        3 => (pid.clone(), seconds.clone()).prop_map(|(pid, s)| Act::Compute(pid, s)),
        3 => (pid.clone(), 1..processes, seconds.clone(), seconds.clone()).prop_map(
            move |(from, by, transfer_s, overhead_s)| {
                Act::Message(from, (from + by) % processes, transfer_s, overhead_s)
            }
        ),
        1 => Just(Act::Barrier),
        1 => (pid, seconds).prop_map(|(pid, s)| Act::Share(pid, s)),
    ];
    prop::collection::vec(act, 0..120)
}

proptest! {
    #[test]
    fn the_path_has_no_gap_and_sums_to_the_end(
        (processes, acts) in (2..9_u32).prop_flat_map(|n| (Just(n), acts(n))),
        size in 1..50_usize,
    ) {
        let trace = Trace::of(processes, &acts);
        let (end_s, _) = trace.end();
        let path = trace.path(usize::MAX);
        check(&path, end_s);
        // Such a trace is complete, and the path doesn't contain waits.
        let is_known = |part: &PathPart| part.activity != Activity::Unknown;
        prop_assert!(path.parts.iter().all(is_known), "{:?}", path.parts);
        let waits = |part: &PathPart| part.activity == Activity::State(UnitState::Wait);
        prop_assert!(!path.parts.iter().any(waits), "{:?}", path.parts);
        prop_assert_eq!(path, trace.path(size));
    }

    /// Tests untrusted traces, in which times, causes, messages and units don't fit together.
    #[test]
    fn any_rows_give_a_path(
        rows in prop::collection::vec(
            (0..4_u32, 0..8_usize, (0..9_u8, 0..9_u8), 0..6_u32, 0..3_u8),
            0..60,
        ),
        (unit, end) in (0..5_u32, 0..9_u8),
    ) {
        let unit_of = |number: u32| UnitId { pid: number / 2, tid: number % 2 };
        let record = |&(unit, state, (start, end), other, link): &(u32, usize, (u8, u8), u32, u8)| {
            let UnitId { pid, tid } = unit_of(unit);
            let (start_s, end_s) = (f64::from(start), f64::from(end));
            let row = Record::new(pid, tid, UnitState::ALL[state], start_s, end_s);
            match link {
                0 => row.cause(unit_of(other)),
                1 => row.message(Role::Send, 0, other, 8),
                _ => row.message(Role::Receive, 0, other, 8),
            }
        };
        let rows: Vec<Record> = rows.iter().map(record).collect();
        let Ok(path) = CriticalPath::find(&mut &rows[..], unit_of(unit), f64::from(end));
        check(&path, f64::from(end));
    }
}

#[test]
fn the_path_follows_what_ended_a_wait() {
    let acts = [
        Act::Compute(0, 2.0),
        Act::Compute(1, 0.5),
        Act::Message(0, 1, 1.0, 0.25),
        Act::Compute(1, 4.0),
    ];
    let path = Trace::of(2, &acts).path(1);
    let segments: Vec<_> = path
        .segments
        .iter()
        .map(|segment| {
            (
                segment.unit.pid,
                segment.element,
                segment.activity,
                segment.to_s,
            )
        })
        .collect();
    let state = Activity::State;
    assert_eq!(
        segments,
        [
            (0, Some(0), state(UnitState::Compute), 2.0),
            (0, Some(2), Activity::Transfer, 3.25),
            (1, Some(2), state(UnitState::Receive), 3.5),
            (1, Some(3), state(UnitState::Compute), 7.5),
        ]
    );
}

#[test]
fn steps_are_those_of_a_process() {
    let acts = [
        Act::Compute(0, 2.0),
        Act::Compute(1, 0.5),
        Act::Message(0, 1, 1.0, 0.25),
        Act::Compute(1, 4.0),
    ];
    let path = Trace::of(2, &acts).path(1);
    let steps: Vec<_> = path.steps.iter().map(|it| (it.from, it.to)).collect();
    // Element 2 is the send of one process and the receive of the other.
    assert_eq!(
        steps,
        [
            (None, Some(0)),
            (Some(0), Some(2)),
            (Some(2), Some(3)),
            (Some(3), None)
        ]
    );

    // An execution with two rows follows itself only once.
    let row =
        |start_s: f64| Record::new(0, 0, UnitState::Compute, start_s, start_s + 1.0).element(7);
    let rows = [row(0.0), row(1.0).began(0.0), row(2.0), row(3.0).began(2.0)];
    let Ok(path) = CriticalPath::find(&mut &rows[..], main_thread(0), 4.0);
    let steps = path.steps.iter().map(|it| (it.from, it.to, it.count));
    let steps: Vec<_> = steps.collect();
    let seven = Some(7);
    assert_eq!(
        steps,
        [(None, seven, 1), (seven, None, 1), (seven, seven, 1)]
    );
}

#[test]
fn a_thread_begins_where_its_process_has_come_to() {
    let compute = |tid, start_s, end_s| Record::new(0, tid, UnitState::Compute, start_s, end_s);
    let rows = [
        compute(0, 0.0, 1.0),
        compute(1, 1.0, 2.0),
        compute(0, 1.0, 3.0),
        Record::new(0, 0, UnitState::Content, 0.0, 3.5),
        compute(2, 2.0, 4.0),
    ];
    let Ok(path) = CriticalPath::find(&mut &rows[..], UnitId { pid: 0, tid: 2 }, 4.0);
    let units: Vec<u32> = path
        .segments
        .iter()
        .map(|segment| segment.unit.tid)
        .collect();
    assert_eq!(units, [0, 1, 2]);
    check(&path, 4.0);
}

#[test]
fn what_is_missing_is_unknown() {
    let row = Record::new(0, 0, UnitState::Wait, 1.0, 2.0);
    let Ok(path) = CriticalPath::find(&mut &[row][..], main_thread(0), 5.0);
    check(&path, 5.0);
    let activities: Vec<_> = path
        .segments
        .iter()
        .map(|segment| segment.activity)
        .collect();
    assert_eq!(
        activities,
        [
            Activity::Unknown,
            Activity::State(UnitState::Wait),
            Activity::Unknown
        ]
    );
    let Ok(path) = CriticalPath::find(&mut &[][..], main_thread(0), 0.0);
    assert_eq!(path, CriticalPath::default());
}

#[test]
fn a_very_long_path_is_joined() {
    let count = 5 * u32::try_from(CriticalPath::SEGMENTS_MAX).unwrap();
    let row = |number: u32| {
        let (start_s, end_s) = (f64::from(number) * 0.1, f64::from(number + 1) * 0.1);
        Record::new(0, 0, UnitState::Compute, start_s, end_s).element(number % 7)
    };
    let rows: Vec<Record> = (0..count).map(row).collect();
    let end_s = f64::from(count) * 0.1;
    let Ok(path) = CriticalPath::find(&mut &rows[..], main_thread(0), end_s);
    assert_eq!(path.count, u64::from(count));
    assert!(path.is_coarse() && path.segments.len() <= CriticalPath::SEGMENTS_MAX);
    assert_eq!(path.parts.len(), 7);
    check(&path, end_s);
}
