//! Waits for any of several requests, in the event engine: they are decided at the end of an
//! instant, as what is sent later may complete sooner.

use super::Ending;
use super::posted::Completing;
use crate::engine::World;
use crate::engine::process::Wait;
use crate::kernel::Task;
use crate::language::stopped::Stopped;
use crate::messages::requests::{Batch, Completion, Origin, Until, Waiting};
use crate::results::failure::Cause;

impl World<'_> {
    /// Notes a send whose times are known from the start.
    pub(super) fn note_sent(&self, origin: Origin, dest: u32, sent: Completion) {
        if self.keeps_sends {
            self.requests().open_sent(origin, dest, sent);
        } else {
            self.requests().note_sent(origin, sent);
        }
    }

    fn choice(&self, wait: u32) -> Task {
        let unit = self.requests().waiting(wait).unit;
        let (pid, tid) = self.pid_and_tid(unit);
        Task::Choice(pid, tid, wait)
    }

    /// Has a wait for any of several requests looked at when this instant ends.
    pub(super) fn look_at_choice(&self, wait: u32) {
        self.alarms.look_at(self.choice(wait));
        self.set_attention();
    }

    /// Ends those waits for any of several requests of which one is complete, now that nothing else
    /// is to be done at this instant.
    pub(crate) fn settle_choices(
        &self,
        waits: impl IntoIterator<Item = (u32, u32, u32)>,
    ) -> Result<(), Stopped> {
        waits.into_iter().try_for_each(|(rank, tid, wait)| {
            self.count_step(rank)?;
            self.settle_choice(Task::Choice(rank, tid, wait), wait)
        })
    }

    /// Ends a wait for any of several requests if one is complete.
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

impl Wait<'_> {
    /// Waits for any request of a batch that has some.
    pub(crate) fn complete_any(&mut self, batch: Batch) -> Result<Completing, Stopped> {
        let ctx = self.ctx();
        let world = ctx.world();
        if !world.keeps_sends {
            let problem = "a model that waits for any of several requests says so: \
                           call `Model::waits_for_any`";
            return Err(ctx.fail(Cause::System(problem.to_owned())));
        }
        world.trace_waits(ctx.unit());
        let generation = self.register()?;
        let wait = world.requests().wait(Waiting {
            rank: ctx.rank(),
            unit: ctx.unit(),
            generation,
            since_s: ctx.now_s(),
            batch,
            until: Until::Any,
        });
        world.look_at_choice(wait);
        Ok(Completing::Open(wait))
    }

    /// The name of the request that the wait has ended with.
    pub(crate) fn take_chosen(&self) -> Option<u32> {
        let ctx = self.ctx();
        ctx.world().requests().take_chosen(ctx.unit())
    }

    /// Leaves the requests of such a wait that is dropped to the next.
    pub(crate) fn give_up_choice(&self, state: Completing) {
        let world = self.ctx().world();
        if self.take_chosen().is_none()
            && let Completing::Open(wait) = state
        {
            world.alarms.set(world.choice(wait), f64::INFINITY);
            self.give_up_requests(state);
        }
    }
}
