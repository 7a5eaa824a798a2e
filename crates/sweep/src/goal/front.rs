//! Finds the points that no other point beats.

use prophet_text::{Align, Problem, count, problem, table};

use crate::evaluate::SweepRow;
use crate::search::{Expression, front};
use crate::space::Space;

use super::expressions::Names;
use super::minimum::texts;
use super::shown::{self, Compromises, Finding, Mark, ShownFinding, ShownPoint, number};
use super::tally::PointTally;

/// Number of points at which dominated ones are first dropped.
const KEPT_MAX: usize = 10_000;

/// Number of points to show. The JSON output contains all of them.
const SHOWN: usize = 50;

const MARKED_MAX: usize = 1000;

#[derive(Debug, Default)]
struct FrontCandidates {
    rows: Vec<SweepRow>,
    objectives: Vec<Vec<f64>>,
    /// Number of points at which dominated ones are dropped next.
    full: usize,
}

impl FrontCandidates {
    fn push(&mut self, row: SweepRow, objectives: Vec<f64>) {
        self.rows.push(row);
        self.objectives.push(objectives);
        if self.rows.len() >= self.full.max(KEPT_MAX) {
            self.thin();
            self.full = 2 * self.rows.len();
        }
    }

    fn thin(&mut self) {
        let best = front(&self.objectives);
        for (to, &from) in best.iter().enumerate() {
            self.rows.swap(to, from);
            self.objectives.swap(to, from);
        }
        self.rows.truncate(best.len());
        self.objectives.truncate(best.len());
    }
}

/// The points so far that meet all constraints and that no other point beats in every objective.
#[derive(Debug)]
pub(super) struct Front {
    pub(super) objectives: Vec<Expression>,
    constraints: Vec<Expression>,
    axes: Vec<String>,
    kept: FrontCandidates,
    /// Number of points at which every expression is defined.
    defined: u64,
    tally: PointTally,
}

impl Front {
    pub(super) fn new(
        objectives: &str,
        constraints: &[String],
        space: &Space,
        names: &Names,
    ) -> Result<Self, Problem> {
        let objectives: Result<Vec<Expression>, Problem> = objectives
            .split(';')
            .map(|text| names.objective("--pareto", text))
            .collect();
        let objectives = objectives?;
        if objectives.len() < 2 {
            let of = [Some(names.time()), names.first_axis()];
            let of: Vec<&str> = of.into_iter().flatten().collect();
            return Err(problem!(
                "--pareto needs two or more expressions, such as `{}`",
                of.join("; ")
            ));
        }
        Ok(Self {
            objectives,
            constraints: names.constraints(constraints)?,
            axes: space.axes().map(|axis| axis.name.clone()).collect(),
            kept: FrontCandidates::default(),
            defined: 0,
            tally: PointTally::default(),
        })
    }

    pub(super) fn take(&mut self, names: &Names, row: &SweepRow) {
        self.tally.add(row);
        let values = self.objectives.iter().map(|it| names.value(it, row));
        let values: Option<Vec<f64>> = values.collect();
        let margins = names.margins(&self.constraints, row);
        if let (Some(values), Some(margins)) = (values, margins) {
            self.defined += 1;
            if margins.iter().all(|margin| *margin <= 0.0) {
                self.kept.push(row.clone(), values);
            }
        }
    }

    /// Ends the search, and returns the front or the reason why it is empty.
    pub(super) fn finish(mut self, names: &Names) -> Result<Finding, String> {
        self.kept.thin();
        if self.kept.rows.is_empty() {
            self.tally.require_results()?;
            return Err(match self.defined {
                0 => {
                    let why = names.needs(&self.objectives);
                    format!("the objectives are not numbers at any point{why}")
                }
                defined => format!("none of {} points meets the constraints", count(defined)),
            });
        }
        let kept = &self.kept;
        let mut order: Vec<usize> = (0..kept.rows.len()).collect();
        order.sort_by(|&a, &b| {
            let first = |index: usize| kept.objectives[index][0];
            first(a)
                .total_cmp(&first(b))
                .then(kept.rows[a].index.cmp(&kept.rows[b].index))
        });
        let objectives = texts(&self.objectives);
        let point = |&at: &usize| {
            let objectives = kept.objectives[at].clone();
            ShownPoint::new(&self.axes, names.results, &kept.rows[at], objectives)
        };
        let (many, all) = (count(order.len() as u64), count(self.tally.points));
        let met = shown::met(&self.constraints);
        let marked = order.iter().take(MARKED_MAX);
        Ok(Finding {
            text: text(kept, &order, &self.axes, &objectives, self.tally.points),
            mark: Some(Mark {
                title: format!(
                    "Not beaten by any other point in {}{met}",
                    objectives.join(" and ")
                ),
                about: format!("{many} of {all} points."),
                points: order.len().min(MARKED_MAX),
                rows: marked.map(|&at| kept.rows[at].clone()).collect(),
                columns: objectives.clone(),
            }),
            data: ShownFinding::Compromises(Compromises {
                pareto: objectives,
                subject_to: texts(&self.constraints),
                points: self.tally.points,
                failed: self.tally.failed,
                front: order.iter().map(point).collect(),
            }),
        })
    }
}

fn text(
    kept: &FrontCandidates,
    order: &[usize],
    axes: &[String],
    objectives: &[String],
    evaluated: u64,
) -> String {
    // Axes that are objectives are shown only once.
    let is_axis = |text: &String| axes.iter().any(|axis| axis.replace('-', "_") == *text);
    let others: Vec<usize> = (0..objectives.len())
        .filter(|&index| !is_axis(&objectives[index]))
        .collect();
    let names = others.iter().map(|&index| &objectives[index]);
    let names = axes.iter().chain(names);
    let names: Vec<String> = names.map(|it| prophet_text::plain::line(it)).collect();
    let heading: Vec<(&str, Align)> = names.iter().map(|it| (it.as_str(), Align::Right)).collect();
    let row = |&at: &usize| -> Vec<String> {
        let values = kept.rows[at].values.iter().map(ToString::to_string);
        let values = values.map(|it| prophet_text::plain::line(&it));
        values
            .chain(
                others
                    .iter()
                    .map(|&index| number(kept.objectives[at][index])),
            )
            .collect()
    };
    let rows: Vec<Vec<String>> = order.iter().take(SHOWN).map(row).collect();
    let (many, all) = (count(order.len() as u64), count(evaluated));
    let rest = if order.len() > SHOWN {
        format!("\nthe first {SHOWN} of them are shown; use --json to see all")
    } else {
        String::new()
    };
    format!(
        "{many} of {all} points are not beaten by any other point in {}{rest}\n\n{}",
        prophet_text::plain::line(&objectives.join(" and ")),
        table(&heading, &rows)
    )
}
