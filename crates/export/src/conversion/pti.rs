//! Writes traces in the format of Microsoft's Performance Technology Infrastructure: XML that lists
//! each process's events. The schema is `templates/xml/pti-trace.xsd`.
//!
//! A process has one list per batch, so that only one batch must be in memory. Data from network
//! models has its own XML namespace ([`network`]).

mod network;

use std::collections::BTreeMap;
use std::io::{self, Write};

use prophet_trace::{Header, Record, Results, Role, UnitState};

use super::xml::Value;
use super::{ExportError, Input};
use network::NAMESPACE;
use network::Sent;

/// Writes all records. If `extensions` is `true`, includes what hardware models add.
pub(crate) fn write(
    input: &mut Input,
    extensions: bool,
    out: &mut impl Write,
) -> Result<(), ExportError> {
    let extensions = extensions && input.results().network.is_some();
    write_run(input.header(), input.results(), extensions, out)?;
    let devices = Devices::of(input.header(), input.results());
    let mut records = Vec::new();
    let mut first = 0_u64;
    while input.next_batch(&mut records)? {
        write_lists(&records, first, &devices, out)?;
        first += records.len() as u64;
    }
    if extensions {
        network::write(input, out)?;
    }
    writeln!(out, "</trace>")?;
    Ok(())
}

fn write_run(
    header: &Header,
    results: &Results,
    extensions: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<trace model=\"{}\" machine=\"{}\" \
         version=\"{}\" seed=\"{}\" time=\"{:?}\" complete=\"{}\"",
        Value(&header.model),
        Value(&header.machine),
        Value(&header.version),
        header.seed,
        results.predicted_time_s,
        results.complete
    )?;
    if let Some(filter) = &header.filter {
        write!(out, " filter=\"{}\"", Value(filter))?;
    }
    if extensions {
        write!(out, " xmlns:network=\"{NAMESPACE}\"")?;
    }
    writeln!(out, ">")?;
    for (name, values) in [
        ("parameter", Some(&header.parameters)),
        ("setting", Some(&header.settings)),
        ("system", header.system.as_object()),
    ] {
        for (key, value) in values.into_iter().flatten() {
            let text = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            let (key, text) = (Value(key), Value(&text));
            writeln!(out, "  <{name} name=\"{key}\" value=\"{text}\"/>")?;
        }
    }
    for element in &results.elements {
        let (name, kind) = (Value(&element.name), Value(&element.kind));
        writeln!(
            out,
            "  <element number=\"{}\" name=\"{name}\" id=\"{}\" type=\"{kind}\" \
             executions=\"{}\" time=\"{:?}\"/>",
            element.index, element.id, element.count, element.total_s
        )?;
    }
    for process in &results.processes {
        let (pid, node) = (process.pid, process.nid);
        writeln!(out, "  <process number=\"{pid}\" node=\"{node}\"/>")?;
    }
    Ok(())
}

/// Writes the events of a batch, process by process. `first` is the number of the batch's first
/// event in the trace.
fn write_lists(
    records: &[Record],
    first: u64,
    devices: &Devices,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut order: Vec<(u64, &Record)> = (first..).zip(records).collect();
    order.sort_by_key(|(number, record)| (record.pid, *number));
    for list in order.chunk_by(|one, next| one.1.pid == next.1.pid) {
        writeln!(out, "  <events process=\"{}\">", list[0].1.pid)?;
        for (number, record) in list {
            write_event(record, *number, devices, out)?;
        }
        writeln!(out, "  </events>")?;
    }
    Ok(())
}

fn write_event(
    record: &Record,
    number: u64,
    devices: &Devices,
    out: &mut impl Write,
) -> io::Result<()> {
    let tag = match record.state {
        UnitState::Content => "execution",
        _ => "event",
    };
    write!(out, "    <{tag} id=\"")?;
    match record
        .sender()
        .filter(|_| record.role() == Some(Role::Send))
    {
        Some(message) => write!(out, "{}", Sent(message))?,
        None => write!(out, "e{number}")?,
    }
    write!(out, "\" thread=\"{}\"", record.tid)?;
    if let Some(element) = record.element_index() {
        write!(out, " element=\"{element}\"")?;
    }
    if record.state != UnitState::Content {
        let (activity, state) = (activity(record), record.state.name());
        write!(out, " activity=\"{activity}\" state=\"{state}\"")?;
        if let Some((device, model)) = devices.of_record(record) {
            write!(out, " device=\"{device}\" model=\"{}\"", Value(model))?;
        }
    }
    write!(
        out,
        " start=\"{:?}\" duration=\"{:?}\"",
        record.start_s,
        record.seconds()
    )?;
    if let Some(began_s) = record.began_s() {
        write!(out, " began=\"{began_s:?}\"")?;
    }
    if let Some(message) = related(record) {
        write!(out, " related=\"{}\"", Sent(message))?;
    }
    if let Some(unit) = record.cause_unit() {
        write!(out, " cause=\"{}.{}\"", unit.pid, unit.tid)?;
    }
    write_resources(record, tag, devices, out)
}

fn write_resources(
    record: &Record,
    tag: &str,
    devices: &Devices,
    out: &mut impl Write,
) -> io::Result<()> {
    let (partner, bytes) = (record.partner_pid(), record.size_bytes());
    if let Some((source, number)) = record.sender() {
        let target = match record.role() {
            Some(Role::Send) => partner.unwrap_or(source),
            _ => record.pid,
        };
        write!(
            out,
            ">\n      <message source=\"{source}\" target=\"{target}\" number=\"{number}\""
        )?;
    } else if let Some(root) = partner.filter(|_| record.begun().is_none()) {
        write!(out, ">\n      <collective root=\"{root}\"")?;
    } else if bytes.is_some() || record.comm_pid().is_some() {
        write!(out, ">\n      <collective")?;
    } else if let Some(counts) = devices.counts(record) {
        writeln!(out, ">")?;
        for (name, count) in counts {
            let name = Value(name);
            writeln!(
                out,
                "      <operation name=\"{name}\" count=\"{count:?}\"/>"
            )?;
        }
        return writeln!(out, "    </{tag}>");
    } else {
        return writeln!(out, "/>");
    }
    if let Some(bytes) = bytes {
        write!(out, " bytes=\"{bytes}\"")?;
    }
    if let Some(tag) = record.message_tag() {
        write!(out, " tag=\"{tag}\"")?;
    }
    if let Some(comm) = record.comm_pid() {
        write!(out, " communicator=\"{comm}\"")?;
    }
    writeln!(out, "/>\n    </{tag}>")
}

/// Returns the message to which an event relates: one that it receives, or one that was started
/// earlier.
fn related(record: &Record) -> Option<(u32, u32)> {
    match record.role() {
        Some(Role::Receive) => record.sender(),
        Some(Role::Send) => None,
        None => record.begun(),
    }
}

/// Returns the state of a process in PTI's terms.
fn activity(record: &Record) -> &'static str {
    match (record.state, record.role()) {
        (UnitState::Compute, _) => "processing",
        (UnitState::Send, _) | (UnitState::Collective, Some(Role::Send)) => "send",
        (UnitState::Receive, _) | (UnitState::Collective, Some(Role::Receive)) => "receive",
        (UnitState::Wait | UnitState::Synchronize, _) => "wait",
        (UnitState::Collective | UnitState::Hold | UnitState::Content, _) => "other",
    }
}

/// A machine's devices, and the models that evaluate them.
struct Devices {
    cpu: String,
    network: String,
    intranode: String,
    /// Node of each process; empty if unknown.
    nodes: Vec<u32>,
    /// The CPU operations that executions use, by the numbers in records.
    operations: BTreeMap<u32, Vec<(String, f64)>>,
}

impl Devices {
    fn of(header: &Header, results: &Results) -> Self {
        // A network setting consists of its model, a colon, and parameters.
        let setting = |name: &str| {
            let text = header
                .settings
                .get(name)
                .and_then(serde_json::Value::as_str);
            let model = text.and_then(|text| text.split(':').next());
            model.map(str::to_owned)
        };
        Self {
            cpu: setting("cpu").unwrap_or_else(|| "fixed".to_owned()),
            network: setting("network").unwrap_or_default(),
            intranode: setting("intranode").unwrap_or_default(),
            nodes: results
                .processes
                .iter()
                .map(|process| process.nid)
                .collect(),
            operations: { results.operations.iter() }
                .map(|it| (it.number, it.counts.clone()))
                .collect(),
        }
    }

    /// Returns the operations that a CPU event uses, with their counts.
    fn counts(&self, record: &Record) -> Option<&[(String, f64)]> {
        let counts = self.operations.get(&record.operations_number()?);
        counts.map(Vec::as_slice)
    }

    /// Returns the device that serves an event, and the device's model; `None` if there is no such
    /// device.
    fn of_record(&self, record: &Record) -> Option<(&'static str, &str)> {
        match record.state {
            UnitState::Compute => Some(("CPU", &*self.cpu)),
            UnitState::Send | UnitState::Receive | UnitState::Collective => {
                Some(self.between(record))
            }
            UnitState::Wait if record.role().is_some() || record.begun().is_some() => {
                Some(self.between(record))
            }
            UnitState::Wait | UnitState::Synchronize | UnitState::Hold | UnitState::Content => None,
        }
    }

    /// Returns the device that connects a process with the partner of its message.
    fn between(&self, record: &Record) -> (&'static str, &str) {
        let node = |pid: u32| self.nodes.get(pid as usize);
        let other = record.partner_pid().and_then(node);
        if other.is_some() && other == node(record.pid) {
            ("memory", &self.intranode)
        } else {
            ("network", &self.network)
        }
    }
}
