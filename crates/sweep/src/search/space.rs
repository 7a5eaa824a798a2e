//! Spaces of parameters, and their points.

/// An axis of a space.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchAxis {
    /// Values in an order, each at a place from 0 to 1.
    Ordered(Vec<f64>),
    /// A number of values without an order.
    Unordered(usize),
    /// All numbers from 0 to 1.
    Continuous,
}

/// A place on an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coordinate {
    /// Index of a value.
    Level(usize),
    /// A number from 0 to 1.
    Place(f64),
}

/// A point of a space: a coordinate on each of its axes.
pub type SearchPoint = Vec<Coordinate>;

/// Ratio of the ends of an axis from which its values count by their logarithms.
const WIDE: f64 = 8.0;

impl SearchAxis {
    /// Axis of values in an order, with even distances.
    pub fn evenly(levels: usize) -> Self {
        let last = levels.saturating_sub(1).max(1) as f64;
        Self::Ordered((0..levels).map(|level| level as f64 / last).collect())
    }

    /// Axis of numbers. Distances are measured in logarithms if all numbers are positive and the
    /// largest is many times the smallest.
    pub fn along(values: &[f64]) -> Self {
        let ends = |values: &[f64]| {
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            (
                low,
                values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            )
        };
        let (low, high) = ends(values);
        let places: Vec<f64> = if low > 0.0 && high / low >= WIDE {
            values.iter().map(|&value| libm::log(value)).collect()
        } else {
            values.to_vec()
        };
        let (low, high) = ends(&places);
        let width = high - low;
        if !(width > 0.0 && width.is_finite()) {
            return Self::evenly(values.len());
        }
        Self::Ordered(places.iter().map(|place| (place - low) / width).collect())
    }

    /// Number of values; `None` where there is one at every place.
    pub fn levels(&self) -> Option<usize> {
        match self {
            Self::Ordered(places) => Some(places.len()),
            Self::Unordered(levels) => Some(*levels),
            Self::Continuous => None,
        }
    }

    /// Coordinate of a number from 0 to 1, such that all values are equally likely.
    pub(crate) fn coordinate(&self, unit: f64) -> Coordinate {
        self.levels().map_or(Coordinate::Place(unit), |levels| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it lies between 0 and the number of values"
            )]
            let level = (unit * levels as f64) as usize;
            Coordinate::Level(level.min(levels - 1))
        })
    }

    /// Number that stands for a coordinate in distances.
    pub(crate) fn feature(&self, at: Coordinate) -> f64 {
        match (self, at) {
            (Self::Ordered(places), Coordinate::Level(level)) => places[level],
            (_, Coordinate::Level(level)) => level as f64,
            (_, Coordinate::Place(place)) => place,
        }
    }
}

/// A space: the product of its axes.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSpace {
    axes: Vec<SearchAxis>,
}

impl SearchSpace {
    /// Product of these axes.
    ///
    /// # Panics
    ///
    /// If one has no value.
    pub fn new(axes: Vec<SearchAxis>) -> Self {
        assert!(
            axes.iter().all(|axis| axis.levels() != Some(0)),
            "each axis has a value"
        );
        Self { axes }
    }

    /// The axes.
    pub fn axes(&self) -> &[SearchAxis] {
        &self.axes
    }

    /// Number of points; `None` if they cannot be counted.
    pub fn size(&self) -> Option<usize> {
        let mut levels = self.axes.iter().map(SearchAxis::levels);
        levels.try_fold(1_usize, |size, levels| size.checked_mul(levels?))
    }

    /// Point by its index, the last axis changing fastest.
    ///
    /// # Panics
    ///
    /// If the points cannot be counted.
    pub fn point(&self, index: usize) -> SearchPoint {
        let mut rest = index;
        let mut point: SearchPoint = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            let levels = axis.levels().expect("the points can be counted");
            point.push(Coordinate::Level(rest % levels));
            rest /= levels;
        }
        point.reverse();
        point
    }

    /// Point of a place in the unit cube.
    pub(crate) fn at(&self, unit: &[f64]) -> SearchPoint {
        let pairs = self.axes.iter().zip(unit);
        pairs.map(|(axis, &unit)| axis.coordinate(unit)).collect()
    }

    /// Numbers that stand for a point in distances.
    pub(crate) fn features(&self, point: &[Coordinate]) -> Vec<f64> {
        let pairs = self.axes.iter().zip(point);
        pairs.map(|(axis, &at)| axis.feature(at)).collect()
    }
}

/// Coordinates of a point, with an order.
pub(super) type Key = Vec<u64>;

pub(super) fn key(point: &[Coordinate]) -> Key {
    let bits = |at: &Coordinate| match *at {
        Coordinate::Level(level) => level as u64,
        Coordinate::Place(place) => place.to_bits(),
    };
    point.iter().map(bits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_counted_with_the_last_axis_fastest() {
        let space = SearchSpace::new(vec![SearchAxis::evenly(2), SearchAxis::Unordered(3)]);
        assert_eq!(space.size(), Some(6));
        let all: Vec<SearchPoint> = (0..6).map(|index| space.point(index)).collect();
        let expected = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]];
        for (point, levels) in all.iter().zip(expected) {
            assert_eq!(*point, levels.map(Coordinate::Level));
        }
    }

    #[test]
    fn spaces_that_are_not_countable_have_no_size() {
        assert_eq!(SearchSpace::new(vec![SearchAxis::Continuous]).size(), None);
        let huge = SearchAxis::Unordered(1 << 40);
        assert_eq!(SearchSpace::new(vec![huge.clone(), huge]).size(), None);
    }

    #[test]
    fn wide_axes_are_logarithmic() {
        assert_eq!(
            SearchAxis::along(&[1.0, 4.0, 16.0]),
            SearchAxis::Ordered(vec![0.0, 0.5, 1.0])
        );
        assert_eq!(
            SearchAxis::along(&[2.0, 3.0, 6.0]),
            SearchAxis::Ordered(vec![0.0, 0.25, 1.0])
        );
        let linear = SearchAxis::along(&[-1.0, 0.0, 99.0]);
        assert_eq!(linear, SearchAxis::Ordered(vec![0.0, 0.01, 1.0]));
        assert_eq!(SearchAxis::along(&[5.0]), SearchAxis::Ordered(vec![0.0]));
    }
}
