//! Data of a page, as its scripts read it.

use prophet_page::Column;
use serde::Serialize;

/// Data of a page: the points of a sweep, and the findings about them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PageData {
    /// Name of the model.
    pub model: String,
    /// Command line of all points without their parameters, quoted for a shell.
    pub command: String,
    /// End of the command line, after the parameters; empty or with a blank before it.
    pub command_end: String,
    /// The points.
    pub table: Table,
    /// Points that goals have found, such as an optimum or a front.
    pub marked: Vec<MarkedPoints>,
    /// Sensitivity of results to the parameters.
    pub sensitivity: Vec<Sensitivity>,
    /// Settings of the whole sweep.
    pub facts: Vec<Fact>,
    /// Sentences that a reader must know.
    pub notes: Vec<String>,
}

impl PageData {
    /// Makes settings of the results that are the same everywhere, except of the first one.
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

/// A name and a value, both as displayed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Points in columns of equal length, in the order of their indices, as
/// [`PageRows`](super::PageRows) makes them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Table {
    /// Number of points of the sweep, of which the table may have a part.
    pub points: u64,
    /// Number of points of the sweep that failed.
    pub failed: u64,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The results.
    pub measures: Vec<Measure>,
    /// Indices of the points in the sweep; whole numbers.
    pub index: Column<f64>,
    /// Numbers of seeds.
    pub seeds: Column<u32>,
    /// Places in [`Self::failures`] from 1, or 0 for a point that did not fail.
    pub failure: Column<u32>,
    /// Reasons of failures.
    pub failures: Vec<String>,
}

/// Parameter of a sweep.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Text before the value in a command line, quoted for a shell, such as `--nodes ` or `nat=`.
    pub before: String,
    /// True if the values are numbers of nodes or the like, so that speed-up makes sense.
    pub is_resource: bool,
    /// Unit of all values, which is a part of their texts.
    pub unit: String,
    /// True if all values are numbers of the same unit.
    pub is_numeric: bool,
    /// The different values, as in a command line: numbers ascend, texts are in their order.
    pub values: Vec<String>,
    /// Places of the points' values.
    pub place: Column<u32>,
}

impl Parameter {
    /// Makes a parameter without values.
    pub fn new(name: impl Into<String>, before: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            before: before.into(),
            ..Self::default()
        }
    }

    /// Parameter whose values are numbers of processes, nodes or the like.
    #[must_use]
    pub fn resource(self) -> Self {
        Self {
            is_resource: true,
            ..self
        }
    }
}

/// Result of the points.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Measure {
    /// Name.
    pub name: String,
    /// Unit: `s`, `B`, or empty.
    pub unit: String,
    /// Meaning, in a few words.
    pub about: String,
    /// True if more is better.
    pub more_is_better: bool,
    /// Means over the seeds; NaN where a point has no mean.
    pub mean: Column<f64>,
    /// Half widths of their intervals at 95 %; empty if no point has several seeds.
    pub half_width: Column<f64>,
}

impl Measure {
    /// Makes a result without values.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            ..Self::default()
        }
    }

    /// Result with a meaning.
    #[must_use]
    pub fn about(self, about: impl Into<String>) -> Self {
        Self {
            about: about.into(),
            ..self
        }
    }

    /// Result of which more is better.
    #[must_use]
    pub fn better_if_more(self) -> Self {
        Self {
            more_is_better: true,
            ..self
        }
    }
}

/// Points that a goal has found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct MarkedPoints {
    /// Title, such as `Least predicted_time_s * nodes`.
    pub title: String,
    /// A sentence on how they were found.
    pub about: String,
    /// Names of the parameters and results by which they were found.
    pub columns: Vec<String>,
    /// Indices of the points in the sweep, the first one first.
    pub points: Vec<u64>,
    /// Indices of points that are nearly as good.
    pub next: Vec<u64>,
}

/// Sensitivity of a result to the parameters.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sensitivity {
    /// Title, such as `predicted_time_s`.
    pub title: String,
    /// A sentence on the method.
    pub method: String,
    /// The parameters.
    pub influences: Vec<Influence>,
}

/// Influence of a parameter.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Influence {
    /// Name of the parameter.
    pub parameter: String,
    /// Share of the variance that it causes alone.
    pub main: f64,
    /// Share of the variance that it has a part in.
    pub total: f64,
    /// Reason in words why it did not matter; empty if it did matter, or if no reason is known.
    pub reason: String,
}
