//! Arrays of the cost language.

use std::cell::Cell;

use crate::fault::Fault;
use crate::number::Int;

/// An array variable of `N` values, all zero (or false) at first.
///
/// The values live on the heap, so that a large array makes neither the process's future large nor
/// the stack overflow.
///
/// ```
/// use prophet_runtime::{Array, Fault, Int};
///
/// let weights = Array::<f64, 10>::default();
/// weights.set(Int(3), 0.5)?;
/// assert_eq!(weights.get(3)?, 0.5);
/// assert_eq!(weights.get(10), Err(Fault::IndexOutOfRange));
/// # Ok::<(), Fault>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Array<T: Copy, const N: usize> {
    cells: Box<[Cell<T>]>,
}

impl<T: Copy, const N: usize> Array<T, N> {
    /// The value at `index`.
    ///
    /// # Errors
    ///
    /// [`Fault::IndexOutOfRange`] if `index` is negative or `N` at least.
    pub fn get(&self, index: impl Into<Int>) -> Result<T, Fault> {
        self.cell(index.into()).map(Cell::get)
    }

    /// Stores a value at `index`.
    ///
    /// # Errors
    ///
    /// [`Fault::IndexOutOfRange`] if `index` is negative or `N` at least.
    pub fn set(&self, index: impl Into<Int>, value: T) -> Result<(), Fault> {
        self.cell(index.into()).map(|cell| cell.set(value))
    }

    fn cell(&self, index: Int) -> Result<&Cell<T>, Fault> {
        usize::try_from(index.0)
            .ok()
            .and_then(|index| self.cells.get(index))
            .ok_or(Fault::IndexOutOfRange)
    }
}

impl<T: Copy + Default, const N: usize> Default for Array<T, N> {
    fn default() -> Self {
        Self {
            cells: vec![Cell::new(T::default()); N].into(),
        }
    }
}

impl<T: Copy, const N: usize> From<[T; N]> for Array<T, N> {
    fn from(values: [T; N]) -> Self {
        Self {
            cells: values.into_iter().map(Cell::new).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn only_indices_in_range_are_there(
            index in prop_oneof![any::<i64>(), -3..13_i64],
            value: i64,
        ) {
            let array = Array::<Int, 10>::default();
            let inside = (0..10).contains(&index);
            prop_assert_eq!(array.set(index, Int(value)).is_ok(), inside);
            let expected = if inside { Ok(Int(value)) } else { Err(Fault::IndexOutOfRange) };
            prop_assert_eq!(array.get(Int(index)), expected);
        }
    }

    #[test]
    fn an_initializer_gives_the_values() {
        let array = Array::from([1.0, 2.0, 3.0]);
        assert_eq!(array.get(2), Ok(3.0));
        assert_eq!(array.get(-1), Err(Fault::IndexOutOfRange));
    }

    #[test]
    fn a_large_array_fits_any_stack() {
        let array = Array::<f64, 10_000_000>::default();
        assert_eq!(array.get(9_999_999), Ok(0.0));
        assert!(size_of_val(&array) <= 16);
    }
}
