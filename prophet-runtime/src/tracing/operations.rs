//! Records the operations that costs use (called resource usage data in PTI).

use prophet_map::Map;
use prophet_trace::UsedOperations;

use super::Tracer;
use crate::language::opcode::Opcode;

/// Maximum number of lists of counts that are kept. Those with the lowest numbers are, whatever the
/// order in which they are added.
const LISTS_MAX: usize = 1 << 12;

type Counts = Vec<(u32, f64)>;

/// The operations in the cost that is being computed, and those in earlier costs.
#[derive(Debug, Default)]
pub(super) struct Operations {
    unit: u32,
    /// The uses of operations, in the order in which they are computed.
    uses: Counts,
    /// The lists by number, or `None` if two lists have the same number.
    lists: Map<u32, Option<Counts>>,
}

impl Operations {
    /// Takes the uses of operations in a unit's cost. Returns the number of the list, or 0 if there
    /// are none.
    fn take(&mut self, unit: u32) -> u32 {
        let uses = std::mem::take(&mut self.uses);
        if uses.is_empty() || self.unit != unit {
            return 0;
        }
        let mut counts: Map<u32, f64> = Map::new();
        for (opcode, count) in uses {
            *counts.get_or_default(opcode) += count;
        }
        let counts: Counts = counts.into_iter().collect();
        let number = number(&counts);
        let known = self
            .lists
            .get_or_insert_with(number, || Some(counts.clone()));
        if known.as_ref() != Some(&counts) {
            *known = None;
        }
        if self.lists.len() > LISTS_MAX {
            let last = self.lists.keys().last().copied();
            last.and_then(|last| self.lists.remove(&last));
        }
        number
    }
}

/// Returns the number of a list. It isn't 0, and is the same in each run and engine (FNV-1a).
fn number(counts: &[(u32, f64)]) -> u32 {
    let words = counts
        .iter()
        .flat_map(|(opcode, count)| [u64::from(*opcode), count.to_bits()]);
    let bytes = words.flat_map(u64::to_le_bytes);
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    hash.max(1)
}

impl Tracer {
    /// Records that a cost which is being computed for a unit uses an operation.
    #[cold]
    #[inline(never)]
    pub(crate) fn use_operation(&self, unit: u32, opcode: u32, count: f64) {
        let mut operations = self.operations.borrow_mut();
        if operations.unit != unit {
            operations.unit = unit;
            operations.uses.clear();
        }
        operations.uses.push((opcode, count));
    }

    /// Returns the number of uses in the current cost so far.
    pub(crate) fn uses(&self) -> usize {
        self.operations.borrow().uses.len()
    }

    /// Multiplies the counts of all uses after the first `behind`.
    #[cold]
    #[inline(never)]
    pub(crate) fn scale_uses(&self, behind: usize, factor: f64) {
        let mut operations = self.operations.borrow_mut();
        for (_, count) in operations.uses.iter_mut().skip(behind) {
            *count *= factor;
        }
    }

    /// Assigns a cost's uses to the execution that is charged for it.
    #[cold]
    #[inline(never)]
    pub(crate) fn charge_uses(&self, unit: u32) {
        let number = self.operations.borrow_mut().take(unit);
        self.with(unit, |unit| unit.operations = number);
    }

    /// Returns the lists of counts that are written at the end of the trace.
    pub(super) fn used_operations(&self, opcodes: &[Opcode]) -> Vec<UsedOperations> {
        let operations = self.operations.borrow();
        let lists = operations.lists.iter();
        let named = |(opcode, count): &(u32, f64)| {
            let opcode = opcodes.iter().find(|it| it.index == *opcode)?;
            Some((opcode.name.to_owned(), *count))
        };
        lists
            .filter_map(|(number, counts)| {
                Some(UsedOperations {
                    number: *number,
                    counts: counts.as_ref()?.iter().filter_map(named).collect(),
                })
            })
            .collect()
    }
}
