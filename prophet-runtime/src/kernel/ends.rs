//! What is to be seen to at the end of an instant, and how a run ends.

use super::Kernel;

impl Kernel<'_> {
    /// Ends the run with this instant, though there may be more to do.
    pub(crate) fn stop(&self) {
        self.stopping.set(true);
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Whether the run ends with this instant.
    pub(crate) fn stops(&self) -> bool {
        self.stopping.get()
    }

    /// Has inquiries answered at the end of this instant.
    pub(crate) fn inquire(&self) {
        self.inquiry.set(true);
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Whether there are inquiries; not any more after that.
    pub(crate) fn has_inquiry(&self) -> bool {
        self.inquiry.replace(false)
    }

    /// Has the end of this instant seen to.
    pub(crate) fn set_attention(&self) {
        self.attention.set(true);
        self.busy.set(true);
    }

    /// The element that a unit is at, by index.
    #[inline]
    pub(crate) fn element_of(&self, unit: u32) -> u32 {
        self.unit(unit).element.get()
    }

    /// Whether there is something to do at the end of this instant.
    #[inline]
    pub(crate) fn takes_attention(&self) -> bool {
        self.attention.get()
    }

    /// Whether the futures are being dropped.
    pub(crate) fn closes(&self) -> bool {
        self.closing.get()
    }

    /// Whether units are polled only to tell what they wait for.
    pub(crate) fn asks(&self) -> bool {
        self.asking.get()
    }

    /// From now on futures are only dropped.
    pub(crate) fn close(&self) {
        self.closing.set(true);
    }
}
