//! Reads the `[accuracy]` table of a machine file.

use serde::Deserialize;
use toml::Spanned;

use super::words::{Placed as _, SpannedProblem};
use crate::machine::Accuracy;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    low: Spanned<f64>,
    high: Spanned<f64>,
    nodes: Option<Spanned<u32>>,
    source: Spanned<String>,
}

pub(super) fn read(entry: Option<&Spanned<Entry>>) -> Result<Option<Accuracy>, SpannedProblem> {
    let Some(entry) = entry.map(Spanned::get_ref) else {
        return Ok(None);
    };
    let (low, high) = (*entry.low.get_ref(), *entry.high.get_ref());
    if !(low.is_finite() && low > 0.0) {
        let why = "expected `low` as a factor of the predicted time above 0, such as 0.9";
        return Err(why).at(&entry.low);
    }
    if !(high.is_finite() && high >= low) {
        return Err("expected `high` as a factor of the predicted time, not below `low`")
            .at(&entry.high);
    }
    if let Some(nodes) = entry.nodes.as_ref().filter(|it| *it.get_ref() == 0) {
        return Err("expected the largest measured number of nodes, at least 1").at(nodes);
    }
    if entry.source.get_ref().trim().is_empty() {
        return Err("say what was measured").at(&entry.source);
    }
    Ok(Some(Accuracy {
        low,
        high,
        nodes: entry.nodes.as_ref().map(|it| *it.get_ref()),
        source: entry.source.get_ref().trim().to_owned(),
    }))
}
