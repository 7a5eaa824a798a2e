//! Summarizes traces.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use prophet_text::plain::line;
use prophet_trace::{Header, LinkLoad, ReadError, Record, Results, Role, UnitId, UnitState};
use serde_json::{Value, json};

use super::names::Names;
use super::open;
use super::{ExportError, Input};

#[derive(Debug)]
pub struct TraceSummary {
    header: Header,
    results: Results,
    records: u64,
    units: BTreeSet<UnitId>,
    /// First and last time, in seconds.
    span_s: (f64, f64),
    states: BTreeMap<UnitState, (u64, f64)>,
    elements: BTreeMap<String, (u64, f64)>,
    /// Number of messages sent, and their total size in bytes.
    messages: (u64, u64),
    links: Vec<Carried>,
}

const LINKS_MAX: usize = 10;

impl TraceSummary {
    /// Summarizes the trace at `path`.
    ///
    /// # Errors
    ///
    /// Returns an error if the trace can't be read.
    pub fn read(path: &Path) -> Result<Self, ExportError> {
        let mut input = open(path)?;
        let names = Names::new(input.results());
        let mut summary = Self {
            header: input.header().clone(),
            results: input.results().clone(),
            records: 0,
            units: BTreeSet::new(),
            span_s: (f64::INFINITY, 0.0),
            states: BTreeMap::new(),
            elements: BTreeMap::new(),
            messages: (0, 0),
            links: Vec::new(),
        };
        let mut records = Vec::new();
        let place = |error| ExportError::new(format!("{}: {error}", path.display()));
        while input.next_batch(&mut records).map_err(place)? {
            for record in &records {
                summary.add(record, &names);
            }
        }
        summary.links = carried(&mut input).map_err(place)?;
        Ok(summary)
    }

    fn add(&mut self, record: &Record, names: &Names) {
        self.records += 1;
        self.units.insert(record.unit());
        let (first_s, last_s) = self.span_s;
        self.span_s = (first_s.min(record.start_s), last_s.max(record.end_s));
        let state = self.states.entry(record.state).or_default();
        state.0 += 1;
        state.1 += record.seconds();
        if let (Some(began_s), Some(name)) = (record.began_s(), names.of(record)) {
            let element = match self.elements.get_mut(name) {
                Some(element) => element,
                None => self.elements.entry(name.to_owned()).or_default(),
            };
            element.0 += 1;
            element.1 += record.end_s - began_s;
        }
        if record.role() == Some(Role::Send) {
            self.messages.0 += 1;
            self.messages.1 = self
                .messages
                .1
                .saturating_add(record.size_bytes().unwrap_or(0));
        }
    }

    pub fn json(&self) -> Value {
        let states = { self.states.iter() }.map(|(state, (records, seconds))| {
            json!({"state": state.name(), "records": records, "seconds": seconds})
        });
        let elements = { self.elements.iter() }.map(
            |(name, (count, total_s))| json!({"name": name, "count": count, "total_s": total_s}),
        );
        let links = { self.links.iter() }
            .map(|link| json!({"name": link.name, "bytes": link.bytes, "load": link.load}));
        json!({
            "model": self.header.model,
            "system": self.header.system,
            "parameters": self.header.parameters,
            "machine": self.header.machine,
            "seed": self.header.seed,
            "version": self.header.version,
            "filter": self.header.filter,
            "complete": self.results.complete,
            "predicted_time_s": self.results.predicted_time_s,
            "records": self.records,
            "units": self.units.len(),
            "messages": self.messages.0,
            "message_bytes": self.messages.1,
            "states": states.collect::<Vec<_>>(),
            "elements": elements.collect::<Vec<_>>(),
            "links": links.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for TraceSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            header, results, ..
        } = self;
        writeln!(f, "Model           {}", line(&header.model))?;
        writeln!(f, "Machine         {}", line(&header.machine))?;
        let at_least = if results.complete { "" } else { "at least " };
        writeln!(
            f,
            "Predicted time  {at_least}{}",
            prophet_text::short_time(results.predicted_time_s)
        )?;
        if let Some(filter) = &header.filter {
            writeln!(f, "Filter          {}", line(filter))?;
        }
        let (records, units) = (self.records, self.units.len());
        writeln!(f, "Records         {records}, of {units} units")?;
        let (messages, bytes) = self.messages;
        writeln!(f, "Messages        {messages}, {bytes} bytes")?;
        writeln!(f, "\n{:<30}  {:>12}  {:>16}", "State", "Records", "Seconds")?;
        for (state, (records, seconds)) in &self.states {
            writeln!(f, "{:<30}  {records:>12}  {seconds:>16.9}", state.name())?;
        }
        writeln!(
            f,
            "\n{:<30}  {:>12}  {:>16}",
            "Element", "Executions", "Seconds"
        )?;
        for (name, (count, seconds)) in &self.elements {
            let name: String = line(name).chars().take(30).collect();
            writeln!(f, "{name:<30}  {count:>12}  {seconds:>16.9}")?;
        }
        if !self.links.is_empty() {
            writeln!(f, "\n{:<30}  {:>12}  {:>16}", "Link", "Load", "Bytes")?;
        }
        for link in self.links.iter().take(LINKS_MAX) {
            let name: String = line(&link.name).chars().take(30).collect();
            let percent = 100.0 * link.load;
            writeln!(f, "{name:<30}  {percent:>10.1} %  {:>16.0}", link.bytes)?;
        }
        let more = self.links.len().saturating_sub(LINKS_MAX);
        if more > 0 {
            writeln!(f, "and {more} more")?;
        }
        Ok(())
    }
}

/// A link, and the traffic that it carried in a run.
#[derive(Debug, Clone, PartialEq)]
struct Carried {
    pub(crate) name: String,
    pub(crate) bytes: f64,
    /// Bytes carried, as a share of what the link could carry during the run.
    pub(crate) load: f64,
}

fn carried(input: &mut Input) -> Result<Vec<Carried>, ReadError> {
    let end_s = input.results().predicted_time_s;
    let Some(network) = input.results().network.clone() else {
        return Ok(Vec::new());
    };
    let mut last: Vec<Option<LinkLoad>> = vec![None; network.links.len()];
    let mut bytes = vec![0.0; network.links.len()];
    let mut loads = Vec::new();
    let mut rows = input.loads();
    while rows.next_batch(&mut loads)? {
        for load in &loads {
            // The reader has checked the links' numbers.
            let link = load.link as usize;
            if let Some(before) = last[link].replace(*load) {
                bytes[link] += before.bytes_per_s * (load.time_s - before.time_s);
            }
        }
    }
    let links = network.links.into_iter().zip(bytes);
    let mut links: Vec<Carried> = links
        .map(|(link, bytes)| Carried {
            name: link.name,
            bytes,
            load: bytes / (link.bytes_per_s * end_s),
        })
        .collect();
    links.sort_by(|one, other| other.load.total_cmp(&one.load));
    Ok(links)
}
