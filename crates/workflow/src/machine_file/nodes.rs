//! Turns the nodes of machines for MPI programs into hosts.

use prophet_runtime::Machine;
use prophet_text::{Problem, counted, plain, short_time};

use crate::{Group, HostLink};

/// The hosts of a machine that can also run MPI programs.
#[derive(Debug, Clone, PartialEq)]
pub struct NodeHosts {
    /// Grouped by speed.
    pub groups: Vec<Group>,
    pub within: HostLink,
    /// How the machine is interpreted for a workflow, what it leaves open, and its warnings.
    pub notes: Vec<String>,
}

/// Bandwidth of an unlimited network, in bytes per second.
const FASTEST: f64 = 1e18;

/// Returns a machine's nodes as hosts: the first `nodes` nodes, each with `cores` cores. The
/// defaults are the numbers that the machine specifies, or otherwise a single node with `most`
/// cores.
pub(super) fn hosts(
    machine: &Machine,
    nodes: Option<u32>,
    cores: Option<u32>,
    most: u32,
) -> Result<NodeHosts, Problem> {
    let name = plain::line(&machine.name);
    let chosen = |flag: &str, what: &str, wanted: Option<u32>, has: Option<u32>| {
        if let (Some(wanted), Some(has)) = (wanted, has)
            && wanted > has
        {
            let what = format!("the machine `{name}` has {has} {what}, but `{flag}` is {wanted}");
            return Err(Problem::with_help(what, "Use a smaller number."));
        }
        Ok(wanted.or(has))
    };
    let nodes = chosen("--nodes", "nodes", nodes, machine.nodes)?.unwrap_or(1);
    let cores = chosen("--cores", "CPUs per node", cores, machine.cpus_per_node)?.unwrap_or(most);
    let kinds = machine.node_kinds(nodes);
    let is_alone = kinds.len() == 1;
    let groups = (1..).zip(&kinds).map(|(number, kind)| {
        let name = if is_alone {
            "node".to_owned()
        } else {
            format!("node{number}")
        };
        let mut group = Group::new(&name, kind.nodes, cores);
        group.speed = kind.speed;
        group.memory_bytes = kind.memory_bytes.unwrap_or(u64::MAX);
        group
    });
    let (bytes_per_s, latency_s) = machine.node_link()?;
    let bytes_per_s = bytes_per_s.min(FASTEST);
    let speeds = kinds.iter().map(|it| it.speed);
    let [slow, fast] = [f64::min, f64::max].map(|of| speeds.clone().reduce(of).unwrap_or(1.0));
    let speed = if slow < fast {
        format!("{slow} to {fast}")
    } else {
        slow.to_string()
    };
    let memory = if kinds.iter().all(|it| it.memory_bytes.is_none()) {
        "memory and storage"
    } else {
        "storage"
    };
    let mut note = format!(
        "machine {name}: {} with {}, speed {speed}, {} MB/s and {} between two hosts, unlimited \
         {memory}",
        counted(u64::from(nodes), "host", "hosts"),
        counted(u64::from(cores), "core", "cores"),
        bytes_per_s / 1e6,
        short_time(latency_s),
    );
    if machine.nodes.is_none() || machine.cpus_per_node.is_none() {
        note += "; change the numbers with `--nodes` and `--cores`";
    }
    Ok(NodeHosts {
        groups: groups.collect(),
        within: HostLink {
            bytes_per_s,
            latency_s,
            is_shared: false,
        },
        notes: { machine.warnings().iter() }
            .map(ToString::to_string)
            .chain([note])
            .collect(),
    })
}
