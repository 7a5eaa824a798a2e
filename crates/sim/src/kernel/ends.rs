//! Lets callers request work at the end of an instant, or end the run.

use super::Kernel;

impl Kernel<'_> {
    /// Ends the run after this instant, even if more is left to do.
    pub fn stop(&self) {
        self.stopping.set(true);
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Returns `true` if the run ends after this instant.
    #[inline]
    pub fn stops(&self) -> bool {
        self.stopping.get()
    }

    /// Requests answers to inquiries, such as a status, at the end of this instant.
    pub fn inquire(&self) {
        self.inquiry.set(true);
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Returns `true` if there are inquiries, and marks them as handled.
    #[inline]
    pub fn has_inquiry(&self) -> bool {
        self.inquiry.replace(false)
    }

    /// Requests that the run loop check for work at the end of this instant.
    #[inline]
    pub fn set_attention(&self) {
        self.attention.set(true);
        self.busy.set(true);
    }

    /// Returns `true` if the run loop must check for work at the end of this instant.
    #[inline]
    pub fn takes_attention(&self) -> bool {
        self.attention.get()
    }

    /// Returns `true` while the futures are being dropped.
    #[inline]
    pub fn closes(&self) -> bool {
        self.closing.get()
    }

    /// Returns `true` while units are polled only to report what they are waiting for.
    #[inline]
    pub fn asks(&self) -> bool {
        self.asking.get()
    }

    /// Starts closing the run: from now on, futures are only dropped.
    pub fn close(&self) {
        self.closing.set(true);
    }
}
