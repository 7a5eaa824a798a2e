//! The table `[accuracy]` of a machine's file.

use serde::Deserialize;
use toml::Spanned;

use super::words::{Placed as _, SpannedProblem};
use crate::accuracy::Accuracy;

/// Table `[accuracy]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    from: Spanned<f64>,
    to: Spanned<f64>,
    source: Spanned<String>,
}

/// Reads the table.
pub(super) fn read(entry: Option<&Spanned<Entry>>) -> Result<Option<Accuracy>, SpannedProblem> {
    let Some(entry) = entry.map(Spanned::get_ref) else {
        return Ok(None);
    };
    let (from, to) = (*entry.from.get_ref(), *entry.to.get_ref());
    if !(from.is_finite() && from > 0.0) {
        let why = "`from` is a multiple of the predicted time, such as 0.9: a number above 0";
        return Err(why).at(&entry.from);
    }
    if !(to.is_finite() && to >= from) {
        return Err("`to` is a multiple of the predicted time, not below `from`").at(&entry.to);
    }
    if entry.source.get_ref().trim().is_empty() {
        return Err("name what was measured").at(&entry.source);
    }
    Ok(Some(Accuracy {
        from,
        to,
        source: entry.source.get_ref().trim().to_owned(),
    }))
}
