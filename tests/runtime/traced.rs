//! Checks what must be true of every trace, whatever was run.

use std::collections::BTreeMap;
use std::path::Path;

use prophet_report::analysis::path::{Activity, CriticalPath};
use prophet_report::analysis::totals::{Split, Totals};
use prophet_runtime::Engine;
use prophet_runtime::{Failure, Model, Outcome, Simulation, System, Trace};
use prophet_trace::{Record, Results, Role, TraceReader, UnitId, UnitState};

use prophet_runtime::ProcessProgram;

pub(crate) struct Traced {
    pub(crate) results: Results,
    pub(crate) records: Vec<Record>,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for temporary files")
}

/// Runs a program with a trace, and reads the trace.
pub(crate) fn run(
    model: &Model,
    engine: Engine,
    system: &System,
    program: impl ProcessProgram,
) -> (Result<Outcome, Failure>, Traced) {
    let simulation = Simulation::new(model, system.clone()).with_engine(engine);
    of(&simulation, program)
}

/// Runs a simulation with a trace, and reads the trace.
pub(crate) fn of(
    simulation: &Simulation<'_>,
    program: impl ProcessProgram,
) -> (Result<Outcome, Failure>, Traced) {
    let folder = folder();
    let path = folder.path().join("trace.arrow");
    let mut trace = Trace::new(path.clone());
    let outcome = simulation.run_traced(program, &mut trace);
    let written = trace.written().expect("there is room for the trace");
    let traced = read(&path);
    assert_eq!(written, traced.records.len() as u64);
    (outcome, traced)
}

pub(crate) fn read(path: &Path) -> Traced {
    let mut reader = TraceReader::open(path).expect("it is a trace");
    let (mut records, mut batch) = (Vec::new(), Vec::new());
    while reader.next_batch(&mut batch).expect("it is whole") {
        records.append(&mut batch);
    }
    Traced {
        results: reader.results().clone(),
        records,
        bytes: std::fs::read(path).expect("it is there"),
    }
}

/// Checks everything that must be true of a complete trace.
pub(crate) fn check(traced: &Traced, outcome: &Outcome) {
    check_totals(traced, outcome);
    check_sums(traced, outcome);
    let order = |record: &Record| (record.end_s.to_bits(), record.pid);
    assert!(traced.records.is_sorted_by_key(order), "in order");
    let units = units(&traced.records);
    for (unit, records) in &units {
        for ((_, before), (_, after)) in records.iter().zip(&records[1..]) {
            assert!(
                before.end_s <= after.start_s,
                "{unit:?}: {before:?} {after:?}"
            );
        }
    }
    check_messages(&traced.records);
    check_path(&units, outcome);
    check_critical_path(&traced.records, outcome);
}

/// The records of each unit, except for whole executions, with their positions in the file.
type Units = BTreeMap<UnitId, Vec<(usize, Record)>>;

fn units(records: &[Record]) -> Units {
    let mut units: Units = BTreeMap::new();
    let records = records.iter().enumerate();
    for (row, record) in records.filter(|(_, record)| record.state != UnitState::Content) {
        units.entry(record.unit()).or_default().push((row, *record));
    }
    units
}

/// Checks that the totals equal the outcome's totals. For elements, they must be equal to the last
/// bit.
fn check_totals(traced: &Traced, outcome: &Outcome) {
    let Traced {
        results, records, ..
    } = traced;
    assert!(results.complete);
    assert_eq!(
        results.predicted_time_s.to_bits(),
        outcome.predicted_time_s.to_bits()
    );
    let mut elements: BTreeMap<u32, (u64, i128, f64)> = BTreeMap::new();
    for record in records {
        if let (Some(began_s), Some(element)) = (record.began_s(), record.element_index()) {
            let entry = elements.entry(element).or_default();
            let seconds = record.end_s - began_s;
            entry.0 += 1;
            // In units of 2^-64 s, rounded down, as the runtime adds them.
            #[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
            let units = (seconds * 2.0_f64.powi(64)) as i128;
            entry.1 += units;
            entry.2 = entry.2.max(seconds);
        }
    }
    let mut met = results.elements.iter().filter(|element| element.count > 0);
    for element in &outcome.elements {
        let totals = met.next().expect("as many elements");
        let (count, total, max_s) = elements[&totals.index];
        #[expect(clippy::cast_precision_loss, reason = "as the runtime rounds")]
        let total_s = total as f64 / 2.0_f64.powi(64);
        assert_eq!(
            (&totals.name, totals.id, &*totals.kind),
            (&element.name, element.id, &*element.kind)
        );
        assert_eq!(
            (count, totals.count),
            (element.count, element.count),
            "{element:?}"
        );
        let bits = |seconds: f64| seconds.to_bits();
        assert_eq!(
            [total_s, max_s].map(bits),
            [element.total_s, element.max_s].map(bits)
        );
        assert_eq!(bits(totals.total_s), bits(element.total_s));
        assert_eq!(bits(totals.share), bits(element.share));
        assert!((0.0..=1.0).contains(&element.share), "{element:?}");
    }
    assert!(met.next().is_none());
}

/// Maximum difference because of rounding, relative to the time of a run.
const ROUNDING: f64 = 1e-9;

/// Checks that the categories of a process's time add up to its end, and the categories of a
/// thread's time to its life. The rows must agree with the outcome.
fn check_sums(traced: &Traced, outcome: &Outcome) {
    let (results, records) = (&traced.results, &traced.records);
    assert_eq!(results.processes.len(), outcome.processes.len());
    let indices: Vec<u32> = results.elements.iter().map(|it| it.index).collect();
    let mut totals = Totals::new(outcome.predicted_time_s, outcome.processes.len(), &indices);
    for row in records {
        totals.add(row);
    }
    // The times of elements are added up in units of 2^-64 s.
    let slack_s = (ROUNDING * outcome.predicted_time_s).max(1e-18);
    let parts = |split: Split| {
        let Split {
            compute_s,
            communication_s,
            wait_s,
            hold_s,
        } = split;
        [compute_s, communication_s, wait_s, hold_s]
    };
    for ((kept, process), summed) in results
        .processes
        .iter()
        .zip(&outcome.processes)
        .zip(totals.processes())
    {
        let times = Split {
            compute_s: process.compute_s,
            communication_s: process.communication_s,
            wait_s: process.wait_s,
            hold_s: process.hold_s,
        };
        assert_eq!(times, Split::of(kept));
        let off_s = (times.seconds() - process.end_s).abs();
        assert!(off_s <= slack_s, "{process:?} is off by {off_s}");
        for (row_s, part_s) in parts(summed).into_iter().zip(parts(times)) {
            assert!((row_s - part_s).abs() <= slack_s, "{times:?} {summed:?}");
            assert!(part_s >= 0.0, "{times:?}");
        }
    }
    let all_s: f64 = outcome.processes.iter().map(|it| it.end_s).sum();
    for (times, element) in totals.elements().iter().zip(&results.elements) {
        let share_s = element.share * all_s;
        assert!((times.taken_s - share_s).abs() <= slack_s.max(ROUNDING * share_s));
    }
    check_lives(records, slack_s);
}

/// Checks that a thread's rows fill its life, from the first row, where it starts, to the last.
fn check_lives(records: &[Record], slack_s: f64) {
    for (unit, rows) in units(records) {
        for ((_, before), (_, after)) in rows.iter().zip(&rows[1..]) {
            let starts = unit.tid > 0 && after.start_s.to_bits() == after.end_s.to_bits();
            let gap_s = after.start_s - before.end_s;
            assert!(starts || gap_s <= slack_s, "{unit:?}: {before:?} {after:?}");
        }
    }
}

/// Checks that each message that was received had been sent before, with the same numbers.
fn check_messages(records: &[Record]) {
    let mut sent: BTreeMap<(u32, u32), Record> = BTreeMap::new();
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for record in records
        .iter()
        .filter(|record| record.role() == Some(Role::Send))
    {
        *counts.entry(record.pid).or_default() += 1;
        let before = sent.insert(record.sender().expect("a message"), *record);
        assert!(before.is_none(), "one record for each message that is sent");
    }
    for (pid, number) in sent.keys() {
        assert!(*number < counts[pid], "they are numbered from 0 on");
    }
    for record in records
        .iter()
        .filter(|record| record.role() == Some(Role::Receive))
    {
        let message = &sent[&record.sender().expect("a message")];
        assert_eq!(message.partner_pid(), Some(record.pid));
        assert_eq!(message.size_bytes(), record.size_bytes());
        assert!(message.start_s <= record.end_s);
    }
}

/// Returns where each message was sent.
fn sends(units: &Units) -> BTreeMap<(u32, u32), (UnitId, usize)> {
    let mut sent = BTreeMap::new();
    for (unit, records) in units {
        for (place, (_, record)) in records.iter().enumerate() {
            if record.role() == Some(Role::Send) {
                sent.insert(record.sender().expect("a message"), (*unit, place));
            }
        }
    }
    sent
}

/// Checks that the path back from the end of the last unit leads to time 0 without gaps.
fn check_path(units: &Units, outcome: &Outcome) {
    let sent = sends(units);
    let mut time_s = outcome.predicted_time_s;
    let last = outcome
        .processes
        .iter()
        .find(|process| process.end_s >= time_s);
    let pid = last.expect("one ends last").pid;
    let mut unit = UnitId { pid, tid: 0 };
    let empty = Vec::new();
    // In the file, what a process does at one instant is in order.
    let until = |unit: UnitId, time_s: f64, before: Option<(u32, usize)>| {
        let records = units.get(&unit).unwrap_or(&empty);
        let row_max = before
            .filter(|(pid, _)| *pid == unit.pid)
            .map_or(usize::MAX, |(_, row)| row);
        records.partition_point(|(row, record)| record.end_s <= time_s && *row < row_max)
    };
    let mut place = until(unit, time_s, None);
    // In the file, rows of different processes at one instant have no order, so each is passed only
    // once.
    let mut met: BTreeMap<UnitId, usize> = BTreeMap::new();
    let mut steps = 0;
    while time_s > 0.0 {
        steps += 1;
        assert!(steps < 1_000_000, "it goes around in circles");
        let Some((row, record)) = place.checked_sub(1).map(|place| units[&unit][place]) else {
            panic!("{unit:?} does nothing before {time_s}");
        };
        assert_eq!(
            record.end_s.to_bits(),
            time_s.to_bits(),
            "a gap before {time_s}"
        );
        let waits = matches!(record.state, UnitState::Wait | UnitState::Synchronize);
        let cause = record.cause_unit().filter(|cause| *cause != unit);
        time_s = record.end_s;
        let before = place.checked_sub(2).map(|place| units[&unit][place].1);
        let goes_on = before.is_some_and(|before| before.end_s >= time_s);
        match (cause, record.sender()) {
            // A wait of no time doesn't delay anything.
            (Some(_), _) if record.start_s >= time_s && goes_on => place -= 1,
            (Some(cause), _) => {
                let here = (unit.pid, row);
                met.insert(unit, place - 1);
                unit = cause;
                let unmet = met.get(&unit).copied().unwrap_or(usize::MAX);
                place = until(unit, time_s, Some(here)).min(unmet);
            }
            (None, Some(message)) if waits && record.cause_unit().is_none() => {
                let (sender, at) = sent[&message];
                unit = sender;
                place = at;
                time_s = units[&unit][at].1.start_s;
            }
            _ => {
                time_s = record.start_s;
                place -= 1;
            }
        }
        if time_s < record.end_s {
            met.clear();
        }
    }
}

/// Checks that the critical path from the analysis has no gaps, ends at the predicted time, and
/// adds up to it.
fn check_critical_path(records: &[Record], outcome: &Outcome) {
    let end_s = outcome.predicted_time_s;
    let last = outcome
        .processes
        .iter()
        .find(|process| process.end_s >= end_s);
    let pid = last.expect("one ends last").pid;
    let unit = UnitId { pid, tid: 0 };
    let Ok(path) = CriticalPath::find(&mut &*records, unit, end_s);
    let mut from_s = 0.0_f64;
    for segment in &path.segments {
        assert_eq!(segment.from_s.to_bits(), from_s.to_bits(), "{segment:?}");
        assert!(segment.to_s > from_s, "{segment:?}");
        from_s = segment.to_s;
    }
    assert_eq!(from_s.to_bits(), end_s.to_bits());
    let sum_s: f64 = path.parts.iter().map(|part| part.seconds).sum();
    assert!((sum_s - end_s).abs() <= 1e-12 * end_s, "{sum_s} {end_s}");
    let mut activities = path.parts.iter().map(|part| part.activity);
    let is_known = activities.all(|activity| activity != Activity::Unknown);
    assert!(is_known, "{:?}", path.parts);
}
