//! Turns a sweep's space into one that can be searched, in which each dimension is a single axis.

use prophet_text::{Problem, problem};

use crate::search::{SearchAxis, SearchPoint};
use crate::space::AxisPlace;

use super::expressions::is_number;

#[derive(Debug)]
pub(super) struct Grid {
    pub(super) names: Vec<Vec<String>>,
    /// Number of values in each dimension; `None` for an interval.
    pub(super) counts: Vec<Option<u64>>,
    are_numbers: Vec<bool>,
}

impl Grid {
    /// Creates the grid of a space. `what` is the goal on the command line that needs all
    /// combinations.
    pub(super) fn new(space: &crate::space::Space, what: &str) -> Result<Self, Problem> {
        if space.is_sample() {
            return Err(problem!(
                "{what} needs all combinations, not a sample: remove --sample"
            ));
        }
        let (mut names, mut counts, mut are_numbers) = (Vec::new(), Vec::new(), Vec::new());
        for dimension in space.dimensions() {
            names.push(dimension.iter().map(|axis| axis.name.clone()).collect());
            counts.push(dimension[0].count());
            are_numbers.push(dimension.iter().any(is_number));
        }
        if names.is_empty() {
            return Err(problem!(
                "{what} needs something that varies: --vary NAME=VALUES"
            ));
        }
        Ok(Self {
            names,
            counts,
            are_numbers,
        })
    }

    pub(super) fn axes(&self) -> Vec<SearchAxis> {
        let axis = |(count, is_number): (&Option<u64>, &bool)| match *count {
            None => SearchAxis::Interval,
            Some(count) if *is_number => SearchAxis::Ordered(count),
            Some(count) => SearchAxis::Unordered(count),
        };
        self.counts
            .iter()
            .zip(&self.are_numbers)
            .map(axis)
            .collect()
    }

    pub(super) fn size(&self) -> Option<usize> {
        let mut counts = self.counts.iter();
        let size = counts.try_fold(1_u64, |size, count| size.checked_mul((*count)?));
        size.and_then(|size| usize::try_from(size).ok())
    }

    pub(super) fn point(&self, index: u64) -> SearchPoint {
        let mut rest = index;
        let mut place = |count: &Option<u64>| {
            let count = count.unwrap_or(1);
            let place = rest % count;
            rest /= count;
            AxisPlace::At(place)
        };
        let mut point: SearchPoint = self.counts.iter().rev().map(&mut place).collect();
        point.reverse();
        point
    }

    /// Returns a point's index in the sweep; `None` if the space contains intervals.
    pub(super) fn index(&self, point: &SearchPoint) -> Option<u64> {
        let mut pairs = point.iter().zip(&self.counts);
        pairs.try_fold(0, |index, pair| match pair {
            (AxisPlace::At(place), Some(count)) => Some(index * count + place),
            _ => None,
        })
    }

    pub(super) fn places(&self, point: &SearchPoint) -> Vec<AxisPlace> {
        let pairs = point.iter().zip(&self.names);
        let places = pairs.flat_map(|(place, names)| names.iter().map(move |_| *place));
        places.collect()
    }
}
