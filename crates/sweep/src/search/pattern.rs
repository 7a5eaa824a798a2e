//! Minimizes an objective with a limited number of evaluations, by pattern search.
//!
//! The search starts with a sample of the space. From each point of the sample, best first, it
//! takes steps along each axis toward smaller objectives, and halves the steps when none of them
//! helps (Hooke and Jeeves, J. ACM 8, 1961). After the last point of the sample, it draws another
//! sample, and so on until all evaluations are used.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use crate::space::{AxisPlace, Sample, SampleDesign, place_at};

/// A point of a space, as one place on each of its axes.
pub type SearchPoint = Vec<AxisPlace>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchAxis {
    /// This number of values, in which neighbors have similar results.
    Ordered(u64),
    /// This number of values, all of which are tried.
    Unordered(u64),
    /// All numbers between two ends.
    Interval,
}

impl SearchAxis {
    /// Returns the place at a share of the axis.
    fn place(self, share: f64) -> AxisPlace {
        match self {
            Self::Ordered(count) | Self::Unordered(count) => AxisPlace::At(place_at(share, count)),
            Self::Interval => AxisPlace::Share(share),
        }
    }

    /// Returns the places that are one step away.
    fn around(self, from: AxisPlace, step: f64) -> Vec<AxisPlace> {
        match (self, from) {
            (Self::Unordered(count), _) => (0..count).map(AxisPlace::At).collect(),
            (Self::Ordered(count), AxisPlace::At(at)) => {
                let step = place_at(step, count).max(1);
                let up = at.saturating_add(step).min(count - 1);
                [at.saturating_sub(step), up].map(AxisPlace::At).into()
            }
            (_, AxisPlace::Share(at)) => [at - step, at + step]
                .map(|share| AxisPlace::Share(share.clamp(0.0, 1.0)))
                .into(),
            (Self::Interval, AxisPlace::At(_)) => Vec::new(),
        }
    }

    fn least(self) -> f64 {
        match self {
            Self::Ordered(count) => 1.0 / count as f64,
            Self::Unordered(_) => 1.0,
            Self::Interval => 1e-6,
        }
    }
}

/// First step, as a share of an axis's length.
const STEP: f64 = 0.25;

/// Maximum number of samples. If almost all of the space is known, further samples may not contain
/// new points.
const SAMPLES_MAX: u64 = 1000;

/// The scores of a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    /// The number to minimize.
    pub objective: f64,
    /// How far each constraint is from holding: greater than 0 if it is violated.
    pub margins: Vec<f64>,
}

impl Scores {
    pub fn is_feasible(&self) -> bool {
        self.margins.iter().all(|margin| *margin <= 0.0)
    }

    /// Returns the sum of the margins of all violated constraints.
    fn violation(&self) -> f64 {
        self.margins.iter().map(|margin| margin.max(0.0)).sum()
    }

    /// Returns `true` if the objective and all margins are finite, as the search requires.
    pub fn is_finite(&self) -> bool {
        let numbers = || self.margins.iter().chain([&self.objective]);
        numbers().all(|number| number.is_finite())
    }

    /// Compares two points. Points that meet all constraints come first, sorted by objective. The
    /// others follow, sorted by how far they are from meeting the constraints.
    pub fn order(&self, other: &Self) -> Ordering {
        let violations = self.violation().total_cmp(&other.violation());
        violations.then(self.objective.total_cmp(&other.objective))
    }
}

/// A search that asks for points, and then takes their scores.
#[derive(Debug, Clone)]
pub struct Search {
    axes: Vec<SearchAxis>,
    budget: usize,
    seed: u64,
    samples: u64,
    points: Vec<SearchPoint>,
    scores: Vec<Option<Scores>>,
    /// Indices of the known points, by coordinates.
    known: BTreeMap<Vec<u64>, usize>,
    /// Points of the sample from which no search has started yet.
    starts: Vec<usize>,
    /// The current point, and the step as a share of an axis's length.
    center: Option<(usize, f64)>,
}

impl Search {
    /// Creates a search of a space that makes at most `budget` evaluations. The seed determines
    /// which points it asks for.
    pub const fn new(axes: Vec<SearchAxis>, budget: usize, seed: u64) -> Self {
        Self {
            axes,
            budget,
            seed,
            samples: 0,
            points: Vec::new(),
            scores: Vec::new(),
            known: BTreeMap::new(),
            starts: Vec::new(),
            center: None,
        }
    }

    /// Returns the points to evaluate next, which are all new. The list is empty when the search is
    /// done.
    ///
    /// # Panics
    ///
    /// Panics if [`Self::tell`] hasn't been called for the previous points.
    pub fn ask(&mut self) -> Vec<SearchPoint> {
        assert_eq!(self.points.len(), self.scores.len(), "scores are missing");
        let left = self.budget - self.points.len();
        let mut asked = Vec::new();
        while asked.is_empty() && left > 0 && self.samples < SAMPLES_MAX {
            asked = match self.center {
                Some((center, step)) => self.step(center, step),
                None => self.start(),
            };
            asked.truncate(left);
        }
        for point in &asked {
            self.known.insert(key(point), self.points.len());
            self.points.push(point.clone());
        }
        asked
    }

    /// Takes the scores of the points that [`Self::ask`] returned last, in the same order. Pass
    /// `None` for a point without a result.
    ///
    /// # Panics
    ///
    /// Panics if the number of scores differs from the number of points.
    pub fn tell(&mut self, scores: Vec<Option<Scores>>) {
        let finite = |scores: Option<Scores>| scores.filter(Scores::is_finite);
        self.scores.extend(scores.into_iter().map(finite));
        assert_eq!(self.points.len(), self.scores.len(), "one score a point");
    }

    /// Starts at the best point of the sample, or asks for another sample.
    fn start(&mut self) -> Vec<SearchPoint> {
        self.starts.retain(|start| self.scores[*start].is_some());
        if let Some(best) = self.best_of(self.starts.iter().copied()) {
            self.starts.retain(|start| *start != best);
            self.center = Some((best, STEP));
            return Vec::new();
        }
        let count = self.budget.div_ceil(4) as u64;
        let seed = self.seed.wrapping_add(self.samples << 32);
        let design = SampleDesign::LatinHypercube(seed);
        let sample = Sample { design, count };
        self.samples += 1;
        let axes = || self.axes.iter().enumerate();
        let point = |index| axes().map(move |(axis, it)| it.place(sample.share(index, axis)));
        let points: Vec<SearchPoint> = (0..count).map(|index| point(index).collect()).collect();
        let asked = self.unknown(&points);
        self.starts = (self.points.len()..).take(asked.len()).collect();
        asked
    }

    /// Searches around a point, then moves to the best point found, or reduces the step.
    fn step(&mut self, center: usize, step: f64) -> Vec<SearchPoint> {
        let from = &self.points[center];
        let index = |point: &SearchPoint| self.known.get(&key(point)).copied();
        let best = |points: &[SearchPoint]| {
            let known = points.iter().filter_map(index);
            self.best_of(std::iter::once(center).chain(known))
        };
        let axes = 0..self.axes.len();
        let places = |axis: usize| self.axes[axis].around(from[axis], step);
        let moved = |point: &SearchPoint, axis: usize| -> Vec<SearchPoint> {
            let to = places(axis).into_iter().map(|place| {
                let mut point = point.clone();
                point[axis] = place;
                point
            });
            to.collect()
        };
        let mut near: Vec<SearchPoint> = axes.clone().flat_map(|axis| moved(from, axis)).collect();
        let mut asked = self.unknown(&near);
        if asked.is_empty() {
            // Steps that help on each axis may help in combination.
            let best_on =
                |axis| best(&moved(from, axis)).map_or(from[axis], |it| self.points[it][axis]);
            near.push(axes.clone().map(best_on).collect());
            asked = self.unknown(&near);
        }
        if asked.is_empty() && best(&near) == Some(center) {
            // Ridges and the edges of constraints can run across axes.
            for axis in axes {
                let earlier = (0..axis).flat_map(|other| moved(from, other));
                let across = earlier.flat_map(|point| moved(&point, axis));
                near.extend(across.collect::<Vec<_>>());
            }
            asked = self.unknown(&near);
        }
        if asked.is_empty() {
            let is_last = self.axes.iter().all(|axis| step <= axis.least());
            self.center = match best(&near).filter(|best| *best != center) {
                Some(best) => Some((best, step)),
                None if is_last => None,
                None => Some((center, step / 2.0)),
            };
        }
        asked
    }

    fn unknown(&self, points: &[SearchPoint]) -> Vec<SearchPoint> {
        let mut seen = BTreeSet::new();
        let mut is_new = |key: Vec<u64>| !self.known.contains_key(&key) && seen.insert(key);
        let new = points.iter().filter(|point| is_new(key(point)));
        new.cloned().collect()
    }

    /// Returns the best of these points, or the first of the best if several are equal.
    fn best_of(&self, points: impl Iterator<Item = usize>) -> Option<usize> {
        let order = |a: &usize, b: &usize| match (&self.scores[*a], &self.scores[*b]) {
            (Some(a), Some(b)) => a.order(b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        points.min_by(order)
    }
}

/// Returns a key that identifies the point, with one number for each coordinate.
pub fn key(point: &SearchPoint) -> Vec<u64> {
    let bits = |at: &AxisPlace| match *at {
        AxisPlace::At(place) => place,
        AxisPlace::Share(share) => share.to_bits(),
    };
    point.iter().map(bits).collect()
}

#[cfg(test)]
mod tests {
    use super::SearchAxis::{Interval, Ordered, Unordered};
    use super::*;

    fn numbers(point: &SearchPoint) -> Vec<f64> {
        let number = |at: &AxisPlace| match *at {
            AxisPlace::At(place) => place as f64,
            AxisPlace::Share(share) => share,
        };
        point.iter().map(number).collect()
    }

    /// Runs a search to its end on a test landscape with one constraint.
    fn searched(
        axes: &[SearchAxis],
        budget: usize,
        seed: u64,
        landscape: impl Fn(&[f64]) -> Option<[f64; 2]>,
    ) -> Search {
        let mut search = Search::new(axes.to_vec(), budget, seed);
        loop {
            let points = search.ask();
            if points.is_empty() {
                return search;
            }
            let scores = points.iter().map(|point| {
                landscape(&numbers(point)).map(|[objective, margin]| Scores {
                    objective,
                    margins: vec![margin],
                })
            });
            search.tell(scores.collect());
        }
    }

    fn best(search: &Search) -> Option<Vec<f64>> {
        let best = search.best_of(0..search.points.len());
        best.map(|best| numbers(&search.points[best]))
    }

    #[test]
    fn the_least_of_independent_axes_is_found() {
        for seed in 1..=10 {
            let search = searched(
                &[Unordered(5), Ordered(64), Ordered(1000)],
                300,
                seed,
                |at| {
                    let far = (at[1] - 41.0).abs() + (at[2] - 700.0).abs() / 10.0;
                    // Include points without a result, and points that violate the constraint.
                    let value = [(at[0] - 3.0).abs().min(1.0) + far, 600.0 - at[2]];
                    (at[1] > 20.0 || at[2] > 300.0).then_some(value)
                },
            );
            assert_eq!(best(&search), Some(vec![3.0, 41.0, 700.0]), "seed {seed}");
        }
    }

    #[test]
    fn the_least_on_an_interval_is_neared() {
        let search = searched(&[Interval, Unordered(2)], 100, 1, |at| {
            Some([(at[0] - 0.713).abs() + at[1], 0.0])
        });
        let found = best(&search).expect("points have results");
        assert!(
            (found[0] - 0.713).abs() < 1e-3 && found[1] == 0.0,
            "{found:?}"
        );
    }

    #[test]
    fn seeds_give_the_same_points_again_and_others_do_not() {
        let points = |seed| searched(&[Ordered(100); 3], 60, seed, |at| Some([at[0], 0.0])).points;
        assert_eq!(points(1), points(1));
        assert_ne!(points(1), points(2));
    }

    #[test]
    fn all_evaluations_are_made_each_of_another_point() {
        for result in [None, Some([0.0, 0.0]), Some([f64::NAN, 1.0])] {
            let search = searched(&[Ordered(10); 2], 99, 1, |_| result);
            assert_eq!((search.points.len(), search.known.len()), (99, 99));
        }
    }
}
