//! Candidates for the next evaluations.

use std::collections::BTreeSet;

use prophet_sim::variates::Generator;

use super::random::{below, unit};
use super::space::{Key, key};
use super::{Coordinate, SearchAxis, SearchPoint, SearchSpace};

/// Number of the best points around which candidates lie.
pub(crate) const TOPS: usize = 3;

/// Number of candidates anywhere.
const ANYWHERE: usize = 300;

/// Number of candidates that differ from the best points on two axes.
const TWO_AXES: usize = 100;

/// Number of other coordinates of an axis that are tried together.
const OTHERS: usize = 24;

/// Spaces of no more points are candidates as a whole.
const WHOLE: usize = 500;

/// Points that were not seen, in a fixed order: all over the space, and around the best points.
pub(crate) fn candidates(
    space: &SearchSpace,
    tops: &[&SearchPoint],
    seen: &BTreeSet<Key>,
    generator: &mut Generator,
) -> Vec<SearchPoint> {
    if let Some(size) = space.size().filter(|&size| size <= WHOLE + seen.len()) {
        let all = (0..size).map(|index| space.point(index));
        return all.filter(|point| !seen.contains(&key(point))).collect();
    }
    let mut found = Vec::new();
    for top in tops {
        for (index, axis) in space.axes().iter().enumerate() {
            let others = others(axis, top[index], generator);
            found.extend(others.into_iter().map(|at| with(top, index, at)));
        }
    }
    if !tops.is_empty() {
        found.extend((0..TWO_AXES).map(|number| {
            let top = tops[number % tops.len()];
            moved(space, &moved(space, top, generator), generator)
        }));
    }
    found.extend((0..ANYWHERE).map(|_| {
        let place: Vec<f64> = space.axes().iter().map(|_| unit(generator)).collect();
        space.at(&place)
    }));
    let mut kept = BTreeSet::new();
    found.retain(|point| !seen.contains(&key(point)) && kept.insert(key(point)));
    found
}

fn with(point: &SearchPoint, axis: usize, at: Coordinate) -> SearchPoint {
    let mut point = point.clone();
    point[axis] = at;
    point
}

/// Point with another coordinate on a random axis.
fn moved(space: &SearchSpace, point: &SearchPoint, generator: &mut Generator) -> SearchPoint {
    let axis = below(generator, space.axes().len());
    let others = others(&space.axes()[axis], point[axis], generator);
    if others.is_empty() {
        return point.clone();
    }
    with(point, axis, others[below(generator, others.len())])
}

/// Other coordinates of an axis: all if they are few, else near ones and some anywhere.
fn others(axis: &SearchAxis, at: Coordinate, generator: &mut Generator) -> Vec<Coordinate> {
    match (at, axis.levels()) {
        (Coordinate::Level(from), Some(levels)) => {
            let near = if levels <= OTHERS { levels } else { OTHERS / 6 };
            let around = from.saturating_sub(near)..levels.min(from.saturating_add(near + 1));
            let near = around.filter(|&level| level != from);
            let mut found: Vec<Coordinate> = near.map(Coordinate::Level).collect();
            let missing = OTHERS.min(levels - 1).saturating_sub(found.len());
            found.extend((0..missing).map(|_| Coordinate::Level(below(generator, levels))));
            found
        }
        (Coordinate::Place(from), _) => {
            let steps = (0..OTHERS).map(|number| {
                let reach = libm::exp2(-((number % 8) as f64));
                let place = from + reach * (unit(generator) - 0.5);
                Coordinate::Place(place.clamp(0.0, 1.0))
            });
            steps.collect()
        }
        (Coordinate::Level(_), None) => Vec::new(),
    }
}
