//! Finds the point with the smallest value.

use std::fmt::Write as _;

use prophet_text::{Align, Problem, count, counted, table};

use crate::evaluate::SweepRow;
use crate::search::{Expression, Scores};
use crate::space::Space;

use super::expressions::Names;
use super::shown::{self, Finding, Mark, ShownFinding, ShownPoint, number, place};
use super::tally::PointTally;

/// Maximum length of an objective in the heading of its column.
const HEADING_MAX: usize = 40;

/// A remark on what a search leaves uncertain.
const SEARCHED: &str = ", chosen by a search: other points may be better";

const SHOWN: usize = 5;

/// The smallest value so far at points that meet all constraints.
#[derive(Debug)]
pub(super) struct Minimum {
    pub(super) objective: Expression,
    constraints: Vec<Expression>,
    axes: Vec<String>,
    /// Number of points in the space; `None` if there are too many to count.
    points: Option<u64>,
    /// The best points, best first: points that meet all constraints, then those that violate them
    /// least.
    best: Vec<(Scores, SweepRow)>,
    /// Number of points that are as good as the best one.
    equals: u64,
    known: u64,
    holds: Vec<u64>,
    tally: PointTally,
    is_bounded: bool,
}

impl Minimum {
    pub(super) fn new(
        objective: &str,
        constraints: &[String],
        space: &Space,
        names: &Names,
    ) -> Result<Self, Problem> {
        let constraints = names.constraints(constraints)?;
        Ok(Self {
            objective: names.objective("--minimize", objective)?,
            axes: space.axes().map(|axis| axis.name.clone()).collect(),
            points: space.interval().is_none().then(|| space.points()),
            best: Vec::new(),
            equals: 0,
            known: 0,
            holds: vec![0; constraints.len()],
            constraints,
            tally: PointTally::default(),
            is_bounded: false,
        })
    }

    /// Returns the scores of a point; `None` if it has none.
    pub(super) fn scores(&self, names: &Names, row: &SweepRow) -> Option<Scores> {
        let scores = Scores {
            objective: names.value(&self.objective, row)?,
            margins: names.margins(&self.constraints, row)?,
        };
        Some(scores).filter(Scores::is_finite)
    }

    pub(super) fn take(&mut self, names: &Names, row: &SweepRow) {
        self.tally.add(row);
        let Some(scores) = self.scores(names, row) else {
            return;
        };
        self.known += 1;
        for (holds, margin) in self.holds.iter_mut().zip(&scores.margins) {
            *holds += u64::from(*margin <= 0.0);
        }
        let order = self.best.first().map(|(best, _)| scores.order(best));
        match order {
            Some(order) if order.is_eq() => self.equals += 1,
            Some(order) if order.is_gt() => {}
            _ => self.equals = 1,
        }
        let is_before = |(other, known): &(Scores, SweepRow)| {
            let order = other.order(&scores).then(known.index.cmp(&row.index));
            order.is_lt()
        };
        let place = self.best.partition_point(is_before);
        if place < SHOWN {
            self.best.insert(place, (scores, row.clone()));
            self.best.truncate(SHOWN);
        }
    }

    pub(super) fn axes(&self) -> &[String] {
        &self.axes
    }

    pub(super) fn bound(&mut self, refused: &PointTally) {
        self.is_bounded = true;
        self.tally.join(refused);
    }

    /// Returns the largest value with which a point would be shown; `None` if there is no limit.
    pub(super) fn limit(&self) -> Option<f64> {
        let last = self.best.get(SHOWN - 1).map(|(scores, _)| scores);
        last.filter(|it| it.is_feasible()).map(|it| it.objective)
    }

    /// Ends the search, and returns the smallest value or the reason why no point has one.
    pub(super) fn finish(&self, names: &Names) -> Result<Finding, String> {
        let Some((closest, row)) = self.best.first() else {
            self.tally.require_results()?;
            let text = prophet_text::plain::line(self.objective.text());
            let why = names.needs(std::slice::from_ref(&self.objective));
            return Err(format!(
                "`{text}` or a constraint is not a number at any point{why}"
            ));
        };
        if !closest.is_feasible() {
            return Err(self.infeasible(row));
        }
        let best = self.best.iter().filter(|(scores, _)| scores.is_feasible());
        let best: Vec<&(Scores, SweepRow)> = best.collect();
        let point = |(scores, row): &&(Scores, SweepRow)| {
            ShownPoint::new(&self.axes, names.results, row, vec![scores.objective])
        };
        let objective = self.objective.text();
        Ok(Finding {
            text: self.text(names, &best),
            data: ShownFinding::Minimum(shown::ShownMinimum {
                minimize: objective.to_owned(),
                subject_to: texts(&self.constraints),
                points: self.points,
                evaluated: self.tally.points,
                proven: self.is_bounded || self.points == Some(self.tally.points),
                failed: self.tally.failed,
                best: best.iter().map(point).collect(),
            }),
            mark: Some(Mark {
                title: format!("Least {objective}{}", shown::met(&self.constraints)),
                about: format!("Evaluated: {}.", self.evaluated()),
                columns: vec![objective.to_owned()],
                points: 1,
                rows: best.iter().map(|(_, row)| row.clone()).collect(),
            }),
        })
    }

    fn evaluated(&self) -> String {
        let evaluated = count(self.tally.points);
        match self.points {
            Some(points) if points == self.tally.points => format!("all {evaluated} points"),
            Some(points) if self.is_bounded => {
                let (failed, points) = (self.tally.failed, count(points));
                let done = count(self.tally.points - failed);
                let refused = match failed {
                    0 => String::new(),
                    _ => format!("{} cannot be predicted, and ", count(failed)),
                };
                format!(
                    "{done} of {points} points; {refused}the bounds of all other points are higher"
                )
            }
            Some(points) => {
                let points = count(points);
                format!("{evaluated} of {points} points{SEARCHED}")
            }
            None => format!("{evaluated} points{SEARCHED}"),
        }
    }

    fn text(&self, names: &Names, best: &[&(Scores, SweepRow)]) -> String {
        let objective = prophet_text::plain::line(self.objective.text());
        let mut heading: Vec<(&str, Align)> = Vec::new();
        heading.extend(self.axes.iter().map(|name| (name.as_str(), Align::Right)));
        let is_short = objective.len() <= HEADING_MAX;
        let title = if is_short { &objective } else { "value" };
        heading.push((title, Align::Right));
        let has_time = objective != names.time();
        heading.extend(has_time.then_some(("predicted time", Align::Right)));
        let row = |(scores, row): &&(Scores, SweepRow)| {
            let values = row.values.iter();
            let mut cells: Vec<String> = values
                .map(|value| prophet_text::plain::line(&value.to_string()))
                .collect();
            cells.push(number(scores.objective));
            let time_s = predicted_time_s(row);
            cells.extend(has_time.then(|| prophet_text::time(time_s)));
            cells
        };
        let rows: Vec<Vec<String>> = best.iter().map(row).collect();
        let least = place(&self.axes, &best[0].1);
        let others = match self.equals - 1 {
            0 => String::new(),
            others => format!(
                ", and at {}",
                counted(others, "other point", "other points")
            ),
        };
        format!(
            "least {objective} at {least}{others}\n\n{}\nevaluated: {}\n",
            table(&heading, &rows),
            self.evaluated()
        )
    }

    /// Explains why no point meets the constraints. `closest` is the point that violates them
    /// least.
    fn infeasible(&self, closest: &SweepRow) -> String {
        let mut why = format!(
            "none of the {} evaluated points meets the constraints:",
            count(self.known)
        );
        for (constraint, &holds) in self.constraints.iter().zip(&self.holds) {
            let text = prophet_text::plain::line(constraint.text());
            let at = if holds == 0 {
                "none".to_owned()
            } else {
                count(holds)
            };
            let _ = write!(why, "\n  `{text}` holds at {at}");
        }
        let time_s = predicted_time_s(closest);
        let (at, time) = (place(&self.axes, closest), prophet_text::time(time_s));
        format!("{why}\nThe closest point is {at}, with a predicted time of {time}")
    }
}

pub(super) fn texts(expressions: &[Expression]) -> Vec<String> {
    expressions.iter().map(|it| it.text().to_owned()).collect()
}

/// Returns a row's predicted time in seconds; NaN if it has none.
fn predicted_time_s(row: &SweepRow) -> f64 {
    let found = row.found.as_ref();
    found.map_or(f64::NAN, crate::evaluate::PointResults::predicted_time_s)
}
