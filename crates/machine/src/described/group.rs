//! Reads the groups of nodes in a machine file.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::words::{Placed as _, SpannedProblem, count, memory_size};
use super::{accelerator, power};
use crate::accelerator::Accelerator;
use crate::groups::{Described, Groups, NodeKind};
use crate::mapping::UNITS_MAX;
use crate::power::NodePower;

const NAME_MAX: usize = 32;

/// A `[[node]]`: consecutive nodes of the same kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    count: Spanned<i64>,
    name: Option<Spanned<String>>,
    speed: Option<Spanned<f64>>,
    idle: Option<Spanned<String>>,
    one_cpu: Option<Spanned<String>>,
    all_cpus: Option<Spanned<String>>,
    accelerators: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
}

/// Reads the groups of a machine, and returns the number of nodes in them, if there are any. The
/// machine has `nodes` nodes, if that is known; nodes outside the groups have this `power` and all
/// accelerators.
pub(super) fn read(
    entries: &[Spanned<Entry>],
    nodes: Option<u32>,
    (power, accelerators): (Option<NodePower>, &[Accelerator]),
) -> Result<(Groups, Option<u32>), SpannedProblem> {
    let Some(last) = entries.last() else {
        return Ok((Groups::default(), None));
    };
    let (mut groups, mut all) = (Vec::new(), 0_u32);
    let mut names = BTreeSet::new();
    for entry in entries {
        let group = entry.get_ref();
        let of = count(Some(&group.count))?.unwrap_or(1);
        all = all.saturating_add(of);
        let keys = [&group.idle, &group.one_cpu, &group.all_cpus].map(Option::as_ref);
        let kind = NodeKind {
            speed: speed(group)?,
            power: power::of_group(keys, power)?,
            accelerators: accelerator::kinds(group.accelerators.as_ref(), accelerators)?,
            memory: memory_size(group.memory.as_ref())?,
        };
        let name = group.name.as_ref().map(name).transpose()?;
        if let (Some(name), Some(entry)) = (&name, &group.name)
            && !names.insert(Arc::clone(name))
        {
            return Err(format!("two node groups are named `{name}`")).at(entry);
        }
        groups.push(Described {
            count: of,
            kind,
            name,
        });
    }
    let problem = |message: String| Err(message).at(last);
    match nodes {
        Some(nodes) if nodes != all => problem(format!(
            "the node groups have {all} nodes in total, but the machine has {nodes}"
        )),
        None if all > UNITS_MAX => {
            let most = UNITS_MAX;
            problem(format!(
                "the node groups have more than {most} nodes in total"
            ))
        }
        _ => Ok((Groups::new(groups), Some(all))),
    }
}

/// Reads the name of the nodes in a group: a word that fits in a table column.
fn name(entry: &Spanned<String>) -> Result<Arc<str>, SpannedProblem> {
    let name = entry.get_ref();
    let is_word = |it: char| it.is_alphanumeric() || "-_.".contains(it);
    if name.is_empty() || name.chars().count() > NAME_MAX || !name.chars().all(is_word) {
        let message = format!(
            "`{name}` is not a valid node name: use up to {NAME_MAX} letters, digits, `-`, `_` and \
             `.`"
        );
        return Err(message).at(entry);
    }
    Ok(name.as_str().into())
}

fn speed(group: &Entry) -> Result<f64, SpannedProblem> {
    let Some(entry) = &group.speed else {
        return Ok(1.0);
    };
    let speed = *entry.get_ref();
    if speed > 0.0 && speed.is_finite() && (1.0 / speed).is_finite() {
        return Ok(speed);
    }
    let message = format!(
        "expected a speed above 0, found {speed}: a node with speed 2 runs twice as fast as its \
         costs say"
    );
    Err(message).at(entry)
}
