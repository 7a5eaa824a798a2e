//! Small numbers of flows, which are used again.

use crate::FlowId;

/// Numbers of the flows that there are.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    started: u64,
    count: u32,
    vacant: Vec<u32>,
    /// Slots of flows that ended in the last advance: who is told of them still needs these.
    retired: Vec<u32>,
}

impl Slots {
    /// The id of a flow that starts, with a slot that is vacant or the first beyond all.
    pub(crate) fn take(&mut self) -> FlowId {
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        });
        self.started += 1;
        FlowId::new(self.started, slot)
    }

    /// Notes that the flow of a slot has ended.
    pub(crate) fn retire(&mut self, slot: u32) {
        self.retired.push(slot);
    }

    /// Makes the slots vacant that were retired before.
    pub(crate) fn vacate(&mut self) {
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
