//! Resolves the names in objectives and constraints, and determines their values at a point.

use prophet_text::{Context as _, Problem, problem};

use crate::evaluate::{Metric, SweepRow};
use crate::search::{Expression, Value};
use crate::space::{Axis, Space};

/// Maximum number of values of an axis that are examined. If there are more, only both ends are.
const LISTED_MAX: u64 = 10_000;

/// Names that expressions can contain: axes, and results that don't share a name with an axis.
#[derive(Debug, Clone)]
pub(super) struct Names {
    axes: Vec<Named>,
    /// All results of a prediction, the time first.
    pub(super) results: &'static [Metric],
    /// Indices of the results that expressions can name.
    metrics: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Named {
    name: String,
    is_number: bool,
}

impl Names {
    pub(super) fn new(space: &Space, results: &'static [Metric]) -> Self {
        let named = |axis: &Axis| Named {
            name: axis.name.replace('-', "_"),
            is_number: is_number(axis),
        };
        let axes: Vec<Named> = space.axes().map(named).collect();
        let is_axis = |name: &str| axes.iter().any(|axis| axis.name == name);
        let metrics = (0..results.len()).filter(|place| !is_axis(results[*place].name));
        Self {
            metrics: metrics.collect(),
            results,
            axes,
        }
    }

    fn known(&self) -> Vec<(&str, Value<'_>)> {
        let axes = self.axes.iter().map(|axis| {
            let kind = if axis.is_number {
                Value::Number(0.0)
            } else {
                Value::Text("")
            };
            (axis.name.as_str(), kind)
        });
        let metrics = self.metrics.iter();
        axes.chain(metrics.map(|place| (self.results[*place].name, Value::Number(0.0))))
            .collect()
    }

    /// Returns the values of the names at a point; `None` if the point has no results.
    fn values<'r>(&self, row: &'r SweepRow) -> Option<Vec<Value<'r>>> {
        let found = row.found.as_ref().ok()?;
        let axes = self.axes.iter().zip(&row.values);
        let axes = axes.map(|(axis, value)| match value {
            crate::space::AxisValue::Text(text) if !axis.is_number => Value::Text(text),
            value => Value::Number(value.number().unwrap_or(f64::NAN)),
        });
        let metrics = self.metrics.iter();
        Some(
            axes.chain(metrics.map(|place| Value::Number(found.metrics[*place])))
                .collect(),
        )
    }

    pub(super) fn has(&self, text: &str) -> bool {
        self.known().iter().any(|(name, _)| *name == text)
    }

    pub(super) fn objective(&self, flag: &str, text: &str) -> Result<Expression, Problem> {
        let read = Expression::number(text.trim(), &self.known());
        let read = read.context(flag)?;
        if read.names().is_empty() {
            let text = prophet_text::plain::line(text);
            return Err(problem!(
                "{flag}: `{text}` does not use any result or parameter, so it is the same at all \
                 points"
            ));
        }
        Ok(read)
    }

    fn parse_constraint(&self, text: &str) -> Result<Expression, Problem> {
        let read = Expression::condition(text.trim(), &self.known());
        let read = read.context("--subject-to")?;
        if read.names().is_empty() {
            let text = prophet_text::plain::line(text);
            return Err(problem!(
                "--subject-to: `{text}` does not use any result or parameter, so it holds at all \
                 points or at none"
            ));
        }
        Ok(read)
    }

    pub(super) fn constraints(&self, texts: &[String]) -> Result<Vec<Expression>, Problem> {
        texts
            .iter()
            .map(|text| self.parse_constraint(text))
            .collect()
    }

    pub(super) fn value(&self, objective: &Expression, row: &SweepRow) -> Option<f64> {
        let value = objective.value(&self.values(row)?);
        value.is_finite().then_some(value)
    }

    pub(super) fn time(&self) -> &'static str {
        self.results[0].name
    }

    pub(super) fn first_axis(&self) -> Option<&str> {
        self.axes.first().map(|it| it.name.as_str())
    }

    /// If expressions have no values, explains which results they name and what these results need.
    pub(super) fn needs(&self, of: &[Expression]) -> String {
        let known = self.known();
        let used = of.iter().flat_map(Expression::names);
        let used: Vec<&str> = used.map(|index| known[index].0).collect();
        let mut results = self.results.iter();
        let found = results.find(|it| !it.needs.is_empty() && used.contains(&it.name));
        found.map_or(String::new(), |it| format!("; {}", it.needs))
    }

    /// Returns how far a point is from meeting each constraint.
    pub(super) fn margins(&self, constraints: &[Expression], row: &SweepRow) -> Option<Vec<f64>> {
        let values = self.values(row)?;
        let margins = constraints.iter().map(|it| it.margin(&values));
        let margins = margins.map(|it| (!it.is_nan()).then_some(it));
        margins.collect()
    }
}

/// Returns `true` if all values are numbers with the same unit, which expressions then omit.
pub(super) fn is_number(axis: &Axis) -> bool {
    let count = axis.count().unwrap_or(0);
    let unit = axis.value_at(0.0).unit().to_owned();
    let fits = |value: &crate::space::AxisValue| value.number().is_some() && value.unit() == unit;
    if (1..=LISTED_MAX).contains(&count) {
        (0..count).all(|place| fits(&axis.value(place)))
    } else {
        fits(&axis.value_at(0.0)) && fits(&axis.value_at(1.0))
    }
}
