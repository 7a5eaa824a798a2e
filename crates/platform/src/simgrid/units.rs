//! Parses numbers with units in `SimGrid`'s notation.

use prophet_text::Problem;

use crate::refuse::refuse;

const BINARY: [&str; 8] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi"];
const DECIMAL: [&str; 8] = ["k", "M", "G", "T", "P", "E", "Z", "Y"];
const LONG: [&str; 8] = [
    "kilo", "mega", "giga", "tera", "peta", "exa", "zeta", "yotta",
];
const TIMES_S: [(&str, f64); 9] = [
    ("w", 604_800.0),
    ("d", 86_400.0),
    ("h", 3_600.0),
    ("m", 60.0),
    ("s", 1.0),
    ("ms", 1e-3),
    ("us", 1e-6),
    ("ns", 1e-9),
    ("ps", 1e-12),
];

/// Parses a bandwidth, in bytes/s if it has no unit.
pub(super) fn bandwidth(text: &str) -> Result<f64, Problem> {
    let (number, unit) = split(text)?;
    let scale = match unit {
        "" => Some(1.0),
        _ => bytes_per_s(unit),
    };
    match scale {
        Some(scale) => Ok(number * scale),
        None => refuse!(
            "`{text}` is not a bandwidth: write bytes or bits per second, such as `125MBps`"
        ),
    }
}

fn bytes_per_s(unit: &str) -> Option<f64> {
    let (prefix, base) = match (unit.strip_suffix("Bps"), unit.strip_suffix("bps")) {
        (Some(prefix), _) => (prefix, 1.0),
        (_, Some(prefix)) => (prefix, 0.125),
        _ => return None,
    };
    let binary = power(&BINARY, prefix, 1024.0);
    Some(base * binary.or_else(|| power(&DECIMAL, prefix, 1e3))?)
}

/// Returns the power of `base` for a prefix. An empty prefix means 1.
fn power(prefixes: &[&str], prefix: &str, base: f64) -> Option<f64> {
    if prefix.is_empty() {
        return Some(1.0);
    }
    let at = prefixes.iter().position(|it| *it == prefix)?;
    let exponent = i32::try_from(at).ok()? + 1;
    Some(base.powi(exponent))
}

/// Parses a time, in seconds if it has no unit.
pub(super) fn time(text: &str) -> Result<f64, Problem> {
    let (number, unit) = split(text)?;
    let unit = if unit.is_empty() { "s" } else { unit };
    match TIMES_S.iter().find(|it| it.0 == unit) {
        Some((_, seconds)) => Ok(number * seconds),
        None => refuse!("`{text}` is not a time: write it with a unit, such as `50us`"),
    }
}

/// Parses a speed, in flop/s if it has no unit.
pub(super) fn speed(text: &str) -> Result<f64, Problem> {
    let (number, unit) = split(text)?;
    let scale = match (unit.strip_suffix("flops"), unit.strip_suffix('f')) {
        _ if unit.is_empty() => Some(1.0),
        (Some(prefix), _) => power(&LONG, prefix, 1e3),
        (_, Some(prefix)) => power(&DECIMAL, prefix, 1e3),
        _ => None,
    };
    match scale {
        Some(scale) => Ok(number * scale),
        None => refuse!("`{text}` is not a speed: write flop/s, such as `1Gf`"),
    }
}

fn split(text: &str) -> Result<(f64, &str), Problem> {
    let text = text.trim();
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-');
    let mut end = text.find(|c| !is_number(c)).unwrap_or(text.len());
    // An `e` is part of the number only if digits follow, as in `1e9Bps`, but not in `1EBps`.
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E'])
        && exponent.starts_with(is_number)
    {
        end += 1 + exponent.find(|c| !is_number(c)).unwrap_or(exponent.len());
    }
    match text[..end].parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok((number, &text[end..])),
        _ => refuse!("`{text}` does not start with a number of 0 or more"),
    }
}

/// Parses host numbers such as `1-4,6,9-11`.
pub(super) fn radical(text: &str, most: u32) -> Result<Vec<u32>, Problem> {
    let mut numbers = Vec::new();
    for group in text.split(',') {
        let number = |text: &str| match text.trim().parse::<u32>() {
            Ok(number) => Ok(number),
            Err(_) => refuse!("expected `A` or `A-B` in the radical `{text}`, found `{group}`"),
        };
        let (first, last) = match group.split_once('-') {
            None => (number(group)?, number(group)?),
            Some((first, last)) => (number(first)?, number(last)?),
        };
        let count = (u64::from(last) + 1).saturating_sub(u64::from(first));
        if numbers.len() as u64 + count > u64::from(most) {
            refuse!(
                "the radical `{text}` names more than {most} hosts, which is the limit: describe a \
                 smaller machine"
            );
        }
        numbers.extend(first..=last);
    }
    if numbers.is_empty() {
        refuse!("the radical `{text}` does not name any hosts: write it like `0-7`");
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::{bandwidth, radical, speed, time};

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-12 * expected, "{found}");
    }

    #[test]
    fn units_are_those_of_simgrid() {
        close(bandwidth("125MBps").unwrap(), 125e6);
        close(bandwidth("10Gbps").unwrap(), 1.25e9);
        close(bandwidth("1KiBps").unwrap(), 1024.0);
        close(bandwidth("1Mibps").unwrap(), 131_072.0);
        close(bandwidth("1.5e3kBps").unwrap(), 1.5e6);
        close(bandwidth("1EBps").unwrap(), 1e18);
        close(bandwidth("42").unwrap(), 42.0);
        close(time("50us").unwrap(), 50e-6);
        close(time("2m").unwrap(), 120.0);
        close(time("0").unwrap(), 0.0);
        close(speed("1Gf").unwrap(), 1e9);
        close(speed("2.5kiloflops").unwrap(), 2500.0);
        close(speed("98.095Mf").unwrap(), 98.095e6);
        for wrong in [
            "", "x", "1MB", "1 MBps/s", "nanBps", "1e999Bps", "--1Bps", "-1Bps",
        ] {
            assert!(bandwidth(wrong).is_err(), "{wrong}");
        }
        assert!(time("1parsec").is_err() && speed("1Ghz").is_err());
    }

    #[test]
    fn radicals_are_ranges() {
        assert_eq!(
            radical("1-4,6,9-11", 99).unwrap(),
            [1, 2, 3, 4, 6, 9, 10, 11]
        );
        for wrong in ["", "a", "1-2-3", "5-4", "0-4294967295"] {
            assert!(radical(wrong, 1000).is_err(), "{wrong}");
        }
    }
}
