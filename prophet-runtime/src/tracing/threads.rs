//! Records the starts and waits of threads.

use prophet_trace::{Record, UnitId, UnitState};

use super::traced::Traced;
use super::{Tracer, Tracing};
use crate::kernel::Kernel;

impl Tracing<'_> {
    /// Assigns a number in records to a unit that becomes a thread of a process.
    pub(crate) fn trace_member(&self, unit: u32, pid: u32) {
        if let Some(tracer) = self.recorder() {
            let tid = tracer.lanes.borrow_mut().take(pid);
            tracer.with(unit, |unit| *unit = Traced { tid, ..Traced::NEW });
        }
    }

    /// Frees the number assigned by [`Self::trace_member`].
    pub(crate) fn trace_member_left(&self, unit: u32) {
        if let Some(tracer) = self.recorder() {
            let UnitId { pid, tid } = tracer.id(self, unit);
            tracer.lanes.borrow_mut().give(pid, tid);
        }
    }

    /// Records that a thread starts in a region that another thread has reached; `element` is the
    /// region's element index.
    pub(crate) fn trace_started(&self, unit: u32, element: u32, encountering: u32) {
        if let Some(tracer) = self.recorder() {
            let now_s = self.now_s();
            let record = tracer.synchronized(self, unit, now_s, encountering);
            tracer.push(self, record.element(element));
        }
    }

    /// Records that a thread has waited since `since_s` for another thread, which arrived last.
    pub(crate) fn trace_synchronized(&self, unit: u32, since_s: f64, other: u32) {
        if let Some(tracer) = self.recorder()
            && self.now_s() > since_s
        {
            tracer.push(self, tracer.synchronized(self, unit, since_s, other));
        }
    }

    /// Records that a thread that has ended has waited since `since_s` for another thread: for the
    /// end of their region, or for a token.
    pub(crate) fn trace_joined(&self, unit: u32, element: u32, since_s: f64, other: u32) {
        if let Some(tracer) = self.recorder()
            && self.now_s() > since_s
        {
            let record = tracer.synchronized(self, unit, since_s, other);
            tracer.push(self, record.element(element));
        }
    }
}

impl Tracer {
    fn synchronized(&self, kernel: &Kernel<'_>, unit: u32, since_s: f64, other: u32) -> Record {
        let span = (since_s, kernel.now_s());
        let record = self.record(kernel, unit, UnitState::Synchronize, span);
        record.cause(self.id(kernel, other))
    }
}
