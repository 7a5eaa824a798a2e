//! The caches of a machine's file.

use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::words::{SpannedProblem, law};
use crate::language::quantity::{ParseError, bytes, bytes_per_second};
use crate::machine::cache::Cache;

/// Entry `[[cache]]`: equal caches of a level.
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

/// Reads the caches of a node whose sockets have `cpus` CPUs, if they are known.
pub(super) fn read(
    entries: &[Spanned<Entry>],
    cpus: Option<u32>,
) -> Result<Arc<[Cache]>, SpannedProblem> {
    let mut caches: Vec<Cache> = Vec::new();
    for entry in entries {
        let told = |message: String| (Some(entry.span()), message);
        let cache = cache(entry.get_ref()).map_err(told)?;
        if let Some(problem) = cache.problem(caches.last(), cpus) {
            return Err(told(problem));
        }
        caches.push(cache);
    }
    Ok(caches.into())
}

fn cache(entry: &Entry) -> Result<Cache, String> {
    let rate = |key: &str, text: &str| {
        let rate = bytes_per_second(text);
        rate.map_err(|error| format!("`{key}`: {error}"))
    };
    let named = |error: ParseError| format!("`size`: {error}");
    let all = entry.bandwidth.as_deref();
    Ok(Cache {
        level: entry.level,
        size: bytes(&entry.size).map_err(named)?,
        cpus: entry.cpus,
        core_bandwidth: rate("core-bandwidth", &entry.core_bandwidth)?,
        bandwidth: all.map(|text| rate("bandwidth", text)).transpose()?,
        saturation: match &entry.saturation {
            None => law("roofline")?,
            Some(name) => law(name).map_err(|message| format!("`saturation`: {message}"))?,
        },
    })
}
