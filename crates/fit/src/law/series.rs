//! Measurements of one cost, and the options of their fit.

use std::fmt;

use crate::measurements::Point;

/// Measurements of one cost over some parameters.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Samples {
    /// Names of the parameters, in the order of [`Point::at`].
    pub parameters: Vec<String>,
    /// Measurements. Points at the same place are taken together.
    pub points: Vec<Point>,
}

/// Choices of a fit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// Allows negative coefficients, and with them negative values.
    pub signed: bool,
    /// Places where a next measurement is possible; empty for any near the measured ones.
    pub candidates: Vec<Vec<f64>>,
    /// Caches of the machine, if a parameter is a working set.
    pub knees: Option<Knees>,
}

/// Caches beyond which a cost may be another.
#[derive(Debug, Clone, PartialEq)]
pub struct Knees {
    /// Index of the parameter that is a working set, in bytes.
    pub parameter: usize,
    /// Sizes of the caches, in bytes, the nearest first.
    pub sizes: Vec<f64>,
}

/// Reasons why measurements have no fit.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// No value was measured.
    Empty,
    /// A point has another number of parameters than the series.
    Arity {
        /// Index of the point.
        point: usize,
        /// Number of its parameters.
        found: usize,
        /// Number of parameters of the series.
        expected: usize,
    },
    /// A value or a parameter is infinite or not a number.
    NotFinite {
        /// Index of the point.
        point: usize,
    },
    /// A parameter is negative.
    NegativeParameter {
        /// Index of the point.
        point: usize,
        /// Name of the parameter.
        parameter: String,
    },
    /// A value is negative, which a model of non-negative coefficients cannot give.
    NegativeValue {
        /// Index of the point.
        point: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "there are no measured values"),
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
