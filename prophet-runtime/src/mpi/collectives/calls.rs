//! Matches the calls of collectives that different ranks make.

use prophet_machine::operation::Signature;
use prophet_map::Map;

use std::collections::VecDeque;

/// The calls of a communicator's collectives that some ranks haven't made yet.
///
/// The nth calls of all ranks are the same call.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    open: VecDeque<Call>,
    /// The number of the first open call.
    pub(crate) first: u64,
    /// Ranks of this thread that are waiting for other threads, by call. All ranks of this thread
    /// have made these calls.
    gathered: Map<u64, Vec<Waiting>>,
    /// Emptied lists, kept for reuse.
    pub(crate) spare: Vec<Vec<Waiting>>,
}

/// A call of a collective that some but not all ranks have made.
#[derive(Debug)]
struct Call {
    signature: Signature,
    /// The process that made the call first.
    process: u32,
    /// The element of that process.
    element: u32,
    arrived: u32,
    waiting: Vec<Waiting>,
}

/// A rank that is waiting for the others in a collective with a cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waiting {
    pub(crate) unit: u32,
    pub(crate) generation: u32,
    pub(crate) since_s: f64,
    pub(crate) cost_s: f64,
}

impl Calls {
    fn call(&mut self, number: u64) -> Option<&mut Call> {
        let place = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.open.get_mut(place)
    }

    /// Returns the number of ranks that have made a call, or `None` if the call isn't open.
    pub(crate) fn arrived(&mut self, number: u64) -> Option<u32> {
        self.call(number).map(|call| call.arrived)
    }

    pub(crate) fn is_new(&self, number: u64) -> bool {
        number >= self.first + self.open.len() as u64
    }

    /// Stores ranks that are waiting for other threads. All ranks of this thread have made the
    /// call.
    pub(crate) fn keep_gathered(&mut self, number: u64, waiting: Vec<Waiting>) {
        self.gathered.insert(number, waiting);
    }

    /// Takes the ranks that [`Self::keep_gathered`] stored.
    pub(crate) fn take_gathered(&mut self, number: u64) -> Option<Vec<Waiting>> {
        self.gathered.remove(&number)
    }

    /// Records that a rank makes call `number`. If it is the last one, returns the ranks that have
    /// been waiting.
    ///
    /// # Errors
    ///
    /// Returns the call of the other process if the two differ.
    pub(crate) fn enter(
        &mut self,
        number: u64,
        (process, element): (u32, u32),
        ranks: u32,
        signature: Signature,
    ) -> Result<Option<Vec<Waiting>>, (Signature, u32, u32)> {
        if self.call(number).is_none() {
            let waiting = self.spare.pop().unwrap_or_default();
            self.open.push_back(Call {
                signature,
                process,
                element,
                arrived: 0,
                waiting,
            });
        }
        let Some(call) = self.call(number) else {
            return Ok(None);
        };
        if call.signature != signature {
            return Err((call.signature, call.process, call.element));
        }
        call.arrived += 1;
        if call.arrived < ranks {
            return Ok(None);
        }
        let waiting = std::mem::take(&mut call.waiting);
        while self.open.front().is_some_and(|call| call.arrived == ranks) {
            self.open.pop_front();
            self.first += 1;
        }
        Ok(Some(waiting))
    }

    pub(crate) fn wait(&mut self, number: u64, waiting: Waiting) {
        if let Some(call) = self.call(number) {
            call.waiting.push(waiting);
        }
    }

    /// Removes a rank from a call if its wait is dropped before all ranks have made the call.
    pub(crate) fn withdraw(&mut self, number: u64, unit: u32, generation: u32) {
        let Some(call) = self.call(number) else {
            return;
        };
        let before = call.waiting.len();
        call.waiting
            .retain(|waiting| (waiting.unit, waiting.generation) != (unit, generation));
        if call.waiting.len() < before {
            call.arrived -= 1;
        }
    }
}
