//! Simulates an accelerator: its streams, events, and engines, with the same order as in CUDA.
//!
//! Operations in the same stream run in order. An operation is ready when the one before it in its
//! stream has ended and any event that the stream waits for has been reached. It then runs on an
//! engine: the compute engine, which several kernels can use according to their shares, or a copy
//! engine, which makes one copy at a time. The results don't depend on the steps in which time
//! advances for the device, so both simulation engines compute exactly the same times.

use prophet_machine::accelerator::{Accelerator, Queues};
use prophet_map::Map;

use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of kernels that run on a device at the same time, as for compute capability 7.0
/// and later.
const KERNELS_MAX: usize = 128;

/// By how much rounding can make the sum of kernels' shares exceed the whole device.
const ROUNDING: f64 = 1e-9;

/// The number of an operation, in the order in which operations were issued.
pub(crate) type OpNumber = u64;

/// A stream or event, by its process and number.
pub(crate) type Named = (u32, i64);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Work {
    pub(crate) engine: Engine,
    pub(crate) seconds: f64,
    /// The fraction of the engine that the work takes.
    pub(crate) share: f64,
    pub(crate) element: u32,
}

/// Work of an engine that has finished, or that the end of the run cut off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Done {
    pub(crate) stream: Named,
    /// Index of the engine. 0 is the compute engine.
    pub(crate) engine: usize,
    pub(crate) element: u32,
    pub(crate) start_s: f64,
    pub(crate) end_s: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Compute,
    ToDevice,
    ToHost,
    ToPeer,
}

impl Engine {
    fn index(self, copy_engines: usize) -> usize {
        match self {
            Self::Compute => 0,
            Self::ToDevice => 1,
            Self::ToHost => 1 + 1 % copy_engines,
            Self::ToPeer => 1 + 2 % copy_engines,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Device {
    queues: Queues,
    /// The compute engine, followed by the copy engines.
    engines: Vec<Queue>,
    next: OpNumber,
    open: Map<OpNumber, Open>,
    /// When running operations end, by the bits of the time.
    ends: BTreeSet<(u64, OpNumber)>,
    /// The last operation of each stream, unless it has ended.
    last: BTreeMap<Named, OpNumber>,
    /// The operation that records each event, unless it has ended.
    events: BTreeMap<Named, OpNumber>,
    /// How much memory each process needs at most, in bytes.
    needs: Map<u32, u64>,
    /// Finished work, sorted by end; `None` if there is no trace.
    done: Option<Vec<Done>>,
}

/// An engine, and the operations that run on it.
#[derive(Debug, Default)]
struct Queue {
    /// Operations that are waiting for the engine, by the bits of the time at which they became
    /// ready.
    waiting: BTreeSet<(u64, OpNumber)>,
    /// The shares of running operations.
    running: Map<OpNumber, f64>,
    /// How long operations have been running, in seconds. If some still are, only the time up to
    /// `since_s` is included.
    busy_s: f64,
    since_s: f64,
}

impl Queue {
    fn begin(&mut self, now_s: f64, number: OpNumber, share: f64) {
        if self.running.is_empty() {
            self.since_s = now_s;
        }
        self.running.insert(number, share);
    }

    fn end(&mut self, now_s: f64, number: OpNumber) {
        self.running.remove(&number);
        if self.running.is_empty() {
            self.busy_s += now_s - self.since_s;
        }
    }

    /// Returns how long operations have been running up to `end_s`, in seconds.
    fn busy_until_s(&self, end_s: f64) -> f64 {
        if self.running.is_empty() {
            return self.busy_s;
        }
        self.busy_s + (end_s - self.since_s).max(0.0)
    }

    /// Returns `true` if the engine has room for an operation with this share.
    fn has_room(&self, share: f64) -> bool {
        let taken: f64 = self.running.values().sum();
        self.running.len() < KERNELS_MAX && taken + share <= 1.0 + ROUNDING
    }
}

#[derive(Debug)]
struct Open {
    stream: Named,
    event: Option<Named>,
    /// The index of the engine, and the work; `None` if the operation needs no engine.
    work: Option<(usize, Work)>,
    /// When the work began, in seconds; NaN before that.
    start_s: f64,
    blockers: u32,
    dependents: Vec<OpNumber>,
}

impl Open {
    /// Returns the operation's work, which ends at `end_s`, or `None` if there is none.
    fn done(&self, end_s: f64) -> Option<Done> {
        let (engine, work) = self.work?;
        Some(Done {
            stream: self.stream,
            engine,
            element: work.element,
            start_s: self.start_s,
            end_s,
        })
    }
}

impl Device {
    /// Creates a device. If it is `traced`, it keeps finished work.
    pub(crate) fn new(of: &Accelerator, traced: bool) -> Self {
        let engines = 1 + of.copy_engines.max(1) as usize;
        Self {
            queues: of.queues,
            engines: (0..engines).map(|_| Queue::default()).collect(),
            next: 0,
            open: Map::new(),
            ends: BTreeSet::new(),
            last: BTreeMap::new(),
            events: BTreeMap::new(),
            needs: Map::new(),
            done: traced.then(Vec::new),
        }
    }

    /// Takes the work that engines did until the end of the run, sorted by end.
    pub(crate) fn take_done(&mut self, end_s: f64) -> Vec<Done> {
        self.advance(end_s);
        let Some(mut done) = self.done.take() else {
            return Vec::new();
        };
        // Work that is still running began before that.
        let runs = self
            .ends
            .iter()
            .filter_map(|(_, number)| self.open.get(number));
        done.extend(runs.filter_map(|open| open.done(end_s)));
        done
    }

    /// Returns how long kernels were running, and how long copy engines were copying, until the end
    /// of a run, in seconds.
    pub(crate) fn busy_s(&mut self, end_s: f64) -> (f64, f64) {
        self.advance(end_s);
        let mut of_engines = self.engines.iter().map(|it| it.busy_until_s(end_s));
        let kernels_s = of_engines.next().unwrap_or(0.0);
        (kernels_s, of_engines.sum())
    }

    pub(crate) fn pending(&self) -> usize {
        self.open.len()
    }

    /// Removes operations that have ended from the end of a list, so that it is empty once all have
    /// ended.
    pub(crate) fn forget_ended(&self, numbers: &mut Vec<OpNumber>) {
        while numbers.last().is_some_and(|it| !self.open.contains_key(it)) {
            numbers.pop();
        }
    }

    /// Returns when the next operation ends, in seconds, or infinity if none is running.
    pub(crate) fn next_s(&self) -> f64 {
        let first = self.ends.first();
        first.map_or(f64::INFINITY, |(bits, _)| f64::from_bits(*bits))
    }

    /// Returns the last operation of a stream, unless it has ended.
    pub(crate) fn last_of(&self, stream: Named) -> Option<OpNumber> {
        self.last.get(&stream).copied()
    }

    /// Returns the operation that records an event, or `None` if it has ended or there is none.
    pub(crate) fn event(&self, event: Named) -> Option<OpNumber> {
        self.events.get(&event).copied()
    }

    /// Returns the last operation of each of a process's streams, unless it has ended.
    pub(crate) fn all_of(&self, pid: u32) -> Vec<OpNumber> {
        let streams = self.last.range((pid, i64::MIN)..=(pid, i64::MAX));
        streams.map(|(_, number)| *number).collect()
    }

    /// Records how much memory a process needs. Returns how much all processes together need, in
    /// bytes.
    pub(crate) fn need(&mut self, pid: u32, bytes: u64) -> u128 {
        let need = self.needs.get_or_default(pid);
        *need = (*need).max(bytes);
        self.needed()
    }

    /// Returns the bytes that all processes need together.
    pub(crate) fn needed(&self) -> u128 {
        self.needs.values().copied().map(u128::from).sum()
    }

    /// Issues work into a stream at `now_s`. This time must not decrease from call to call.
    pub(crate) fn issue(&mut self, now_s: f64, stream: Named, work: Work) {
        let index = work.engine.index(self.engines.len() - 1);
        self.put(now_s, stream, Some((index, work)), None);
    }

    pub(crate) fn record(&mut self, now_s: f64, stream: Named, event: Named) {
        self.advance(now_s);
        self.events.remove(&event);
        if self.last_of(stream).is_some() {
            let number = self.put(now_s, stream, None, None);
            if let Some(open) = self.open.get_mut(&number) {
                open.event = Some(event);
                self.events.insert(event, number);
            }
        }
    }

    /// Makes a stream wait for an event. An event that hasn't been recorded counts as reached.
    pub(crate) fn wait_in_stream(&mut self, now_s: f64, stream: Named, event: Named) {
        self.advance(now_s);
        if let Some(recorded) = self.event(event) {
            self.put(now_s, stream, None, Some(recorded));
        }
    }

    /// Adds an operation. If `after` is given, it also waits for that operation.
    fn put(
        &mut self,
        now_s: f64,
        stream: Named,
        work: Option<(usize, Work)>,
        after: Option<OpNumber>,
    ) -> OpNumber {
        self.advance(now_s);
        let number = self.next;
        self.next += 1;
        let before = self.last_of(stream);
        let mut blockers = 0;
        for blocker in [before, after.filter(|it| before != Some(*it))] {
            if let Some(open) = blocker.and_then(|it| self.open.get_mut(&it)) {
                open.dependents.push(number);
                blockers += 1;
            }
        }
        if let (Some((index, ..)), Queues::Engine) = (work, self.queues) {
            self.engines[index].waiting.insert((0, number));
        }
        self.last.insert(stream, number);
        self.open.insert(
            number,
            Open {
                stream,
                event: None,
                work,
                start_s: f64::NAN,
                blockers,
                dependents: Vec::new(),
            },
        );
        if blockers == 0 {
            self.make_ready(vec![number], now_s);
            self.start(now_s);
            self.advance(now_s);
        }
        number
    }

    pub(crate) fn advance(&mut self, to_s: f64) {
        while let Some((bits, _)) = self.ends.first().copied()
            && f64::from_bits(bits) <= to_s
        {
            let time_s = f64::from_bits(bits);
            let mut ready = Vec::new();
            while let Some((end, number)) = self.ends.first().copied()
                && end == bits
            {
                self.ends.pop_first();
                ready.extend(self.end(number, time_s));
            }
            self.make_ready(ready, time_s);
            self.start(time_s);
        }
    }

    /// Ends an operation. Returns the operations that it no longer blocks.
    fn end(&mut self, number: OpNumber, now_s: f64) -> Vec<OpNumber> {
        let Some(open) = self.open.remove(&number) else {
            return Vec::new();
        };
        if let Some((index, _)) = open.work {
            self.engines[index].end(now_s, number);
        }
        if let Some(done) = &mut self.done {
            done.extend(open.done(now_s));
        }
        if self.last.get(&open.stream) == Some(&number) {
            self.last.remove(&open.stream);
        }
        if let Some(event) = open.event
            && self.events.get(&event) == Some(&number)
        {
            self.events.remove(&event);
        }
        let mut ready = open.dependents;
        ready.retain(|dependent| {
            let Some(open) = self.open.get_mut(dependent) else {
                return false;
            };
            open.blockers -= 1;
            open.blockers == 0
        });
        ready
    }

    /// Queues operations that are no longer blocked. Those without work end immediately.
    fn make_ready(&mut self, mut ready: Vec<OpNumber>, now_s: f64) {
        while let Some(number) = ready.pop() {
            match self.open.get(&number).map(|open| open.work) {
                Some(Some((index, ..))) if self.queues == Queues::Stream => {
                    let waiting = &mut self.engines[index].waiting;
                    waiting.insert((now_s.to_bits(), number));
                }
                Some(None) => ready.extend(self.end(number, now_s)),
                _ => {}
            }
        }
    }

    fn start(&mut self, now_s: f64) {
        for (index, queue) in self.engines.iter_mut().enumerate() {
            while let Some((since, number)) = queue.waiting.first().copied()
                && let Some(open) = self.open.get_mut(&number)
                && let Some((_, work)) = open.work
            {
                // A copy has the whole engine.
                let share = if index == 0 { work.share } else { 1.0 };
                if open.blockers > 0 || !queue.has_room(share) {
                    break;
                }
                queue.waiting.remove(&(since, number));
                queue.begin(now_s, number, share);
                open.start_s = now_s;
                self.ends.insert(((now_s + work.seconds).to_bits(), number));
            }
        }
    }
}

#[cfg(test)]
mod tests;
