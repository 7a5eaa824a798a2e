//! Implements waits for any of several requests in the event engine. They are decided at the end of
//! an instant, because a message that is sent later can still arrive earlier.

use super::Ending;
use crate::kernel::Task;
use crate::language::Stopped;
use crate::messages::requests::{Completion, Origin, Until, Waiting};
use crate::mpi::Mpi;

impl Mpi<'_> {
    /// Records a send whose times are known from the start.
    pub(crate) fn note_sent(&self, origin: Origin, dest: u32, sent: Completion) {
        if self.keeps_sends {
            self.requests().open_sent(origin, dest, sent);
        } else {
            self.requests().note_sent(origin, sent);
        }
    }

    pub(crate) fn choice(&self, wait: u32) -> Task {
        let unit = self.requests().waiting(wait).unit;
        let (pid, tid) = self.pid_and_tid(unit);
        Task::Choice(pid, tid, wait)
    }

    /// Schedules a check of a wait for any of several requests for the end of this instant.
    pub(crate) fn look_at_choice(&self, wait: u32) {
        self.alarms.look_at(self.choice(wait));
        self.set_attention();
    }

    /// Ends waits for any of several requests that have a complete request, once nothing else is
    /// left to do at this instant.
    pub(crate) fn settle_choices(
        &self,
        waits: impl IntoIterator<Item = (u32, u32, u32)>,
    ) -> Result<(), Stopped> {
        waits.into_iter().try_for_each(|(rank, tid, wait)| {
            self.count_step(rank)?;
            self.settle_choice(Task::Choice(rank, tid, wait), wait)
        })
    }

    fn settle_choice(&self, task: Task, wait: u32) -> Result<(), Stopped> {
        let Waiting {
            unit,
            generation,
            until,
            ..
        } = *self.requests().waiting(wait);
        if until != Until::Any || !self.waits(unit, generation) {
            return Ok(());
        }
        let first = self.requests().first_complete(wait);
        let Some((request, time_s)) = first else {
            return Ok(());
        };
        if time_s > self.now_s() {
            self.alarms.set(task, time_s);
            return Ok(());
        }
        self.alarms.set(task, f64::INFINITY);
        let waiting = self.requests().choose(wait, request);
        let charged = self.requests().empty(&waiting.batch);
        let mut matching = self.communication().matching.borrow_mut();
        charged.iter().try_for_each(|request| {
            let since_s = waiting.since_s;
            if let Some((ending, letter)) = Ending::of_request(&waiting, request, since_s) {
                return self.end_of_unit(&mut matching, ending, letter, generation);
            }
            let nic = matching.clocks(waiting.rank);
            let end_s = self.charge_one(&waiting, request, since_s, nic);
            self.resume_at(unit, end_s)
        })
    }
}
