//! The CPUs of a node that its units have in turns.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::engine::World;
use crate::waiters::Waiter;

/// Who computes and who waits for its turn.
///
/// As with first come first served, all is decided at the end of an instant.
#[derive(Debug, Default)]
pub(super) struct Turns(RefCell<Lists>);

#[derive(Debug, Default)]
struct Lists {
    /// Requests of this instant.
    asking: Vec<Request>,
    /// Those whose turn has ended at this instant.
    ended: Vec<Request>,
    /// Older ones.
    queue: VecDeque<Request>,
    /// Those that have a CPU.
    jobs: Vec<Job>,
}

type Request = (Waiter, Rest);

/// A turn in which the rest of a unit's work can be done is longer by that part of the quantum at
/// most: a sum of quanta is rounded, and a rest of nothing but that shall not take a turn.
const SLACK: f64 = 1e-9;

/// What a unit has yet to compute.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_field_names, reason = "units of measurement come last")]
pub(crate) struct Rest {
    asked_s: f64,
    left_s: f64,
    /// When it ends if it has a CPU from `asked_s` on.
    end_s: f64,
}

#[derive(Debug, Clone, Copy)]
struct Job {
    waiter: Waiter,
    since_s: f64,
    end_s: f64,
    /// When its turn ends: at `end_s`, or before when others wait.
    turn_end_s: f64,
}

impl Rest {
    pub(super) fn new(asked_s: f64, cost_s: f64) -> Self {
        Self {
            asked_s,
            left_s: cost_s,
            end_s: asked_s + cost_s,
        }
    }
}

impl Turns {
    pub(super) fn ask(&self, waiter: Waiter, cost: Rest) {
        self.0.borrow_mut().asking.push((waiter, cost));
    }

    /// Ends the turn of a unit, whose CPU is free then; what is left of its work, if anything.
    pub(super) fn end_turn(&self, now_s: f64, waiter: Waiter) -> Option<Rest> {
        let job = self.0.borrow_mut().take_job(waiter)?;
        (job.end_s > now_s).then_some(Rest {
            asked_s: now_s,
            left_s: job.end_s - now_s,
            end_s: job.end_s,
        })
    }

    /// Queues a unit whose turn has ended, by another wait, behind those that ask at this instant.
    pub(super) fn ask_again(&self, waiter: Waiter, rest: Rest) {
        self.0.borrow_mut().ended.push((waiter, rest));
    }

    /// Takes a wait out that is dropped; whether it had a CPU.
    pub(super) fn withdraw(&self, waiter: Waiter) -> bool {
        let mut lists = self.0.borrow_mut();
        let other = |request: &Request| request.0 != waiter;
        lists.asking.retain(other);
        lists.ended.retain(other);
        lists.queue.retain(other);
        lists.take_job(waiter).is_some()
    }

    /// Gives `free` CPUs to those that wait and limits the turns if some wait on; returns how
    /// many CPUs it gave away.
    pub(super) fn dispatch(&self, world: &World<'_>, free: u32, quantum_s: f64) -> u32 {
        let lists = &mut *self.0.borrow_mut();
        for arrivals in [&mut lists.asking, &mut lists.ended] {
            arrivals.sort_by_key(|((unit, _), _)| world.pid_and_tid(*unit));
            lists.queue.extend(arrivals.drain(..));
        }
        let mut given = 0;
        while given < free
            && let Some((waiter, rest)) = lists.queue.pop_front()
        {
            given += 1;
            lists.jobs.push(Job::begin(world, waiter, rest));
        }
        if !lists.queue.is_empty() {
            lists
                .jobs
                .iter_mut()
                .for_each(|job| job.limit(world, quantum_s));
        }
        given
    }
}

impl Lists {
    fn take_job(&mut self, waiter: Waiter) -> Option<Job> {
        let place = self.jobs.iter().position(|job| job.waiter == waiter)?;
        Some(self.jobs.remove(place))
    }
}

impl Job {
    fn begin(world: &World<'_>, waiter: Waiter, rest: Rest) -> Self {
        let now_s = world.now_s();
        let end_s = if rest.asked_s < now_s {
            now_s + rest.left_s
        } else {
            rest.end_s
        };
        world.trace_granted(waiter.0, rest.asked_s);
        // A time that is not finite is recorded, and the run ends.
        let _ = world.resume_at(waiter.0, end_s);
        Self {
            waiter,
            since_s: now_s,
            end_s,
            turn_end_s: end_s,
        }
    }

    /// Lets the turn end after a quantum, now that somebody waits.
    fn limit(&mut self, world: &World<'_>, quantum_s: f64) {
        let now_s = world.now_s();
        if self.turn_end_s < self.end_s || self.end_s <= now_s {
            return;
        }
        // Turns that have passed with nobody waiting do not count.
        let turns = ((now_s - self.since_s) / quantum_s).ceil().max(1.0);
        let turn_end_s = (self.since_s + turns * quantum_s).max(now_s);
        if turn_end_s < self.end_s - quantum_s * SLACK {
            self.turn_end_s = turn_end_s;
            world.forget_timer(self.waiter.0);
            let _ = world.resume_at(self.waiter.0, turn_end_s);
        }
    }
}
