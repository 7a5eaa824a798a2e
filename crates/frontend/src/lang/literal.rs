//! Writes literals of real numbers in Rust syntax.

/// Converts a decimal literal to a Rust literal: with digits on both sides of the point, with a
/// point or exponent, and without leading zeros or underscores. Returns `None` if no double can
/// represent the number.
pub(super) fn real_digits(number: &str) -> Option<String> {
    let number: String = number.chars().filter(|c| *c != '_').collect();
    let at = number.find(['e', 'E']).unwrap_or(number.len());
    let (mantissa, exponent) = number.split_at_checked(at)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let point = mantissa.contains('.') || exponent.is_empty();
    let literal = match (point, fraction) {
        (false, _) => format!("{whole}{exponent}"),
        (true, "") => format!("{whole}.0{exponent}"),
        (true, fraction) => format!("{whole}.{fraction}{exponent}"),
    };
    let value: f64 = literal.parse().ok()?;
    value.is_finite().then_some(literal)
}

/// Converts a hexadecimal literal, without its `0x`, to the shortest Rust literal with the same
/// value.
pub(super) fn hexadecimal(number: &str) -> Option<String> {
    let lower = number.to_ascii_lowercase();
    let (mantissa, exponent) = lower.split_once('p').unwrap_or((&lower, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut exponent: i64 = exponent.parse().ok()?;
    exponent = exponent.clamp(-1_000_000, 1_000_000);
    let mut bits: u64 = 0;
    let digits = whole
        .chars()
        .map(|d| (d, 0))
        .chain(fraction.chars().map(|d| (d, 4)));
    for (digit, behind_point) in digits {
        let digit = u64::from(digit.to_digit(16)?);
        if bits >> 56 == 0 {
            bits = bits << 4 | digit;
            exponent -= behind_point;
        } else {
            // Digits after the 53 bits of a double matter only for rounding.
            bits |= u64::from(digit != 0);
            exponent += 4 - behind_point;
        }
    }
    let value = scale(bits, exponent);
    value.is_finite().then(|| format!("{value:?}"))
}

/// Computes `bits · 2^exponent`, rounding only once.
fn scale(bits: u64, exponent: i64) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let width = 64 - i64::from(bits.leading_zeros());
    // The exponent of the last bit that fits into a double: it has 53 bits, or fewer if it is
    // subnormal.
    let last = (width + exponent - 53).max(-1074);
    let dropped = last - exponent;
    let (kept, mut power) = if dropped <= 0 {
        (bits, exponent)
    } else if dropped > 64 {
        (0, last)
    } else {
        let half = 1_u128 << (dropped - 1);
        let wide = u128::from(bits);
        let rest = wide & ((1_u128 << dropped) - 1);
        let floor = u64::try_from(wide >> dropped).unwrap_or(u64::MAX);
        let up = rest > half || rest == half && floor & 1 == 1;
        (floor + u64::from(up), last)
    };
    #[expect(
        clippy::cast_precision_loss,
        reason = "it has 53 bits at most, or is exact"
    )]
    let mut value = kept as f64;
    while power > 0 && value.is_finite() {
        let step = power.min(1000);
        value *= two_to(step);
        power -= step;
    }
    while power < 0 {
        let step = power.max(-1000);
        value *= two_to(step);
        power -= step;
    }
    value
}

/// Computes a power of two between 2^-1000 and 2^1000.
fn two_to(power: i64) -> f64 {
    let biased = u64::try_from(power + 1023).unwrap_or(0);
    f64::from_bits(biased << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_kept_as_written() {
        for (number, digits) in [
            ("3.14", Some("3.14")),
            ("1e-6", Some("1e-6")),
            (".5", Some("0.5")),
            ("5.", Some("5.0")),
            ("5.E3", Some("5.0E3")),
            ("007.50", Some("7.50")),
            ("1_000.0", Some("1000.0")),
            ("12", Some("12.0")),
            ("1e400", None),
        ] {
            assert_eq!(real_digits(number).as_deref(), digits, "{number}");
        }
    }

    #[test]
    fn hexadecimal_numbers_are_exact() {
        for (number, digits) in [
            ("1.8p1", Some("3.0")),
            ("ap0", Some("10.0")),
            (".8p0", Some("0.5")),
            ("1p-1074", Some("5e-324")),
            ("1p-1075", Some("0.0")),
            ("1.8p-1074", Some("1e-323")),
            ("0.0000000000000000000000001p100", Some("1.0")),
            ("1000000000000000000000000p-96", Some("1.0")),
            ("1.fffffffffffff8p0", Some("2.0")),
            ("1.fffffffffffff7ffffp0", Some("1.9999999999999998")),
            ("1.fffffffffffffp1023", Some("1.7976931348623157e308")),
            ("1p1024", None),
            ("1p99999999", None),
            ("0p99999999", Some("0.0")),
        ] {
            assert_eq!(hexadecimal(number).as_deref(), digits, "{number}");
        }
    }
}
