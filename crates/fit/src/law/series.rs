//! Defines the measurements of a cost, and the options for fitting it.

use std::fmt;

use crate::measurements::Point;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Samples {
    /// Names of the parameters, in the order of [`Point::at`].
    pub parameters: Vec<String>,
    /// Points at the same place are combined.
    pub points: Vec<Point>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// Whether coefficients, and therefore costs, can be negative.
    pub signed: bool,
    /// Places where the next measurement could be made; if empty, places near the measured ones.
    pub candidates: Vec<Vec<f64>>,
    /// The machine's caches, if one of the parameters is a working set.
    pub knees: Option<Knees>,
}

/// Caches. A cost can change where the working set exceeds their sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Knees {
    /// Index of the parameter that contains the size of the working set, in bytes.
    pub parameter: usize,
    /// Sizes of the caches in bytes, from the nearest to the farthest.
    pub sizes: Vec<f64>,
}

/// Why measurements can't be fitted.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    Empty,
    /// A point has more or fewer parameters than the series.
    Arity {
        point: usize,
        found: usize,
        expected: usize,
    },
    /// A value or a parameter is infinite or not a number.
    NotFinite {
        point: usize,
    },
    NegativeParameter {
        point: usize,
        parameter: String,
    },
    /// A value is negative, but the coefficients, and therefore the model, can't be.
    NegativeValue {
        point: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "no measured values found"),
            Self::Arity {
                point,
                found,
                expected,
            } => write!(
                f,
                "point {} has {found} parameters instead of {expected}",
                point + 1
            ),
            Self::NotFinite { point } => {
                write!(f, "point {} has an infinite or invalid number", point + 1)
            }
            Self::NegativeParameter { point, parameter } => {
                write!(f, "point {} has a negative `{parameter}`", point + 1)
            }
            Self::NegativeValue { point } => write!(
                f,
                "point {} has a negative value, which only a fit with signed coefficients supports",
                point + 1
            ),
        }
    }
}

impl std::error::Error for Refusal {}
