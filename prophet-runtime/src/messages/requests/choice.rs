//! Handles waits for any of several requests, which end when the first of these completes.

use super::{Batch, Completion, List, Operation, Origin, Progress, Requests, Until, Waiting};

impl Requests {
    /// Opens a send whose times are known, for waits that need the send itself.
    pub(crate) fn open_sent(&mut self, origin: Origin, dest: u32, sent: Completion) {
        let request = self.open(origin, Operation::Send { dest });
        self.progress(request, Progress::Sent(sent));
    }

    /// Returns the request of a wait that completes first, as far as is known, and when: when a
    /// receive's message arrives, or when a send ends. If several complete at the same time, the
    /// one that was posted first counts.
    pub(crate) fn first_complete(&self, wait: u32) -> Option<(u32, f64)> {
        let mut first: Option<(f64, u64, u32)> = None;
        let mut place = self.waiting(wait).batch.list.head;
        while let Some(request) = self.slots.get(place as usize) {
            if let Some(time_s) = request.progress.time_s() {
                let sooner = first.is_none_or(|(first_s, number, _)| {
                    let order = time_s.total_cmp(&first_s);
                    order.then(request.number.cmp(&number)).is_lt()
                });
                if sooner {
                    first = Some((time_s, request.number, place));
                }
            }
            place = request.next;
        }
        first.map(|(time_s, _, place)| (place, time_s))
    }

    /// Ends a wait with one of its requests, which becomes the whole batch. The other requests can
    /// be waited for again.
    pub(crate) fn choose(&mut self, wait: u32, request: u32) -> Waiting {
        let waiting = self.take_wait(wait);
        self.give_back(waiting.batch.list, |place| place != request);
        let name = self.get(request).origin.name;
        self.chosen.insert(waiting.unit, name);
        let list = List {
            head: request,
            tail: request,
        };
        let batch = Batch {
            list,
            ..Batch::EMPTY
        };
        Waiting { batch, ..waiting }
    }

    /// Takes the name of the request that ended a unit's wait.
    pub(crate) fn take_chosen(&mut self, unit: u32) -> Option<u32> {
        self.chosen.remove(&unit)
    }

    /// Returns the number of open requests that could end a wait, apart from the first.
    pub(crate) fn others_that_end(&self, wait: u32) -> u32 {
        let waiting = self.waiting(wait);
        match waiting.until {
            Until::All => 0,
            Until::Any => waiting.batch.open.saturating_sub(1),
        }
    }
}
