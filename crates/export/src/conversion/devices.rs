//! Shows accelerators as processes, and their copy engines and kernel streams as lanes.

use std::collections::BTreeMap;
use std::io::Write;

use prophet_trace::Lane;
use serde_json::{Value, json};

use super::ExportError;
use super::Input;
use super::names::Names;

/// Writes the operations of all accelerators, which are numbered like processes, starting with
/// `first`.
pub(super) fn write(
    input: &mut Input,
    first: u32,
    gap: &mut &str,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let names = Names::new(input.results());
    let mut devices: BTreeMap<(u32, u32), (u32, BTreeMap<Lane, usize>)> = BTreeMap::new();
    let mut operations = Vec::new();
    let mut rows = input.operations();
    while rows.next_batch(&mut operations)? {
        for operation in &operations {
            let number = u32::try_from(devices.len()).unwrap_or(u32::MAX);
            let at = (operation.node, operation.device);
            let mut events = Vec::new();
            let (pid, lanes) = devices.entry(at).or_insert_with(|| {
                let pid = first.saturating_add(number);
                let name = format!("node {}, accelerator {}", at.0, at.1);
                events.push(named("process_name", (pid, 0), &name));
                (pid, BTreeMap::new())
            });
            let (lane, next) = (operation.lane(), lanes.len());
            let tid = *lanes.entry(lane).or_insert_with(|| {
                events.push(named("thread_name", (*pid, next), &lane.to_string()));
                next
            });
            let (start, end) = (micros(operation.start_s), micros(operation.end_s));
            events.push(json!({
                "ph": "X", "name": names.of_index(operation.element), "cat": "accelerator",
                "pid": pid, "tid": tid, "ts": start, "dur": end - start,
                "args": {"process": operation.pid, "stream": operation.stream},
            }));
            for event in events {
                write!(out, "{gap}{event}")?;
                *gap = ",\n";
            }
        }
    }
    Ok(())
}

pub(super) fn micros(seconds: f64) -> f64 {
    seconds * 1e6
}

fn named(what: &str, (pid, tid): (u32, usize), name: &str) -> Value {
    json!({"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": name}})
}
