//! Assigns small numbers to flows, and reuses them.

use crate::FlowId;

/// Assigns ids to flows, for implementations of [`Contention`](crate::Contention).
///
/// ```
/// use prophet_contention::Slots;
///
/// let mut slots = Slots::default();
/// let (first, second) = (slots.take(), slots.take());
/// assert_eq!((first.slot(), second.slot()), (0, 1));
/// slots.retire(first);
/// // At the next advance, whoever was told of its end knows.
/// slots.vacate();
/// assert_eq!(slots.take().slot(), 0);
/// ```
#[derive(Debug, Default)]
pub struct Slots {
    started: u64,
    count: u32,
    vacant: Vec<u32>,
    /// Slots of flows that ended during the last advance: their reports still need them.
    retired: Vec<u32>,
}

impl Slots {
    /// Returns an id for a new flow, with a vacant slot or a new one.
    pub fn take(&mut self) -> FlowId {
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        self.started += 1;
        FlowId::new(self.started, slot)
    }

    /// Records that a flow has ended, so that its slot can be reused after the next advance.
    pub fn retire(&mut self, flow: FlowId) {
        self.retired.push(flow.number());
    }

    /// Frees the slots of flows that ended in earlier advances. Call this first in each advance.
    pub fn vacate(&mut self) {
        // The first retired slot is reused first.
        self.vacant.extend(self.retired.drain(..).rev());
    }
}

/// Sets the element of a slot; the slot may be the one after the last.
pub(crate) fn put<T>(elements: &mut Vec<T>, slot: u32, element: T) {
    match elements.get_mut(slot as usize) {
        Some(old) => *old = element,
        None => elements.push(element),
    }
}
