//! Reads the network between nodes in a machine file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use prophet_platform::{
    Cable, Duplex, GivenRoute, Graph, Host, Link, LinkSpeed, Platform, Routed, Sharing,
};
use toml::{Spanned, Value};

use super::words::{Placed as _, SpannedProblem, count, flag_text};
use super::written::{CableEntry, Entries, LinkEntry, NetworkEntry, RouteEntry};
use crate::change::{Change, Listed};
use crate::fabric::{Fabric, Wiring};
use crate::hardware::Hardware;
use crate::network_flag::{NetworkFlag, doubts};
use crate::quantity::{ParseError, bytes_per_second, parse_error, seconds};

/// Maximum number of nodes in a graph, where routes must be searched for.
const NODES_MAX: u32 = 4096;

/// Topologies whose links are listed one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    /// Cables between nodes and switches; messages take the shortest routes over them.
    Graph,
    /// Links, and routes between all nodes.
    Routes,
}

/// Key of a network's name, which is only kept for the XML format.
const NAME: &str = "name";

/// Keys in the table of a graph that its cables or links can also have, or that the flag doesn't
/// support.
const OF_GRAPH: [&str; 7] = [
    NAME,
    "topology",
    "switches",
    "hosts",
    "bandwidth",
    "latency",
    "background",
];

/// Name of PTI's contention model, which has the parameters of `shared`.
pub(super) const CONTENTION: &str = "ccmod";

/// Key of the number of processes that such a network connects.
const CONNECTED: &str = "Nproc";

/// Reads the network between nodes, with its links and changes of the links.
pub(super) fn read(
    entries: &Entries,
    hardware: Hardware,
    changes: Vec<Change>,
) -> Result<Option<NetworkFlag>, SpannedProblem> {
    let Some(entry) = &entries.network else {
        let part = parts_of_graph(entries).next();
        return part.map_or(Ok(None), |(span, what)| {
            let message = format!("a {what} needs a `[network]`");
            Err((Some(span), message))
        });
    };
    check_connections(entries)?;
    let mut flag = match entry.get_ref() {
        NetworkEntry::Text(text) => NetworkFlag::read(text, hardware).at(entry)?,
        NetworkEntry::Table(table) => {
            let shared = as_shared(table);
            let table = shared.as_ref().unwrap_or(table);
            if given(table).is_some() {
                graph(entries, entry, table, hardware)?
            } else {
                let text = flag_text("network", table, &[NAME]).at(entry)?;
                NetworkFlag::read(&text, hardware).at(entry)?
            }
        }
    };
    let topology = match entry.get_ref() {
        NetworkEntry::Table(table) => given(table),
        NetworkEntry::Text(_) => None,
    };
    let needs = |what: &str| match (what, topology) {
        ("cable", Some(Given::Graph)) | ("link", Some(Given::Routes)) | ("route", Some(_)) => None,
        ("link", _) => Some("routes"),
        _ => Some("graph"),
    };
    for (span, what) in parts_of_graph(entries) {
        if let Some(topology) = needs(what) {
            let message = format!("a {what} needs `topology = \"{topology}\"` in `[network]`");
            return Err((Some(span), message));
        }
    }
    let Some(fabric) = &flag.fabric else {
        return Ok(Some(flag));
    };
    let mut fabric = Fabric::clone(fabric);
    fabric.changes = Listed {
        entries: changes.into(),
        ..Listed::default()
    };
    // A star grows to the number of nodes in use.
    if let Some(nodes) = count(entries.nodes.as_ref())?.or_else(|| fabric.nodes()) {
        fabric.platform(nodes).at(entry)?;
    }
    flag.fabric = Some(Arc::new(fabric));
    Ok(Some(flag))
}

/// Converts the table of a network that uses PTI's contention model to a table of the topology
/// `shared`.
fn as_shared(table: &BTreeMap<String, Value>) -> Option<BTreeMap<String, Value>> {
    let is_contention = table.get("model").and_then(Value::as_str) == Some(CONTENTION);
    is_contention.then(|| {
        let mut table = table.clone();
        table.remove(CONNECTED);
        table.insert("model".to_owned(), "shared".into());
        table
    })
}

/// Returns the number of nodes of a machine that only says how many processes its network connects.
pub(super) fn connected_nodes(entries: &Entries) -> Result<Option<u32>, SpannedProblem> {
    let Some(entry) = &entries.network else {
        return Ok(None);
    };
    let NetworkEntry::Table(table) = entry.get_ref() else {
        return Ok(None);
    };
    let Some(number) = table.get(CONNECTED).filter(|_| as_shared(table).is_some()) else {
        return Ok(None);
    };
    let number = number.as_integer().and_then(|it| u32::try_from(it).ok());
    let Some(processes) = number.filter(|number| *number > 0) else {
        let message = format!("{CONNECTED}: expected a number of processes, 1 or more");
        return Err(message).at(entry);
    };
    let nodes = count(entries.nodes.as_ref())?;
    if let Some(nodes) = nodes.filter(|nodes| *nodes > processes) {
        let message = format!(
            "{CONNECTED}: the network connects {processes} processes, but the machine has {nodes} \
             nodes"
        );
        return Err(message).at(entry);
    }
    let cpus = count(entries.cpus_per_node.as_ref())?.unwrap_or(1);
    Ok(Some(processes.div_ceil(cpus)))
}

/// Checks that each node is connected to the port with its own number; other connections need
/// cables.
fn check_connections(entries: &Entries) -> Result<(), SpannedProblem> {
    let name = match entries.network.as_ref().map(Spanned::get_ref) {
        Some(NetworkEntry::Table(table)) => table.get(NAME).and_then(Value::as_str),
        _ => None,
    };
    let names = [("computer", entries.computer.as_deref()), ("network", name)];
    for entry in &entries.connections {
        let it = entry.get_ref();
        for ((what, known), named) in names.iter().zip([&it.computer, &it.network]) {
            if let (Some(known), Some(named)) = (known, named)
                && known != named
            {
                let message =
                    format!("a connect names the {what} `{named}`, but its name is `{known}`");
                return Err(message).at(entry);
            }
        }
        if it.node != it.port {
            let message = "the port of a node is the node's number; use the topology `graph` with \
                           cables for other connections";
            return Err(message).at(entry);
        }
        // PTI counts from 1, this crate from 0.
        let nodes = count(entries.nodes.as_ref())?.or(connected_nodes(entries)?);
        if let Some(nodes) = nodes.filter(|nodes| !(0..=i64::from(*nodes)).contains(&it.node)) {
            let message = format!(
                "node {} is connected, but the machine has {nodes} nodes",
                it.node
            );
            return Err(message).at(entry);
        }
    }
    Ok(())
}

fn given(table: &BTreeMap<String, Value>) -> Option<Given> {
    match table.get("topology")?.as_str()? {
        "graph" => Some(Given::Graph),
        "routes" => Some(Given::Routes),
        _ => None,
    }
}

/// Returns the places and names of the entries that only graphs have.
fn parts_of_graph(entries: &Entries) -> impl Iterator<Item = (Range<usize>, &'static str)> {
    let cables = entries.cables.iter().map(|it| (it.span(), "cable"));
    let routes = entries.routes.iter().map(|it| (it.span(), "route"));
    let links = entries.links.iter().map(|it| (it.span(), "link"));
    cables.chain(routes).chain(links)
}

/// Returns the text of a quantity, which may be a plain number.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Reads a network whose links are listed one by one.
fn graph(
    entries: &Entries,
    entry: &Spanned<NetworkEntry>,
    table: &BTreeMap<String, Value>,
    hardware: Hardware,
) -> Result<NetworkFlag, SpannedProblem> {
    let text = flag_text("network", table, &OF_GRAPH).at(entry)?;
    // The star's links are placeholders for the graph's links, and never used.
    let text = format!("{text},latency=0,bandwidth=1");
    let mut flag = NetworkFlag::read(&text, hardware).at(entry)?;
    let of_all = ["latency", "bandwidth"].map(|key| {
        let text = table.get(key).and_then(text_of).unwrap_or_default();
        format!("{key}={text}")
    });
    flag.doubts = doubts(&of_all.join(","));
    let Some(fabric) = &flag.fabric else {
        return Err("a graph needs the model `shared` or `packet`").at(entry);
    };
    let name = entries.name.get_ref().clone();
    let hosts = hosts(entries, table, entry)?;
    let platform = match given(table) {
        Some(Given::Routes) => Platform::routed(&Routed {
            name,
            hosts,
            links: links(entries, table)?,
            routes: routes_both_ways(entries),
        }),
        _ => Platform::graph(&Graph {
            name,
            hosts,
            switches: names(table, "switches").at(entry)?,
            cables: cables(entries, table)?,
            routes: graph_routes(entries)?,
        }),
    };
    // The message names the cable, link or route, which leads to its place.
    let platform = platform.map_err(|refusal| {
        let message = refusal.to_string();
        (place_of(entries, &message).or(Some(entry.span())), message)
    })?;
    flag.fabric = Some(Arc::new(Fabric {
        wiring: Wiring::Described(Arc::new(platform)),
        ..Fabric::clone(fabric)
    }));
    Ok(flag)
}

/// Returns the place of the cable or route that a message is about.
fn place_of(entries: &Entries, message: &str) -> Option<Range<usize>> {
    let cable = |it: &&Spanned<CableEntry>| {
        let name = &it.get_ref().name;
        message.contains(&format!("cable `{name}`")) || message.contains(&format!("`{name}.up`"))
    };
    let route = |it: &&Spanned<RouteEntry>| {
        let RouteEntry { from, to, .. } = it.get_ref();
        message.contains(&format!("from `{from}` to `{to}`"))
    };
    let link = |it: &&Spanned<LinkEntry>| {
        let name = &it.get_ref().name;
        message.contains(&format!("link `{name}`")) || message.contains(&format!("named `{name}`"))
    };
    let of_route = entries.routes.iter().rfind(route).map(Spanned::span);
    let of_cable = || entries.cables.iter().rfind(cable).map(Spanned::span);
    let of_link = || entries.links.iter().rfind(link).map(Spanned::span);
    of_route.or_else(of_cable).or_else(of_link)
}

fn hosts(
    entries: &Entries,
    table: &BTreeMap<String, Value>,
    network: &Spanned<NetworkEntry>,
) -> Result<Vec<Host>, SpannedProblem> {
    let Some(nodes) = count(entries.nodes.as_ref())? else {
        return Err("a graph needs `nodes`, the number of its nodes").at(network);
    };
    if nodes > NODES_MAX {
        let message =
            format!("a graph has at most {NODES_MAX} nodes; use another topology for more");
        return Err(message).at(network);
    }
    let mut names = names(table, "hosts").at(network)?;
    if names.is_empty() {
        names = (0..nodes).map(|number| format!("node{number}")).collect();
    }
    if names.len() != nodes as usize {
        let message = format!(
            "`hosts` lists {} nodes, but the machine has {nodes}",
            names.len()
        );
        return Err(message).at(network);
    }
    let host = |name| Host {
        name,
        cores: 1,
        speed: 0.0,
    };
    Ok(names.into_iter().map(host).collect())
}

fn names(table: &BTreeMap<String, Value>, key: &str) -> Result<Vec<String>, ParseError> {
    let Some(list) = table.get(key) else {
        return Ok(Vec::new());
    };
    let name = |it: &Value| it.as_str().map(str::to_owned);
    let names: Option<Vec<_>> = list
        .as_array()
        .and_then(|list| list.iter().map(name).collect());
    names.ok_or_else(|| {
        parse_error!("expected `{key}` as a list of names, such as [\"s0\", \"s1\"]")
    })
}

/// Returns the value of a cable or link: its own, or the one for all of them.
fn need(
    own: Option<&String>,
    table: &BTreeMap<String, Value>,
    of: &str,
    key: &str,
) -> Result<String, String> {
    let of_all = || table.get(key).and_then(text_of);
    let text = own.cloned().or_else(of_all);
    text.ok_or_else(|| format!("the {of} needs `{key}`"))
}

/// Returns the fraction of a cable or link that other traffic takes: its own, or the one for all of
/// them.
fn background(own: Option<f64>, table: &BTreeMap<String, Value>) -> f64 {
    let of_all = || table.get("background").and_then(Value::as_float);
    own.or_else(of_all).unwrap_or(0.0)
}

fn links(entries: &Entries, table: &BTreeMap<String, Value>) -> Result<Vec<Link>, SpannedProblem> {
    let link = |entry: &Spanned<LinkEntry>| {
        let it = entry.get_ref();
        let of = format!("link `{}`", it.name);
        let bandwidth = need(it.bandwidth.as_ref(), table, &of, "bandwidth").at(entry)?;
        let latency = need(it.latency.as_ref(), table, &of, "latency").at(entry)?;
        Ok(Link {
            name: it.name.clone(),
            bytes_per_s: bytes_per_second(&bandwidth).at(entry)?,
            latency_s: seconds(&latency).at(entry)?,
            sharing: sharing(it.fatpipe),
            background: background(it.background, table),
        })
    };
    entries.links.iter().map(link).collect()
}

const fn sharing(fatpipe: bool) -> Sharing {
    if fatpipe {
        Sharing::Fatpipe
    } else {
        Sharing::Shared
    }
}

/// Returns the routes of a graph, each in one direction: links have a direction, so the way back
/// uses other links.
fn graph_routes(entries: &Entries) -> Result<Vec<GivenRoute>, SpannedProblem> {
    let one_way = |entry: &Spanned<RouteEntry>| {
        if entry.get_ref().both_ways {
            let message =
                "`both-ways` is only for the topology `routes`: cables always work both ways";
            return Err(message).at(entry);
        }
        Ok(entry.get_ref().route())
    };
    entries.routes.iter().map(one_way).collect()
}

fn routes_both_ways(entries: &Entries) -> Vec<GivenRoute> {
    let routes = entries.routes.iter().map(Spanned::get_ref);
    let ways = routes.flat_map(|it| [Some(it.route()), it.both_ways.then(|| it.way_back())]);
    ways.flatten().collect()
}

fn cables(
    entries: &Entries,
    table: &BTreeMap<String, Value>,
) -> Result<Vec<Cable>, SpannedProblem> {
    let cable = |entry: &Spanned<CableEntry>| {
        let it = entry.get_ref();
        let of = format!("cable `{}`", it.name);
        let bandwidth = need(it.bandwidth.as_ref(), table, &of, "bandwidth").at(entry)?;
        let latency = need(it.latency.as_ref(), table, &of, "latency").at(entry)?;
        let [from, to] = &it.between[..] else {
            let message = format!("the {of} needs two ends, found {}", it.between.len());
            return Err(message).at(entry);
        };
        Ok(Cable {
            name: it.name.clone(),
            ends: [from.clone(), to.clone()],
            wire: LinkSpeed {
                bytes_per_s: bytes_per_second(&bandwidth).at(entry)?,
                latency_s: seconds(&latency).at(entry)?,
            },
            duplex: if it.half_duplex {
                Duplex::Half
            } else {
                Duplex::Split
            },
            sharing: sharing(it.fatpipe),
            background: background(it.background, table),
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

    fn way_back(&self) -> GivenRoute {
        GivenRoute {
            from: self.to.clone(),
            to: self.from.clone(),
            links: self.links.iter().rev().cloned().collect(),
        }
    }
}
