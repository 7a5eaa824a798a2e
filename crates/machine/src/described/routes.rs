//! Writes machines that come from platform files as TOML: their links, and the route between each
//! pair of hosts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use prophet_platform::{Change, Platform, Quantity, Route, Sharing, Target};
use prophet_text::{Problem, problem};

use super::Machine;
use super::file::BYTES_MAX;
use super::xml::text_of;
use crate::fabric::{Fabric, Wiring};
use crate::groups::{Described, NodeKind};
use crate::network::Network;
use crate::power::NodePower;

/// Writes the machine with the topology `routes`.
///
/// # Errors
///
/// Returns an error if TOML can't express part of the machine, or if the machine is too large for a
/// file.
pub(super) fn toml(machine: &Machine) -> Result<String, Problem> {
    let fabric = machine.network.as_ref().and_then(|it| it.fabric.as_deref());
    let Some(Fabric {
        wiring: Wiring::Described(platform),
        changes,
        ..
    }) = fabric
    else {
        return Err("only machines with shared links can be written as TOML".into());
    };
    let hosts = words(platform.hosts().iter().map(|it| it.name.as_str()));
    let links = words(platform.links().iter().map(|it| it.name.as_str()));
    let mut toml = format!(
        "name = {}\nsource = {}\nnodes = {}\ncpus-per-node = {}\n{}\n[network]\n\
         model = \"shared\"\nfairness = \"rtt\"\ntopology = \"routes\"\nhosts = {}\n",
        text_of(&machine.name),
        text_of(&machine.source),
        hosts.len(),
        machine.cpus_per_node.unwrap_or(1),
        intranode(machine),
        list(hosts.iter()),
    );
    for (link, name) in platform.links().iter().zip(&links) {
        let _ = write!(
            toml,
            "\n[[link]]\nname = {}\nbandwidth = \"{}B/s\"\nlatency = \"{}s\"\n",
            text_of(name),
            link.bytes_per_s,
            link.latency_s
        );
        if link.sharing == Sharing::Fatpipe {
            toml.push_str("fatpipe = true\n");
        }
        if link.background > 0.0 {
            let _ = writeln!(toml, "background = {:?}", link.background);
        }
    }
    write_nodes(&mut toml, machine);
    write_routes(&mut toml, platform, &hosts, &links)?;
    for change in changes.profile.iter().chain(&*machine.changes.profile) {
        write_change(&mut toml, change, &hosts, &links)?;
    }
    fits(&toml)?;
    Ok(toml)
}

/// Writes the groups of nodes, and the power of the remaining nodes.
fn write_nodes(toml: &mut String, machine: &Machine) {
    let write_power = |toml: &mut String, power: NodePower| {
        let NodePower {
            idle_w,
            one_cpu_w,
            all_cpus_w,
        } = power;
        let _ = writeln!(toml, "idle = \"{idle_w}W\"\nall-cpus = \"{all_cpus_w}W\"");
        if let Some(one_w) = one_cpu_w {
            let _ = writeln!(toml, "one-cpu = \"{one_w}W\"");
        }
    };
    if let Some(power) = &machine.power {
        toml.push_str("\n[power]\n");
        write_power(toml, power.node);
    }
    for Described { count, kind, .. } in machine.groups.iter() {
        let NodeKind { speed, power, .. } = kind;
        let _ = write!(toml, "\n[[node]]\ncount = {count}\nspeed = {speed:?}\n");
        if let Some(power) = power {
            write_power(toml, power);
        }
    }
}

/// Writes the network within a node, if the platform file has loopbacks.
fn intranode(machine: &Machine) -> String {
    match machine.intranode.as_ref().map(|flag| flag.network) {
        Some(Network::Hockney {
            latency_s,
            bytes_per_s,
        }) => format!("intranode = \"hockney:latency={latency_s}s,bandwidth={bytes_per_s}B/s\"\n"),
        _ => String::new(),
    }
}

fn fits(toml: &str) -> Result<(), Problem> {
    if toml.len() as u64 >= BYTES_MAX {
        return Err(problem!(
            "its routes need more than {BYTES_MAX} bytes, the size limit of a machine file"
        ));
    }
    Ok(())
}

/// Writes the existing routes between all pairs of hosts. If the way back uses the same links, the
/// route is written once.
fn write_routes(
    toml: &mut String,
    platform: &Platform,
    hosts: &[String],
    links: &[String],
) -> Result<(), Problem> {
    let (mut there, mut back) = (Route::default(), Route::default());
    let count = u32::try_from(hosts.len()).unwrap_or(u32::MAX);
    for from in 0..count {
        for to in 0..count {
            if from == to || platform.route(from, to, &mut there).is_err() {
                continue;
            }
            let of_links = there
                .links
                .iter()
                .map(|it| platform.links()[*it as usize].latency_s);
            let of_links: f64 = of_links.sum();
            if (there.latency_s - of_links).abs() > 1e-12 * of_links {
                let message =
                    "the latencies between its hosts depend on coordinates, not only on links";
                return Err(message.into());
            }
            let has_back = platform.route(to, from, &mut back).is_ok();
            let is_same = has_back && there.links.iter().eq(back.links.iter().rev());
            if is_same && to < from {
                continue;
            }
            let names = there.links.iter().map(|it| &links[*it as usize]);
            let ends = [from, to].map(|it| text_of(&hosts[it as usize]));
            let [from, to] = ends;
            let names = list(names);
            let _ = write!(
                toml,
                "\n[[route]]\nfrom = {from}\nto = {to}\nlinks = {names}\n"
            );
            if is_same {
                toml.push_str("both-ways = true\n");
            }
            fits(toml)?;
        }
    }
    Ok(())
}

fn write_change(
    toml: &mut String,
    change: &Change,
    hosts: &[String],
    links: &[String],
) -> Result<(), Problem> {
    let (kind, name) = match change.target {
        Target::Link(link) => ("link", &links[link as usize]),
        Target::Host(host) => ("node", &hosts[host as usize]),
    };
    if change.repeat_s.is_some() {
        return Err(problem!(
            "the profile of the {kind} `{name}` repeats, which TOML cannot express"
        ));
    }
    let value = match change.quantity {
        Quantity::Bandwidth(value) => format!("bandwidth = \"{value}B/s\""),
        Quantity::Latency(value) => format!("latency = \"{value}s\""),
        Quantity::Background(value) => format!("background = {value:?}"),
        Quantity::Speed(value) => format!("speed = {value:?}"),
    };
    let (at, name) = (change.at_s, text_of(name));
    let _ = write!(
        toml,
        "\n[[change]]\nat = \"{at}s\"\n{kind} = {name}\n{value}\n"
    );
    Ok(())
}

fn list<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let names: Vec<String> = names.map(|it| text_of(it)).collect();
    format!("[{}]", names.join(", "))
}

/// Makes names unique and replaces their blanks, because blanks separate names in XML lists.
fn words<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let word = |name: &str| {
        let mut word = name.split_whitespace().collect::<Vec<_>>().join("-");
        while word.is_empty() || !taken.insert(word.clone()) {
            word.push('_');
        }
        word
    };
    names.map(word).collect()
}
