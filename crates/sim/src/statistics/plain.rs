//! Computes statistics of plain numbers.

/// Returns the mean of the values, or NaN if there are none.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    sum / count
}

/// Returns the median of the values, which can be in any order, or `None` if there are none.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let high = *sorted.get(sorted.len() / 2)?;
    let low = sorted[(sorted.len() - 1) / 2];
    Some(low.midpoint(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 99.0]), Some(3.0));
        assert_eq!(median(&[4.0, 1.0, 99.0, 2.0]), Some(3.0));
    }

    #[test]
    fn the_mean_is_the_sum_by_the_count() {
        assert!(mean([]).is_nan());
        assert_eq!(mean([1.0, 2.0, 6.0]).to_bits(), 3.0_f64.to_bits());
    }
}
