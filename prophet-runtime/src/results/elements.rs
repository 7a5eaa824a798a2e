//! Adds up the times of elements. The order of additions doesn't change the sum.

use std::cell::{Cell, RefCell};

use prophet_machine::network::later;
use prophet_map::Map;

use crate::language::element::Element;
use crate::results::outcome::ElementOutcome;

/// A time in units of 2^-64 s, so that sums don't depend on the order of their terms.
///
/// Sums can't exceed 2^63 s, and larger sums stay at that limit. Each time that is added is rounded
/// down to a unit. A time of at least 2^-11 s (0.5 ms) loses nothing, and a shorter one loses less
/// than 5.5e-20 s.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FixedSum(u128);

const UNITS_PER_S: f64 = 18_446_744_073_709_551_616.0;
/// The limit of sums. Moderate times can exceed it a little: there is room for 2^47 of them.
const SUM_MAX: u128 = i128::MAX.cast_unsigned();
/// Number of bits in the mantissa of an `f64`, without the leading one.
const MANTISSA: u32 = 52;
const LEADING: u64 = 1 << MANTISSA;
/// The exponent bits of times from 1/2 s to just below 1 s.
const HALF_S: u64 = 1022;
/// Times less than 2 to this power, in seconds, are moderate. That is 18 hours.
const MODERATE: u64 = 16;

impl FixedSum {
    #[inline]
    pub(crate) fn plus(self, seconds: f64) -> Self {
        match Self::moderate(seconds) {
            Some(units) => self.plus_units(units),
            None => self.plus_long(seconds),
        }
    }

    /// Returns the units of a time that is 0, or from 2^-64 s to just below 1 s. They fit in a
    /// machine word.
    #[expect(clippy::cast_possible_truncation, reason = "below 64")]
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn short(seconds: f64) -> Option<u64> {
        let places = HALF_S.wrapping_sub(seconds.to_bits() >> MANTISSA);
        if places >= u64::from(u64::BITS) {
            return (seconds == 0.0).then_some(0);
        }
        Some(top_mantissa(seconds).wrapping_shr(places as u32))
    }

    /// Returns the units of a time that [`Self::short`] accepts, or of any other time below 2^16 s.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn moderate(seconds: f64) -> Option<u128> {
        if let Some(units) = Self::short(seconds) {
            return Some(units.into());
        }
        let places = (seconds.to_bits() >> MANTISSA).wrapping_sub(HALF_S);
        (places <= MODERATE).then(|| u128::from(top_mantissa(seconds)) << places)
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn plus_units(self, units: u128) -> Self {
        Self(self.0.wrapping_add(units))
    }

    #[inline(never)]
    fn plus_long(self, seconds: f64) -> Self {
        Self(self.0.saturating_add(units(seconds)).min(SUM_MAX))
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0).min(SUM_MAX))
    }

    /// Adds `times` more times what was added after `since`.
    pub(crate) fn repeated(self, since: Self, times: u64) -> Self {
        let more = self.0.saturating_sub(since.0).saturating_mul(times.into());
        self.and(Self(more))
    }

    /// Returns the sum in seconds, rounded to the nearest `f64`.
    #[expect(clippy::cast_precision_loss, reason = "rounds the exact sum once")]
    pub(crate) fn seconds(self) -> f64 {
        self.0.min(SUM_MAX) as f64 / UNITS_PER_S
    }
}

/// Returns the mantissa with its leading bit at the top. For a time from 1/2 s to just below 1 s,
/// this is its number of units.
#[inline]
fn top_mantissa(seconds: f64) -> u64 {
    ((seconds.to_bits() & (LEADING - 1)) | LEADING) << (u64::BITS - 1 - MANTISSA)
}

/// Converts seconds to units of 2^-64 s.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates; the fraction is documented"
)]
fn units(seconds: f64) -> u128 {
    (seconds * UNITS_PER_S) as u128
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum {
    count: u64,
    total: FixedSum,
}

#[derive(Debug, Clone)]
pub(crate) struct Entry {
    element: Cell<Element>,
    /// The stereotype. Empty if the element hasn't been executed.
    kind: Cell<&'static str>,
    count: Cell<u64>,
    total: Cell<FixedSum>,
    /// The part of the total that isn't process time, because threads share their process's time.
    beside: Cell<FixedSum>,
    max_s: Cell<f64>,
}

impl Entry {
    const fn unmet() -> Self {
        Self {
            element: Cell::new(Element {
                index: 0,
                name: "",
                id: 0,
            }),
            kind: Cell::new(""),
            count: Cell::new(0),
            total: Cell::new(FixedSum(0)),
            beside: Cell::new(FixedSum(0)),
            max_s: Cell::new(0.0),
        }
    }

    #[inline]
    fn meet(&self, element: &Element, kind: &'static str) {
        if !self.is_met() {
            self.element.set(*element);
            self.kind.set(kind);
        }
    }

    #[inline]
    fn is_met(&self) -> bool {
        !self.kind.get().is_empty()
    }

    #[inline]
    fn record(&self, seconds: f64) {
        self.count.set(self.count.get() + 1);
        // Many executions take no time, such as sends that end immediately.
        if seconds != 0.0 {
            self.total.set(self.total.get().plus(seconds));
            self.max_s.set(later(self.max_s.get(), seconds));
        }
    }

    /// Returns the units for [`Self::record_units`], if the time is 0 or less than a second.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn short(seconds: f64) -> Option<u64> {
        FixedSum::short(seconds)
    }

    /// Returns the units for [`Self::record_units`], if the time is 0 or less than 18 hours.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn moderate(seconds: f64) -> Option<u128> {
        FixedSum::moderate(seconds)
    }

    /// Counts an execution that took `seconds`, which are `units` units.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn record_units(&self, seconds: f64, units: u128) {
        self.count.set(self.count.get() + 1);
        self.total.set(self.total.get().plus_units(units));
        self.max_s.set(later(self.max_s.get(), seconds));
    }

    /// Adds the executions of another entry. Returns `false` if that is for a different element.
    fn add(&self, other: &Self) -> bool {
        self.meet(&other.element.get(), other.kind.get());
        let names = |entry: &Self| (entry.element.get(), entry.kind.get());
        if names(self) != names(other) {
            return false;
        }
        self.count.set(self.count.get() + other.count.get());
        self.total.set(self.total.get().and(other.total.get()));
        self.beside.set(self.beside.get().and(other.beside.get()));
        self.max_s.set(later(self.max_s.get(), other.max_s.get()));
        true
    }

    fn sum(&self) -> Sum {
        Sum {
            count: self.count.get(),
            total: self.total.get(),
        }
    }

    /// Adds `times` more times what was added to the totals after `since`.
    fn repeat(&self, since: &Sum, times: u64) {
        let now = self.sum();
        self.count
            .set(now.count + (now.count - since.count) * times);
        self.total.set(now.total.repeated(since.total, times));
    }

    /// Returns the element's share of `all_s`, the total time of all processes.
    #[expect(clippy::cast_precision_loss, reason = "rounds the exact sum once")]
    fn share(&self, all_s: f64) -> f64 {
        let FixedSum(units) = self.total.get();
        let units = units.saturating_sub(self.beside.get().0);
        if all_s > 0.0 {
            // The share must not exceed 1 because of rounding.
            (units.min(SUM_MAX) as f64 / UNITS_PER_S / all_s).min(1.0)
        } else {
            0.0
        }
    }

    fn outcome(&self, all_s: f64) -> ElementOutcome {
        let (element, count) = (self.element.get(), self.count.get());
        let total_s = self.total.get().seconds();
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let mean_s = total_s / count as f64;
        ElementOutcome {
            name: element.name.to_owned(),
            id: element.id,
            kind: self.kind.get().into(),
            count,
            total_s,
            mean_s,
            max_s: self.max_s.get(),
            share: self.share(all_s),
        }
    }
}

/// The totals of each element in a run, by its index in the model.
#[derive(Debug)]
pub(crate) struct ElementTable {
    entries: Box<[Entry]>,
    /// Elements whose index isn't below the announced number.
    others: RefCell<Map<u32, Entry>>,
}

/// Maximum number of elements for which a table is allocated in advance.
const ANNOUNCED_MAX: usize = 1 << 20;

impl ElementTable {
    pub(crate) fn new(announced: usize) -> Self {
        Self {
            entries: vec![Entry::unmet(); announced.min(ANNOUNCED_MAX)].into(),
            others: RefCell::default(),
        }
    }

    /// Calls `act` with the entry of an element beyond the announced number.
    #[cold]
    #[inline(never)]
    fn with_other(&self, index: u32, act: impl FnOnce(&Entry)) {
        act(self
            .others
            .borrow_mut()
            .get_or_insert_with(index, Entry::unmet));
    }

    /// Records an element, so that from now on, its index stands for it.
    #[inline]
    pub(crate) fn meet(&self, element: &Element, kind: &'static str) {
        match self.entries.get(element.index as usize) {
            Some(entry) => entry.meet(element, kind),
            None => self.with_other(element.index, |entry| entry.meet(element, kind)),
        }
    }

    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(crate) fn executed(&self, index: u32) -> Option<&Entry> {
        let entry = self.entries.get(index as usize)?;
        (entry.count.get() > 0).then_some(entry)
    }

    /// Counts an execution of an element, which can be new.
    #[inline]
    pub(crate) fn execute(&self, element: &Element, kind: &'static str, seconds: f64) {
        let Some(entry) = self.entries.get(element.index as usize) else {
            return self.execute_other(element, kind, seconds);
        };
        if entry.count.get() == 0 {
            entry.meet(element, kind);
        }
        entry.record(seconds);
    }

    #[cold]
    #[inline(never)]
    fn execute_other(&self, element: &Element, kind: &'static str, seconds: f64) {
        self.meet(element, kind);
        self.record(element.index, seconds);
    }

    #[inline]
    pub(crate) fn record(&self, index: u32, seconds: f64) {
        match self.entries.get(index as usize) {
            Some(entry) => entry.record(seconds),
            None => self.with_other(index, |entry| entry.record(seconds)),
        }
    }

    /// Records that an execution, which has already been counted, took one of `parts` equal parts
    /// of its process's time.
    #[cold]
    #[inline(never)]
    pub(crate) fn divide(&self, index: u32, seconds: f64, parts: u32) {
        let divide = |entry: &Entry| {
            let beside_s = seconds * (1.0 - 1.0 / f64::from(parts));
            entry.beside.set(entry.beside.get().plus(beside_s));
        };
        match self.entries.get(index as usize) {
            Some(entry) => divide(entry),
            None => self.with_other(index, divide),
        }
    }

    pub(crate) fn sums(&self) -> Vec<Sum> {
        let others = self.others.borrow();
        let entries = self.entries.iter().chain(others.values());
        entries.map(Entry::sum).collect()
    }

    /// Adds `times` more times what was added to the totals after `since`. Both contain the same
    /// elements.
    pub(crate) fn repeat(&self, since: &[Sum], times: u64) {
        let others = self.others.borrow();
        let entries = self.entries.iter().chain(others.values());
        for (entry, since) in entries.zip(since) {
            entry.repeat(since, times);
        }
    }

    /// Adds the executions of `others` more processes that did the same.
    pub(crate) fn multiply(&self, others: u64) {
        let none = Sum {
            count: 0,
            total: FixedSum::default(),
        };
        let more = self.others.borrow();
        let entries = self.entries.iter().chain(more.values());
        entries.for_each(|entry| entry.repeat(&none, others));
    }

    /// Adds the executions of other processes. Returns `false` if an index stands for a different
    /// element there.
    pub(crate) fn add(&self, others: &Self) -> bool {
        let more = others.others.borrow();
        let entries = others.entries.iter().chain(more.values());
        entries.filter(|entry| entry.is_met()).all(|entry| {
            let index = entry.element.get().index;
            if let Some(own) = self.entries.get(index as usize) {
                return own.add(entry);
            }
            let mut own = self.others.borrow_mut();
            own.get_or_insert_with(index, Entry::unmet).add(entry)
        })
    }

    /// Returns the element with this index, and its stereotype, if it has been executed.
    pub(crate) fn get(&self, index: u32) -> Option<(Element, &'static str)> {
        let known = |entry: &Entry| {
            entry
                .is_met()
                .then(|| (entry.element.get(), entry.kind.get()))
        };
        match self.entries.get(index as usize) {
            Some(entry) => known(entry),
            None => self.others.borrow().get(&index).and_then(known),
        }
    }

    /// Returns the elements that have begun, with their indices. Their shares are relative to
    /// `all_s`, the total time of all processes.
    pub(crate) fn met(&self, all_s: f64) -> Vec<(u32, ElementOutcome)> {
        let others = self.others.borrow();
        let entries = self.entries.iter().chain(others.values());
        entries
            .filter(|entry| entry.is_met())
            .map(|entry| (entry.element.get().index, entry.outcome(all_s)))
            .collect()
    }

    /// Returns the elements that have been executed, by index. Their shares are relative to
    /// `all_s`, the total time of all processes.
    pub(crate) fn outcomes(&self, all_s: f64) -> Vec<ElementOutcome> {
        let others = self.others.borrow();
        let entries = self.entries.iter().chain(others.values());
        entries
            .filter(|entry| entry.count.get() > 0)
            .map(|entry| entry.outcome(all_s))
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
            forward = forward.plus(*time);
        }
        let mut backward = FixedSum::default();
        for time in times.iter().rev() {
            backward = backward.plus(*time);
        }
        assert_eq!(forward, backward);
        assert!((forward.seconds() - times.iter().sum::<f64>()).abs() < 1e-12);
    }

    #[test]
    fn a_sum_is_exact_where_it_says_and_stays_at_its_limit() {
        let mut sum = FixedSum::default();
        sum = sum.plus(0.1);
        assert_eq!(sum.seconds().to_bits(), 0.1_f64.to_bits());
        sum = sum.plus(1e300);
        sum = sum.plus(1e300);
        assert!(sum.seconds() >= 9.2e18);
    }

    #[test]
    fn what_is_added_is_what_the_cast_makes_of_it() {
        let check = |seconds: f64| {
            let mut sum = FixedSum::default();
            sum = sum.plus(seconds);
            assert_eq!(sum.0, units(seconds).min(SUM_MAX), "{seconds:e}");
        };
        let mut random = 1_u64;
        for _ in 0..100_000 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            check(f64::from_bits(random >> 1));
            // Times from 2^-70 s to 2^20 s.
            check(f64::from_bits((random % (90 << 52)) + (953 << 52)));
        }
        let ends = [65_536.0, 9e18, 9.3e18, f64::MAX];
        for seconds in [0.0, 5e-324, 1e-19, 0.1, 0.5, 1.0].into_iter().chain(ends) {
            check(seconds);
            check(seconds.next_up());
            check(seconds.next_down().max(0.0));
        }
    }

    #[test]
    fn tables_of_parts_add_up_to_that_of_all() {
        let element = |index| Element {
            index,
            name: "it",
            id: 7,
        };
        let parts = [ElementTable::new(2), ElementTable::new(2)];
        let all = ElementTable::new(2);
        for (number, seconds) in [0.1, 1e300, 2.5, 0.0, 1e-19, 3.0].into_iter().enumerate() {
            let index = [0, 1, 9][number % 3];
            for table in [&parts[number % 2], &all] {
                table.execute(&element(index), "action+", seconds);
            }
        }
        assert!(parts[0].add(&parts[1]));
        let listed = |table: &ElementTable| format!("{:?}", table.outcomes(7.0));
        assert_eq!(listed(&parts[0]), listed(&all));
        let other = ElementTable::new(2);
        other.execute(&element(0), "loop+", 1.0);
        assert!(!parts[0].add(&other));
    }

    #[test]
    fn elements_that_the_model_does_not_announce_are_listed_too() {
        let table = ElementTable::new(1);
        for (index, name) in [(u32::MAX, "far"), (0, "near"), (7, "never executed")] {
            table.meet(&Element { index, name, id: 1 }, "action+");
        }
        table.record(u32::MAX, 2.0);
        table.record(0, 1.0);
        table.record(0, 4.0);
        let outcomes = table.outcomes(14.0);
        let names: Vec<&str> = outcomes.iter().map(|outcome| &*outcome.name).collect();
        assert_eq!(names, ["near", "far"]);
        let near = &outcomes[0];
        assert_eq!(
            (near.count, near.total_s, near.mean_s, near.max_s),
            (2, 5.0, 2.5, 4.0)
        );
        assert_eq!(near.share.to_bits(), (5.0_f64 / 14.0).to_bits());
    }
}
