//! Rows of the table that a benchmark prints.

/// True if a row is among those that the command line of the benchmark asks for: all, or those
/// whose text has one of its words.
#[must_use]
pub fn is_asked_for(work: &str) -> bool {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut words = words.iter().filter(|it| !it.starts_with("--")).peekable();
    words.peek().is_none() || words.any(|it| work.contains(it.as_str()))
}

/// Says whether a target was met.
#[must_use]
pub const fn verdict(is_met: bool) -> &'static str {
    if is_met { "yes" } else { "no" }
}

/// The middle one of several measurements; of an even number, the greater of the two.
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_measurement_counts() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), Some(3.0));
        assert_eq!(median(Vec::new()), None);
    }
}
