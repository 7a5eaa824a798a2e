//! Describes lookups outside of a table's points.

use std::cmp::Ordering;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Axis {
    X,
    Y,
}

impl Axis {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
        }
    }
}

/// A lookup with a coordinate that is outside of a table's points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outside {
    pub(crate) table: &'static str,
    pub(crate) axis: Axis,
    pub(crate) asked: f64,
    /// The smallest and the largest coordinate of the table's points.
    pub(crate) range: (f64, f64),
}

impl Outside {
    /// Creates the record of the lookup `asked`. `missed` is the range of the points if the lookup
    /// is outside of them.
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

    /// Returns the lookup that is farther from the points. The order of the two doesn't matter.
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

    fn distance(&self) -> f64 {
        if self.asked < self.range.0 {
            self.range.0 - self.asked
        } else {
            self.asked - self.range.1
        }
    }
}
