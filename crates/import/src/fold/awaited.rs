//! Finds requests that have a wait of their own. The numbers of all other requests mean nothing:
//! they grow with each message in a loop, so each iteration would look different.

use std::collections::{BTreeMap, BTreeSet};

use prophet_text::Problem;

use crate::ImportedTrace;
use crate::event::{Message, RankEvent};
use crate::requests::{Requests, SHARED};

/// A rank's messages in flight.
#[derive(Debug, Default)]
pub(super) struct OpenMessages {
    messages: BTreeMap<u32, (Message, bool)>,
    counts: BTreeMap<(Message, bool), u32>,
}

impl OpenMessages {
    /// Records an event. Returns `true` if the event starts a message while an equal one with a
    /// different request is in flight. Request numbers could then grow without limit.
    pub(super) fn has_twins(&mut self, event: &RankEvent) -> bool {
        match event {
            RankEvent::BeginSend(message, request) => self.begin(*request, (*message, true)),
            RankEvent::BeginReceive(message, request) => self.begin(*request, (*message, false)),
            RankEvent::Wait(request) => {
                self.end(*request);
                false
            }
            RankEvent::WaitAll => {
                *self = Self::default();
                false
            }
            _ => false,
        }
    }

    fn begin(&mut self, request: u32, message: (Message, bool)) -> bool {
        if request == SHARED {
            return false;
        }
        self.end(request);
        self.messages.insert(request, message);
        let count = self.counts.entry(message).or_default();
        *count += 1;
        *count > 1
    }

    fn end(&mut self, request: u32) {
        let Some(message) = self.messages.remove(&request) else {
            return;
        };
        if let Some(count) = self.counts.get_mut(&message) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&message);
            }
        }
    }
}

/// Call sites that wait for all messages in flight, or for some of them.
#[derive(Debug, Default)]
pub(super) struct Waits {
    all: BTreeSet<u32>,
    some: BTreeSet<u32>,
}

impl Waits {
    pub(super) fn note(&mut self, event: &RankEvent, site: u32) {
        match event {
            RankEvent::WaitAll => drop(self.all.insert(site)),
            RankEvent::Wait(_) => drop(self.some.insert(site)),
            _ => {}
        }
    }

    /// Returns the number of call sites that do both. For example, ranks at a corner have no other
    /// messages in flight.
    pub(super) fn len(&self) -> usize {
        self.all.intersection(&self.some).count()
    }

    /// Returns `true` if a call waits for each message in flight, because other calls at its site
    /// wait for some.
    pub(super) fn is_of_each(&self, event: &RankEvent, site: u32) -> bool {
        matches!(event, RankEvent::WaitAll) && self.some.contains(&site)
    }
}

/// Whether each message that a rank starts has a wait of its own.
#[derive(Debug, Default)]
pub(super) struct WaitedAlone {
    bits: Vec<u64>,
    begun: usize,
    open: BTreeMap<u32, usize>,
}

impl WaitedAlone {
    /// Determines which messages of each rank have waits of their own.
    pub(super) fn of(trace: &ImportedTrace) -> Result<Vec<Self>, Problem> {
        let mut ranks: Vec<Self> = Vec::new();
        ranks.resize_with(trace.ranks() as usize, Self::default);
        trace.for_each(|rank, event| {
            ranks[rank as usize].note(&event);
            Ok(())
        })?;
        Ok(ranks)
    }

    fn note(&mut self, event: &RankEvent) {
        match event {
            RankEvent::BeginSend(_, request) | RankEvent::BeginReceive(_, request) => {
                if self.begun.is_multiple_of(64) {
                    self.bits.push(0);
                }
                self.open.insert(*request, self.begun);
                self.begun += 1;
            }
            RankEvent::Wait(request) => {
                if let Some(place) = self.open.remove(request) {
                    self.bits[place / 64] |= 1 << (place % 64);
                }
            }
            RankEvent::WaitAll => self.open.clear(),
            _ => {}
        }
    }

    fn has(&self, place: usize) -> bool {
        let word = self.bits.get(place / 64).copied().unwrap_or(0);
        word >> (place % 64) & 1 == 1
    }
}

/// New numbers for a rank's awaited requests. The lowest free number is always used.
#[derive(Debug)]
pub(super) struct Renumbered {
    awaited: WaitedAlone,
    begun: usize,
    requests: Requests<u32>,
}

impl Renumbered {
    pub(super) fn new(awaited: WaitedAlone) -> Self {
        Self {
            awaited,
            begun: 0,
            requests: Requests::default(),
        }
    }

    pub(super) fn event(&mut self, event: RankEvent) -> RankEvent {
        match event {
            RankEvent::BeginSend(message, request) => {
                RankEvent::BeginSend(message, self.begin(request))
            }
            RankEvent::BeginReceive(message, request) => {
                RankEvent::BeginReceive(message, self.begin(request))
            }
            // A wait for a request that hasn't started is already over.
            RankEvent::Wait(request) => {
                RankEvent::Wait(self.requests.end(&request).unwrap_or(SHARED))
            }
            RankEvent::WaitAll => {
                self.requests.end_all();
                RankEvent::WaitAll
            }
            event => event,
        }
    }

    fn begin(&mut self, request: u32) -> u32 {
        self.begun += 1;
        if self.awaited.has(self.begun - 1) {
            self.requests.begin(request)
        } else {
            SHARED
        }
    }
}
