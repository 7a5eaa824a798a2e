//! Reads Caliper's JSON (`json-split`), which contains one run's profile and metadata.

use prophet_text::Problem;
use serde::Deserialize;

use crate::measurements::collector::{Collector, MeasuredRow, is_named, listed};
use crate::measurements::scalar::{Globals, Scalar};
use crate::measurements::unit::{metric, seconds};

/// The number of processes. It is the parameter unless the user chooses others.
const PROCESSES: &str = "mpi.world.size";
pub(crate) const DEPTH_MAX: usize = 256;
pub(crate) const REGION_MAX: usize = 4096;

/// A profile, as in a Caliper file.
#[derive(Debug, Default)]
pub(crate) struct CaliperProfile {
    pub(crate) data: Option<Vec<Vec<Option<Scalar>>>>,
    pub(crate) columns: Vec<String>,
    pub(crate) metadata: Vec<Column>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) globals: Globals,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Column {
    #[serde(default)]
    is_value: bool,
    #[serde(default, rename = "attribute.unit")]
    unit: String,
}

/// A region, which can be inside another one.
#[derive(Debug, Deserialize)]
pub(crate) struct Node {
    label: String,
    parent: Option<usize>,
}

pub(crate) fn add(collector: &mut Collector<'_>, profile: &CaliperProfile) -> Result<(), Problem> {
    let at = parameters(collector, &profile.globals)?;
    let is_value = |index: usize| profile.metadata.get(index).is_some_and(|it| it.is_value);
    let Some(place) = region_column(profile) else {
        return Err(collector.told(0, "it has no column with regions, such as `path`"));
    };
    let times = (0..profile.columns.len()).filter(|it| is_value(*it));
    let times = times.filter_map(|index| Some((index, unit(collector, profile, index)?)));
    let times: Vec<(usize, f64)> = times.collect();
    if times.is_empty() {
        let why = format!("no column is a time: {}", listed(&profile.columns));
        return Err(collector.told(0, format!("{why}; choose a column with --metric")));
    }
    for row in profile.data.iter().flatten() {
        let node = row.get(place).and_then(Option::as_ref);
        let Some(region) = path(profile, node.and_then(Scalar::number)) else {
            continue;
        };
        for (index, unit) in &times {
            // Regions have no values in the columns of other regions.
            let Some(value) = row.get(*index).and_then(Option::as_ref) else {
                continue;
            };
            let metric = &profile.columns[*index];
            let value = value.number().ok_or_else(|| {
                let why = format!(
                    "expected a number in `{metric}` in `{region}`, found {}",
                    value.shown()
                );
                collector.told(0, why)
            })?;
            let row = MeasuredRow {
                region: &region,
                metric,
                unit: Some(*unit),
                at: &at,
                value,
            };
            collector.add(0, &row)?;
        }
    }
    Ok(())
}

/// Returns the parameters that the user chose, or otherwise the number of processes.
pub(crate) fn parameters<'p>(
    collector: &Collector<'_>,
    globals: &'p Globals,
) -> Result<Vec<(&'p str, f64)>, Problem> {
    let chosen = &collector.choice().parameters;
    let is_wanted = |name: &str| {
        if chosen.is_empty() {
            name == PROCESSES
        } else {
            chosen.iter().any(|it| it == name)
        }
    };
    let found = globals.iter().filter(|(name, _)| is_wanted(name));
    let found: Vec<(&str, f64)> = found.map(|(name, value)| (&**name, *value)).collect();
    if found.len() < chosen.len().max(1) {
        let names: Vec<&String> = globals.keys().collect();
        let missing = match &chosen[..] {
            [] => PROCESSES,
            several => several
                .iter()
                .find(|it| !globals.contains_key(*it))
                .map_or("", |it| it),
        };
        let advice = match &names[..] {
            [] => " or any other number".to_owned(),
            some => format!("; choose parameters with --parameter from {}", listed(some)),
        };
        let why = format!("its metadata does not contain the number `{missing}`{advice}");
        return Err(collector.told(0, why));
    }
    Ok(found)
}

fn region_column(profile: &CaliperProfile) -> Option<usize> {
    let is_node = |index: &usize| profile.metadata.get(*index).is_some_and(|it| !it.is_value);
    let mut all = (0..profile.columns.len()).filter(is_node);
    let path = profile.columns.iter().position(|it| it == "path");
    path.filter(is_node).or_else(|| all.next())
}

/// Returns a column's unit in seconds, if it is a time or the metric that the user chose.
fn unit(collector: &Collector<'_>, profile: &CaliperProfile, index: usize) -> Option<f64> {
    let name = &profile.columns[index];
    let unit = profile.metadata.get(index).map_or("", |it| &*it.unit);
    let is_chosen = |chosen: &String| is_named(chosen, name);
    let chosen = collector
        .choice()
        .metric
        .as_ref()
        .filter(|it| is_chosen(it));
    let time = seconds(unit).or_else(|| metric(name).seconds);
    time.or_else(|| chosen.map(|_| 1.0))
}

/// Returns a region's path: the labels of the regions around it, then its own label.
fn path(profile: &CaliperProfile, node: Option<f64>) -> Option<String> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index, or nothing that is found"
    )]
    let mut next = node.filter(|it| *it >= 0.0).map(|it| it as usize);
    let mut labels = Vec::new();
    while let Some(node) = next.and_then(|index| profile.nodes.get(index)) {
        labels.push(node.label.as_str());
        next = node.parent.filter(|_| labels.len() < DEPTH_MAX);
    }
    labels.reverse();
    (!labels.is_empty()).then(|| labels.join("/"))
}
