//! Implements waits for requests in the event engine, if several units may use the network
//! interface. Each receive is charged as soon as its message has arrived and all receives before it
//! have been charged, even if later messages are still missing. If a unit has its own interface,
//! all receives are charged at the end of the wait, with the same result.

use super::Ending;
use super::charges::Charging;
use super::nics::Work;
use crate::kernel::Task;
use crate::language::Stopped;
use crate::messages::matching::Matching;
use crate::messages::requests::Waiting;
use crate::mpi::Mpi;

impl Mpi<'_> {
    /// Returns `true` if a rank's waits charge receives one by one.
    pub(crate) fn charges_one_by_one(&self, rank: u32) -> bool {
        self.nics.are_shared() && (self.nics.is_by_node() || self.members.has_team(rank))
    }

    /// Makes a unit wait for requests that are charged one by one. Returns the number of the wait.
    pub(crate) fn begin_charging(&self, waiting: Waiting) -> u32 {
        let mut requests = self.requests();
        let wait = requests.wait(waiting);
        let charging = Charging {
            met: requests.places(wait).collect(),
            free_s: waiting.since_s,
            is_asking: false,
        };
        self.charges.0.borrow_mut().insert(wait, charging);
        drop(requests);
        self.look_at_wait(wait, self.now_s());
        wait
    }

    /// Charges a request that has been matched, if its wait charges requests one by one. Returns
    /// `true` if it does.
    pub(crate) fn charge_met(&self, request: u32) -> bool {
        let Some((wait, place)) = self.requests().place(request) else {
            return false;
        };
        let mut charges = self.charges.0.borrow_mut();
        let Some(charging) = charges.get_mut(&wait) else {
            return false;
        };
        charging.met.insert(place);
        let next_s = charging.next().map_or(self.now_s(), |(next_s, _)| next_s);
        drop(charges);
        self.look_at_wait(wait, next_s);
        true
    }

    /// Schedules a check of a wait for `time_s`, when no unit can run anymore.
    fn look_at_wait(&self, wait: u32, time_s: f64) {
        let unit = self.requests().waiting(wait).unit;
        let (pid, tid) = self.pid_and_tid(unit);
        let task = Task::Wait(pid, tid, wait);
        self.alarms.at(task, time_s, self.now_s());
        self.set_attention();
    }

    /// Charges everything that these waits, given by rank, thread, and number, can charge at this
    /// instant. No unit can run anymore.
    pub(crate) fn settle_waits(
        &self,
        waits: impl IntoIterator<Item = (u32, u32, u32)>,
    ) -> Result<(), Stopped> {
        let mut matching = self.communication().matching.borrow_mut();
        waits.into_iter().try_for_each(|(rank, _, wait)| {
            self.count_step(rank)?;
            self.charge_next(&mut matching, wait)
        })
    }

    /// Continues a wait after its last receive has ended at `end_s`, at the network interface.
    pub(crate) fn go_on_charging(
        &self,
        matching: &mut Matching,
        wait: u32,
        end_s: f64,
    ) -> Result<(), Stopped> {
        if let Some(charging) = self.charges.0.borrow_mut().get_mut(&wait) {
            (charging.free_s, charging.is_asking) = (end_s, false);
        }
        self.charge_next(matching, wait)
    }

    pub(crate) fn forget_charging(&self, wait: u32) {
        self.charges.0.borrow_mut().remove(&wait);
    }

    /// Charges everything that a wait can charge at this instant. Ends the wait if nothing is left.
    fn charge_next(&self, matching: &mut Matching, wait: u32) -> Result<(), Stopped> {
        let mut charges = self.charges.0.borrow_mut();
        let Some(charging) = charges
            .get_mut(&wait)
            .filter(|charging| !charging.is_asking)
        else {
            return Ok(());
        };
        let waiting = *self.requests().waiting(wait);
        while let Some((next_s, place)) = charging.next() {
            if next_s > self.now_s() {
                self.look_at_wait(wait, next_s);
                return Ok(());
            }
            charging.met.remove(&place);
            let (_, _, request) = place;
            let request = self.requests().charge(request);
            let ending = Ending::of_request(&waiting, &request, charging.free_s);
            if let Some((ending, letter)) = ending
                && self.is_shared(&ending, letter)
            {
                charging.is_asking = true;
                let work = Work::Receive {
                    ending,
                    letter,
                    generation: waiting.generation,
                    wait: Some(wait),
                };
                self.give_work_of(waiting.unit, self.now_s(), work);
                return Ok(());
            }
            let nic = matching.clocks(waiting.rank);
            charging.free_s = self.charge_one(&waiting, &request, charging.free_s, nic);
        }
        if waiting.batch.open > 0 {
            return Ok(());
        }
        let free_s = charging.free_s;
        charges.remove(&wait);
        let mut requests = self.requests();
        requests.take_wait(wait);
        requests.discard(&waiting.batch);
        drop(requests);
        let end_s = self.wait_for_send(waiting.unit, free_s, waiting.batch.sent);
        self.resume_at(waiting.unit, end_s)
    }
}
