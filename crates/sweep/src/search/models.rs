//! Gaussian processes of all that is known of points: objective, constraints, failures.

use super::acquisition::{expected_improvement, not_above_zero};
use super::gaussian::{Forecast, Process};
use super::{Scores, SearchPoint, SearchSpace};

/// Maximum number of points that a process learns from: it takes the cube of them.
const KNOWN_MAX: usize = 400;

/// Share by which the number of points grows before scales are fitted again.
const GROWTH: f64 = 1.25;

/// Probability of keeping the constraints from which a point may be taken as the best one.
const LIKELY: f64 = 0.5;

/// Processes of all that is known.
#[derive(Debug, Clone)]
pub(crate) struct Surrogates {
    objective: Process,
    /// A process for each constraint, then one of failures if there are any.
    limits: Vec<Process>,
    /// Smallest objective where all constraints hold.
    best: Option<f64>,
    /// Number of points when the scales were fitted.
    fitted: usize,
}

/// A candidate: its forecasts of the objective and of the limits.
struct Candidate {
    objective: Forecast,
    limits: Vec<Forecast>,
    taken: bool,
}

/// Results for one process to learn from.
struct Known {
    points: Vec<Vec<f64>>,
    results: Vec<f64>,
}

impl Surrogates {
    /// Processes that know the scores at some points, whose `ranking` begins with the best.
    pub(crate) fn fit(
        space: &SearchSpace,
        points: &[SearchPoint],
        scores: &[Option<Scores>],
        ranking: &[usize],
        earlier: Option<Self>,
    ) -> Self {
        let chosen = thinned(ranking);
        let score = |index: usize| scores[index].as_ref().expect("ranked points have scores");
        let features = |index: usize| space.features(&points[index]);
        let known = |result: &dyn Fn(usize) -> f64| Known {
            points: chosen.iter().map(|&index| features(index)).collect(),
            results: chosen.iter().map(|&index| result(index)).collect(),
        };
        let mut objective = known(&|index| score(index).objective);
        let to_scale = scale(&mut objective.results);
        let constraints = ranking
            .first()
            .map_or(0, |&index| score(index).margins.len());
        let mut limits: Vec<Known> = (0..constraints)
            .map(|constraint| known(&|index| score(index).margins[constraint]))
            .collect();
        let failed: Vec<usize> = (0..scores.len())
            .filter(|&it| scores[it].is_none())
            .collect();
        if !failed.is_empty() {
            let mut failures = known(&|_| -1.0);
            for index in thinned(&failed) {
                failures.points.push(features(index));
                failures.results.push(1.0);
            }
            limits.push(failures);
        }
        let best = ranking.first().map(|&index| score(index));
        let best = best.filter(|it| it.is_feasible());
        let best = best.map(|it| to_scale(it.objective));
        Self::learn(space, objective, limits, best, scores.len(), earlier)
    }

    /// Processes of results, with new scales if there are many more than an `earlier` one knew.
    fn learn(
        space: &SearchSpace,
        objective: Known,
        limits: Vec<Known>,
        best: Option<f64>,
        count: usize,
        earlier: Option<Self>,
    ) -> Self {
        let earlier = earlier.filter(|it| it.limits.len() == limits.len());
        let fresh = earlier
            .as_ref()
            .is_some_and(|it| (count as f64) < GROWTH * it.fitted as f64);
        let process = |known: Known, old: Option<&Process>| match old {
            Some(old) if fresh => old.refit(known.points, &known.results),
            old => Process::fit(space, known.points, &known.results, old),
        };
        let old = |index: usize| Some(&earlier.as_ref()?.limits[index]);
        let limits = limits.into_iter().enumerate();
        Self {
            objective: process(objective, earlier.as_ref().map(|it| &it.objective)),
            limits: limits
                .map(|(index, known)| process(known, old(index)))
                .collect(),
            best,
            fitted: earlier
                .as_ref()
                .filter(|_| fresh)
                .map_or(count, |it| it.fitted),
        }
    }

    /// Indices of the most promising candidates, each chosen in view of the earlier ones; the last
    /// is the candidate whose objective is likely to be smallest.
    pub(crate) fn choose(&mut self, features: &[Vec<f64>], count: usize) -> Vec<usize> {
        let mut candidates: Vec<Candidate> = features
            .iter()
            .map(|at| Candidate {
                objective: self.objective.forecast(at),
                limits: self.limits.iter().map(|it| it.forecast(at)).collect(),
                taken: false,
            })
            .collect();
        let mut chosen = Vec::new();
        while chosen.len() < count.min(candidates.len()) {
            let is_last = chosen.len() + 1 == count;
            let free = (0..candidates.len()).filter(|&index| !candidates[index].taken);
            let next = free
                .map(|index| (self.promise(&candidates[index], is_last), index))
                .max_by(|(a, i), (b, j)| compare(a, b).then(j.cmp(i)));
            let Some((_, next)) = next else { break };
            candidates[next].taken = true;
            self.believe(&features[next], &candidates[next]);
            for (candidate, at) in candidates.iter_mut().zip(features) {
                self.catch_up(candidate, at);
            }
            chosen.push(next);
        }
        chosen
    }

    /// Promise of a candidate, and how small it is likely to be.
    fn promise(&self, candidate: &Candidate, is_last: bool) -> [f64; 2] {
        let (mean, deviation) = self.objective.told(&candidate.objective);
        let pairs = self.limits.iter().zip(&candidate.limits);
        let likely: f64 = pairs
            .map(|(process, forecast)| {
                let (mean, deviation) = process.told(forecast);
                not_above_zero(mean, deviation)
            })
            .product();
        match self.best {
            None => [likely, -mean],
            Some(_) if is_last => [f64::from(u8::from(likely >= LIKELY)), -mean],
            Some(best) => [likely * expected_improvement(best, mean, deviation), -mean],
        }
    }

    fn believe(&mut self, at: &[f64], candidate: &Candidate) {
        self.objective.believe(at, &candidate.objective);
        for (process, forecast) in self.limits.iter_mut().zip(&candidate.limits) {
            process.believe(at, forecast);
        }
    }

    fn catch_up(&self, candidate: &mut Candidate, at: &[f64]) {
        self.objective.catch_up(&mut candidate.objective, at);
        for (process, forecast) in self.limits.iter().zip(&mut candidate.limits) {
            process.catch_up(forecast, at);
        }
    }
}

fn compare(a: &[f64; 2], b: &[f64; 2]) -> std::cmp::Ordering {
    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
}

/// The first half of as many points as a process can learn from, and some of the others.
fn thinned(ranking: &[usize]) -> Vec<usize> {
    if ranking.len() <= KNOWN_MAX {
        return ranking.to_vec();
    }
    let half = KNOWN_MAX / 2;
    let (first, others) = ranking.split_at(half);
    let some = (0..half).map(|number| others[number * others.len() / half]);
    first.iter().copied().chain(some).collect()
}

/// Brings objectives to a scale on which they change evenly, and gives the function that does:
/// logarithms of positive ones.
fn scale(objectives: &mut [f64]) -> impl Fn(f64) -> f64 + use<> {
    let positive = objectives.iter().all(|objective| *objective > 0.0);
    let to_scale = move |objective: f64| {
        if positive {
            libm::log(objective)
        } else {
            objective
        }
    };
    for objective in objectives {
        *objective = to_scale(*objective);
    }
    to_scale
}
