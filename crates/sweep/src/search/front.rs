//! Finds points that no other point beats.

use std::cmp::Ordering;

/// Returns the indices, in ascending order, of the rows that no other row beats. A row beats
/// another if none of its numbers is larger and at least one is smaller. If several rows have the
/// same numbers, either all or none of them are returned. Rows with NaN are never returned.
///
/// For rows of two numbers, this takes n log n comparisons; for longer rows, it takes n times the
/// length of the front.
///
/// ```
/// use prophet_sweep::search::front;
///
/// let time_and_cost = [[4.0, 1.0], [2.0, 2.0], [3.0, 3.0], [1.0, 4.0], [2.0, 2.0]];
/// assert_eq!(front(&time_and_cost), [0, 1, 3, 4]);
/// ```
pub fn front<R: AsRef<[f64]>>(rows: &[R]) -> Vec<usize> {
    let row = |index: usize| rows[index].as_ref();
    let mut order: Vec<usize> = (0..rows.len())
        .filter(|&index| !row(index).iter().any(|number| number.is_nan()))
        .collect();
    // A row that beats another one comes before it.
    order.sort_by(|&a, &b| compare(row(a), row(b)).then(a.cmp(&b)));
    let mut kept: Vec<usize> = Vec::new();
    let mut edge: Vec<usize> = Vec::new();
    for index in order {
        let last = edge.last().copied();
        if last.is_some_and(|last| compare(row(last), row(index)).is_eq()) {
            kept.push(index);
            continue;
        }
        let beaten = match (row(index), last) {
            // The last kept row has the smallest second number so far.
            ([_, second], Some(last)) => row(last)[1] <= *second,
            (numbers, _) => edge.iter().any(|&other| covers(row(other), numbers)),
        };
        if !beaten {
            kept.push(index);
            edge.push(index);
        }
    }
    kept.sort_unstable();
    kept
}

/// Compares rows by the first numbers that differ; 0 and -0 are equal.
fn compare(a: &[f64], b: &[f64]) -> Ordering {
    a.partial_cmp(b).unwrap_or(Ordering::Equal)
}

fn covers(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}
