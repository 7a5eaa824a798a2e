//! Totals of the elements' times, the same in whatever order they are added.

use std::collections::BTreeMap;

use crate::elements::Element;
use crate::outcome::ElementOutcome;

/// Seconds in units of 2^-64 s, so that a sum does not depend on its order.
///
/// Covers sums up to 2^63 s (beyond, it stays there). What is added is rounded down to a unit;
/// a time of at least 2^-11 s (0.5 ms) loses nothing, shorter ones less than 5.5e-20 s each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FixedSum(i128);

/// 2^63, exactly.
const WORD: f64 = 9_223_372_036_854_775_808.0;
/// 2^64, exactly.
const UNITS_PER_S: f64 = 18_446_744_073_709_551_616.0;

impl FixedSum {
    /// Adds a time of zero or more seconds.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the fraction is documented"
    )]
    #[inline]
    pub(crate) fn add(&mut self, seconds: f64) {
        let scaled = seconds * UNITS_PER_S;
        let units = if scaled < WORD {
            // Short times fit a machine word, and that conversion is an instruction.
            i128::from(scaled as i64)
        } else {
            units(seconds)
        };
        self.0 = self.0.saturating_add(units);
    }

    /// The sum in seconds, rounded to nearest.
    #[expect(clippy::cast_precision_loss, reason = "rounds the exact sum once")]
    pub(crate) fn seconds(self) -> f64 {
        self.0 as f64 / UNITS_PER_S
    }
}

/// Seconds in units of 2^-64 s: what `(seconds * 2^64) as i128` is for a number that is not
/// negative, in a few instructions where compilers call a function.
#[inline]
fn units(seconds: f64) -> i128 {
    /// Bits of the mantissa of an `f64`, without the leading one.
    const MANTISSA: u32 = 52;
    /// The exponent's bits for a unit of the mantissa's last bit being 2^-64.
    const EXPONENT: u64 = 1023 + 52 - 64;
    let bits = seconds.to_bits();
    let exponent = bits >> MANTISSA;
    let mantissa = i128::from((bits & ((1 << MANTISSA) - 1)) | (1 << MANTISSA));
    match exponent {
        // From 2^63 s on, not a number, or negative: as the cast has them.
        0x43e.. => large(seconds),
        EXPONENT.. => mantissa << (exponent - EXPONENT),
        // Below that, and down to numbers that have no bit left.
        _ => mantissa >> (EXPONENT - exponent).min(127),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "saturates; the fraction is documented"
)]
#[cold]
fn large(seconds: f64) -> i128 {
    (seconds * UNITS_PER_S) as i128
}

/// An element that has been met, and its executions.
#[derive(Debug, Clone, Copy)]
struct Entry {
    element: Element,
    /// The stereotype; empty for an element that has not been met.
    kind: &'static str,
    count: u64,
    total: FixedSum,
    max_s: f64,
}

impl Entry {
    const UNMET: Self = Self {
        element: Element {
            index: 0,
            name: "",
            id: 0,
        },
        kind: "",
        count: 0,
        total: FixedSum(0),
        max_s: 0.0,
    };

    #[inline]
    fn record(&mut self, seconds: f64) {
        self.count += 1;
        self.total.add(seconds);
        if seconds > self.max_s {
            self.max_s = seconds;
        }
    }

    fn outcome(&self) -> ElementOutcome {
        let total_s = self.total.seconds();
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let count = self.count as f64;
        ElementOutcome {
            name: self.element.name.to_owned(),
            id: self.element.id,
            kind: self.kind,
            count: self.count,
            total_s,
            mean_s: total_s / count,
            max_s: self.max_s,
        }
    }
}

/// What the run knows of each element, by its index in the model.
#[derive(Debug)]
pub(crate) struct ElementTable {
    entries: Vec<Entry>,
    /// Elements with an index that the model does not announce.
    others: BTreeMap<u32, Entry>,
}

/// Elements a table makes room for before they are met.
const ANNOUNCED_MAX: usize = 1 << 20;

impl ElementTable {
    pub(crate) fn new(announced: usize) -> Self {
        Self {
            entries: vec![Entry::UNMET; announced.min(ANNOUNCED_MAX)],
            others: BTreeMap::new(),
        }
    }

    /// Makes an element known, so that its index stands for it.
    #[inline]
    pub(crate) fn meet(&mut self, element: &Element, kind: &'static str) {
        let entry = match self.entries.get_mut(element.index as usize) {
            Some(entry) => entry,
            None => self.others.entry(element.index).or_insert(Entry::UNMET),
        };
        if entry.kind.is_empty() {
            entry.element = *element;
            entry.kind = kind;
        }
    }

    /// Counts an execution that took `seconds` of an element that may be new.
    #[inline]
    pub(crate) fn execute(&mut self, element: &Element, kind: &'static str, seconds: f64) {
        let entry = match self.entries.get_mut(element.index as usize) {
            Some(entry) => entry,
            None => self.others.entry(element.index).or_insert(Entry::UNMET),
        };
        if entry.kind.is_empty() {
            entry.element = *element;
            entry.kind = kind;
        }
        entry.record(seconds);
    }

    /// Counts an execution that took `seconds`.
    #[inline]
    pub(crate) fn record(&mut self, index: u32, seconds: f64) {
        let entry = match self.entries.get_mut(index as usize) {
            Some(entry) => entry,
            None => self.others.entry(index).or_insert(Entry::UNMET),
        };
        entry.record(seconds);
    }

    /// The element with an index, if it has been met, and its stereotype.
    pub(crate) fn get(&self, index: u32) -> Option<(Element, &'static str)> {
        let entry = self
            .entries
            .get(index as usize)
            .or_else(|| self.others.get(&index))?;
        (!entry.kind.is_empty()).then_some((entry.element, entry.kind))
    }

    /// The elements that have been met, with their indexes, which order them.
    pub(crate) fn met(&self) -> Vec<(u32, ElementOutcome)> {
        let entries = self.entries.iter().chain(self.others.values());
        entries
            .filter(|entry| !entry.kind.is_empty())
            .map(|entry| (entry.element.index, entry.outcome()))
            .collect()
    }

    /// The elements that have been executed, by index.
    pub(crate) fn outcomes(&self) -> Vec<ElementOutcome> {
        let entries = self.entries.iter().chain(self.others.values());
        entries
            .filter(|entry| entry.count > 0)
            .map(Entry::outcome)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_does_not_depend_on_its_order() {
        let times: Vec<f64> = (1..1000_u32).map(|i| 1.0 / f64::from(i * i)).collect();
        let mut forward = FixedSum::default();
        for time in &times {
            forward.add(*time);
        }
        let mut backward = FixedSum::default();
        for time in times.iter().rev() {
            backward.add(*time);
        }
        assert_eq!(forward, backward);
        assert!((forward.seconds() - times.iter().sum::<f64>()).abs() < 1e-12);
    }

    #[test]
    fn a_sum_is_exact_where_it_says_and_stays_at_its_limit() {
        let mut sum = FixedSum::default();
        sum.add(0.1);
        assert_eq!(sum.seconds().to_bits(), 0.1_f64.to_bits());
        sum.add(1e300);
        sum.add(1e300);
        assert!(sum.seconds() >= 9.2e18);
    }

    #[test]
    fn units_are_those_of_the_cast() {
        let mut random = 1_u64;
        for _ in 0..100_000 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let seconds = f64::from_bits(random >> 1);
            assert_eq!(units(seconds), large(seconds), "{seconds:e}");
        }
        for seconds in [
            0.0,
            5e-324,
            1e-19,
            1.0,
            0.1,
            9e18,
            9.3e18,
            f64::MAX,
            f64::NAN,
            -1.0,
        ] {
            assert_eq!(units(seconds), large(seconds), "{seconds:e}");
        }
    }

    #[test]
    fn elements_that_the_model_does_not_announce_are_listed_too() {
        let mut table = ElementTable::new(1);
        for (index, name) in [(u32::MAX, "far"), (0, "near"), (7, "never executed")] {
            table.meet(&Element { index, name, id: 1 }, "action+");
        }
        table.record(u32::MAX, 2.0);
        table.record(0, 1.0);
        table.record(0, 4.0);
        let outcomes = table.outcomes();
        let names: Vec<&str> = outcomes.iter().map(|outcome| &*outcome.name).collect();
        assert_eq!(names, ["near", "far"]);
        let near = &outcomes[0];
        assert_eq!(
            (near.count, near.total_s, near.mean_s, near.max_s),
            (2, 5.0, 2.5, 4.0)
        );
    }
}
