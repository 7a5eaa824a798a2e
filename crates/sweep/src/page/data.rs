//! Defines a page's data, as its scripts read it.

use prophet_page::Column;
use serde::Serialize;

/// A page's data: a sweep's points, and the findings about them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PageData {
    /// Name of the model.
    pub model: String,
    /// Command line for all points, without their parameters, quoted for a shell.
    pub command: String,
    /// End of the command line, after the parameters; empty or starts with a space.
    pub command_end: String,
    /// The points.
    pub table: Table,
    /// Points that goals have found, such as an optimum or a front.
    pub marked: Vec<MarkedPoints>,
    /// Sensitivity of results to the parameters.
    pub sensitivity: Vec<Sensitivity>,
    /// Settings of the whole sweep.
    pub facts: Vec<Fact>,
    /// Sentences that readers need to know.
    pub notes: Vec<String>,
}

impl PageData {
    /// Turns results that are the same everywhere into settings, except for the first result.
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
    /// Displayed name.
    pub name: String,
    /// Displayed value.
    pub value: String,
}

/// Points in columns of equal length, ordered by index. [`PageRows`](super::PageRows) builds it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Table {
    /// Number of points in the sweep; the table can contain a part of them.
    pub points: u64,
    /// Number of failed points in the sweep.
    pub failed: u64,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The results.
    pub measures: Vec<Measure>,
    /// Indices of the points in the sweep, which are integers.
    pub index: Column<f64>,
    /// Numbers of seeds.
    pub seeds: Column<u32>,
    /// Indices in [`Self::failures`] from 1, or 0 for a point that didn't fail.
    pub failure: Column<u32>,
    /// Why points failed.
    pub failures: Vec<String>,
}

/// A parameter of a sweep.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Text before the value in a command line, quoted for a shell, such as `--nodes ` or `nat=`.
    pub before: String,
    /// Whether the values are resources such as numbers of nodes, so that speed-up makes sense.
    pub is_resource: bool,
    /// Unit of all values, which is part of their texts.
    pub unit: String,
    /// Whether all values are numbers with the same unit.
    pub is_numeric: bool,
    /// The distinct values, as in a command line: numbers ascend, texts keep their order.
    pub values: Vec<String>,
    /// Index of each point's value.
    pub place: Column<u32>,
}

impl Parameter {
    /// Creates a parameter without values.
    pub fn new(name: impl Into<String>, before: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            before: before.into(),
            ..Self::default()
        }
    }

    /// Marks the values as numbers of processes, nodes or other resources.
    #[must_use]
    pub fn resource(self) -> Self {
        Self {
            is_resource: true,
            ..self
        }
    }
}

/// A result of the points.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Measure {
    /// Name.
    pub name: String,
    /// Unit: `s`, `B`, or empty.
    pub unit: String,
    /// Short description.
    pub about: String,
    /// Whether larger values are better.
    pub more_is_better: bool,
    /// Means over the seeds; NaN if a point has none.
    pub mean: Column<f64>,
    /// Half widths of their 95 % intervals; empty if no point has several seeds.
    pub half_width: Column<f64>,
}

impl Measure {
    /// Creates a result without values.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            ..Self::default()
        }
    }

    /// Sets the description.
    #[must_use]
    pub fn about(self, about: impl Into<String>) -> Self {
        Self {
            about: about.into(),
            ..self
        }
    }

    /// Marks larger values as better.
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
    /// One sentence about how they were found.
    pub about: String,
    /// Names of the parameters and results that determined them.
    pub columns: Vec<String>,
    /// Indices of the points in the sweep, the best one first.
    pub points: Vec<u64>,
    /// Indices of points that are nearly as good.
    pub next: Vec<u64>,
}

/// Sensitivity of a result to the parameters.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Sensitivity {
    /// Title, such as `predicted_time_s`.
    pub title: String,
    /// One sentence about the method.
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
    /// Share of the variance that it contributes to.
    pub total: f64,
    /// Why it didn't matter; empty if it did, or if no reason is known.
    pub reason: String,
}
