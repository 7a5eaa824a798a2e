//! Writes traces in Pajé's format, for `ViTE` and pajeng.
//!
//! Processes become containers, and threads become containers inside them. States and messages come
//! from the records. Events are sorted by time. No crate writes this format.
//! <https://paje.sourceforge.net/download/publication/lang-paje.pdf>

use std::io::Write;

use prophet_text::plain;
use prophet_trace::{Record, Role, UnitId, UnitState};

use super::ExportError;
use super::Input;
use super::names::{self, Names};
use super::timeline;

const DEFINITIONS: &str = include_str!("definitions.paje");

/// An event. At equal times, starts of links come first and ends of links come last, so that each
/// link starts before it ends.
#[derive(Debug, Clone, Copy)]
struct Event {
    time_s: f64,
    kind: Kind,
    /// Index of the record in the list of all units' records.
    record: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    StartLink,
    /// The start (`true`) or end of a state. A unit's states keep their order.
    UnitState(bool),
    EndLink,
}

/// Writes all records, except the records of whole executions.
pub(crate) fn write(input: &mut Input, out: &mut impl Write) -> Result<(), ExportError> {
    let names = Names::new(input.results());
    let end_s = input.results().predicted_time_s;
    let records = timeline::by_unit(input, |_| false, |_, _| true)?;
    let records = records.into_iter().map(|nested| nested.record);
    let records: Vec<Record> = { records }
        .filter(|record| record.state != UnitState::Content)
        .collect();
    out.write_all(DEFINITIONS.as_bytes())?;
    write_containers(&records, out)?;
    for event in events(&records) {
        write_event(event, &records[event.record as usize], &names, out)?;
    }
    let last_s = records
        .iter()
        .map(|record| record.end_s)
        .fold(end_s, f64::max);
    writeln!(out, "5 {last_s} R run")?;
    Ok(())
}

fn write_containers(records: &[Record], out: &mut impl Write) -> std::io::Result<()> {
    let mut last: Option<UnitId> = None;
    for unit in records.iter().map(Record::unit) {
        if last.is_none_or(|last| last.pid != unit.pid) {
            writeln!(out, "4 0 p{0} P run \"process {0}\"", unit.pid)?;
        }
        if last != Some(unit) {
            let (container, name) = (container(unit), names::unit(unit));
            writeln!(out, "4 0 {container} T p{} \"{name}\"", unit.pid)?;
        }
        last = Some(unit);
    }
    Ok(())
}

fn container(unit: UnitId) -> String {
    format!("p{}t{}", unit.pid, unit.tid)
}

/// Returns the events of records, sorted by time.
fn events(records: &[Record]) -> Vec<Event> {
    let mut events = Vec::new();
    for (record, place) in records.iter().zip(0_u32..) {
        let mut add = |time_s, kind| {
            events.push(Event {
                time_s,
                kind,
                record: place,
            });
        };
        if record.start_s < record.end_s {
            add(record.start_s, Kind::UnitState(true));
            add(record.end_s, Kind::UnitState(false));
        }
        match record.role() {
            Some(Role::Send) => add(record.start_s, Kind::StartLink),
            Some(Role::Receive) if record.state != UnitState::Wait => {
                add(record.start_s, Kind::EndLink);
            }
            _ => {}
        }
    }
    // The sort is stable, so a unit's events at the same time keep their order.
    events.sort_by(|a, b| {
        let order = |kind| match kind {
            Kind::StartLink => 0,
            Kind::UnitState(_) => 1,
            Kind::EndLink => 2,
        };
        let by_time = a.time_s.total_cmp(&b.time_s);
        by_time.then(order(a.kind).cmp(&order(b.kind)))
    });
    events
}

fn write_event(
    event: Event,
    record: &Record,
    names: &Names,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let (time_s, container) = (event.time_s, container(record.unit()));
    let (pid, number) = record.sender().unwrap_or_default();
    match event.kind {
        Kind::UnitState(true) => {
            // The format can't express quotation marks or line breaks in texts.
            let name = names.label(record).replace(['"', '\n', '\r'], " ");
            let name = plain::line(&name);
            let state = record.state.name();
            writeln!(out, "6 {time_s} S {container} {state} \"{name}\"")
        }
        Kind::UnitState(false) => writeln!(out, "7 {time_s} S {container}"),
        Kind::StartLink => writeln!(out, "8 {time_s} M run {container} message {pid}.{number}"),
        Kind::EndLink => writeln!(out, "9 {time_s} M run {container} message {pid}.{number}"),
    }
}
