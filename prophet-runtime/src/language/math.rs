//! Implements the mathematical functions of C, and `abs`, `min` and `max` of C++ for integers.
//!
//! The functions come from the crate `libm`. The results of std's functions differ between
//! platforms in the last digit, and predictions must not.
//!
//! ```
//! use prophet_runtime::{Int, math};
//!
//! assert_eq!(math::pow(2.0, 10.0), 1024.0);
//! assert_eq!(math::max(3, Int(4)), 4);
//! ```

use crate::language::number::Int;

macro_rules! of_one {
    ($($name:ident: $doc:literal;)+) => {$(
        #[doc = $doc]
        pub fn $name(x: f64) -> f64 {
            libm::$name(x)
        }
    )+};
}

macro_rules! of_two {
    ($($name:ident($x:ident, $y:ident): $doc:literal;)+) => {$(
        #[doc = $doc]
        pub fn $name($x: f64, $y: f64) -> f64 {
            libm::$name($x, $y)
        }
    )+};
}

of_one! {
    acos: "The angle in radians that has this cosine.";
    acosh: "The inverse of [`cosh`].";
    asin: "The angle in radians that has this sine.";
    asinh: "The inverse of [`sinh`].";
    atan: "The angle in radians that has this tangent.";
    atanh: "The inverse of [`tanh`].";
    cbrt: "The cube root.";
    ceil: "The smallest integer that is not below `x`.";
    cos: "The cosine of an angle in radians.";
    cosh: "The hyperbolic cosine.";
    erf: "The error function.";
    erfc: "`1 - erf(x)`, without losing digits.";
    exp: "e to the power of `x`.";
    exp2: "2 to the power of `x`.";
    expm1: "`exp(x) - 1`, exact near 0.";
    fabs: "The absolute value.";
    floor: "The largest integer that is not above `x`.";
    lgamma: "The logarithm of the absolute value of [`tgamma`].";
    log: "The natural logarithm.";
    log10: "The logarithm to base 10.";
    log1p: "`log(1 + x)`, exact near 0.";
    log2: "The logarithm to base 2.";
    rint: "The nearest integer; halves round to even.";
    round: "The nearest integer; halves round away from 0.";
    sin: "The sine of an angle in radians.";
    sinh: "The hyperbolic sine.";
    sqrt: "The square root.";
    tan: "The tangent of an angle in radians.";
    tanh: "The hyperbolic tangent.";
    tgamma: "The gamma function.";
    trunc: "The integer part.";
}

of_two! {
    atan2(y, x): "The angle in radians of the point (`x`, `y`).";
    copysign(x, sign): "`x` with the sign of `sign`.";
    fdim(x, y): "`x - y`, or 0 if that is negative.";
    fmax(x, y): "The larger value; a number wins over NaN.";
    fmin(x, y): "The smaller value; a number wins over NaN.";
    fmod(x, y): "The remainder of `x / y`, with the sign of `x`.";
    hypot(x, y): "The length of the vector (`x`, `y`).";
    pow(x, y): "`x` to the power of `y`.";
}

/// Computes `x * y + z` with a single rounding.
pub fn fma(x: f64, y: f64, z: f64) -> f64 {
    libm::fma(x, y, z)
}

/// Returns the absolute value of an integer. The smallest integer stays negative, because the
/// result wraps.
pub fn abs(x: impl Into<Int>) -> Int {
    Int(x.into().0.wrapping_abs())
}

/// Returns the larger of two integers.
pub fn max(x: impl Into<Int>, y: impl Into<Int>) -> Int {
    x.into().max(y.into())
}

/// Returns the smaller of two integers.
pub fn min(x: impl Into<Int>, y: impl Into<Int>) -> Int {
    x.into().min(y.into())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "results are exact")]

    use expect_test::expect_file;
    use proptest::prelude::*;

    use super::*;

    /// If a platform computes other digits than these, it also predicts other times.
    #[test]
    fn values_agree_to_the_last_digit_everywhere() {
        let of_one = [
            ("acos", acos(0.3)),
            ("acosh", acosh(3.3)),
            ("asin", asin(0.3)),
            ("asinh", asinh(3.3)),
            ("atan", atan(3.3)),
            ("atan2", atan2(3.3, -7.7)),
            ("atanh", atanh(0.3)),
            ("cbrt", cbrt(3.3)),
            ("cos", cos(1e6)),
            ("cosh", cosh(3.3)),
            ("erf", erf(0.3)),
            ("erfc", erfc(3.3)),
            ("exp", exp(1.5)),
            ("exp2", exp2(3.3)),
            ("expm1", expm1(1e-3)),
            ("hypot", hypot(1e200, 1e200)),
            ("lgamma", lgamma(100.5)),
            ("log", log(3.3)),
            ("log10", log10(3.3)),
            ("log1p", log1p(1e-3)),
            ("log2", log2(3.3)),
            ("pow", pow(3.3, 7.7)),
            ("sin", sin(1e6)),
            ("sinh", sinh(3.3)),
            ("sqrt", sqrt(3.3)),
            ("tan", tan(1.1)),
            ("tanh", tanh(0.3)),
            ("tgamma", tgamma(5.5)),
        ];
        let text: String = of_one
            .map(|(name, value)| format!("{name} {value:?}\n"))
            .concat();
        expect_file!["golden/values_agree_to_the_last_digit_everywhere.txt"].assert_eq(&text);
    }

    #[test]
    fn rounding_is_c_s() {
        assert_eq!(
            [rint(2.5), round(2.5), trunc(-2.5), floor(-2.5), ceil(-2.5)],
            [2.0, 3.0, -2.0, -3.0, -2.0]
        );
        assert_eq!(fmod(-7.5, 2.0), -1.5);
        assert_eq!(fdim(1.0, 2.0), 0.0);
        assert_eq!(fmax(f64::NAN, 1.0), 1.0);
        assert_eq!(copysign(3.0, -0.0), -3.0);
        assert_eq!(fma(2.0, 3.0, 4.0), 10.0);
        assert_eq!(atan2(1.0, -1.0), 3.0 * std::f64::consts::FRAC_PI_4);
    }

    #[test]
    fn integer_functions_wrap() {
        assert_eq!(abs(i64::MIN), i64::MIN);
        assert_eq!(abs(-5), 5);
        assert_eq!(min(-5, Int(4)), -5);
        assert_eq!(max(Int(-5), 4), 4);
    }

    proptest! {
        #[test]
        fn functions_are_close_to_those_of_std(x in 0.01..20.0_f64) {
            let pairs = [
                (exp(x), x.exp()), (log(x), x.ln()), (sqrt(x), x.sqrt()), (sin(x), x.sin()),
                (cos(x), x.cos()), (tanh(x), x.tanh()), (log2(x), x.log2()), (cbrt(x), x.cbrt()),
                (exp2(x), x.exp2()), (atan(x), x.atan()), (asinh(x), x.asinh()),
                (log10(x), x.log10()), (expm1(x), x.exp_m1()), (log1p(x), x.ln_1p()),
                (sinh(x), x.sinh()), (cosh(x), x.cosh()), (acosh(x + 1.0), (x + 1.0).acosh()),
                (asin(x / 21.0), (x / 21.0).asin()), (acos(x / 21.0), (x / 21.0).acos()),
                (atanh(x / 21.0), (x / 21.0).atanh()), (fabs(-x), x), (erfc(x), 1.0 - erf(x)),
                (pow(x, 1.5), x.powf(1.5)),
            ];
            for (ours, std) in pairs {
                prop_assert!((ours - std).abs() <= 1e-12 * std.abs().max(1.0), "{ours} {std}");
            }
        }
    }
}
