//! Records when threads start and wait.

use prophet_trace::{Record, UnitId, UnitState};

use super::traced::Traced;
use super::{Tracer, Tracing};
use crate::kernel::Kernel;

impl Tracing<'_> {
    /// Gives a unit that becomes a thread of a process its number in records.
    pub(crate) fn trace_member(&self, unit: u32, pid: u32) {
        if let Some(tracer) = self.recorder() {
            let tid = tracer.lanes.borrow_mut().take(pid);
            tracer.with(unit, |unit| *unit = Traced { tid, ..Traced::NEW });
        }
    }

    /// Frees the number that [`Self::trace_member`] gave the unit.
    pub(crate) fn trace_member_left(&self, unit: u32) {
        if let Some(tracer) = self.recorder() {
            let UnitId { pid, tid } = tracer.id(self, unit);
            tracer.lanes.borrow_mut().give(pid, tid);
        }
    }

    /// Records that a thread starts in a region that another thread has reached. `element` is the
    /// index of the region's element.
    pub(crate) fn trace_started(&self, unit: u32, element: u32, encountering: u32) {
        if let Some(tracer) = self.recorder() {
            let now_s = self.now_s();
            let record = tracer.synchronized(self, unit, now_s, encountering);
            tracer.push(self, record.element(element));
        }
    }

    /// Records that a thread has been waiting since `since_s` for another thread, which arrived
    /// last.
    pub(crate) fn trace_synchronized(&self, unit: u32, since_s: f64, other: u32) {
        if let Some(tracer) = self.recorder()
            && self.now_s() > since_s
        {
            tracer.push(self, tracer.synchronized(self, unit, since_s, other));
        }
    }

    /// Records that a thread, after it ended, has been waiting since `since_s` for another one: for
    /// the end of their region, or for a token.
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
