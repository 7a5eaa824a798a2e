//! Reads the accelerators in a machine file.

use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::words::{Placed as _, SpannedProblem, in_unit, word};
use crate::accelerator::{self, Accelerator, DeviceLink, Kinds, Queues};
use crate::quantity::{
    ParseError, bytes, likely_rate, operations_per_second, quoted, seconds, watts,
};
use prophet_text::did_you_mean;

/// An `[[accelerator]]`: accelerators of one kind, which each node has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    name: String,
    count: Option<u32>,
    launch: Option<String>,
    fp64: Option<String>,
    fp32: Option<String>,
    fp16: Option<String>,
    int8: Option<String>,
    memory: Option<String>,
    memory_bandwidth: String,
    copy_engines: Option<u32>,
    queues: Option<Spanned<String>>,
    link_latency: Option<String>,
    link_bandwidth: String,
    peer_latency: Option<String>,
    peer_bandwidth: Option<String>,
    idle: Option<String>,
    busy: Option<String>,
}

/// Returns the place of the first accelerator that has a power, if any.
pub(super) fn with_power(entries: &[Spanned<Entry>]) -> Option<Range<usize>> {
    let has_power = |entry: &&Spanned<Entry>| {
        let Entry { idle, busy, .. } = entry.get_ref();
        idle.is_some() || busy.is_some()
    };
    entries.iter().find(has_power).map(Spanned::span)
}

pub(super) fn read(entries: &[Spanned<Entry>]) -> Result<Arc<[Accelerator]>, SpannedProblem> {
    let mut all: Vec<Accelerator> = Vec::new();
    for entry in entries {
        let queues = entry.get_ref().queues.as_ref();
        let names = Queues::ALL.map(Queues::name);
        let queues = word(queues, "queue rule", names, Queues::of_name)?;
        let accelerator = accelerator(entry.get_ref(), queues).at(entry)?;
        if all.iter().any(|it| it.name == accelerator.name) {
            let name = &accelerator.name;
            let message =
                format!("`name`: there are two accelerators `{name}`: use `count` instead");
            return Err(message).at(entry);
        }
        all.push(accelerator);
        if let Some(problem) = accelerator::problem(&all) {
            return Err(problem).at(entry);
        }
    }
    Ok(all.into())
}

/// The value that says that a group of nodes has no accelerators.
const NONE: &str = "none";

/// Reads the accelerators of a group of nodes: `none`, or names separated by commas. If there is no
/// value, the group has all accelerators.
pub(super) fn kinds(
    names: Option<&Spanned<String>>,
    all: &[Accelerator],
) -> Result<Kinds, SpannedProblem> {
    let Some(entry) = names else {
        return Ok(Kinds::ALL);
    };
    let add = |kinds: Kinds, name: &str| match all.iter().position(|it| it.name == name) {
        Some(place) => Ok(kinds.with(place)),
        None if entry.get_ref() == NONE => Ok(kinds),
        None => {
            let known = all.iter().map(|it| it.name.as_str()).chain([NONE]);
            let suggestion = did_you_mean(name, known);
            let name = quoted(name);
            let message = format!("`{name}` is not an accelerator of the machine{suggestion}");
            Err(message).at(entry)
        }
    };
    let names = entry.get_ref().split(',').map(str::trim);
    names.into_iter().try_fold(Kinds::NONE, add)
}

/// Parses the value of a key, if it is present; messages start with the key.
fn read_value<T>(
    key: &str,
    text: Option<&String>,
    parse: fn(&str) -> Result<T, ParseError>,
) -> Result<Option<T>, String> {
    let read = |text: &String| in_unit(text, parse).map_err(|error| format!("`{key}`: {error}"));
    text.map(read).transpose()
}

fn accelerator(entry: &Entry, queues: Queues) -> Result<Accelerator, String> {
    if entry.name.trim().is_empty() {
        return Err("`name`: an accelerator needs a name".to_owned());
    }
    let time = |key: &str, text: Option<&String>| {
        read_value(key, text, seconds).map(Option::unwrap_or_default)
    };
    let rate = |key: &str, text: &String| {
        in_unit(text, likely_rate).map_err(|error| format!("`{key}`: {error}"))
    };
    let peak = |key: &str, text: Option<&String>| read_value(key, text, operations_per_second);
    if entry.peer_latency.is_some() && entry.peer_bandwidth.is_none() {
        return Err(
            "`peer-latency`: a link to other accelerators needs `peer-bandwidth`".to_owned(),
        );
    }
    let peer = match &entry.peer_bandwidth {
        None => None,
        Some(bandwidth) => Some(DeviceLink {
            latency_s: time("peer-latency", entry.peer_latency.as_ref())?,
            bandwidth: rate("peer-bandwidth", bandwidth)?,
        }),
    };
    let idle_w = read_value("idle", entry.idle.as_ref(), watts)?.unwrap_or_default();
    Ok(Accelerator {
        name: entry.name.trim().to_owned(),
        count: entry.count.unwrap_or(1),
        launch_s: time("launch", entry.launch.as_ref())?,
        peaks: [
            peak("fp64", entry.fp64.as_ref())?,
            peak("fp32", entry.fp32.as_ref())?,
            peak("fp16", entry.fp16.as_ref())?,
            peak("int8", entry.int8.as_ref())?,
        ],
        memory_bandwidth: rate("memory-bandwidth", &entry.memory_bandwidth)?,
        memory: read_value("memory", entry.memory.as_ref(), bytes)?,
        copy_engines: entry.copy_engines.unwrap_or(accelerator::COPY_ENGINES),
        queues,
        link: DeviceLink {
            latency_s: time("link-latency", entry.link_latency.as_ref())?,
            bandwidth: rate("link-bandwidth", &entry.link_bandwidth)?,
        },
        peer,
        idle_w,
        busy_w: read_value("busy", entry.busy.as_ref(), watts)?.unwrap_or(idle_w),
    })
}
