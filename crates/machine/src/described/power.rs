//! Reads the power entries in a machine file.

use serde::Deserialize;
use toml::Spanned;

use super::words::{Placed as _, SpannedProblem, value};
use crate::power::{NodePower, Power};
use crate::quantity::{joules_per_byte, watts};

/// Message about a power in a file that doesn't describe the power of nodes.
pub(super) const NO_TABLE: &str =
    "the power of a node needs a `[power]` table with `idle` and `all-cpus` for all nodes";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    idle: Spanned<String>,
    one_cpu: Option<Spanned<String>>,
    all_cpus: Spanned<String>,
    memory: Option<Spanned<String>>,
    network_idle: Option<Spanned<String>>,
    network: Option<Spanned<String>>,
}

/// The values of the keys `idle`, `one-cpu` and `all-cpus`, if present.
type Keys<'e> = [Option<&'e Spanned<String>>; 3];

pub(super) fn read(entry: Option<&Spanned<Entry>>) -> Result<Option<Power>, SpannedProblem> {
    let Some(entry) = entry.map(Spanned::get_ref) else {
        return Ok(None);
    };
    let keys = [
        Some(&entry.idle),
        entry.one_cpu.as_ref(),
        Some(&entry.all_cpus),
    ];
    let bytes = |entry: &Option<Spanned<String>>| {
        value(entry.as_ref(), joules_per_byte).map(Option::unwrap_or_default)
    };
    Ok(Some(Power {
        node: node(keys, None)?,
        memory_byte_j: bytes(&entry.memory)?,
        network_idle_w: value(entry.network_idle.as_ref(), watts)?.unwrap_or_default(),
        network_byte_j: bytes(&entry.network)?,
    }))
}

/// Reads a group's power; its keys override those in `[power]`.
pub(super) fn of_group(
    keys: Keys<'_>,
    of_all: Option<NodePower>,
) -> Result<Option<NodePower>, SpannedProblem> {
    match keys.into_iter().flatten().next() {
        None => Ok(None),
        Some(key) if of_all.is_none() => Err(NO_TABLE).at(key),
        Some(_) => node(keys, of_all).map(Some),
    }
}

fn node(keys: Keys<'_>, before: Option<NodePower>) -> Result<NodePower, SpannedProblem> {
    let [idle, one_cpu, all_cpus] = keys;
    let power = |key, before: Option<f64>| {
        let read = value(key, watts)?;
        Ok(read.or(before))
    };
    let node = NodePower {
        idle_w: power(idle, before.map(|it| it.idle_w))?.unwrap_or_default(),
        one_cpu_w: power(one_cpu, before.and_then(|it| it.one_cpu_w))?,
        all_cpus_w: power(all_cpus, before.map(|it| it.all_cpus_w))?.unwrap_or_default(),
    };
    let Some((key, why)) = node.problem() else {
        return Ok(node);
    };
    let own = if key == "one-cpu" { one_cpu } else { all_cpus };
    let place = own.or(idle).or(one_cpu).map(Spanned::span);
    Err((place, format!("`{key}`: {why}")))
}
