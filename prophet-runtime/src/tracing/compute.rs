//! Records units that compute or wait for a CPU.

use prophet_trace::{Record, UnitState};

use super::{Span, Tracer, Tracing};
use crate::kernel::{Kernel, NO_ELEMENT};

impl Tracing<'_> {
    /// Records that a unit got a CPU of its node, after waiting since `asked_s`.
    #[inline]
    pub(crate) fn trace_granted(&self, unit: u32, asked_s: f64) {
        if let Some(tracer) = self.tracer {
            tracer.granted(self, unit, asked_s);
        }
    }

    /// Records that a unit has given back a CPU of a node.
    #[inline]
    pub(crate) fn trace_given_back(&self, nid: u32, unit: u32) {
        if let Some(tracer) = self.recorder()
            && let Some(giver) = tracer.givers.borrow_mut().get_mut(nid as usize)
        {
            *giver = unit;
        }
    }

    /// Records that from now on, a unit shares CPUs or something else with others.
    #[inline]
    pub(crate) fn trace_shares(&self, unit: u32) {
        if let Some(tracer) = self.tracer {
            tracer.hold_back(self, unit);
        }
    }

    pub(crate) fn trace_moved(&self, unit: u32, granted_s: f64) {
        if let Some(tracer) = self.tracer {
            tracer.with(unit, |unit| unit.granted_s = granted_s);
        }
    }

    /// Records that a unit's turn on a CPU has ended before its work was done.
    #[inline]
    pub(crate) fn trace_turn(&self, unit: u32) {
        if let Some(tracer) = self.tracer {
            let now_s = self.now_s();
            let since_s = tracer.since_s(unit, now_s);
            tracer.meter_cpu(self, unit, now_s - since_s, (since_s, now_s));
            tracer.push(
                self,
                tracer.record(self, unit, UnitState::Compute, (since_s, now_s)),
            );
        }
    }

    /// Records that a unit has computed since it got a CPU. If other units hadn't slowed it down,
    /// it would have taken `alone_s`. Its execution began at `start_s` and ends now, unless this is
    /// only a `part`.
    #[inline]
    pub(crate) fn trace_computed(&self, unit: u32, start_s: f64, alone_s: Option<f64>, part: bool) {
        if let Some(tracer) = self.tracer {
            tracer.computed(self, unit, start_s, alone_s, part);
        }
    }

    /// Records that a unit of the local engine computes until `end_s`.
    #[inline]
    pub(crate) fn trace_computes(&self, unit: u32, start_s: f64, end_s: f64) {
        if let Some(tracer) = self.tracer {
            tracer.computes(self, unit, start_s, end_s);
        }
    }

    /// Records that a unit of the local engine computes until `end_s`, as a part of an execution.
    pub(crate) fn trace_launches(&self, unit: u32, start_s: f64, end_s: f64) {
        if let Some(tracer) = self.tracer {
            tracer.meter_cpu(self, unit, end_s - start_s, (start_s, end_s));
            if tracer.records() {
                let record = tracer.record(self, unit, UnitState::Compute, (start_s, end_s));
                tracer.push(self, record);
            }
        }
    }

    pub(crate) fn trace_waited(&self, unit: u32, since_s: f64, now_s: f64) {
        if let Some(tracer) = self.recorder()
            && now_s > since_s
        {
            let record = tracer.record(self, unit, UnitState::Wait, (since_s, now_s));
            tracer.push(self, record);
        }
    }

    /// Records that a unit has been waiting to start since `since_s`, and starts because `other`
    /// has ended.
    #[inline]
    pub(crate) fn trace_admitted(&self, unit: u32, since_s: f64, other: u32) {
        if let Some(tracer) = self.recorder() {
            let span = (since_s, self.now_s());
            let record = tracer.record(self, unit, UnitState::Wait, span);
            let record = record.element(NO_ELEMENT).cause(tracer.id(self, other));
            tracer.push(self, record);
        }
    }
}

impl Tracer {
    #[cold]
    #[inline(never)]
    fn computes(&self, kernel: &Kernel<'_>, unit: u32, start_s: f64, end_s: f64) {
        self.meter_cpu(kernel, unit, end_s - start_s, (start_s, end_s));
        if self.records() {
            let record = self.computing(kernel, unit, (start_s, end_s));
            self.push(kernel, record.began(start_s));
        }
    }

    /// Creates a record for a unit that computes, with the operations that its cost consists of.
    fn computing(&self, kernel: &Kernel<'_>, unit: u32, span: Span) -> Record {
        let record = self.record(kernel, unit, UnitState::Compute, span);
        match self.with(unit, |unit| unit.operations) {
            0 => record,
            number => record.operations(number),
        }
    }

    #[cold]
    #[inline(never)]
    fn granted(&self, kernel: &Kernel<'_>, unit: u32, asked_s: f64) {
        let now_s = kernel.now_s();
        self.with(unit, |unit| unit.granted_s = now_s);
        if now_s > asked_s {
            let mut record = self.record(kernel, unit, UnitState::Wait, (asked_s, now_s));
            let giver = self.givers.borrow().get(kernel.nid(unit) as usize).copied();
            if let Some(giver) = giver.filter(|giver| *giver != NO_ELEMENT) {
                record = record.cause(self.id(kernel, giver));
            }
            self.push(kernel, record);
        }
    }

    /// Returns when a unit got its CPU, in seconds. This is `start_s` if it didn't have to wait.
    fn since_s(&self, unit: u32, start_s: f64) -> f64 {
        let granted_s = self.with(unit, |unit| {
            unit.held_s = f64::NAN;
            std::mem::replace(&mut unit.granted_s, f64::NAN)
        });
        if granted_s.is_nan() {
            start_s
        } else {
            granted_s
        }
    }

    #[cold]
    #[inline(never)]
    fn computed(
        &self,
        kernel: &Kernel<'_>,
        unit: u32,
        start_s: f64,
        alone_s: Option<f64>,
        part: bool,
    ) {
        let now_s = kernel.now_s();
        let since_s = self.since_s(unit, start_s);
        let seconds = alone_s.unwrap_or(now_s - since_s);
        self.meter_cpu(kernel, unit, seconds, (since_s, now_s));
        let last = match alone_s.map(|alone_s| since_s + alone_s) {
            Some(alone_end_s) if alone_end_s < now_s => {
                self.push(kernel, self.computing(kernel, unit, (since_s, alone_end_s)));
                self.record(kernel, unit, UnitState::Wait, (alone_end_s, now_s))
            }
            _ => self.computing(kernel, unit, (since_s, now_s)),
        };
        self.push(kernel, if part { last } else { last.began(start_s) });
    }
}
