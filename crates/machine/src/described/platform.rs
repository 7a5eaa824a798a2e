//! Reads machines from `SimGrid` platform files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use prophet_platform::{Change, Host, Platform, Read, Route, Target, Watts};
use prophet_text::Problem;

use super::Machine;
use crate::binding::Binding;
use crate::change::Listed;
use crate::fabric::{Fabric, Fairness, Sharing, Wiring};
use crate::groups::{Described, Groups, NodeKind};
use crate::mapping::Mapping;
use crate::mapping::UNITS_MAX;
use crate::memory::Memory;
use crate::network::Network;
use crate::network_flag::NetworkFlag;
use crate::policy::{CpuDiscipline, WaitPolicy};
use crate::power::{NodePower, Power};
use crate::prices::Prices;
use crate::quantity::one_line;
use crate::rule::Rule;

/// Reads a machine from a platform file. Messages share its links with `SimGrid`'s weights.
pub(super) fn read(path: &str) -> Result<Machine, Problem> {
    let read = Read::file(Path::new(path))?;
    let hosts = u32::try_from(read.platform.hosts().len()).unwrap_or(u32::MAX);
    if hosts == 0 || hosts > UNITS_MAX {
        let message = format!("expected 1 to {UNITS_MAX} hosts, found {hosts}");
        return Err(Problem::of(Path::new(path), message));
    }
    let mut warnings = read.warnings;
    let is_of_host = |change: &Change| matches!(change.target, Target::Host(_));
    let (of_hosts, of_links): (Vec<_>, Vec<_>) = read.changes.into_iter().partition(is_of_host);
    let powers = powers(&read.platform, &read.watts);
    let fabric = Arc::new(Fabric {
        sharing: Sharing::Fluid(Fairness::Rtt),
        changes: profile(of_links),
        ..Fabric::on(Wiring::Described(Arc::new(read.platform)))
    });
    let cores = cores(&fabric, path, &mut warnings);
    let platform = described(&fabric);
    let intranode = platform.and_then(|it| loopback(it, path, &mut warnings));
    let cpus = |power: &HostPower| power.of(cores);
    let powers: Vec<NodePower> = powers.iter().map(cpus).collect();
    let groups = platform.map(|it| kinds(it, &powers)).unwrap_or_default();
    Ok(Machine {
        name: name(path),
        source: format!("the platform file {}", one_line(path)),
        nodes: Some(hosts),
        cpus_per_node: Some(cores),
        memory: Memory::default(),
        accelerators: Arc::default(),
        discipline: CpuDiscipline::default(),
        wait_policy: WaitPolicy::default(),
        collectives: Rule::default(),
        network: Some(NetworkFlag {
            fabric: Some(Arc::clone(&fabric)),
            ..NetworkFlag::without_options(fabric.ends())
        }),
        intranode,
        mapping: Mapping::Block,
        binding: Binding::default(),
        groups,
        accuracy: None,
        power: powers.first().map(|node| Power {
            node: *node,
            memory_byte_j: 0.0,
            network_idle_w: 0.0,
            network_byte_j: 0.0,
        }),
        devices: Vec::new(),
        profiles: { read.profiles.iter() }
            .map(|it| Path::new(path).with_file_name(it))
            .collect(),
        prices: Prices::default(),
        changes: profile(of_hosts),
        file: Some(path.to_owned()),
        contradiction: None,
        warnings,
        toml: String::new(),
    })
}

fn profile(changes: Vec<Change>) -> Listed {
    Listed {
        profile: changes.into(),
        ..Listed::default()
    }
}

/// Returns the number of CPUs of the host that has fewest.
fn cores(fabric: &Fabric, path: &str, warnings: &mut Vec<Problem>) -> u32 {
    let Some(platform) = described(fabric) else {
        return 1;
    };
    let cores = |platform: &Platform| platform.hosts().iter().map(|host| host.cores).min();
    let least = cores(platform).unwrap_or(1).max(1);
    if let Some(host) = platform.hosts().iter().find(|host| host.cores > least) {
        let message = format!(
            "all nodes need the same number of cores, so each node uses {least} of its cores; `{}` \
             has {}",
            host.name, host.cores
        );
        warnings.push(Problem::of(Path::new(path), message));
    }
    least
}

fn described(fabric: &Fabric) -> Option<&Platform> {
    match &fabric.wiring {
        Wiring::Described(platform) => Some(platform),
        Wiring::Regular { .. } => None,
    }
}

/// Groups the hosts by kind. Speeds are relative to the first host, for which costs are given;
/// powers are only given where they differ from the first host's.
fn kinds(platform: &Platform, powers: &[NodePower]) -> Groups {
    let first = platform.hosts().first().map_or(1.0, |host| host.speed);
    let ratio = |speed: f64| {
        let ratio = speed / first;
        let is_speed = ratio > 0.0 && ratio.is_finite();
        if is_speed { ratio } else { 1.0 }
    };
    let power = |at: usize| powers.get(at).filter(|power| **power != powers[0]);
    Groups::new(platform.hosts().iter().enumerate().map(|(at, host)| {
        let kind = NodeKind {
            speed: ratio(host.speed),
            power: power(at).copied(),
            ..NodeKind::PLAIN
        };
        Described {
            count: 1,
            kind,
            name: None,
        }
    }))
}

/// Power of a host, and its number of cores.
struct HostPower {
    watts: Watts,
    cores: u32,
}

impl HostPower {
    fn of(&self, cpus: u32) -> NodePower {
        let Watts {
            idle,
            epsilon,
            all_cores,
        } = self.watts;
        let core_w = (all_cores - epsilon) / f64::from(self.cores.max(1));
        let all_cpus_w = epsilon + core_w * f64::from(cpus);
        NodePower {
            idle_w: idle,
            one_cpu_w: (cpus > 1).then_some(epsilon + core_w),
            all_cpus_w,
        }
    }
}

/// Returns the power of each host; empty if no host has one. As in `SimGrid`, a host without a
/// power consumes nothing.
fn powers(platform: &Platform, watts: &BTreeMap<u32, Watts>) -> Vec<HostPower> {
    let none = Watts {
        idle: 0.0,
        epsilon: 0.0,
        all_cores: 0.0,
    };
    let hosts = platform.hosts().iter().filter(|_| !watts.is_empty());
    let power = |(host, at): (&Host, u32)| HostPower {
        watts: watts.get(&at).copied().unwrap_or(none),
        cores: host.cores,
    };
    hosts.zip(0..).map(power).collect()
}

/// Returns the network within a node: the loopback of the hosts, a link that messages don't share.
fn loopback(platform: &Platform, path: &str, warnings: &mut Vec<Problem>) -> Option<NetworkFlag> {
    let hosts = u32::try_from(platform.hosts().len()).unwrap_or(u32::MAX);
    let mut route = Route::default();
    let mut first = None;
    for host in 0..hosts {
        let wire = wire(platform, host, &mut route);
        if host == 0 {
            first = wire;
        } else if wire != first {
            let name = |host: u32| &platform.hosts()[host as usize].name;
            let message = format!(
                "the loopbacks of hosts are ignored, because they differ (`{}` and `{}`, for \
                 example): use --intranode",
                name(0),
                name(host)
            );
            warnings.push(Problem::of(Path::new(path), message));
            return None;
        }
    }
    let (latency_s, bytes_per_s) = first?;
    Some(NetworkFlag::without_options(Network::Hockney {
        latency_s,
        bytes_per_s,
    }))
}

/// Returns the latency and bandwidth of a host's loopback, if the file describes one.
fn wire(platform: &Platform, host: u32, route: &mut Route) -> Option<(f64, f64)> {
    /// Loopback link of hosts whose loopback no element describes, and its bandwidth without a
    /// `config`.
    const DEFAULT: (&str, f64) = ("__loopback__", 10e9);
    platform.route(host, host, route).ok()?;
    let link = match route.links[..] {
        [link] => &platform.links()[link as usize],
        _ => return None,
    };
    let is_default = link.name == DEFAULT.0
        && link.latency_s.to_bits() == 0
        && link.bytes_per_s.to_bits() == DEFAULT.1.to_bits();
    let is_loopback = link.name.ends_with(".loopback") || link.name == DEFAULT.0 && !is_default;
    is_loopback.then_some((route.latency_s, link.bytes_per_s))
}

/// Derives a machine's name, a single word, from the path of its file.
fn name(path: &str) -> String {
    let stem = Path::new(path).file_stem().unwrap_or_default();
    let stem = one_line(&stem.to_string_lossy());
    let word: String = { stem.chars() }
        .map(|letter| if letter.is_whitespace() { '-' } else { letter })
        .collect();
    if word.is_empty() {
        "platform".to_owned()
    } else {
        word
    }
}
