//! Sorts rows by size.

/// Sorts rows, largest first. Rows of equal size keep their order. Only numbers are sorted
/// internally, because a separate sort for each type of row takes long to compile.
pub(crate) fn largest_first<T: Clone>(rows: &[T], size: impl Fn(&T) -> f64) -> Vec<T> {
    let sizes: Vec<f64> = rows.iter().map(size).collect();
    let places = places(&sizes).into_iter();
    places.map(|place| rows[place].clone()).collect()
}

fn places(sizes: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..sizes.len()).collect();
    places.sort_by(|a, b| sizes[*b].total_cmp(&sizes[*a]));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_keep_their_order() {
        let rows = [("a", 1.0), ("b", 3.0), ("c", 1.0)];
        let names: Vec<_> = largest_first(&rows, |row| row.1)
            .iter()
            .map(|row| row.0)
            .collect();
        assert_eq!(names, ["b", "a", "c"]);
    }
}
