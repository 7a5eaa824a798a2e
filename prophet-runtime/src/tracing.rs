//! Records a run if there is a trace.
//!
//! Engines and elements report the activities of units to the [`Tracer`] when they account for the
//! time. Without a tracer, this costs only a branch. The tracer creates records and passes them to
//! a thread, which sorts and writes them ([`mod@file`]). If the machine describes its power, there
//! is always a tracer, because it also meters the energy.

mod compute;
mod energy;
#[cfg_attr(target_family = "wasm", path = "tracing/here.rs")]
mod file;
mod filter;
mod lanes;
mod messages;
mod operations;
mod output;
mod threads;
mod traced;
mod traffic;

use std::cell::{Cell, RefCell};
use std::ops::Deref;

use prophet_machine::network::{Network, NicClocks};
use prophet_machine::system::System;
use prophet_trace::{Record, UnitId, UnitState};

use crate::kernel::{Kernel, NO_ELEMENT, Phase, Unit};
use crate::language::element::Element;
use crate::results::energy::Meter;
use file::File;
pub use filter::TraceFilter;
use lanes::Lanes;
pub(crate) use messages::{Call, Gathering, Times};
pub use output::{LeftOut, Trace, TraceError};
use traced::Traced;
pub(crate) use traffic::{Metrics, SetOut, Way};

/// Number of records that are passed on together. So few fit in the caches of both threads.
const CHUNK: usize = 1 << 12;
/// Number of records, or of processes if there are more, after which the thread learns the progress
/// of the run. It doesn't do so more often, because finding the progress takes a look at all units.
const LOOK: usize = 1 << 15;

#[derive(Debug)]
pub(crate) struct Tracer {
    /// Number of processes. Their units have the lowest numbers.
    processes: u32,
    sent: Vec<Cell<u32>>,
    /// The state of each unit. The units of processes come first.
    units: RefCell<Vec<Traced>>,
    lanes: RefCell<Lanes>,
    /// For each node, the unit that gave back a CPU last.
    givers: RefCell<Vec<u32>>,
    filter: filter::Chosen,
    chunk: RefCell<Vec<Record>>,
    /// Number of records that were passed on since progress was last reported.
    since_look: Cell<usize>,
    count: Cell<u64>,
    /// Maximum number of records. Any after that are dropped.
    most: u64,
    /// Maximum time from the end of a record until it is added, in simulated seconds.
    late_s: f64,
    traffic: RefCell<traffic::Recorded>,
    operations: RefCell<operations::Operations>,
    file: Option<File>,
    meter: Option<Meter>,
}

/// Computes the maximum time from the end of a record until it is added. A receive from any source
/// is matched when the message's envelope arrives, but the time in transit is recorded from when
/// the receive was posted, which is earlier by at most the envelope's time. Twice that time covers
/// all rounding.
fn late_s(system: &System) -> f64 {
    let envelope_s = |network: &Network| {
        let sent = network.send(0.0, 0, &mut NicClocks::default());
        2.0 * sent.envelope_s
    };
    if system.protocol.eager_bytes_min() < u64::MAX {
        envelope_s(&system.network).max(envelope_s(&system.intranode))
    } else {
        0.0
    }
}

#[cold]
#[inline(never)]
fn grow(units: &mut Vec<Traced>, place: usize) {
    units.resize(place + 1, Traced::NEW);
}

impl Tracer {
    fn new(system: &System, filter: TraceFilter, most: u64, file: Option<File>) -> Self {
        // If there is only a meter, messages aren't numbered, so they are the same in each
        // iteration of a loop.
        let recorded = file.as_ref().map_or(0, |_| system.processes as usize);
        Self {
            processes: system.processes,
            sent: vec![Cell::new(0); recorded],
            units: RefCell::new(vec![Traced::NEW; recorded]),
            lanes: RefCell::default(),
            givers: RefCell::new(vec![NO_ELEMENT; system.nodes as usize]),
            filter: filter::Chosen::new(filter, file.is_some()),
            chunk: RefCell::new(Vec::with_capacity(CHUNK)),
            since_look: Cell::new(0),
            count: Cell::new(0),
            most,
            late_s: late_s(system),
            traffic: RefCell::default(),
            operations: RefCell::default(),
            file,
            meter: Meter::new(system),
        }
    }

    /// Creates a tracer for a run whose energy must be metered but that has no trace. Returns
    /// `None` if nothing is metered.
    pub(crate) fn metering(system: &System) -> Option<Self> {
        let filter = TraceFilter::default();
        let tracer = || Self::new(system, filter, u64::MAX, None);
        system.power.map(|_| tracer())
    }

    /// Returns `true` if there is a trace.
    pub(crate) fn records(&self) -> bool {
        self.file.is_some()
    }

    /// Returns `true` if there is a trace but no energy is metered.
    #[inline]
    pub(crate) fn only_records(&self) -> bool {
        self.records() && self.meter.is_none()
    }

    pub(crate) fn into_meter(self) -> Option<Meter> {
        self.meter
    }

    pub(crate) fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    fn count(&self) -> u64 {
        self.count.get() + self.chunk.borrow().len() as u64
    }

    #[inline]
    fn with<T>(&self, unit: u32, change: impl FnOnce(&mut Traced) -> T) -> T {
        let mut units = self.units.borrow_mut();
        let place = unit as usize;
        if place >= units.len() {
            grow(&mut units, place);
        }
        change(&mut units[place])
    }

    #[inline]
    fn id(&self, kernel: &Kernel<'_>, unit: u32) -> UnitId {
        if unit < self.processes {
            // The first thread of a process has the number of the process.
            return UnitId { pid: unit, tid: 0 };
        }
        self.id_of_member(kernel, unit)
    }

    #[cold]
    #[inline(never)]
    fn id_of_member(&self, kernel: &Kernel<'_>, unit: u32) -> UnitId {
        UnitId {
            pid: kernel.members.process_of(unit),
            tid: self.with(unit, |unit| unit.tid),
        }
    }

    /// Creates a record for what a unit does at its current element.
    #[expect(
        clippy::inline_always,
        reason = "parts of it are changed, and never in memory"
    )]
    #[inline(always)]
    fn record(
        &self,
        kernel: &Kernel<'_>,
        unit: u32,
        state: UnitState,
        (start_s, end_s): Span,
    ) -> Record {
        let UnitId { pid, tid } = self.id(kernel, unit);
        Record::new(pid, tid, state, start_s, end_s).element(kernel.element_of(unit))
    }

    #[expect(clippy::inline_always, reason = "the record is written where it stays")]
    #[inline(always)]
    fn push(&self, kernel: &Kernel<'_>, record: Record) {
        // The filter gets a copy, so that the record itself doesn't have to be in memory before.
        if !self.filter.takes_all() && !self.wants(kernel, record) {
            return;
        }
        let mut chunk = self.chunk.borrow_mut();
        if chunk.len() >= CHUNK {
            self.pass_on(kernel, &mut chunk);
        }
        chunk.push(record);
    }

    /// Adds records of a unit if the filter accepts them. `make` creates them, given the unit's
    /// identity and element.
    #[expect(clippy::inline_always, reason = "records are written where they stay")]
    #[inline(always)]
    fn add<const N: usize>(
        &self,
        kernel: &Kernel<'_>,
        unit: u32,
        make: impl Fn(UnitId, u32) -> [Record; N],
    ) {
        let mut chunk = self.chunk.borrow_mut();
        let has_room = chunk.len() + N <= CHUNK.min(chunk.capacity());
        let state = kernel.first_units().get(unit as usize);
        let state = state.filter(|_| unit < self.processes && self.filter.takes_all());
        if let Some(state) = state.filter(|_| has_room) {
            // No call follows, so what the records are made of doesn't have to be in memory.
            for record in make(UnitId { pid: unit, tid: 0 }, state.site.get()) {
                chunk.push(record);
            }
        } else {
            drop(chunk);
            self.push_each(
                kernel,
                &make(self.id(kernel, unit), kernel.element_of(unit)),
            );
        }
    }

    #[cold]
    #[inline(never)]
    fn push_each(&self, kernel: &Kernel<'_>, records: &[Record]) {
        for record in records {
            self.push(kernel, *record);
        }
    }

    #[cold]
    #[inline(never)]
    fn wants(&self, kernel: &Kernel<'_>, record: Record) -> bool {
        self.records() && self.filter.takes(kernel, &record)
    }

    #[cold]
    #[inline(never)]
    fn pass_on(&self, kernel: &Kernel<'_>, chunk: &mut Vec<Record>) {
        self.count.set(self.count.get() + chunk.len() as u64);
        if self.count.get() >= self.most && self.filter.left_out().0 == f64::INFINITY {
            self.filter.end_at(kernel.now_s());
        }
        let since_look = self.since_look.get() + chunk.len();
        let looks = since_look >= LOOK.max(self.processes as usize);
        self.since_look.set(if looks { 0 } else { since_look });
        let until_s = if looks { self.until_s(kernel) } else { 0.0 };
        if let Some(file) = &self.file {
            *chunk = file.add(std::mem::take(chunk), until_s);
            chunk.reserve_exact(CHUNK);
        }
    }

    /// Returns a time before which no more records will end.
    fn until_s(&self, kernel: &Kernel<'_>) -> f64 {
        let units = self.units.borrow();
        let clock_s = |unit: u32| match kernel.unit(unit).phase.get() {
            Phase::Ended => f64::INFINITY,
            _ => kernel.now_of(unit),
        };
        let Some(_) = kernel.local() else {
            let held = units.iter().map(|unit| unit.held_s);
            return held.fold(kernel.now_s() - self.late_s, f64::min);
        };
        (0..kernel.system.processes)
            .map(clock_s)
            .fold(f64::INFINITY, f64::min)
    }
}

/// A start and an end, in simulated seconds.
type Span = (f64, f64);

#[derive(Debug)]
pub(crate) struct Tracing<'s> {
    kernel: Kernel<'s>,
    pub(crate) tracer: Option<&'s Tracer>,
}

impl<'s> Tracing<'s> {
    pub(crate) fn new(kernel: Kernel<'s>, tracer: Option<&'s Tracer>) -> Self {
        Self { kernel, tracer }
    }
}

/// Gives access to the layers below.
impl<'s> Deref for Tracing<'s> {
    type Target = Kernel<'s>;

    #[inline]
    fn deref(&self) -> &Kernel<'s> {
        &self.kernel
    }
}

impl<'s> Tracing<'s> {
    /// Returns the tracer if there is a trace.
    #[inline]
    pub(crate) fn recorder(&self) -> Option<&'s Tracer> {
        self.tracer.filter(|tracer| tracer.records())
    }
}

/// Records what happens at any element.
impl Tracing<'_> {
    /// Records which element a process of the local engine begins.
    #[inline]
    pub(crate) fn trace_begin(&self, unit: &Unit, element: &Element, kind: &'static str) {
        if self.tracer.is_some() {
            self.meet_traced(unit, element, kind);
        }
    }

    #[cold]
    #[inline(never)]
    fn meet_traced(&self, unit: &Unit, element: &Element, kind: &'static str) {
        unit.site.set(element.index);
        self.elements.meet(element, kind);
    }

    /// Records a moment of a unit, marked with `number`.
    #[inline]
    pub(crate) fn trace_mark(&self, unit: u32, number: u32) {
        if let Some(tracer) = self.recorder() {
            tracer.mark(self, unit, number);
        }
    }

    /// Records that a unit starts to let time pass.
    #[inline]
    pub(crate) fn trace_hold(&self, unit: u32) {
        if let Some(tracer) = self.recorder() {
            let now_s = self.now_of(unit);
            tracer.with(unit, |unit| unit.hold_s = now_s);
        }
    }

    /// Records that a unit has let time pass since [`Self::trace_hold`].
    #[inline]
    pub(crate) fn trace_held(&self, unit: u32) {
        if let Some(tracer) = self.recorder() {
            tracer.held(self, unit);
        }
    }

    /// Records that a unit has waited since `since_s` for something that processes share. For the
    /// last `served_s` seconds, it was being served.
    #[inline]
    pub(crate) fn trace_shared_wait(&self, unit: u32, since_s: f64, served_s: f64) {
        if let Some(tracer) = self.recorder() {
            tracer.shared_wait(self, unit, since_s, served_s);
        }
    }

    /// Records an execution of an element that contains others, or that has several messages.
    #[inline]
    pub(crate) fn trace_content(&self, unit: u32, element: &Element, start_s: f64) {
        if let Some(tracer) = self.recorder() {
            let record = tracer.content(self, unit, element, start_s);
            tracer.push(self, record);
        }
    }
}

impl Tracer {
    #[cold]
    #[inline(never)]
    fn mark(&self, kernel: &Kernel<'_>, unit: u32, number: u32) {
        let UnitId { pid, tid } = self.id(kernel, unit);
        let now_s = kernel.now_of(unit);
        let record = Record::new(pid, tid, UnitState::Content, now_s, now_s);
        self.push(kernel, record.bytes(number.into()));
    }

    #[cold]
    #[inline(never)]
    fn held(&self, kernel: &Kernel<'_>, unit: u32) {
        let since_s = self.with(unit, |unit| unit.hold_s);
        let span = (since_s, kernel.now_of(unit));
        self.push(kernel, self.record(kernel, unit, UnitState::Hold, span));
    }

    #[cold]
    #[inline(never)]
    fn shared_wait(&self, kernel: &Kernel<'_>, unit: u32, since_s: f64, served_s: f64) {
        self.with(unit, |unit| unit.held_s = f64::NAN);
        let now_s = kernel.now_s();
        let there_s = (now_s - served_s).max(since_s);
        let record = self.record(kernel, unit, UnitState::Wait, (since_s, there_s));
        for record in [record, record.then(UnitState::Hold, now_s)] {
            if record.end_s > record.start_s {
                self.push(kernel, record);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn content(&self, kernel: &Kernel<'_>, unit: u32, element: &Element, start_s: f64) -> Record {
        let span = (start_s, kernel.now_of(unit));
        let record = self.record(kernel, unit, UnitState::Content, span);
        self.with(unit, |unit| unit.held_s = f64::NAN);
        record.element(element.index).began(start_s)
    }

    /// Allows records of this unit to be added late if they end after now.
    #[cold]
    #[inline(never)]
    fn hold_back(&self, kernel: &Kernel<'_>, unit: u32) {
        let now_s = kernel.now_of(unit);
        self.with(unit, |unit| unit.held_s = now_s);
    }
}
