//! Tracks a sweep's goals: finds the smallest value, the best compromises, and the parameters that
//! matter.
//!
//! Goals take rows one by one. All points are evaluated if a goal needs them or if there are only a
//! few. Otherwise, the search for the smallest value chooses the points.

use prophet_text::Problem;

mod bounds;
mod chosen;
mod expressions;
mod front;
mod grid;
mod minimum;
mod reasons;
mod sensitivity;
mod shown;
mod tally;
mod words;

use crate::evaluate::{Metric, SweepRow};
use crate::search::Expression;
use crate::space::Space;

pub(crate) use bounds::Bound;
pub(crate) use chosen::Evaluator;
pub(crate) use shown::{Finding, Mark, ShownFinding, ShownInfluence, ShownSensitivity, json};
pub(crate) use tally::PointTally;
pub(crate) use words::Words;

use bounds::Bounds;
use expressions::Names;
use front::Front;
use grid::Grid;
use minimum::Minimum;
use sensitivity::SensitivityAnalysis as Sensing;

/// Maximum number of points that a search evaluates, unless the user sets another.
const BUDGET: usize = 300;

/// Seed of a search, unless the user sets another.
const SEED: u64 = 1;

#[derive(Debug)]
pub(crate) struct OpenGoals {
    names: Names,
    minimum: Option<Minimum>,
    front: Option<Front>,
    sensitivity: Option<Sensing>,
    grid: Option<Grid>,
    choose: bool,
    budget: usize,
    seed: u64,
    tally: PointTally,
}

impl OpenGoals {
    /// Parses goals, if there are any. `results` are the results that predictions have, the time
    /// first. If `anyway` is `true`, all points of the space are evaluated in any case.
    pub(crate) fn read(
        words: &crate::plan::Goals,
        space: &Space,
        results: &'static [Metric],
        anyway: bool,
    ) -> Result<Option<Self>, Problem> {
        words.check()?;
        if words.is_empty() {
            return Ok(None);
        }
        let anyway = anyway || words.pareto.is_some();
        let names = Names::new(space, results);
        let budget = words.budget.map_or(BUDGET, std::num::NonZero::get);
        let is_bounded = words.bound.is_some() && !anyway;
        if is_bounded {
            Bounds::check(space)?;
        }
        let grid = match (&words.minimize, words.sensitivity) {
            (Some(_), _) => Some(Grid::new(space, "--minimize")?),
            (_, Some(_)) => Some(Grid::new(space, "--sensitivity")?),
            (None, None) => None,
        };
        let conditions = &words.subject_to;
        let minimum = words.minimize.as_deref();
        let minimum = minimum.map(|text| Minimum::new(text, conditions, space, &names));
        let front = words.pareto.as_deref();
        let front = front.map(|text| Front::new(text, conditions, space, &names));
        let sensitivity = grid.as_ref().filter(|_| words.sensitivity.is_some());
        let sensitivity = sensitivity
            .map(|grid| Sensing::new(words, grid, &names, anyway))
            .transpose()?;
        let size = grid.as_ref().and_then(Grid::size);
        let is_small = size.is_some_and(|size| size <= budget);
        let is_whole = anyway || words.sensitivity.is_some();
        Ok(Some(Self {
            minimum: minimum.transpose()?,
            front: front.transpose()?,
            sensitivity,
            grid,
            choose: is_bounded || (words.minimize.is_some() && !is_whole && !is_small),
            budget: if is_bounded {
                size.unwrap_or(budget)
            } else {
                budget
            },
            seed: words.search_seed.unwrap_or(SEED),
            tally: PointTally::default(),
            names,
        }))
    }

    pub(crate) const fn choose_points(&self) -> bool {
        self.choose
    }

    pub(crate) fn points_max(&self) -> u64 {
        self.minimum.as_ref().map_or(0, |_| self.budget) as u64
    }

    pub(crate) fn take(&mut self, row: &SweepRow) {
        self.tally.add(row);
        let names = &self.names;
        if let Some(minimum) = &mut self.minimum {
            minimum.take(names, row);
        }
        if let Some(front) = &mut self.front {
            front.take(names, row);
        }
        if let Some(sensitivity) = &mut self.sensitivity {
            sensitivity.take(names, row);
        }
    }

    /// Returns the expressions that aren't columns of the sweep, without duplicates.
    pub(crate) fn objectives(&self) -> Objectives {
        let minimum = self.minimum.iter().map(|it| &it.objective);
        let front = self.front.iter().flat_map(|it| &it.objectives);
        let of = self.sensitivity.iter().map(|it| &it.of);
        let mut expressions: Vec<Expression> = Vec::new();
        for expression in minimum.chain(front).chain(of) {
            let is_known = |it: &Expression| it.text() == expression.text();
            if !self.names.has(expression.text()) && !expressions.iter().any(is_known) {
                expressions.push(expression.clone());
            }
        }
        Objectives {
            names: self.names.clone(),
            expressions,
        }
    }

    /// Returns the smallest value so far, if a search is looking for it.
    pub(crate) fn so_far(&self) -> Option<Finding> {
        let minimum = self.minimum.as_ref().filter(|_| self.choose)?;
        minimum.finish(&self.names).ok()
    }

    /// Ends the goals. Returns what each of them found, or why it found nothing.
    pub(crate) fn into_findings(self) -> Vec<Result<Finding, String>> {
        self.tally.tell();
        let minimum = self.minimum.map(|minimum| minimum.finish(&self.names));
        let front = self.front.map(|front| front.finish(&self.names));
        let sensitivity = self.sensitivity.zip(self.grid);
        let sensitivity =
            sensitivity.map(|(sensitivity, grid)| sensitivity.finish(&self.names, &grid));
        minimum
            .into_iter()
            .chain(front)
            .chain(sensitivity)
            .collect()
    }
}

#[derive(Debug)]
pub(crate) struct Objectives {
    names: Names,
    expressions: Vec<Expression>,
}

impl Objectives {
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.expressions.iter().map(Expression::text)
    }

    /// Returns the values of the expressions at a point; NaN if undefined.
    pub(crate) fn values(&self, row: &SweepRow) -> impl Iterator<Item = f64> {
        let value = |it| self.names.value(it, row).unwrap_or(f64::NAN);
        self.expressions.iter().map(value)
    }
}
