//! What can go wrong inside a model's own code.

use std::error::Error;
use std::fmt;

/// A piece of model code that cannot go on; it stops the run with the element's name.
///
/// ```
/// use prophet_runtime::{Fault, div};
///
/// assert_eq!(div(32, 0), Err(Fault::DivisionByZero));
/// assert_eq!(Fault::DivisionByZero.to_string(), "integer division by zero");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Fault {
    /// An integer division or remainder by zero.
    DivisionByZero,
    /// An index below zero or behind the end of its array.
    IndexOutOfRange,
    /// A parameter that a distribution does not have, such as a negative deviation.
    Variate,
    /// A loop in a cost function or code fragment that does not seem to end.
    TooManySteps,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DivisionByZero => "integer division by zero",
            Self::IndexOutOfRange => "index out of range",
            Self::Variate => "a distribution's parameter is out of range",
            Self::TooManySteps => "a loop inside a cost function took too many steps",
        })
    }
}

impl Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_byte_and_so_is_a_result_of_it() {
        assert_eq!(size_of::<Fault>(), 1);
        assert_eq!(size_of::<Result<(), Fault>>(), 1);
    }
}
