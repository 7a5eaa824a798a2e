//! Measures the price of each operation that costs can name.
//!
//! PTI defines the names. Operations add, multiply, divide or transfer (`A`, `M`, `D`, `T`) an
//! integer, a single or a double (`IL`, `FS`, `FD`) that is local or global (`L`, `G`), in a
//! register or in memory. Others compare numbers (`CM`), or access elements of arrays (`AR`) of
//! longs, floats or doubles with 1 to 4 indices.

use std::fmt::Write as _;

use super::chains::{self, STEPS, alone, element, stored};
use super::stopwatch::Stopwatch;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Price {
    pub(crate) name: &'static str,
    pub(crate) meaning: String,
    pub(crate) seconds: f64,
}

/// An operation that is measured directly: its name, its meaning and its loop.
type MeasuredOperation = (&'static str, &'static str, fn(u64));

const ARITHMETIC: [MeasuredOperation; 24] = [
    ("AILL", "x + y, integers", chains::add_long),
    ("AILG", "x + y, integers in memory", stored::add_long),
    ("AFSL", "x + y, singles", chains::add_f32),
    ("AFSG", "x + y, singles in memory", stored::add_f32),
    ("AFDL", "x + y, doubles", chains::add_f64),
    ("AFDG", "x + y, doubles in memory", stored::add_f64),
    ("MILL", "x * y, integers", chains::multiply_long),
    ("MILG", "x * y, integers in memory", stored::multiply_long),
    ("MFSL", "x * y, singles", chains::multiply_f32),
    ("MFSG", "x * y, singles in memory", stored::multiply_f32),
    ("MFDL", "x * y, doubles", chains::multiply_f64),
    ("MFDG", "x * y, doubles in memory", stored::multiply_f64),
    ("DILL", "x / y, integers", chains::divide_long),
    ("DILG", "x / y, integers in memory", stored::divide_long),
    ("DFSL", "x / y, singles", chains::divide_f32),
    ("DFSG", "x / y, singles in memory", stored::divide_f32),
    ("DFDL", "x / y, doubles", chains::divide_f64),
    ("DFDG", "x / y, doubles in memory", stored::divide_f64),
    ("TILL", "x = y, integers, independent", alone::assign_long),
    ("TILG", "x = y, integers in memory", stored::assign_long),
    ("TFSL", "x = y, singles, independent", alone::assign_f32),
    ("TFSG", "x = y, singles in memory", stored::assign_f32),
    ("TFDL", "x = y, doubles, independent", alone::assign_f64),
    ("TFDG", "x = y, doubles in memory", stored::assign_f64),
];

/// Loops by number of indices, for elements of four and of eight bytes.
const ELEMENTS: [[fn(u64); 4]; 2] = [
    [
        element::one_u32,
        element::two_u32,
        element::three_u32,
        element::four_u32,
    ],
    [
        element::one_u64,
        element::two_u64,
        element::three_u64,
        element::four_u64,
    ],
];

/// Names of the accesses to array elements, their meaning, and the loops that measure them.
const ARRAYS: [([&str; 4], &str, usize); 3] = [
    (["ARL1", "ARL2", "ARL3", "ARL4"], "longs", 1),
    (["ARF1", "ARF2", "ARF3", "ARF4"], "floats", 0),
    (["ARD1", "ARD2", "ARD3", "ARD4"], "doubles", 1),
];

pub(crate) fn prices(watch: Stopwatch) -> Vec<Price> {
    let measured = |run| watch.turn_s(run) / f64::from(STEPS);
    let mut prices: Vec<Price> = ARITHMETIC
        .into_iter()
        .map(|(name, meaning, run)| price(name, meaning, measured(run)))
        .collect();
    control(&mut prices, measured);
    arrays(&mut prices, measured);
    prices
}

fn price(name: &'static str, meaning: &str, seconds: f64) -> Price {
    let meaning = meaning.to_owned();
    Price {
        name,
        meaning,
        seconds,
    }
}

/// Adds the prices of comparisons, branches and iterations of loops, which are differences between
/// two loops.
fn control(prices: &mut Vec<Price>, measured: impl Fn(fn(u64)) -> f64) {
    let add_s = measured(chains::add_long);
    let nothing_s = measured(alone::nothing);
    let difference = |with: fn(u64), without_s: f64| (measured(with) - without_s).max(0.0);
    // On many processors, a comparison and the following jump are a single instruction.
    let half = |with: fn(u64)| difference(with, nothing_s) / 2.0;
    let long_s = half(alone::compare_long);
    prices.extend([
        price("IADD", "x + y, integers", add_s),
        price("INLL", "x = x + 1, integers", add_s),
        price(
            "INLG",
            "x = x + 1, integers in memory",
            measured(stored::add_long),
        ),
        price(
            "ANDL",
            "x & y, integers",
            difference(chains::and_add_long, add_s),
        ),
        price(
            "CMLL",
            "x < y, integers; half of the comparison and its branch",
            long_s,
        ),
        price("CMFL", "x < y, singles", half(alone::compare_f32)),
        price("CMDL", "x < y, doubles", half(alone::compare_f64)),
        price("IFBR", "a branch that is predicted correctly", long_s),
        price(
            "LFOR",
            "one iteration of a loop, without CMLL and INLL",
            difference(alone::turn, add_s + long_s),
        ),
    ]);
}

fn arrays(prices: &mut Vec<Price>, measured: impl Fn(fn(u64)) -> f64) {
    let seconds = ELEMENTS.map(|runs| runs.map(&measured));
    for (names, kind, width) in ARRAYS {
        for (index, name) in names.into_iter().enumerate() {
            let mut shown = String::from("a");
            for index in &["[i]", "[j]", "[k]", "[l]"][..=index] {
                let _ = write!(shown, "{index}");
            }
            let meaning = format!("{shown} of {kind} in the nearest cache");
            prices.push(price(name, &meaning, seconds[width][index]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that the time of each loop is proportional to its iterations, so that the compiler
    /// hasn't removed any loop.
    #[test]
    fn each_operation_is_priced_once() {
        let prices = prices(Stopwatch::new());
        let mut names: Vec<&str> = prices.iter().map(|it| it.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        for price in &prices {
            assert!((0.0..1e-3).contains(&price.seconds), "{price:?}");
        }
    }

    #[test]
    fn the_operations_of_the_samples_have_prices() {
        let prices = prices(Stopwatch::new());
        let samples = [
            "AFDL", "ARD1", "ARD3", "ARD4", "CMDL", "CMLL", "DFDL", "IFBR", "INLL", "LFOR", "MFDL",
            "TFDL", "ANDL", "ARF1", "ARF2", "DFSL", "MFSL", "AFSL", "TFSL", "DILG", "IADD",
        ];
        for name in samples {
            assert!(prices.iter().any(|it| it.name == name), "{name}");
        }
    }
}
