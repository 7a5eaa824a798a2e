//! Meters the energy of a run from the same events that a trace records.

use super::{Span, Tracer, Tracing};
use crate::kernel::Kernel;
use crate::messages::message::Outgoing;

impl Tracing<'_> {
    /// Meters the bytes that an element moved from or to memory.
    pub(crate) fn meter_memory(&self, element: u32, bytes: u64) {
        if let Some(meter) = self.tracer.and_then(|tracer| tracer.meter.as_ref()) {
            meter.add_memory(element, bytes);
        }
    }

    #[inline]
    pub(crate) fn meter_message(&self, from: u32, message: &Outgoing) {
        if let Some(meter) = self.tracer.and_then(|tracer| tracer.meter.as_ref())
            && self.nid(from) != self.nid(message.dest)
        {
            meter.add_message(message.element, message.bytes);
        }
    }
}

impl Tracer {
    /// Meters the energy of a unit that had a CPU for `seconds` in a span.
    #[inline]
    pub(super) fn meter_cpu(&self, kernel: &Kernel<'_>, unit: u32, seconds: f64, span: Span) {
        if let Some(meter) = &self.meter {
            let element = kernel.element_of(kernel.local.place(unit));
            meter.add_cpu(kernel.nid(unit), element, seconds, span);
        }
    }
}
