//! Implements the integers of the cost language. They have 64 bits and wrap, so no model can make a
//! run panic.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, Mul,
    MulAssign, Neg, Not, Rem, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use crate::language::fault::{Fault, FaultKind, STEPS_MAX};

/// A 64-bit integer of the cost language (`int`, `long`, UML `Integer`).
///
/// Arithmetic wraps, and shift distances are taken modulo 64. To divide by a number that can be
/// zero, use [`div`] and [`rem`], which return a fault in that case.
///
/// ```
/// use prophet_runtime::{Int, div};
///
/// let pid = Int(3);
/// assert_eq!(pid + 1, 4);
/// assert_eq!(div(32, pid + 1)?.real(), 8.0);
/// assert_eq!(Int(i64::MAX) + 1, i64::MIN);
/// # Ok::<(), prophet_runtime::Fault>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Int(pub i64);

impl Int {
    /// Converts to the nearest real number, as in C.
    ///
    /// ```
    /// use prophet_runtime::Int;
    ///
    /// assert_eq!(Int(-2).real(), -2.0);
    /// ```
    #[expect(
        clippy::cast_precision_loss,
        reason = "C rounds to the nearest double here"
    )]
    #[inline]
    pub const fn real(self) -> f64 {
        self.0 as f64
    }

    /// Returns the integer part of a real number. If it is out of range, returns the nearest
    /// integer, and for NaN, 0.
    ///
    /// In C, both are undefined, but predictions must be the same everywhere.
    ///
    /// ```
    /// use prophet_runtime::Int;
    ///
    /// assert_eq!(Int::truncate(-2.9), -2);
    /// assert_eq!(Int::truncate(1e300), i64::MAX);
    /// assert_eq!(Int::truncate(f64::NAN), 0);
    /// ```
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the cast truncates and saturates"
    )]
    #[inline]
    pub const fn truncate(real: f64) -> Self {
        Self(real as i64)
    }
}

// There is no `From<i32>` and so on. With only one source type, a literal has that type (`div(7,
// n)`), but with a second one, it would be ambiguous.
impl From<i64> for Int {
    #[inline]
    fn from(value: i64) -> Self {
        Self(value)
    }
}

impl From<bool> for Int {
    #[inline]
    fn from(value: bool) -> Self {
        Self(i64::from(value))
    }
}

impl From<Int> for i64 {
    #[inline]
    fn from(value: Int) -> Self {
        value.0
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq<i64> for Int {
    #[inline]
    fn eq(&self, other: &i64) -> bool {
        self.0 == *other
    }
}

impl PartialEq<Int> for i64 {
    #[inline]
    fn eq(&self, other: &Int) -> bool {
        *self == other.0
    }
}

impl PartialOrd<i64> for Int {
    #[inline]
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        self.0.partial_cmp(other)
    }
}

impl PartialOrd<Int> for i64 {
    #[inline]
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        self.partial_cmp(&other.0)
    }
}

/// Defines an operator on two integers, one of which can be an `i64`, and the operator's assigning
/// form.
macro_rules! operators {
    ($($operator:ident $method:ident, $assigning:ident $assign:ident: $compute:expr;)+) => {$(
        impl $operator for Int {
            type Output = Int;

            #[inline]
            fn $method(self, other: Int) -> Int {
                let compute: fn(i64, i64) -> i64 = $compute;
                Int(compute(self.0, other.0))
            }
        }

        impl $operator<i64> for Int {
            type Output = Int;

            #[inline]
            fn $method(self, other: i64) -> Int {
                $operator::$method(self, Int(other))
            }
        }

        impl $operator<Int> for i64 {
            type Output = Int;

            #[inline]
            fn $method(self, other: Int) -> Int {
                $operator::$method(Int(self), other)
            }
        }

        impl $assigning for Int {
            #[inline]
            fn $assign(&mut self, other: Int) {
                *self = $operator::$method(*self, other);
            }
        }

        impl $assigning<i64> for Int {
            #[inline]
            fn $assign(&mut self, other: i64) {
                *self = $operator::$method(*self, Int(other));
            }
        }
    )+};
}

operators! {
    Add add, AddAssign add_assign: i64::wrapping_add;
    Sub sub, SubAssign sub_assign: i64::wrapping_sub;
    Mul mul, MulAssign mul_assign: i64::wrapping_mul;
    BitAnd bitand, BitAndAssign bitand_assign: |a, b| a & b;
    BitOr bitor, BitOrAssign bitor_assign: |a, b| a | b;
    BitXor bitxor, BitXorAssign bitxor_assign: |a, b| a ^ b;
    Shl shl, ShlAssign shl_assign: |a, b| a.wrapping_shl(distance(b));
    Shr shr, ShrAssign shr_assign: |a, b| a.wrapping_shr(distance(b));
}

/// Returns the number of bits to shift by, modulo 64; negative numbers wrap as well.
#[expect(clippy::cast_sign_loss, reason = "only the six lowest bits are left")]
const fn distance(bits: i64) -> u32 {
    (bits & 63) as u32
}

impl Neg for Int {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Not for Int {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Divides by a literal, which the generator has checked isn't zero. For all other divisors, use
/// [`div`].
///
/// # Panics
///
/// Panics if the divisor is zero, like division of Rust's own integers.
impl Div<i64> for Int {
    type Output = Self;

    #[inline]
    fn div(self, divisor: i64) -> Self {
        Self(self.0.wrapping_div(divisor))
    }
}

/// Computes the remainder of a division by a literal, which the generator has checked isn't zero.
/// For all other divisors, use [`rem`].
///
/// # Panics
///
/// Panics if the divisor is zero, like division of Rust's own integers.
impl Rem<i64> for Int {
    type Output = Self;

    #[inline]
    fn rem(self, divisor: i64) -> Self {
        Self(self.0.wrapping_rem(divisor))
    }
}

/// Computes the quotient of two integers, rounded toward zero as in C.
///
/// # Errors
///
/// Returns [`FaultKind::DivisionByZero`] if the divisor is 0.
///
/// ```
/// use prophet_runtime::{FaultKind, Int, div};
///
/// assert_eq!(div(-7, 2), Ok(Int(-3)));
/// assert_eq!(div(7, Int(0)), Err(FaultKind::DivisionByZero.into()));
/// ```
#[inline]
pub fn div(dividend: impl Into<Int>, divisor: impl Into<Int>) -> Result<Int, Fault> {
    match divisor.into().0 {
        0 => Err(FaultKind::DivisionByZero.into()),
        divisor => Ok(Int(dividend.into().0.wrapping_div(divisor))),
    }
}

/// Computes the remainder of [`div`]. As in C, it has the sign of the dividend.
///
/// # Errors
///
/// Returns [`FaultKind::DivisionByZero`] if the divisor is 0.
///
/// ```
/// use prophet_runtime::{Int, rem};
///
/// assert_eq!(rem(-7, 2), Ok(Int(-1)));
/// ```
#[inline]
pub fn rem(dividend: impl Into<Int>, divisor: impl Into<Int>) -> Result<Int, Fault> {
    match divisor.into().0 {
        0 => Err(FaultKind::DivisionByZero.into()),
        divisor => Ok(Int(dividend.into().0.wrapping_rem(divisor))),
    }
}

/// Returns the integers from 0 to `count - 1`, for a `loop+`. If `count` is negative, there are
/// none.
///
/// ```
/// use prophet_runtime::{Int, iterations};
///
/// assert!(iterations(3).eq([Int(0), Int(1), Int(2)]));
/// assert_eq!(iterations(-3).count(), 0);
/// ```
#[inline]
pub fn iterations(count: impl Into<Int>) -> Iterations {
    Iterations {
        next: 0,
        end: count.into().0,
    }
}

/// The iterator that [`iterations`] returns.
#[derive(Debug, Clone)]
pub struct Iterations {
    next: i64,
    end: i64,
}

impl Iterator for Iterations {
    type Item = Int;

    #[inline]
    fn next(&mut self) -> Option<Int> {
        let turn = self.next;
        (turn < self.end).then(|| {
            self.next += 1;
            Int(turn)
        })
    }
}

/// Counts the loop iterations in a piece of a model's code, so that no loop can run forever.
///
/// ```
/// use prophet_runtime::{Fault, FaultKind, Steps};
///
/// fn forever() -> Result<f64, Fault> {
///     let mut steps = Steps::default();
///     loop {
///         steps.count()?;
///     }
/// }
/// assert_eq!(forever(), Err(FaultKind::TooManySteps.into()));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Steps(u32);

impl Steps {
    /// The maximum number of loop iterations in a piece of code, which the message of
    /// [`FaultKind::TooManySteps`] names.
    pub const MAX: u32 = STEPS_MAX;

    /// Counts an iteration.
    ///
    /// # Errors
    ///
    /// Returns [`FaultKind::TooManySteps`] after [`Steps::MAX`] iterations.
    #[inline]
    pub fn count(&mut self) -> Result<(), Fault> {
        if self.0 == Self::MAX {
            return Err(FaultKind::TooManySteps.into());
        }
        self.0 += 1;
        Ok(())
    }
}

/// Converts a real number to a process number.
///
/// If the real number isn't a whole number, sending to the result or receiving from it stops the
/// run.
///
/// ```
/// use prophet_runtime::{Int, whole};
///
/// assert_eq!(whole(3.0), Int(3));
/// assert_ne!(whole(3.5), Int(3));
/// ```
pub fn whole(number: f64) -> Int {
    if number.fract() == 0.0 {
        Int::truncate(number)
    } else {
        NOT_WHOLE
    }
}

/// What [`whole`] returns for a number that isn't whole.
pub(crate) const NOT_WHOLE: Int = Int(i64::MIN + 1);

/// The partner of a message whose `rud` names, as the message's own end, a process other than the
/// one that executes it. `prophet_model` generates expressions with this number for such a `rud`.
pub(crate) const NOT_HERE: i64 = i64::MIN + 2;

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "results are exact")]

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn arithmetic_is_that_of_wrapping_i64(a: i64, b: i64) {
            let (x, y) = (Int(a), Int(b));
            prop_assert_eq!(x + y, a.wrapping_add(b));
            prop_assert_eq!(x - b, a.wrapping_sub(b));
            prop_assert_eq!(a * y, a.wrapping_mul(b));
            prop_assert_eq!(-x, a.wrapping_neg());
            prop_assert_eq!(x & y, a & b);
            prop_assert_eq!(x | b, a | b);
            prop_assert_eq!(a ^ y, a ^ b);
            prop_assert_eq!(!x, !a);
        }

        #[test]
        fn division_is_c_s(a: i64, b in prop_oneof![any::<i64>(), -2..=2_i64]) {
            if b == 0 {
                prop_assert_eq!(div(a, b), Err(FaultKind::DivisionByZero.into()));
                prop_assert_eq!(rem(a, b), Err(FaultKind::DivisionByZero.into()));
            } else {
                let (quotient, remainder) = (div(a, b).unwrap(), rem(a, b).unwrap());
                prop_assert_eq!(quotient * b + remainder, a);
                prop_assert!(remainder == 0 || (remainder < 0) == (a < 0));
                prop_assert!(remainder.0.unsigned_abs() < b.unsigned_abs());
            }
        }

        #[test]
        fn shifts_count_modulo_64(a: i64, distance in -200..200_i64) {
            let bits = u32::try_from(distance.rem_euclid(64)).unwrap();
            prop_assert_eq!(Int(a) << distance, a << bits);
            prop_assert_eq!(Int(a) >> Int(distance), a >> bits);
        }

        #[test]
        fn assigning_is_operating(a: i64, b: i64) {
            let mut x = Int(a);
            x += b;
            x -= Int(a);
            prop_assert_eq!(x, b);
            x *= b;
            x ^= a;
            x |= Int(b);
            x &= a;
            x <<= 3;
            x >>= b;
            prop_assert_eq!(x, ((((b.wrapping_mul(b) ^ a) | b) & a) << 3) >> (b & 63));
        }

        #[test]
        fn comparisons_are_i64_s(a: i64, b: i64) {
            prop_assert_eq!(Int(a) < b, a < b);
            prop_assert_eq!(a <= Int(b), a <= b);
            prop_assert_eq!(Int(a) == b, a == b);
            prop_assert_eq!(Int(a).cmp(&Int(b)), a.cmp(&b));
        }

        #[test]
        fn reals_of_small_integers_come_back(a in -(1_i64 << 53)..=(1_i64 << 53)) {
            prop_assert_eq!(Int::truncate(Int(a).real()), a);
        }

        #[test]
        fn truncation_goes_toward_zero(x in -1e18..1e18_f64) {
            prop_assert_eq!(Int::truncate(x).real(), x.trunc());
        }
    }

    #[test]
    fn the_lowest_integer_has_no_trap() {
        let lowest = Int(i64::MIN);
        assert_eq!(div(lowest, -1), Ok(lowest));
        assert_eq!(rem(lowest, -1), Ok(Int(0)));
        assert_eq!(-lowest, lowest);
        assert_eq!(lowest - 1, i64::MAX);
    }

    #[test]
    fn truncation_saturates() {
        assert_eq!(Int::truncate(f64::NEG_INFINITY), i64::MIN);
        assert_eq!(Int::truncate(f64::INFINITY), i64::MAX);
        assert_eq!(Int::truncate(f64::NAN), 0);
        assert_eq!(Int::truncate(-0.99), 0);
    }

    #[test]
    fn iterations_end_at_the_largest_integer_too() {
        let mut last = Iterations {
            next: i64::MAX - 1,
            end: i64::MAX,
        };
        assert_eq!(last.next(), Some(Int(i64::MAX - 1)));
        assert_eq!(last.next(), None);
        assert_eq!(last.next(), None);
    }

    #[test]
    fn a_hundred_million_steps_are_allowed() {
        let mut steps = Steps(Steps::MAX - 1);
        assert_eq!(steps.count(), Ok(()));
        assert_eq!(steps.count(), Err(FaultKind::TooManySteps.into()));
        assert_eq!(steps.count(), Err(FaultKind::TooManySteps.into()));
    }

    #[test]
    fn integers_print_as_such() {
        assert_eq!(format!("{:>5}", Int(-42)), "  -42");
        assert_eq!(Int::from(true), 1);
        assert_eq!(i64::from(Int(7)), 7);
    }
}
