//! A rank that runs without the others: it gets messages from nobody, and what it sends is kept.

use std::cell::{Cell, RefCell};

use super::Found;
use crate::language::region::Region;
use crate::machine::operation::Signature;
use crate::messages::letter::{Envelope, Letter};

/// State around a rank that runs alone.
#[derive(Debug, Default)]
pub(crate) struct Alone {
    /// Ranks that take the same way as this one, if these are to be found: every message is there
    /// already then, and times mean nothing.
    pub(crate) region: Option<RefCell<Region>>,
    /// The sources of the messages that the rank has taken, if the way is to be found.
    pub(crate) sources: RefCell<Vec<u32>>,
    /// Messages that the rank has sent, with their receivers.
    pub(crate) sent: RefCell<Vec<(u32, Letter)>>,
    /// Collectives that the rank has called.
    pub(crate) calls: RefCell<Vec<Signature>>,
    /// Times at which the last rank has come to each collective, as far as they are known.
    pub(crate) gathered: RefCell<Vec<f64>>,
    /// Time since which the rank waits at a collective, if it does.
    pub(crate) waits_s: Cell<Option<f64>>,
}

impl Alone {
    /// Forgets what a rank has done, before the next one runs.
    pub(crate) fn clear(&self) {
        self.sent.borrow_mut().clear();
        self.calls.borrow_mut().clear();
        self.waits_s.take();
    }

    /// Calls a collective whose ranks wait for each other, since `since_s`; returns the time at
    /// which the last one has come, if that is known.
    pub(crate) fn call(&self, signature: Signature, since_s: f64) -> Option<f64> {
        let mut calls = self.calls.borrow_mut();
        calls.push(signature);
        let latest_s = match self.region {
            Some(_) => Some(since_s),
            None => self.gathered.borrow().get(calls.len() - 1).copied(),
        };
        self.waits_s.set(latest_s.is_none().then_some(since_s));
        latest_s
    }

    /// A message with this envelope, if all are there.
    #[cold]
    pub(super) fn imagined(&self, envelope: &Envelope) -> Option<Found> {
        self.region.as_ref()?;
        let mut sources = self.sources.borrow_mut();
        if !sources.contains(&envelope.source) {
            sources.push(envelope.source);
        }
        Some(Found {
            bytes: 0,
            time_s: 0.0,
            flags: 0,
            number: 0,
        })
    }
}
