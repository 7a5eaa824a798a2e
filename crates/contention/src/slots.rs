//! Small numbers of flows, which are used again.

use crate::FlowId;

/// Numbers of the flows that there are, for implementations of [`Contention`](crate::Contention).
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
    /// Slots of flows that ended in the last advance, which their reports still need.
    retired: Vec<u32>,
}

impl Slots {
    /// The id of a flow that starts, with a slot that is vacant or the first beyond all.
    pub fn take(&mut self) -> FlowId {
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        self.started += 1;
        FlowId::new(self.started, slot)
    }

    /// Notes that a flow has ended.
    pub fn retire(&mut self, flow: FlowId) {
        self.retired.push(flow.number());
    }

    /// Makes the slots vacant that were retired before; called first in each advance.
    pub fn vacate(&mut self) {
        // The first is used next.
        self.vacant.extend(self.retired.drain(..).rev());
    }
}

/// Sets the element of a slot, which is at most the first beyond all.
pub(crate) fn put<T>(elements: &mut Vec<T>, slot: u32, element: T) {
    match elements.get_mut(slot as usize) {
        Some(old) => *old = element,
        None => elements.push(element),
    }
}
