//! Search for the point of the smallest objective with few evaluations.
//!
//! Each round asks for the points that promise the largest improvement, as Gaussian processes of
//! the objective and of each constraint tell (Gardner et al., Bayesian optimization with inequality
//! constraints, ICML 2014). A space with no more points than may be evaluated is evaluated whole.

use std::collections::BTreeSet;

use prophet_sim::variates::Generator;

use super::models::Surrogates;
use super::pool;
use super::random::latin;
use super::scores::Scores;
use super::space::{Key, SearchPoint, SearchSpace, key};

/// Number of points asked for at a time: it must not depend on the number of threads.
const BATCH: usize = 8;

/// Search that asks for points and is reported their scores.
#[derive(Debug, Clone)]
pub struct Search {
    space: SearchSpace,
    budget: usize,
    generator: Generator,
    points: Vec<SearchPoint>,
    scores: Vec<Option<Scores>>,
    seen: BTreeSet<Key>,
    models: Option<Surrogates>,
}

impl Search {
    /// Search of a space by at most `budget` evaluations; searches with different seeds ask for
    /// different points.
    pub fn new(space: SearchSpace, budget: usize, seed: u64) -> Self {
        Self {
            space,
            budget,
            generator: Generator::named(seed, "search"),
            points: Vec::new(),
            scores: Vec::new(),
            seen: BTreeSet::new(),
            models: None,
        }
    }

    /// True if all points of the space are evaluated.
    pub fn is_exhaustive(&self) -> bool {
        self.space.size().is_some_and(|size| size <= self.budget)
    }

    /// Points to evaluate next, each for the first time; empty at the end.
    ///
    /// # Panics
    ///
    /// If the scores of points that were asked for are missing.
    pub fn ask(&mut self) -> Vec<SearchPoint> {
        assert_eq!(self.points.len(), self.scores.len(), "scores are missing");
        let left = self.budget - self.points.len();
        let mut asked = match self.space.size().filter(|_| self.is_exhaustive()) {
            Some(size) => (self.points.len()..size)
                .map(|index| self.space.point(index))
                .collect(),
            None if self.points.is_empty() => self.first(),
            None if left == 0 => Vec::new(),
            None => self.promising(left.min(BATCH)),
        };
        asked.truncate(left);
        self.seen.extend(asked.iter().map(|point| key(point)));
        self.points.extend(asked.iter().cloned());
        asked
    }

    /// Takes the scores of the points that were last asked for, in their order: `None` for a point
    /// without a result.
    ///
    /// # Panics
    ///
    /// If they are not as many as the points.
    pub fn tell(&mut self, scores: Vec<Option<Scores>>) {
        let finite = |scores: Option<Scores>| scores.filter(Scores::is_finite);
        self.scores.extend(scores.into_iter().map(finite));
        assert_eq!(self.points.len(), self.scores.len(), "one score a point");
    }

    /// Points that were asked for, in that order.
    pub fn points(&self) -> &[SearchPoint] {
        &self.points
    }

    /// Scores of the points: `None` if the result is missing or not finite.
    pub fn scores(&self) -> &[Option<Scores>] {
        &self.scores
    }

    /// Index of the point with the smallest objective among the points that meet all constraints;
    /// of equal points, the first in the order of the axes.
    pub fn best(&self) -> Option<usize> {
        self.closest()
            .filter(|&index| self.scores[index].as_ref().is_some_and(Scores::is_feasible))
    }

    /// Index of the best point; if no point meets the constraints, the point that misses them
    /// least.
    pub fn closest(&self) -> Option<usize> {
        self.ranking().first().copied()
    }

    /// Indices of the points with a result, best first: points that meet all constraints, by their
    /// objectives, then points that miss them least.
    pub fn ranking(&self) -> Vec<usize> {
        let scores = self.scores.iter().enumerate();
        let known = scores.filter_map(|(index, scores)| Some((index, scores.as_ref()?)));
        let mut known: Vec<(usize, &Scores)> = known.collect();
        known.sort_by(|(a, x), (b, y)| {
            let keys = || key(&self.points[*a]).cmp(&key(&self.points[*b]));
            x.order(y).then_with(keys)
        });
        known.into_iter().map(|(index, _)| index).collect()
    }

    /// Points all over the space.
    fn first(&mut self) -> Vec<SearchPoint> {
        let axes = self.space.axes().len();
        let count = (10 * (axes + 1)).min(self.budget.div_ceil(4));
        let places = latin(count, axes, &mut self.generator);
        let mut seen = BTreeSet::new();
        let points = places.iter().map(|place| self.space.at(place));
        points.filter(|point| seen.insert(key(point))).collect()
    }

    /// Points that promise an improvement.
    fn promising(&mut self, count: usize) -> Vec<SearchPoint> {
        let ranking = self.ranking();
        let tops: Vec<&SearchPoint> = ranking
            .iter()
            .take(pool::TOPS)
            .map(|&index| &self.points[index])
            .collect();
        let mut candidates = pool::candidates(&self.space, &tops, &self.seen, &mut self.generator);
        let features: Vec<Vec<f64>> = candidates
            .iter()
            .map(|point| self.space.features(point))
            .collect();
        let mut models = Surrogates::fit(
            &self.space,
            &self.points,
            &self.scores,
            &ranking,
            self.models.take(),
        );
        let chosen = models.choose(&features, count);
        self.models = Some(models);
        chosen
            .into_iter()
            .map(|index| std::mem::take(&mut candidates[index]))
            .collect()
    }
}
