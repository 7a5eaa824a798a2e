//! Stores the values that messages carry, and the results of receives, separately from the messages
//! and only if the program needs them.

use std::cell::{Cell, RefCell};

use crate::kernel::NO_ELEMENT;
use crate::messages::letter::Arrived;
use crate::messages::message::{Begun, Outgoing, Part};
use crate::mpi::Mpi;
use crate::mpi::contents::{Contents, Received, VALUES};
use crate::tracing::Times;

impl Mpi<'_> {
    /// Returns what is kept about messages beyond the messages themselves. Created by the first
    /// call.
    pub(crate) fn contents(&self) -> &Contents {
        self.contents.get_or_init(|| {
            let local = &self.local;
            if local.abroad().is_some() || local.folded.is_some() || local.alone.is_some() {
                self.needs_order(VALUES);
            }
            self.watch_messages();
            Contents {
                // Number 0 is for messages that were sent earlier.
                sent: vec![Cell::new(1); self.system.processes as usize],
                values: RefCell::default(),
                received: RefCell::default(),
            }
        })
    }

    /// Returns `true` if more is kept about messages than the messages themselves.
    pub(crate) fn keeps_contents(&self) -> bool {
        self.contents.get().is_some()
    }

    /// Returns the number of a message among all those that its process sends, or 0 if messages
    /// aren't watched.
    #[inline]
    pub(crate) fn number_message(&self, from: u32, message: &Outgoing) -> u32 {
        if self.watches_messages() {
            self.number_aside(from, message)
        } else {
            0
        }
    }

    #[cold]
    #[inline(never)]
    fn number_aside(&self, from: u32, message: &Outgoing) -> u32 {
        self.number_watched(from, message)
    }

    /// Returns the number of a watched message that a process has sent. Records how long the sender
    /// was busy with it.
    #[cold]
    #[inline(never)]
    pub(crate) fn number_sent(&self, from: u32, message: &Outgoing, busy: (f64, f64)) -> u32 {
        let number = self.number_watched(from, message);
        self.trace_numbered(from, message, number, busy);
        number
    }

    #[inline]
    fn number_watched(&self, from: u32, message: &Outgoing) -> u32 {
        match self.tracer {
            Some(tracer) if tracer.only_records() && !self.keeps_contents() => {
                tracer.number_message(from)
            }
            _ => self.number_content(from, message),
        }
    }

    #[cold]
    #[inline(never)]
    fn number_content(&self, from: u32, message: &Outgoing) -> u32 {
        self.meter_message(from, message);
        let counts = self.contents.get();
        let number = match (self.recorder(), counts) {
            (Some(tracer), _) => tracer.number_message(from),
            (None, Some(contents)) => match contents.sent.get(from as usize) {
                Some(sent) => sent.replace(sent.get().wrapping_add(1)),
                None => 0,
            },
            (None, None) => 0,
        };
        if let (Some(contents), Some(value)) = (counts, message.value) {
            let mut values = contents.values.borrow_mut();
            values.insert((from, number), value);
        }
        number
    }

    /// Makes a unit listen: from now on, the messages that it receives are stored.
    pub(crate) fn listen(&self, unit: u32) {
        let mut received = self.contents().received.borrow_mut();
        received.insert(unit, Vec::new());
    }

    /// Stops a unit from listening. Returns the messages that it has received since
    /// [`Self::listen`], in the order in which their receives began.
    pub(crate) fn heard(&self, unit: u32) -> Vec<Received> {
        let received = self.contents.get();
        let heard = received.and_then(|contents| contents.received.borrow_mut().remove(&unit));
        let mut heard = heard.unwrap_or_default();
        heard.sort_by_key(|received| received.number);
        heard
    }

    /// Records that a unit has received a message that it waited for, and how long it is busy with
    /// the message. Stores the message for the program. `begun` has the same meaning as in
    /// [`Self::note_content`].
    #[cold]
    #[inline(never)]
    pub(crate) fn note_received(
        &self,
        unit: u32,
        part: Part,
        begun: Option<Begun>,
        arrived: Arrived,
        times: Times,
    ) {
        self.note(unit, part, begun, arrived, times);
    }

    #[expect(clippy::inline_always, reason = "a message stays in registers")]
    #[inline(always)]
    fn note(&self, unit: u32, part: Part, begun: Option<Begun>, arrived: Arrived, times: Times) {
        self.trace_received(unit, part, begun, arrived, times);
        if part != Part::OfCollective {
            self.note_content(unit, &arrived, begun);
        }
    }

    /// Records the same as [`Self::note_received`], for a process of the local engine. The message
    /// is given by its source, number and tag, its size, and whether it waited for its receive.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_taken(
        &self,
        unit: u32,
        part: Part,
        (source, number, tag): (u32, u32, i64),
        (bytes, is_late): (u64, bool),
        (since_s, there_s): (f64, f64),
        end_s: f64,
    ) {
        let arrived = Arrived {
            source,
            tag,
            bytes,
            arrival_s: there_s,
            priced: false,
            is_late,
            number,
        };
        let times = Times {
            since_s,
            there_s,
            end_s,
        };
        self.note(unit, part, None, arrived, times);
    }

    /// Stores a message that a unit has received. `begun` says which element began the receive, if
    /// it is a request.
    #[inline]
    pub(crate) fn note_content(&self, unit: u32, arrived: &Arrived, begun: Option<Begun>) {
        let Some(contents) = self.contents.get() else {
            return;
        };
        let key = (arrived.source, arrived.number);
        let value = contents.values.borrow_mut().remove(&key);
        if let Some(heard) = contents.received.borrow_mut().get_mut(&unit) {
            heard.push(Received {
                element: begun.map_or(NO_ELEMENT, |begun| begun.element),
                number: begun.map_or(0, |begun| begun.number),
                source: arrived.source,
                tag: arrived.tag,
                bytes: arrived.bytes,
                value,
            });
        }
    }
}
