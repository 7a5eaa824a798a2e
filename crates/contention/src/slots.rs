//! Assigns small numbers to flows. Numbers are reused.

use crate::FlowId;

/// Assigns ids to flows. Use it to implement [`Contention`](crate::Contention).
///
/// ```
/// use prophet_contention::Slots;
///
/// let mut slots = Slots::default();
/// let (first, second) = (slots.take(), slots.take());
/// assert_eq!((first.slot(), second.slot()), (0, 1));
/// slots.retire(first);
/// // From the next advance on, the slot can be reused.
/// slots.vacate();
/// assert_eq!(slots.take().slot(), 0);
/// ```
#[derive(Debug, Default)]
pub struct Slots {
    started: u64,
    count: u32,
    vacant: Vec<u32>,
    /// Slots of flows that ended in the last advance. They aren't reused yet, because their ends
    /// are still being handled.
    retired: Vec<u32>,
}

impl Slots {
    /// Returns an id for a new flow, with a vacant slot if possible.
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

    /// Frees the slots of flows that ended in earlier advances. Call this at the start of each
    /// advance.
    pub fn vacate(&mut self) {
        // The slot that was retired first is reused first.
        self.vacant.extend(self.retired.drain(..).rev());
    }
}

/// Sets the element of a slot. The slot must not be more than one beyond the last element.
pub(crate) fn put<T>(elements: &mut Vec<T>, slot: u32, element: T) {
    match elements.get_mut(slot as usize) {
        Some(old) => *old = element,
        None => elements.push(element),
    }
}
