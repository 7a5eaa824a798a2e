//! Space of a sweep as a space to search.

use prophet_text::{Problem, problem};

use crate::search::{Coordinate, SearchAxis, SearchPoint, SearchSpace};
use crate::space::{AxisPlace, AxisValue};

/// Seed of the choice of points, unless the user names another one.
pub(super) const SEED: u64 = 1;

/// Axes with more values are not looked at one by one.
const LISTED_MAX: u64 = 10_000;

/// Dimensions of a sweep and their values' distances.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) space: SearchSpace,
    /// Names of the axes of each dimension.
    pub(super) names: Vec<Vec<String>>,
    /// Numbers of values; `None` for an interval.
    counts: Vec<Option<u64>>,
}

impl Grid {
    /// Grid of a space; `what` the command line asks for needs all combinations.
    pub(super) fn new(space: &crate::space::Space, what: &str) -> Result<Self, Problem> {
        if space.is_sample() {
            return Err(problem!(
                "{what} chooses its points itself: leave out --sample"
            ));
        }
        let (mut axes, mut names, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for dimension in space.dimensions() {
            let count = dimension[0].count();
            axes.push(count.map_or(SearchAxis::Continuous, |count| axis(&dimension[0], count)));
            names.push(dimension.iter().map(|axis| axis.name.clone()).collect());
            counts.push(count);
        }
        if axes.is_empty() {
            return Err(problem!(
                "{what} needs something that varies: --vary NAME=VALUES"
            ));
        }
        let space = SearchSpace::new(axes);
        Ok(Self {
            space,
            names,
            counts,
        })
    }

    /// Index of a point in the sweep; `None` in a space with intervals.
    pub(super) fn index(&self, point: &SearchPoint) -> Option<u64> {
        let mut pairs = point.iter().zip(&self.counts);
        pairs.try_fold(0, |index, pair| match pair {
            (Coordinate::Level(level), Some(count)) => Some(index * count + *level as u64),
            _ => None,
        })
    }

    /// Places of a point on the axes of the sweep.
    pub(super) fn places(&self, point: &SearchPoint) -> Vec<AxisPlace> {
        let pairs = point.iter().zip(&self.names);
        let places = pairs.flat_map(|(at, names)| {
            let place = match *at {
                Coordinate::Level(level) => AxisPlace::At(level as u64),
                Coordinate::Place(share) => AxisPlace::Share(share),
            };
            names.iter().map(move |_| place)
        });
        places.collect()
    }
}

/// Axis to search: in order if its values are numbers.
fn axis(axis: &crate::space::Axis, count: u64) -> SearchAxis {
    let levels = usize::try_from(count).unwrap_or(usize::MAX);
    if count > LISTED_MAX {
        return SearchAxis::evenly(levels);
    }
    let values: Vec<AxisValue> = (0..count).map(|place| axis.value(place)).collect();
    let numbers: Option<Vec<f64>> = values.iter().map(AxisValue::number).collect();
    let is_one_unit = values
        .windows(2)
        .all(|pair| pair[0].unit() == pair[1].unit());
    match numbers {
        None => SearchAxis::Unordered(levels),
        Some(numbers) if is_one_unit => SearchAxis::along(&numbers),
        Some(_) => SearchAxis::evenly(levels),
    }
}
