//! Defines faults in a model's own code.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::language::place::ModelPlace;

/// Maximum number of iterations of a loop in a cost function.
pub(super) const STEPS_MAX: u32 = 100_000_000;

/// A fault in a model's code. It stops the run, and the message names the element.
///
/// The type is as small as a pointer, so that the results of cost functions are small. It contains
/// an `Arc`, because dropping one compiles to at most one call, and that code is in every element's
/// future.
///
/// ```
/// use prophet_runtime::{FaultKind, div};
///
/// let fault = div(32, 0).unwrap_err();
/// assert_eq!(*fault.kind(), FaultKind::DivisionByZero);
/// assert_eq!(fault.to_string(), "integer division by zero");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault(Arc<Details>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Details {
    kind: FaultKind,
    function: Option<Function>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Function {
    name: &'static str,
    place: Option<ModelPlace>,
}

/// The kind of a [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// An integer division or remainder by zero.
    DivisionByZero,
    /// An index that is negative or past the end of its array.
    IndexOutOfRange {
        /// The name of the array in the model, or an empty string if it has none.
        array: &'static str,
        /// The index that the model's code used.
        index: i64,
        /// Number of values of the array.
        length: usize,
    },
    /// A parameter that a distribution doesn't accept, such as a negative deviation.
    Variate,
    /// A request for the neighbor of a process that isn't on the grid, or on a grid without
    /// processes.
    OutsideGrid {
        /// The process whose neighbor was requested.
        process: i64,
        /// The size of the grid in each dimension, or `None` for dimensions that it doesn't have.
        sizes: [Option<i64>; 3],
    },
    /// A loop in a cost function or code fragment that seems never to end.
    TooManySteps,
}

impl Fault {
    /// Returns the kind of the fault.
    pub fn kind(&self) -> &FaultKind {
        &self.0.kind
    }

    /// Returns the name of the cost function in which the fault occurred, or `None` if it occurred
    /// in an element's own code.
    pub fn function(&self) -> Option<&'static str> {
        self.0.function.as_ref().map(|function| function.name)
    }

    /// Sets the cost function in which the fault occurred. A function that is already set stays,
    /// because this one called it.
    #[cold]
    fn met_in(mut self, name: &'static str) -> Self {
        let function = &mut Arc::make_mut(&mut self.0).function;
        function.get_or_insert(Function { name, place: None });
        self
    }

    /// Adds where in the model the function with the fault is. `place` finds that by the function's
    /// name.
    pub(crate) fn locate(&mut self, place: impl FnOnce(&str) -> Option<ModelPlace>) {
        if let Some(function) = &mut Arc::make_mut(&mut self.0).function {
            function.place = place(function.name);
        }
    }

    /// Writes the details that come after the process, the element, and the time.
    pub(crate) fn details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Function { name, place }) = &self.0.function else {
            return Ok(());
        };
        write!(f, "\n  in the function `{}`", name.escape_debug())?;
        ModelPlace::below(place.as_ref(), "  ", f)
    }
}

impl From<FaultKind> for Fault {
    #[cold]
    fn from(kind: FaultKind) -> Self {
        let function = None;
        Self(Arc::new(Details { kind, function }))
    }
}

/// Runs the body of a cost function of the model, and adds the function's name to any fault.
///
/// # Errors
///
/// Returns any fault of the body.
///
/// ```
/// use prophet_runtime::{div, in_function};
///
/// let share = in_function("Share", || Ok(div(32, 0)?.real()));
/// assert_eq!(share.unwrap_err().function(), Some("Share"));
/// ```
#[inline]
pub fn in_function<T>(
    name: &'static str,
    body: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    body().map_err(|fault| fault.met_in(name))
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.kind.fmt(f)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DivisionByZero => f.write_str("integer division by zero"),
            Self::IndexOutOfRange {
                array,
                index,
                length,
            } => {
                let values = if *length == 1 { "value" } else { "values" };
                write!(f, "index {index} is out of range: the array")?;
                if !array.is_empty() {
                    write!(f, " `{}`", array.escape_debug())?;
                }
                write!(f, " has {length} {values}, counted from 0")
            }
            Self::Variate => f.write_str("a distribution's parameter is out of range"),
            Self::OutsideGrid { process, sizes } => outside_grid(*process, sizes, f),
            Self::TooManySteps => write!(
                f,
                "a loop did not end after {} million steps: does its condition ever become false?",
                STEPS_MAX / 1_000_000
            ),
        }
    }
}

fn outside_grid(process: i64, sizes: &[Option<i64>], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let sizes: Vec<i64> = sizes.iter().copied().flatten().collect();
    let texts: Vec<String> = sizes.iter().map(i64::to_string).collect();
    let grid = texts.join(" x ");
    if sizes.iter().any(|size| *size < 1) {
        return write!(
            f,
            "a grid of {grid} processes is empty: each size must be at least 1"
        );
    }
    write!(
        f,
        "process {process} is not on the grid of {grid} processes"
    )?;
    let count = sizes
        .iter()
        .try_fold(1_i64, |count, size| count.checked_mul(*size));
    match count {
        Some(count) => write!(f, ", which are numbered 0 to {}", count - 1),
        None => Ok(()),
    }
}

impl Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_cost_functions_are_small() {
        assert_eq!(size_of::<Result<(), Fault>>(), size_of::<usize>());
        assert_eq!(size_of::<Result<f64, Fault>>(), 16);
    }

    #[test]
    fn the_innermost_function_is_named() {
        let inner = || in_function("Inner", || Err(FaultKind::Variate.into()));
        let outer: Result<(), Fault> = in_function("Outer", inner);
        assert_eq!(outer.unwrap_err().function(), Some("Inner"));
    }
}
