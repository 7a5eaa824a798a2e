//! Runs a rank without the others. The messages that it receives are provided, and those that it
//! sends are stored.

use std::cell::{Cell, RefCell};

use prophet_machine::operation::Signature;

use super::Found;
use crate::language::region::Region;
use crate::language::symmetry::Symmetry;
use crate::messages::letter::{Context, Envelope, Letter};

/// A partner of a rank, with the shift by which a collective's algorithm finds it.
pub(crate) type Met = (u32, Option<Symmetry>);

#[derive(Debug, Default)]
pub(crate) struct Alone {
    /// The ranks that behave like this one, while these are being determined. Every message then
    /// counts as available, and times mean nothing.
    pub(crate) region: Option<RefCell<Region>>,
    /// The sources of the messages that the rank has taken, while ranks that behave alike are being
    /// determined.
    pub(crate) sources: RefCell<Vec<Met>>,
    /// The messages that the rank has sent, with their receivers.
    pub(crate) sent: RefCell<Vec<(Met, Letter)>>,
    pub(crate) calls: RefCell<Vec<Signature>>,
    /// The shifts that lead to the partners in the current collective.
    pub(crate) of_collective: Cell<Option<Symmetry>>,
    /// Number of collectives in which the rank has waited for all ranks.
    pub(crate) gatherings: Cell<usize>,
    /// For each of these collectives, when the last rank arrived, in seconds, if that is known.
    pub(crate) gathered: RefCell<Vec<f64>>,
    /// When the rank began to wait for all ranks in a collective, in seconds; `None` if it isn't
    /// waiting.
    pub(crate) waits_s: Cell<Option<f64>>,
}

impl Alone {
    /// Resets everything before the next rank runs.
    pub(crate) fn clear(&self) {
        self.sent.borrow_mut().clear();
        self.calls.borrow_mut().clear();
        self.gatherings.take();
        self.waits_s.take();
    }

    /// Records a call of a collective, and returns its number among the rank's calls.
    pub(crate) fn call(&self, signature: Signature) -> u64 {
        let mut calls = self.calls.borrow_mut();
        calls.push(signature);
        calls.len() as u64 - 1
    }

    /// Waits for all ranks in a collective, since `since_s`. Returns when the last one arrived, in
    /// seconds, if that is known.
    pub(crate) fn gather(&self, since_s: f64) -> Option<f64> {
        let number = self.gatherings.replace(self.gatherings.get() + 1);
        let latest_s = match self.region {
            Some(_) => Some(since_s),
            None => self.gathered.borrow().get(number).copied(),
        };
        self.waits_s.set(latest_s.is_none().then_some(since_s));
        latest_s
    }

    /// Records the shifts that lead to the rank's partners in the current collective.
    pub(crate) fn shift_collective(&self, symmetry: Symmetry) {
        self.of_collective.set(Some(symmetry));
    }

    fn met(&self, partner: u32, context: Context) -> Met {
        match context {
            Context::Program => (partner, None),
            Context::Collective => (partner, self.of_collective.get()),
        }
    }

    pub(crate) fn send(&self, dest: u32, letter: Letter) {
        let met = self.met(dest, letter.envelope.context);
        self.sent.borrow_mut().push((met, letter));
    }

    /// Returns a message with this envelope, if every message counts as available.
    #[cold]
    pub(super) fn imagined(&self, envelope: &Envelope) -> Option<Found> {
        self.region.as_ref()?;
        let mut sources = self.sources.borrow_mut();
        let met = self.met(envelope.source, envelope.context);
        if !sources.contains(&met) {
            sources.push(met);
        }
        Some(Found {
            bytes: 0,
            time_s: 0.0,
            flags: 0,
            number: 0,
        })
    }
}
