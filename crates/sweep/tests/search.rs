//! Tests Pareto fronts against their definition.

use prophet_sweep::search::front;
use proptest::prelude::*;

/// Returns the rows that no other row beats, by comparing all pairs.
fn by_definition(rows: &[Vec<f64>]) -> Vec<usize> {
    let beats = |a: &[f64], b: &[f64]| {
        let mut pairs = a.iter().zip(b);
        pairs.clone().all(|(a, b)| a <= b) && pairs.any(|(a, b)| a < b)
    };
    (0..rows.len())
        .filter(|&index| rows[index].iter().all(|number| !number.is_nan()))
        .filter(|&index| !rows.iter().any(|other| beats(other, &rows[index])))
        .collect()
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        20 => (0_i32..6).prop_map(f64::from),
        1 => Just(-0.0),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NAN),
    ]
}

proptest! {
    #[test]
    fn fronts_of_two(rows in prop::collection::vec(prop::collection::vec(number(), 2), 0..30)) {
        prop_assert_eq!(front(&rows), by_definition(&rows));
    }

    #[test]
    fn fronts_of_three(rows in prop::collection::vec(prop::collection::vec(number(), 3), 0..30)) {
        prop_assert_eq!(front(&rows), by_definition(&rows));
    }

    #[test]
    fn fronts_of_one(rows in prop::collection::vec(prop::collection::vec(number(), 1), 0..30)) {
        prop_assert_eq!(front(&rows), by_definition(&rows));
    }
}

/// Tests that a front of a million points is found without comparing all pairs.
#[test]
fn large_fronts_are_found() {
    let rows: Vec<[f64; 2]> = (0..1_000_000_u32)
        .map(|index| [f64::from(index), f64::from(1_000_000 - index)])
        .collect();
    assert_eq!(front(&rows).len(), rows.len());
}
