//! Implements the arrays of the cost language.

use std::cell::Cell;

use crate::language::fault::{Fault, FaultKind};
use crate::language::number::Int;

/// An array variable of `N` values, which are initially zero or `false`.
///
/// The values are on the heap, so that a large array doesn't make the process's future large or
/// overflow the stack.
///
/// ```
/// use prophet_runtime::{Array, Fault, Int};
///
/// let weights = Array::<f64, 10>::named("WEIGHTS");
/// weights.set(Int(3), 0.5)?;
/// assert_eq!(weights.get(3)?, 0.5);
/// assert_eq!(
///     weights.get(10).unwrap_err().to_string(),
///     "index 10 is out of range: the array `WEIGHTS` has 10 values, counted from 0"
/// );
/// # Ok::<(), Fault>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Array<T: Copy, const N: usize> {
    cells: Box<[Cell<T>]>,
    name: &'static str,
}

impl<T: Copy + Default, const N: usize> Array<T, N> {
    /// Creates an array variable. `name` is its name in the model, for messages.
    pub fn named(name: &'static str) -> Self {
        let cells = vec![Cell::new(T::default()); N].into();
        Self { cells, name }
    }
}

impl<T: Copy, const N: usize> Array<T, N> {
    /// Returns the value at `index`.
    ///
    /// # Errors
    ///
    /// Returns [`FaultKind::IndexOutOfRange`] if `index` is negative or at least `N`.
    pub fn get(&self, index: impl Into<Int>) -> Result<T, Fault> {
        self.cell(index.into()).map(Cell::get)
    }

    /// Sets the value at `index`.
    ///
    /// # Errors
    ///
    /// Returns [`FaultKind::IndexOutOfRange`] if `index` is negative or at least `N`.
    pub fn set(&self, index: impl Into<Int>, value: T) -> Result<(), Fault> {
        self.cell(index.into()).map(|cell| cell.set(value))
    }

    fn cell(&self, index: Int) -> Result<&Cell<T>, Fault> {
        usize::try_from(index.0)
            .ok()
            .and_then(|index| self.cells.get(index))
            .ok_or_else(|| self.out_of_range(index))
    }

    #[cold]
    fn out_of_range(&self, index: Int) -> Fault {
        let kind = FaultKind::IndexOutOfRange {
            array: self.name,
            index: index.0,
            length: self.cells.len(),
        };
        kind.into()
    }
}

impl<T: Copy + Default, const N: usize> Default for Array<T, N> {
    fn default() -> Self {
        Self::named("")
    }
}

impl<T: Copy, const N: usize> From<[T; N]> for Array<T, N> {
    fn from(values: [T; N]) -> Self {
        Self {
            cells: values.into_iter().map(Cell::new).collect(),
            name: "",
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn out_of_range(index: i64, length: usize) -> Fault {
        let kind = FaultKind::IndexOutOfRange {
            array: "",
            index,
            length,
        };
        kind.into()
    }

    proptest! {
        #[test]
        fn only_indices_in_range_are_there(
            index in prop_oneof![any::<i64>(), -3..13_i64],
            value: i64,
        ) {
            let array = Array::<Int, 10>::default();
            let inside = (0..10).contains(&index);
            prop_assert_eq!(array.set(index, Int(value)).is_ok(), inside);
            let expected = if inside { Ok(Int(value)) } else { Err(out_of_range(index, 10)) };
            prop_assert_eq!(array.get(Int(index)), expected);
        }
    }

    #[test]
    fn an_initializer_gives_the_values() {
        let array = Array::from([1.0, 2.0, 3.0]);
        assert_eq!(array.get(2), Ok(3.0));
        assert_eq!(array.get(-1), Err(out_of_range(-1, 3)));
    }

    #[test]
    fn a_large_array_fits_any_stack() {
        let array = Array::<f64, 10_000_000>::default();
        assert_eq!(array.get(9_999_999), Ok(0.0));
        assert!(size_of_val(&array) <= 32);
    }
}
