//! Sensitivity of a result to each dimension.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZero;

use prophet_text::{Align, Problem, count, counted, problem, table};

use crate::evaluate::SweepRow;
use crate::plan::{Goals, Method};
use crate::search::{Estimate, Expression, Morris, Saltelli, SearchPoint, factorial};

use super::expressions::Names;
use super::grid::{Grid, SEED};
use super::reasons::Facts;
use super::shown::{self, Finding, ShownFinding, ShownInfluence, number};
use super::tally::PointTally;

/// Number of trajectories, unless the user says how many points are evaluated.
const TRAJECTORIES: usize = 40;

/// Number of rows of the samples for Sobol indices, in the same way.
const ROWS: usize = 1024;

/// Maximum number of points from which shares are exact, if they are evaluated for something else.
const WHOLE_MAX: usize = 1_000_000;

/// Share of the variance, or of the largest effect, below which a dimension does not matter.
const NOTHING: f64 = 0.01;

/// Numbers of a dimension: one that says whether it matters, and another one.
struct Numbers {
    main: Estimate,
    other: Estimate,
}

/// Design of the experiment: its points and the analysis of their values.
#[derive(Debug)]
enum ExperimentDesign {
    Effects(Morris),
    Samples(Saltelli),
    /// All points.
    Whole,
}

/// Sensitivity of a value to each dimension, with the values so far.
#[derive(Debug)]
pub(super) struct SensitivityAnalysis {
    method: Method,
    pub(super) of: Expression,
    design: ExperimentDesign,
    seed: u64,
    /// Indices of the points in the order of the results.
    asked: Vec<u64>,
    /// By index, the values; `None` where one is missing, or has not come yet.
    values: BTreeMap<u64, Option<f64>>,
    facts: Facts,
    tally: PointTally,
}

impl SensitivityAnalysis {
    /// Sensitivity that takes its points from all of a space if these are known `anyway`.
    pub(super) fn new(
        goals: &Goals,
        method: Method,
        grid: &Grid,
        names: &Names,
        anyway: bool,
    ) -> Result<Self, Problem> {
        let of = goals.of.as_deref().unwrap_or(names.time());
        let of = names.objective("--of", of)?;
        let seed = goals.search_seed.unwrap_or(SEED);
        let design = ExperimentDesign::new(method, grid, (goals.budget, seed), anyway)?;
        let mut sensitivity = Self {
            method,
            of,
            design,
            seed,
            asked: Vec::new(),
            values: BTreeMap::new(),
            facts: Facts::default(),
            tally: PointTally::default(),
        };
        let indices: Option<Vec<u64>> = match sensitivity.points() {
            None => Some((0..grid.space.size().unwrap_or(0) as u64).collect()),
            Some(points) => points.iter().map(|point| grid.index(point)).collect(),
        };
        if let Some(indices) = indices {
            sensitivity.ask(indices);
        }
        Ok(sensitivity)
    }

    /// Points to evaluate, some of them perhaps more than once; `None` if they are all.
    pub(super) fn points(&self) -> Option<&[SearchPoint]> {
        match &self.design {
            ExperimentDesign::Whole => None,
            ExperimentDesign::Effects(morris) => Some(morris.points()),
            ExperimentDesign::Samples(saltelli) => Some(saltelli.points()),
        }
    }

    /// Says which indices the points have, in the order of the results.
    pub(super) fn ask(&mut self, indices: Vec<u64>) {
        self.values = indices.iter().map(|index| (*index, None)).collect();
        self.asked = indices;
    }

    /// Takes a point; each point is taken once, and points that were not requested do not count.
    pub(super) fn take(&mut self, names: &Names, row: &SweepRow) {
        if let Some(value) = self.values.get_mut(&row.index) {
            self.tally.add(row);
            self.facts.add(names.results, row);
            *value = names.value(&self.of, row);
        }
    }

    /// Ends the analysis: the influences, or why they are unknown.
    pub(super) fn finish(&self, names: &Names, grid: &Grid) -> Result<Finding, String> {
        self.tally.require_results()?;
        if self.values.values().all(Option::is_none) {
            let text = prophet_text::plain::line(self.of.text());
            let why = names.needs(std::slice::from_ref(&self.of));
            return Err(format!("`{text}` is not a number at any point{why}"));
        }
        let results = self.asked.iter().map(|index| self.values[index]);
        let results: Vec<Option<f64>> = results.collect();
        let numbers = self.design.numbers(grid, &results, self.seed);
        let mut found = shown::ShownSensitivity {
            of: self.of.text().to_owned(),
            method: self.method,
            evaluated: self.tally.points,
            failed: self.tally.failed,
            exact: self.is_exact(),
            parameters: Vec::new(),
        };
        let parameters = self.influences(grid, numbers, found.keys());
        let text = self.text(&parameters);
        found.parameters = parameters.into_iter().map(|it| it.1).collect();
        Ok(Finding {
            text,
            mark: None,
            data: ShownFinding::Sensitivity(found),
        })
    }

    const fn is_exact(&self) -> bool {
        matches!(self.design, ExperimentDesign::Whole)
    }

    /// Influences of the dimensions, the largest first.
    fn influences(
        &self,
        grid: &Grid,
        numbers: Vec<Numbers>,
        keys: [&'static str; 2],
    ) -> Vec<(Numbers, ShownInfluence)> {
        let largest = numbers.iter().map(|it| it.main.value).fold(0.0, f64::max);
        let scale = match self.method {
            Method::Morris => largest,
            Method::Sobol => 1.0,
        };
        let influence = |(numbers, names): (Numbers, &Vec<String>)| {
            let share = if scale > 0.0 {
                numbers.main.value / scale
            } else {
                0.0
            };
            let reason = (share < NOTHING).then(|| self.facts.reason(names, numbers.main.value));
            let influence = ShownInfluence {
                name: names.join(" "),
                numbers: keys
                    .into_iter()
                    .zip([numbers.main.into(), numbers.other.into()])
                    .collect(),
                reason,
            };
            (numbers, influence)
        };
        let pairs = numbers.into_iter().zip(&grid.names);
        let mut parameters: Vec<(Numbers, ShownInfluence)> = pairs.map(influence).collect();
        parameters.sort_by(|a, b| b.0.main.value.total_cmp(&a.0.main.value));
        parameters
    }

    fn text(&self, parameters: &[(Numbers, ShownInfluence)]) -> String {
        let method = self.method;
        let (what, columns) = match method {
            Method::Morris => ("elementary effects of", ["mu*", "sigma"]),
            Method::Sobol => ("shares of the variance of", ["in all", "alone"]),
        };
        let [main, other] = columns.map(|name| (name, Align::Right));
        let heading = [
            ("parameter", Align::Left),
            main,
            ("95 %", Align::Left),
            other,
        ];
        let row = |(numbers, influence): &(Numbers, ShownInfluence)| {
            let main = numbers.main;
            let ends = [main.low, main.high].map(|end| shown(method, end));
            let interval = if self.is_exact() {
                String::new()
            } else {
                ends.join(" to ")
            };
            let name = prophet_text::plain::line(&influence.name);
            let [main, other] = [main, numbers.other].map(|it| shown(method, it.value));
            vec![name, main, interval, other]
        };
        let rows: Vec<Vec<String>> = parameters.iter().map(row).collect();
        let of = prophet_text::plain::line(self.of.text());
        let from = self.evaluated();
        let mut text = format!("{what} {of}, from {from}\n\n{}", table(&heading, &rows));
        for (_, influence) in parameters {
            if let Some(reason) = &influence.reason {
                let name = prophet_text::plain::line(&influence.name);
                let _ = writeln!(text, "\n{name} did not matter: {reason}");
            }
        }
        text
    }

    /// Points that were evaluated, in words.
    fn evaluated(&self) -> String {
        let all = if self.is_exact() { "all " } else { "" };
        format!("{all}{} points", count(self.tally.points))
    }
}

impl ExperimentDesign {
    fn new(
        method: Method,
        grid: &Grid,
        (budget, seed): (Option<NonZero<usize>>, u64),
        anyway: bool,
    ) -> Result<Self, Problem> {
        let axes = grid.space.axes().len();
        let (each, default) = match method {
            Method::Morris => (axes + 1, TRAJECTORIES),
            Method::Sobol => (axes + 2, ROWS),
        };
        let budget = budget.map_or(default * each, NonZero::get);
        let most = if anyway {
            budget.max(WHOLE_MAX)
        } else {
            budget
        };
        let fits = grid.space.size().is_some_and(|size| size <= most);
        if method == Method::Sobol && fits {
            return Ok(Self::Whole);
        }
        let rounds = budget / each;
        if rounds < 2 {
            return Err(problem!(
                "--budget must be {} or more: with {}, each round takes {each} points",
                2 * each,
                counted(axes as u64, "axis", "axes")
            ));
        }
        Ok(match method {
            Method::Morris => Self::Effects(Morris::new(&grid.space, rounds, seed)),
            Method::Sobol => Self::Samples(Saltelli::new(&grid.space, rounds, seed)),
        })
    }

    /// Numbers of the dimensions; zeros if the results do not vary.
    fn numbers(&self, grid: &Grid, results: &[Option<f64>], seed: u64) -> Vec<Numbers> {
        let nothing = || Numbers {
            main: Estimate::exact(0.0),
            other: Estimate::exact(0.0),
        };
        let indices = match self {
            Self::Effects(morris) => {
                let effects = morris.effects(results, seed).into_iter();
                let numbers = effects.map(|effect| {
                    effect.map_or_else(nothing, |it| Numbers {
                        main: it.mu_star,
                        other: Estimate::exact(it.sigma),
                    })
                });
                return numbers.collect();
            }
            Self::Samples(saltelli) => saltelli.indices(results, seed),
            Self::Whole => factorial(&grid.space, results),
        };
        match indices {
            None => grid.names.iter().map(|_| nothing()).collect(),
            Some(indices) => indices
                .into_iter()
                .map(|it| Numbers {
                    main: it.total,
                    other: it.first,
                })
                .collect(),
        }
    }
}

/// A share with three decimals, or an effect with six digits.
fn shown(method: Method, value: f64) -> String {
    match method {
        Method::Morris => number(value),
        Method::Sobol => format!("{:.3}", value + 0.0),
    }
}
