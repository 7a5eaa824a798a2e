//! Reads Extra-P's JSON, which lists values by call path, metric and point or, in the older format,
//! by the ids of these.

use std::collections::BTreeMap;

use prophet_text::Problem;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::measurements::collector::{Collector, MeasuredRow};

#[derive(Debug, Default)]
pub(crate) struct Experiment {
    pub(crate) parameters: Listed<Name>,
    pub(crate) callpaths: Listed<Numbered>,
    pub(crate) metrics: Listed<Numbered>,
    pub(crate) coordinates: Listed<Coordinate>,
    pub(crate) measurements: Option<Measurements>,
}

/// A list, or another tool's value under the same key.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Listed<T> {
    Of(Vec<T>),
    Other(IgnoredAny),
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self::Of(Vec::new())
    }
}

impl<T> Listed<T> {
    fn items(&self) -> &[T] {
        match self {
            Self::Of(items) => items,
            Self::Other(_) => &[],
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Name {
    Text(String),
    Numbered(Numbered),
}

#[derive(Debug, Deserialize)]
pub(crate) struct Numbered {
    id: u64,
    name: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Coordinate {
    id: u64,
    parameter_value_pairs: Vec<Pair>,
}

#[derive(Debug, Deserialize)]
struct Pair {
    parameter_id: u64,
    parameter_value: f64,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Measurements {
    /// Points by call path and metric.
    Nested(BTreeMap<String, BTreeMap<String, Vec<Measured>>>),
    ById(Vec<MeasuredById>),
    Other(IgnoredAny),
}

#[derive(Debug, Deserialize)]
pub(crate) struct Measured {
    point: Vec<f64>,
    values: Vec<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct MeasuredById {
    callpath_id: u64,
    coordinate_id: u64,
    metric_id: u64,
    value: f64,
}

impl Experiment {
    pub(crate) fn add(&self, collector: &mut Collector<'_>) -> Result<(), Problem> {
        match &self.measurements {
            Some(Measurements::Nested(paths)) => self.add_nested(collector, paths),
            Some(Measurements::ById(measured)) => self.add_by_id(collector, measured),
            Some(Measurements::Other(_)) | None => {
                let why = "its `measurements` are not in Extra-P's format: for each call path and \
                           metric, a list of `point` and `values`";
                Err(collector.told(0, why))
            }
        }
    }

    fn add_nested(
        &self,
        collector: &mut Collector<'_>,
        paths: &BTreeMap<String, BTreeMap<String, Vec<Measured>>>,
    ) -> Result<(), Problem> {
        let name = |it: &'_ Name| match it {
            Name::Text(name) | Name::Numbered(Numbered { name, .. }) => name.clone(),
        };
        let names: Vec<String> = self.parameters.items().iter().map(name).collect();
        for (region, metrics) in paths {
            for (metric, points) in metrics {
                for Measured { point, values } in points {
                    if point.len() != names.len() {
                        let (has, needs) = (point.len(), names.len());
                        let why = format!(
                            "a point of `{region}` has {has} numbers, but `parameters` lists \
                             {needs}"
                        );
                        return Err(collector.told(0, why));
                    }
                    let at: Vec<(&str, f64)> = names
                        .iter()
                        .map(String::as_str)
                        .zip(point.iter().copied())
                        .collect();
                    for &value in values {
                        add(collector, [region, metric], &at, value)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn add_by_id(
        &self,
        collector: &mut Collector<'_>,
        measured: &[MeasuredById],
    ) -> Result<(), Problem> {
        let told = |collector: &Collector<'_>, what: &str, id: u64| {
            collector.told(0, format!("its `{what}` do not contain the id {id}"))
        };
        let named = |items: &'_ Listed<Numbered>, id: u64| {
            let found = items.items().iter().find(|it| it.id == id);
            found.map(|it| it.name.clone())
        };
        let parameter = |id: u64| {
            self.parameters.items().iter().find_map(|it| match it {
                Name::Numbered(it) if it.id == id => Some(it.name.as_str()),
                _ => None,
            })
        };
        let mut places: BTreeMap<u64, Vec<(&str, f64)>> = BTreeMap::new();
        for Coordinate {
            id,
            parameter_value_pairs,
        } in self.coordinates.items()
        {
            let place = places.entry(*id).or_default();
            for pair in parameter_value_pairs {
                let name = parameter(pair.parameter_id)
                    .ok_or_else(|| told(collector, "parameters", pair.parameter_id))?;
                place.push((name, pair.parameter_value));
            }
        }
        for one in measured {
            let region = named(&self.callpaths, one.callpath_id)
                .ok_or_else(|| told(collector, "callpaths", one.callpath_id))?;
            let metric = named(&self.metrics, one.metric_id)
                .ok_or_else(|| told(collector, "metrics", one.metric_id))?;
            let at = places
                .get(&one.coordinate_id)
                .ok_or_else(|| told(collector, "coordinates", one.coordinate_id))?;
            add(collector, [&region, &metric], at, one.value)?;
        }
        Ok(())
    }
}

fn add(
    collector: &mut Collector<'_>,
    [region, metric]: [&String; 2],
    at: &[(&str, f64)],
    value: f64,
) -> Result<(), Problem> {
    let row = MeasuredRow {
        region,
        metric,
        unit: None,
        at,
        value,
    };
    collector.add(0, &row)
}
