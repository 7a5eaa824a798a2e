//! Computes a result's sensitivity to each dimension.

use std::fmt::Write as _;

use prophet_text::{Align, Problem, count, problem, table};

use crate::evaluate::SweepRow;
use crate::plan::goals::SAMPLE;
use crate::plan::{Goals, Method};
use crate::search::{Expression, factorial};

use super::expressions::Names;
use super::grid::Grid;
use super::reasons::Facts;
use super::shown::{Finding, ShownFinding, ShownInfluence, ShownSensitivity};
use super::tally::PointTally;

const BUDGET: usize = 10_000;

/// Maximum number of points if all of them are evaluated in any case.
const ANYWAY: usize = 1_000_000;

/// Share of the variance below which a dimension doesn't matter.
const NOTHING: f64 = 0.01;

#[derive(Debug)]
pub(super) struct SensitivityAnalysis {
    pub(super) of: Expression,
    /// Values of all points; `None` if a value is missing or hasn't arrived yet.
    values: Vec<Option<f64>>,
    facts: Facts,
    tally: PointTally,
}

impl SensitivityAnalysis {
    /// Creates an analysis over all points of a space. If `anyway` is `true`, all points are
    /// evaluated in any case.
    pub(super) fn new(
        goals: &Goals,
        grid: &Grid,
        names: &Names,
        anyway: bool,
    ) -> Result<Self, Problem> {
        let of = goals.of.as_deref().unwrap_or(names.time());
        let of = names.objective("--of", of)?;
        let budget = goals.budget.map_or(BUDGET, std::num::NonZero::get);
        let most = if anyway { budget.max(ANYWAY) } else { budget };
        let Some(points) = grid.size() else {
            return Err(problem!(
                "--sensitivity evaluates all points: add a number of values to each interval, such \
                 as `0.1..0.9:5`, or {SAMPLE}"
            ));
        };
        if points > most {
            return Err(problem!(
                "--sensitivity evaluates all points, here {} with a limit of {}: vary fewer \
                 values, raise --budget, or {SAMPLE}",
                count(points as u64),
                count(most as u64)
            ));
        }
        Ok(Self {
            of,
            values: vec![None; points],
            facts: Facts::default(),
            tally: PointTally::default(),
        })
    }

    pub(super) fn take(&mut self, names: &Names, row: &SweepRow) {
        let index = usize::try_from(row.index).unwrap_or(usize::MAX);
        if let Some(value) = self.values.get_mut(index) {
            self.tally.add(row);
            self.facts.add(names.results, row);
            *value = names.value(&self.of, row);
        }
    }

    /// Ends the analysis, and returns the influences or the reason why they are unknown.
    pub(super) fn finish(&self, names: &Names, grid: &Grid) -> Result<Finding, String> {
        self.tally.require_results()?;
        if self.values.iter().all(Option::is_none) {
            let text = prophet_text::plain::line(self.of.text());
            let why = names.needs(std::slice::from_ref(&self.of));
            return Err(format!("`{text}` is not a number at any point{why}"));
        }
        let found = ShownSensitivity {
            of: self.of.text().to_owned(),
            method: Method::Sobol,
            evaluated: self.tally.points,
            failed: self.tally.failed,
            parameters: self.influences(grid),
        };
        Ok(Finding {
            text: text(&found),
            mark: None,
            data: ShownFinding::Sensitivity(found),
        })
    }

    fn influences(&self, grid: &Grid) -> Vec<ShownInfluence> {
        let levels = grid.counts.iter().flatten();
        let levels: Vec<usize> = levels.filter_map(|it| usize::try_from(*it).ok()).collect();
        // Results that don't vary have no shares.
        let shares = factorial(&levels, &self.values).unwrap_or_default();
        let shares = shares
            .into_iter()
            .chain(std::iter::repeat_with(Default::default));
        let influence = |(shares, names): (crate::search::Indices, &Vec<String>)| {
            let is_little = shares.total < NOTHING;
            ShownInfluence {
                name: names.join(" "),
                shares,
                reason: is_little.then(|| self.facts.reason(names, shares.total)),
            }
        };
        let mut parameters: Vec<ShownInfluence> = shares.zip(&grid.names).map(influence).collect();
        parameters.sort_by(|a, b| b.shares.total.total_cmp(&a.shares.total));
        parameters
    }
}

fn text(found: &ShownSensitivity) -> String {
    let heading = [
        ("parameter", Align::Left),
        ("in all", Align::Right),
        ("alone", Align::Right),
    ];
    let row = |influence: &ShownInfluence| {
        let name = prophet_text::plain::line(&influence.name);
        let [total, first] = [influence.shares.total, influence.shares.first]
            .map(|share| format!("{:.3}", share + 0.0));
        vec![name, total, first]
    };
    let rows: Vec<Vec<String>> = found.parameters.iter().map(row).collect();
    let of = prophet_text::plain::line(&found.of);
    let mut text = format!(
        "shares of the variance of {of}, from all {} points\n\n{}",
        count(found.evaluated),
        table(&heading, &rows)
    );
    for influence in &found.parameters {
        if let Some(reason) = &influence.reason {
            let name = prophet_text::plain::line(&influence.name);
            let _ = writeln!(text, "\n{name} did not matter: {reason}");
        }
    }
    text
}
