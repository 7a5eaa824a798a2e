//! Questions to tables outside of their points.

use std::cmp::Ordering;

/// Numbers that a table is looked up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Axis {
    X,
    Y,
}

impl Axis {
    /// Name of the number in the cost language's contract.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
        }
    }
}

/// A number that a table was looked up by, outside of its points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outside {
    /// File of the table.
    pub(crate) table: &'static str,
    pub(crate) axis: Axis,
    pub(crate) asked: f64,
    /// The least and the largest of the points.
    pub(crate) range: (f64, f64),
}

impl Outside {
    /// A number whose table misses it, having these points.
    pub(super) fn of(
        table: &'static str,
        axis: Axis,
        asked: f64,
        missed: Option<(f64, f64)>,
    ) -> Option<Self> {
        missed.map(|range| Self {
            table,
            axis,
            asked,
            range,
        })
    }

    /// The one that is farther from the points; which of two it is does not depend on their order.
    pub(crate) fn farther(self, other: Self) -> Self {
        match self.compare(&other) {
            Ordering::Less => other,
            _ => self,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        let key = |it: &Self| [it.distance(), it.asked, it.range.0, it.range.1];
        let (own, others) = (key(self), key(other));
        let mut each = own.iter().zip(&others).map(|(a, b)| a.total_cmp(b));
        each.find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// Distance from the nearest point.
    fn distance(&self) -> f64 {
        if self.asked < self.range.0 {
            self.range.0 - self.asked
        } else {
            self.asked - self.range.1
        }
    }
}
