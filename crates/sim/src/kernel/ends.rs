//! What is to be seen to at the end of an instant, and how a run ends.

use super::Kernel;

impl Kernel<'_> {
    /// Ends the run with this instant, though there may be more to do.
    pub fn stop(&self) {
        self.stopping.set(true);
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Whether the run ends with this instant.
    #[inline]
    pub fn stops(&self) -> bool {
        self.stopping.get()
    }

    /// Has inquiries answered at the end of this instant.
    pub fn inquire(&self) {
        self.inquiry.set(true);
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Whether there are inquiries; not any more after that.
    #[inline]
    pub fn has_inquiry(&self) -> bool {
        self.inquiry.replace(false)
    }

    /// Has the end of this instant seen to.
    #[inline]
    pub fn set_attention(&self) {
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Whether there is something to do at the end of this instant.
    #[inline]
    pub fn takes_attention(&self) -> bool {
        self.attention.get()
    }

    /// Whether the futures are being dropped.
    #[inline]
    pub fn closes(&self) -> bool {
        self.closing.get()
    }

    /// Whether units are polled only to tell what they wait for.
    #[inline]
    pub fn asks(&self) -> bool {
        self.asking.get()
    }

    /// From now on futures are only dropped.
    pub fn close(&self) {
        self.closing.set(true);
    }
}
