//! Network between nodes, in a machine's file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use prophet_platform::{Cable, Duplex, GivenRoute, Graph, Host, Platform, Sharing, Wire};
use serde::Deserialize;
use toml::{Spanned, Value};

use super::file::{Entries, Problem, count};
use crate::language::hardware::Hardware;
use crate::language::quantity::{ParseError, bytes_per_second, seconds};
use crate::machine::change::{Change, Listed};
use crate::machine::fabric::{Fabric, Wiring};
use crate::machine::network::NetworkFlag;

/// Most nodes of a graph, whose routes are searched.
const NODES_MAX: u32 = 4096;

/// Entry `network`: a text like that of the flag, or a table of its keys.
#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "a network is a text such as \"hockney:latency=1us,bandwidth=1GB/s\", or a table"
)]
pub(super) enum Entry {
    Text(String),
    Table(BTreeMap<String, Value>),
}

/// Entry `[[cable]]` of the topology `graph`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CableEntry {
    name: String,
    between: Vec<String>,
    bandwidth: Option<String>,
    latency: Option<String>,
    #[serde(default)]
    background: Option<f64>,
    /// True if both ways share one link.
    #[serde(default)]
    half_duplex: bool,
    /// True if the bandwidth limits each message alone.
    #[serde(default)]
    fatpipe: bool,
}

/// Entry `[[route]]` of the topology `graph`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RouteEntry {
    from: String,
    to: String,
    links: Vec<String>,
}

/// Keys of a graph's table that its cables have, too, or that the flag does not know.
const OF_GRAPH: [&str; 5] = ["topology", "switches", "bandwidth", "latency", "background"];

/// Reads the network between nodes, with its links, which change.
pub(super) fn read(
    entries: &Entries,
    hardware: Hardware,
    changes: Vec<Change>,
) -> Result<Option<NetworkFlag>, Problem> {
    let Some(entry) = &entries.network else {
        let part = parts_of_graph(entries).next();
        return part.map_or(Ok(None), |(span, what)| {
            let message = format!("a {what} needs a `[network]` that it is a part of");
            Err((Some(span), message))
        });
    };
    let told = |error: ParseError| (Some(entry.span()), error.to_string());
    let mut flag = match entry.get_ref() {
        Entry::Text(text) => NetworkFlag::read(text, hardware).map_err(told)?,
        Entry::Table(table) if is_graph(table) => graph(entries, entry.span(), table, hardware)?,
        Entry::Table(table) => {
            let text = flag_text("network", table, &[]).map_err(told)?;
            NetworkFlag::read(&text, hardware).map_err(told)?
        }
    };
    if !matches!(entry.get_ref(), Entry::Table(table) if is_graph(table))
        && let Some((span, what)) = parts_of_graph(entries).next()
    {
        let message = format!("a {what} needs `topology = \"graph\"` in `[network]`");
        return Err((Some(span), message));
    }
    let Some(fabric) = &flag.fabric else {
        return Ok(Some(flag));
    };
    let mut fabric = Fabric::clone(fabric);
    fabric.changes = Listed {
        entries: changes.into(),
        ..Listed::default()
    };
    // A star has as many nodes as are used.
    if let Some(nodes) = count(entries.nodes.as_ref())?.or_else(|| fabric.nodes()) {
        let told = |message: String| (Some(entry.span()), message);
        fabric.platform(nodes).map_err(told)?;
    }
    flag.fabric = Some(Arc::new(fabric));
    Ok(Some(flag))
}

fn is_graph(table: &BTreeMap<String, Value>) -> bool {
    table.get("topology").and_then(Value::as_str) == Some("graph")
}

/// Places of the entries that only a graph has, with their names.
fn parts_of_graph(entries: &Entries) -> impl Iterator<Item = (Range<usize>, &'static str)> {
    let cables = entries.cables.iter().map(|it| (it.span(), "cable"));
    let routes = entries.routes.iter().map(|it| (it.span(), "route"));
    cables.chain(routes)
}

/// Writes a table as the flag has it, but for some keys.
pub(super) fn flag_text(
    device: &str,
    table: &BTreeMap<String, Value>,
    without: &[&str],
) -> Result<String, ParseError> {
    let model = table.get("model").and_then(Value::as_str).ok_or_else(|| {
        let example = if device == "network" {
            ", such as `model = \"shared\"`"
        } else {
            ""
        };
        ParseError::new(format!("the {device} has no `model`{example}"))
    })?;
    let mut pairs = Vec::new();
    for (key, value) in table {
        if key == "model" || without.contains(&key.as_str()) {
            continue;
        }
        let value = match value {
            Value::String(text) if !text.contains(',') => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Array(numbers) if numbers.iter().all(Value::is_integer) => {
                let numbers = numbers.iter().filter_map(Value::as_integer);
                let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
                numbers.join("x")
            }
            _ => {
                let message = format!("`{key}` is neither a number, a text nor a list of numbers");
                return Err(ParseError::new(message));
            }
        };
        pairs.push(format!("{key}={value}"));
    }
    Ok(format!("{model}:{}", pairs.join(",")))
}

/// Text of a quantity, which may be a bare number.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Reads a network whose links are given one by one.
fn graph(
    entries: &Entries,
    span: Range<usize>,
    table: &BTreeMap<String, Value>,
    hardware: Hardware,
) -> Result<NetworkFlag, Problem> {
    let told = |error: ParseError| (Some(span.clone()), error.to_string());
    let text = flag_text("network", table, &OF_GRAPH).map_err(told)?;
    // The links of the star, which stand for those of the graph, are never used.
    let text = format!("{text},latency=0,bandwidth=1");
    let mut flag = NetworkFlag::read(&text, hardware).map_err(told)?;
    let Some(fabric) = &flag.fabric else {
        let message = "a graph needs the model `shared` or `packet`";
        return Err((Some(span), message.to_owned()));
    };
    let graph = Graph {
        name: entries.name.get_ref().clone(),
        hosts: hosts(entries, &span)?,
        switches: switches(table).map_err(told)?,
        cables: cables(entries, table)?,
        routes: { entries.routes.iter() }
            .map(|route| route.get_ref().route())
            .collect(),
    };
    // Places of cables and routes are in the message: the graph names them.
    let platform = Platform::graph(&graph).map_err(|refusal| {
        let message = refusal.to_string();
        (place_of(entries, &message).or(Some(span)), message)
    })?;
    flag.fabric = Some(Arc::new(Fabric {
        wiring: Wiring::Described(Arc::new(platform)),
        ..Fabric::clone(fabric)
    }));
    Ok(flag)
}

/// Place of the cable or route that a message names.
fn place_of(entries: &Entries, message: &str) -> Option<Range<usize>> {
    let cable = |it: &&Spanned<CableEntry>| {
        let name = &it.get_ref().name;
        message.contains(&format!("cable `{name}`")) || message.contains(&format!("`{name}.up`"))
    };
    let route = |it: &&Spanned<RouteEntry>| {
        let RouteEntry { from, to, .. } = it.get_ref();
        message.contains(&format!("from `{from}` to `{to}`"))
    };
    let of_route = entries.routes.iter().rfind(route).map(Spanned::span);
    of_route.or_else(|| entries.cables.iter().rfind(cable).map(Spanned::span))
}

fn hosts(entries: &Entries, span: &Range<usize>) -> Result<Vec<Host>, Problem> {
    let Some(nodes) = count(entries.nodes.as_ref())? else {
        let message = "a graph needs `nodes`: their number";
        return Err((Some(span.clone()), message.to_owned()));
    };
    if nodes > NODES_MAX {
        let message = format!("a graph has at most {NODES_MAX} nodes; use a topology");
        return Err((Some(span.clone()), message));
    }
    let host = |number| Host {
        name: format!("node{number}"),
        cores: 1,
        speed: 0.0,
    };
    Ok((0..nodes).map(host).collect())
}

fn switches(table: &BTreeMap<String, Value>) -> Result<Vec<String>, ParseError> {
    let Some(switches) = table.get("switches") else {
        return Ok(Vec::new());
    };
    let names = switches.as_array().into_iter().flatten();
    let names: Option<Vec<_>> = names.map(|it| it.as_str().map(str::to_owned)).collect();
    names
        .filter(|names| !names.is_empty())
        .ok_or_else(|| ParseError::new("`switches` is a list of names, such as [\"s0\", \"s1\"]"))
}

fn cables(entries: &Entries, table: &BTreeMap<String, Value>) -> Result<Vec<Cable>, Problem> {
    let default = |key: &str| table.get(key).and_then(text_of);
    let cable = |entry: &Spanned<CableEntry>| {
        let it = entry.get_ref();
        let told = |message: String| (Some(entry.span()), message);
        let need = |own: &Option<String>, key: &str| {
            let text = own.clone().or_else(|| default(key));
            let name = &it.name;
            text.ok_or_else(|| told(format!("the cable `{name}` has no `{key}`")))
        };
        let bandwidth = need(&it.bandwidth, "bandwidth")?;
        let latency = need(&it.latency, "latency")?;
        let of_all = table.get("background").and_then(Value::as_float);
        let background = it.background.or(of_all).unwrap_or(0.0);
        let [from, to] = &it.between[..] else {
            let (name, count) = (&it.name, it.between.len());
            let message = format!("the cable `{name}` has two ends, not {count}");
            return Err(told(message));
        };
        Ok(Cable {
            name: it.name.clone(),
            ends: [from.clone(), to.clone()],
            wire: Wire {
                bytes_per_s: bytes_per_second(&bandwidth)
                    .map_err(|error| told(error.to_string()))?,
                latency_s: seconds(&latency).map_err(|error| told(error.to_string()))?,
            },
            duplex: if it.half_duplex {
                Duplex::Half
            } else {
                Duplex::Split
            },
            sharing: if it.fatpipe {
                Sharing::Fatpipe
            } else {
                Sharing::Shared
            },
            background,
        })
    };
    entries.cables.iter().map(cable).collect()
}

impl RouteEntry {
    fn route(&self) -> GivenRoute {
        GivenRoute {
            from: self.from.clone(),
            to: self.to.clone(),
            links: self.links.clone(),
        }
    }
}
