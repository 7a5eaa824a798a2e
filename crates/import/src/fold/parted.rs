//! Finds conditions that split the ranks that execute a step by their computing times. For example,
//! a rank that sends less computes longer before another call, and the first iteration of a loop
//! over levels follows a different call.

use std::collections::BTreeMap;

use super::points::Points;
use super::ranks::{Conditions, RankSet};

/// Maximum share of the variation in times that a condition can leave unexplained.
const LEFT_MAX: f64 = 0.3;
/// How much more of the variation a simpler condition can leave unexplained than the best
/// condition.
const PLAINER: f64 = 0.1;
/// Minimum number of times on each side of a condition.
const TIMES_MIN: usize = 3;
/// Share of the total time that a condition must explain.
const SHARE_MIN: f64 = 0.05;
/// Time that a condition must explain, in seconds per rank, because the recorder's own overhead
/// varies.
const SECONDS_MIN: f64 = 2e-6;

pub(crate) type Times = [(u32, f64)];
type SideTimes = Vec<(u32, f64)>;

/// Returns the condition that explains most of the variation, if it justifies two costs. `misses`
/// returns the sum of the differences between times and their fit.
pub(crate) fn parted<'c>(
    times: &Times,
    conditions: &'c Conditions,
    misses: &dyn Fn(&Times) -> f64,
) -> Option<&'c (String, RankSet)> {
    let points = conditions.points();
    let sizes = |side: &[(u32, f64)]| {
        let mut runs: Vec<usize> = side.iter().map(|it| points.at(it.0).run).collect();
        runs.dedup();
        runs.len()
    };
    let candidates = conditions.plainest().iter().filter_map(|it| {
        let (inside, outside) = sides(times, &it.1);
        let are_general = sizes(&inside).min(sizes(&outside)) > 1;
        let are_many = inside.len().min(outside.len()) >= TIMES_MIN;
        (are_general && are_many).then_some((it, inside, outside))
    });
    let candidates: Vec<_> = candidates.collect();
    let total: f64 = times.iter().map(|it| it.1).sum();
    #[expect(clippy::cast_precision_loss, reason = "ranks are few")]
    let least = (SHARE_MIN * total).max(SECONDS_MIN * times.len() as f64);
    let best = |apart: &dyn Fn(&Times) -> f64, is_tried: &dyn Fn(&RankSet) -> bool| {
        let all = apart(times);
        let tried = candidates.iter().filter(|it| is_tried(&it.0.1));
        let left = tried.map(|(it, inside, outside)| (*it, apart(inside) + apart(outside)));
        let left: Vec<_> = left.collect();
        let best = left.iter().map(|it| it.1).fold(f64::INFINITY, f64::min);
        let most = (best + PLAINER * all).min(LEFT_MAX * all).min(all - least);
        left.into_iter().find(|it| it.1 <= most).map(|it| it.0)
    };
    if let Some(found) = best(&|side| apart(side, points), &|_| true) {
        return Some(found);
    }
    points.stride.as_ref()?;
    best(misses, &|holds| is_of_levels(times, holds, points))
}

/// Splits the times into those at points that meet a condition and those at other points.
pub(crate) fn sides(times: &Times, holds: &RankSet) -> (SideTimes, SideTimes) {
    times.iter().partition(|it| holds.has(it.0))
}

/// Groups the times by run and level.
fn places(times: &Times, points: &Points) -> BTreeMap<(usize, i64), SideTimes> {
    let mut places: BTreeMap<(usize, i64), SideTimes> = BTreeMap::new();
    for it in times {
        let point = points.at(it.0);
        places
            .entry((point.run, point.stride))
            .or_default()
            .push(*it);
    }
    places
}

/// Returns the sum of the differences between the times and the mean of their run and level.
fn apart(times: &Times, points: &Points) -> f64 {
    let one = |place: &SideTimes| {
        #[expect(clippy::cast_precision_loss, reason = "ranks are few")]
        let mean = place.iter().map(|it| it.1).sum::<f64>() / place.len() as f64;
        place.iter().map(|it| (it.1 - mean).abs()).sum::<f64>()
    };
    places(times, points).values().map(one).sum()
}

/// Returns `true` if, in each run and level, either all ranks meet a condition or none does.
fn is_of_levels(times: &Times, holds: &RankSet, points: &Points) -> bool {
    let is_even = |place: &SideTimes| {
        let first = holds.has(place[0].0);
        place.iter().all(|it| holds.has(it.0) == first)
    };
    places(times, points).values().all(is_even)
}

#[cfg(test)]
mod tests {
    use super::super::points::{Run, Span};
    use super::*;

    /// Returns the condition that splits the points with these times. Means serve as the fit.
    fn found(points: &Points, time: impl Fn(u32) -> f64) -> Option<String> {
        let times: Vec<(u32, f64)> = (0..points.count()).map(|it| (it, time(it))).collect();
        let misses = |times: &Times| {
            #[expect(clippy::cast_precision_loss, reason = "points are few")]
            let mean = times.iter().map(|it| it.1).sum::<f64>() / times.len() as f64;
            times.iter().map(|it| (it.1 - mean).abs()).sum()
        };
        let conditions = Conditions::new(points);
        parted(&times, &conditions, &misses).map(|it| it.0.clone())
    }

    fn runs(sizes: &[u32]) -> Points {
        let run = |ranks: &u32| Run {
            ranks: *ranks,
            parameters: Vec::new(),
        };
        Points::of(sizes.iter().map(run).collect(), Vec::new())
    }

    #[test]
    fn ranks_without_a_neighbor_have_a_time_of_their_own() {
        let points = runs(&[4, 6, 8, 16]);
        let is_last = |it: u32| points.at(it).pid >= points.at(it).ranks - points.at(it).rows();
        let found = found(&points, |it| if is_last(it) { 1e-4 } else { 1e-6 });
        assert_eq!(found.as_deref(), Some("pid < NUM_PROCESSES - Rows()"));
    }

    #[test]
    fn the_first_turn_of_halving_strides_has_a_time_of_its_own() {
        let points = runs(&[4, 8, 16]).levels("stride1".to_owned(), Span::Ranks);
        let is_first = |it: u32| 2 * points.at(it).stride >= points.at(it).ranks;
        let found = found(&points, |it| if is_first(it) { 1e-7 } else { 1e-4 });
        assert_eq!(found.as_deref(), Some("2 * stride1 < NUM_PROCESSES"));
    }

    #[test]
    fn noise_and_short_times_part_nothing() {
        let points = runs(&[4, 8, 16]);
        let noise = |it: u32| 1e-4 * f64::from(it * 7919 % 13);
        assert_eq!(found(&points, noise), None);
        let is_first = |it: u32| points.at(it).pid == 0;
        let short = found(&points, |it| if is_first(it) { 1e-6 } else { 1e-7 });
        assert_eq!(short, None);
    }

    #[test]
    fn a_condition_of_one_size_tells_nothing_of_others() {
        let points = runs(&[2, 4, 8]);
        let is_odd = |it: u32| points.at(it).ranks == 8 && points.at(it).pid == 5;
        assert_eq!(
            found(&points, |it| if is_odd(it) { 1.0 } else { 0.0 }),
            None
        );
    }
}
