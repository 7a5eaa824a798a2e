//! Writes trace event JSON, for Perfetto and Chrome.
//!
//! A record becomes a complete event (`X`), a message becomes an arrow (from `s` to `f`) between
//! the sender's and the receiver's records, and the load of a link becomes a counter (`C`). All
//! links together appear as one process, and so does each accelerator. Times are in microseconds.
//! <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>

use std::collections::BTreeSet;
use std::io::Write;

use prophet_text::plain;
use prophet_trace::{Record, Role, UnitId, UnitState};
use serde_json::{Map, Value, json};

use super::ExportError;
use super::Input;
use super::devices::{self, micros};
use super::names::{self, Names};

/// Writes all records. If `extensions` is `true`, also writes the loads of links.
pub(crate) fn write(
    input: &mut Input,
    extensions: bool,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let names = Names::new(input.results());
    let about = json!({
        "model": input.header().model,
        "machine": input.header().machine,
        "predicted_time_s": input.results().predicted_time_s,
    });
    let about = plain::json(&about.to_string());
    write!(
        out,
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{about},\"traceEvents\":["
    )?;
    let mut known: BTreeSet<UnitId> = BTreeSet::new();
    let mut records = Vec::new();
    let mut gap = "\n";
    while input.next_batch(&mut records)? {
        for record in &records {
            for event in named(record.unit(), &mut known)
                .into_iter()
                .chain(events(record, &names))
            {
                write!(out, "{gap}{}", plain::json(&event.to_string()))?;
                gap = ",\n";
            }
        }
    }
    let next = known.last().map_or(0, |unit| unit.pid).saturating_add(1);
    if extensions {
        write_loads(input, next, &mut gap, out)?;
    }
    devices::write(input, next.saturating_add(1), &mut gap, out)?;
    writeln!(out, "\n]}}")?;
    Ok(())
}

/// Writes the loads of shared links. Each link has a counter, as if the links were a process.
fn write_loads(
    input: &mut Input,
    pid: u32,
    gap: &mut &str,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let Some(network) = input.results().network.clone() else {
        return Ok(());
    };
    let name = json!({
        "ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": "links"},
    });
    write!(out, "{gap}{name}")?;
    *gap = ",\n";
    let mut loads = Vec::new();
    let mut rows = input.loads();
    while rows.next_batch(&mut loads)? {
        for load in &loads {
            let counter = json!({
                "ph": "C", "name": network.links[load.link as usize].name, "id": load.link,
                "pid": pid, "ts": micros(load.time_s), "args": {"bytes/s": load.bytes_per_s},
            });
            write!(out, "{gap}{}", plain::json(&counter.to_string()))?;
        }
    }
    Ok(())
}

/// Names a unit when it occurs for the first time.
fn named(unit: UnitId, known: &mut BTreeSet<UnitId>) -> Vec<Value> {
    let UnitId { pid, tid } = unit;
    if !known.insert(unit) {
        return Vec::new();
    }
    let thread = json!({
        "ph": "M", "name": "thread_name", "pid": pid, "tid": tid,
        "args": {"name": format!("thread {tid}")},
    });
    let process = json!({
        "ph": "M", "name": "process_name", "pid": pid, "tid": tid,
        "args": {"name": names::unit(UnitId { pid, tid: 0 })},
    });
    vec![process, thread]
}

/// Returns the events of a record. If the record is about a message, they include one end of the
/// message's arrow.
fn events(record: &Record, names: &Names) -> Vec<Value> {
    let mut args = Map::new();
    if let Some(bytes) = record.size_bytes() {
        args.insert("bytes".to_owned(), bytes.into());
    }
    if let Some(partner) = record.partner_pid() {
        args.insert("partner".to_owned(), partner.into());
    }
    if let Some(tag) = record.message_tag() {
        args.insert("tag".to_owned(), tag.into());
    }
    if let Some(pid) = record.comm_pid() {
        args.insert("comm".to_owned(), pid.into());
    }
    if let Some(cause) = record.cause_unit() {
        args.insert("cause".to_owned(), names::unit(cause).into());
    }
    let event = json!({
        "ph": "X", "name": names.label(record), "cat": record.state.name(),
        "pid": record.pid, "tid": record.tid,
        "ts": micros(record.start_s), "dur": micros(record.end_s) - micros(record.start_s),
        "args": args,
    });
    let mut events = vec![event];
    // The receiver's wait doesn't end the arrow, but another of its records does.
    if record.state != UnitState::Wait
        && let (Some(role), Some((pid, number))) = (record.role(), record.sender())
    {
        let mut arrow = json!({
            "name": "message", "cat": "message", "id": format!("{pid:#x}{number:08x}"),
            "pid": record.pid, "tid": record.tid, "ts": micros(record.start_s),
        });
        arrow["ph"] = if role == Role::Send { "s" } else { "f" }.into();
        if role == Role::Receive {
            arrow["bp"] = "e".into();
        }
        events.push(arrow);
    }
    events
}
