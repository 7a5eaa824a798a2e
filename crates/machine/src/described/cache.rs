//! Reads the caches in a machine file.

use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::words::{Placed as _, SpannedProblem, law};
use crate::cache::Cache;
use crate::quantity::{ParseError, bytes, likely_rate};

/// A `[[cache]]`: the caches of one level, which are all equal.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Entry {
    level: u32,
    size: String,
    cpus: u32,
    core_bandwidth: String,
    bandwidth: Option<String>,
    saturation: Option<String>,
}

/// Reads the caches of a node. Each of its sockets has `cpus` CPUs, if that is known.
pub(super) fn read(
    entries: &[Spanned<Entry>],
    cpus: Option<u32>,
) -> Result<Arc<[Cache]>, SpannedProblem> {
    let mut caches: Vec<Cache> = Vec::new();
    for entry in entries {
        let cache = cache(entry.get_ref()).at(entry)?;
        if let Some(problem) = cache.problem(caches.last(), cpus) {
            return Err(problem).at(entry);
        }
        caches.push(cache);
    }
    Ok(caches.into())
}

fn cache(entry: &Entry) -> Result<Cache, ParseError> {
    let rate = |key: &str, text: &str| likely_rate(text).map_err(|error| error.of_key(key));
    let all = entry.bandwidth.as_deref();
    Ok(Cache {
        level: entry.level,
        size: bytes(&entry.size).map_err(|error| error.of_key("`size`"))?,
        cpus: entry.cpus,
        core_bandwidth: rate("`core-bandwidth`", &entry.core_bandwidth)?,
        bandwidth: all.map(|text| rate("`bandwidth`", text)).transpose()?,
        saturation: law(entry.saturation.as_deref().unwrap_or("roofline"))
            .map_err(|error| error.of_key("`saturation`"))?,
    })
}
