//! Records lookups in tables with values outside of the tables' points.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::language::table::{Axis, Outside};
use crate::results::outcome::Extrapolation;

/// The lookup that is farthest outside, for each coordinate of each table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extrapolations(RefCell<BTreeMap<(&'static str, Axis), Outside>>);

impl Extrapolations {
    /// Records a lookup. The order doesn't matter, because it depends on the engine.
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&self, outside: Outside) {
        let mut noted = self.0.borrow_mut();
        let farthest = noted
            .entry((outside.table, outside.axis))
            .or_insert(outside);
        *farthest = farthest.farther(outside);
    }

    pub(crate) fn add(&self, others: &Self) {
        for outside in others.0.borrow().values() {
            self.note(*outside);
        }
    }

    /// Returns the lookups that are farthest outside, sorted by table name.
    pub(crate) fn told(&self) -> Vec<Extrapolation> {
        let told = |it: &Outside| Extrapolation {
            table: it.table.to_owned(),
            argument: it.axis.name().into(),
            // JSON can't represent infinity.
            asked: it.asked.clamp(f64::MIN, f64::MAX),
            from: it.range.0,
            to: it.range.1,
        };
        self.0.borrow().values().map(told).collect()
    }
}
