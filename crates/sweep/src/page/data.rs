//! Defines the data of a page, as the page's scripts read it.

use prophet_page::Column;
use serde::Serialize;

/// The data of a page: the points of a sweep, and what was found about them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PageData {
    pub model: String,
    /// Start of the command line that predicts a point, up to the parameters, quoted for a shell.
    pub command: String,
    /// The rest of the command line, after the parameters; empty or starts with a space.
    pub command_end: String,
    /// The points, with their parameters and results.
    pub table: Table,
    /// Points that goals found, such as the optimum or the front.
    pub marked: Vec<MarkedPoints>,
    pub sensitivity: Vec<Sensitivity>,
    /// Settings that apply to all points.
    pub facts: Vec<Fact>,
    /// Sentences about the sweep that readers of the page need to know.
    pub notes: Vec<String>,
}

impl PageData {
    /// Moves results that are the same at all points to [`Self::facts`], except for the first
    /// result.
    pub fn settle(&mut self) {
        let failed: Vec<bool> = self.table.failure.iter().map(|it| *it > 0).collect();
        let mut same = Vec::new();
        let mut place = 0;
        self.table.measures.retain(|measure| {
            place += 1;
            let known = measure.mean.iter().zip(&failed);
            let mut known = known.filter(|(_, failed)| !**failed).map(|(mean, _)| *mean);
            let first = known.next();
            let is_same = known.all(|mean| first.is_some_and(|it| it.to_bits() == mean.to_bits()));
            if place == 1 || !is_same {
                return true;
            }
            if let Some(value) = first.filter(|value| value.is_finite()) {
                same.push(Fact {
                    name: measure.about.clone(),
                    value: format!("{value} {}", measure.unit).trim_end().to_owned(),
                });
            }
            false
        });
        self.facts.append(&mut same);
    }
}

/// A setting, as displayed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Fact {
    pub name: String,
    pub value: String,
}

/// Points as columns of equal length, sorted by index. [`PageRows`](super::PageRows) builds it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Table {
    /// Number of points in the sweep; the table can contain fewer.
    pub points: u64,
    /// Number of points in the sweep that failed.
    pub failed: u64,
    pub parameters: Vec<Parameter>,
    pub measures: Vec<Measure>,
    /// Index of each point in the sweep; always an integer.
    pub index: Column<f64>,
    /// Number of seeds that each point was predicted with.
    pub seeds: Column<u32>,
    /// For each point that failed, the index of the reason in [`Self::failures`], counted from 1; 0
    /// for the other points.
    pub failure: Column<u32>,
    /// Why points failed.
    pub failures: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Parameter {
    pub name: String,
    /// Text before the value on a command line, quoted for a shell, such as `--nodes ` or `nat=`.
    pub before: String,
    /// Whether the values are numbers of resources, such as nodes, so that a speedup makes sense.
    pub is_resource: bool,
    /// Unit of all values, which is part of their texts.
    pub unit: String,
    /// Whether all values are numbers with the same unit.
    pub is_numeric: bool,
    /// The distinct values, as on a command line. Numbers are sorted in ascending order; texts keep
    /// their original order.
    pub values: Vec<String>,
    /// Index into `values` for each point.
    pub place: Column<u32>,
}

impl Parameter {
    pub fn new(name: impl Into<String>, before: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            before: before.into(),
            ..Self::default()
        }
    }

    /// Declares that the values are numbers of resources, such as processes or nodes.
    #[must_use]
    pub fn resource(self) -> Self {
        Self {
            is_resource: true,
            ..self
        }
    }
}

/// A result that each point has.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Measure {
    pub name: String,
    /// Unit of the values: `s`, `B`, or empty.
    pub unit: String,
    pub about: String,
    /// Whether larger values are better.
    pub more_is_better: bool,
    /// Mean over the seeds at each point; NaN if the point has no result.
    pub mean: Column<f64>,
    /// Half width of the 95 % confidence interval of the mean at each point; empty if no point has
    /// several seeds.
    pub half_width: Column<f64>,
}

impl Measure {
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            ..Self::default()
        }
    }

    #[must_use]
    pub fn about(self, about: impl Into<String>) -> Self {
        Self {
            about: about.into(),
            ..self
        }
    }

    #[must_use]
    pub fn better_if_more(self) -> Self {
        Self {
            more_is_better: true,
            ..self
        }
    }
}

/// Points that a goal found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MarkedPoints {
    /// Title on the page, such as `Least predicted_time_s * nodes`.
    pub title: String,
    /// A sentence about how the points were found.
    pub about: String,
    /// Names of the parameters and results that the goal depends on.
    pub columns: Vec<String>,
    /// Indices of the points in the sweep, best first.
    pub points: Vec<u64>,
    /// Indices of other points that are nearly as good.
    pub next: Vec<u64>,
}

/// How sensitive a result is to the parameters.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sensitivity {
    /// Name of the result, such as `predicted_time_s`.
    pub title: String,
    /// A sentence about the method.
    pub method: String,
    pub influences: Vec<Influence>,
}

/// The influence of one parameter on a result.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Influence {
    pub parameter: String,
    /// Share of the result's variance that the parameter causes alone.
    pub main: f64,
    /// Share of the result's variance that the parameter contributes to, alone or together with
    /// others.
    pub total: f64,
    /// Why the parameter doesn't matter; empty if it does, or if the reason is unknown.
    pub reason: String,
}
