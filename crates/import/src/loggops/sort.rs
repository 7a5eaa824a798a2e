//! Musser's introsort as C++ libraries have it: `LogGOPSim` sorts operations that may begin at the
//! same time by their kind alone, so that its order of equal ones decides what comes first.

use std::ops::Range;

/// Parts of at most this many are sorted by insertion.
const SMALL: usize = 16;

/// Sorts as `std::sort` of GNU's library does.
pub(super) fn sort<T: Copy>(values: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    let mut parts: Vec<Range<usize>> = Vec::new();
    parts.push(0..values.len());
    while let Some(mut part) = parts.pop() {
        while part.len() > SMALL {
            let cut = partition(values, part.clone(), &is_less);
            parts.push(cut..part.end);
            part.end = cut;
        }
    }
    for place in 1..values.len() {
        let mut at = place;
        while at > 0 && is_less(&values[at], &values[at - 1]) {
            values.swap(at, at - 1);
            at -= 1;
        }
    }
}

/// Puts elements below a median before the rest; returns the first index of the rest.
fn partition<T: Copy>(
    values: &mut [T],
    part: Range<usize>,
    is_less: &impl Fn(&T, &T) -> bool,
) -> usize {
    let first = part.start;
    let three = (first + 1, first + part.len() / 2, part.end - 1);
    values.swap(first, median(values, three, is_less));
    let pivot = values[first];
    let (mut low, mut high) = (first + 1, part.end);
    loop {
        while is_less(&values[low], &pivot) {
            low += 1;
        }
        high -= 1;
        while is_less(&pivot, &values[high]) {
            high -= 1;
        }
        if low >= high {
            return low;
        }
        values.swap(low, high);
        low += 1;
    }
}

/// The place of the median of three.
fn median<T>(
    values: &[T],
    (a, b, c): (usize, usize, usize),
    is_less: &impl Fn(&T, &T) -> bool,
) -> usize {
    let less = |one: usize, other: usize| is_less(&values[one], &values[other]);
    match (less(a, b), less(b, c), less(a, c)) {
        (true, true, _) | (false, false, false) => b,
        (true, false, true) | (false, true, false) => c,
        (true, false, false) | (false, _, true) => a,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts() {
        let mut values: Vec<u32> = (0..1000).map(|it| it * 7919 % 1013).collect();
        let mut sorted = values.clone();
        sorted.sort_unstable();
        sort(&mut values, |one, other| one < other);
        assert_eq!(values, sorted);
    }

    #[test]
    fn equal_values_trade_places_where_there_are_many() {
        let mut few: Vec<(u8, u32)> = (0..16).map(|it| (0, it)).collect();
        sort(&mut few, |one, other| one.0 < other.0);
        assert!(few.is_sorted());
        let mut many: Vec<(u8, u32)> = (0..17).map(|it| (0, it)).collect();
        sort(&mut many, |one, other| one.0 < other.0);
        assert!(!many.is_sorted());
    }
}
