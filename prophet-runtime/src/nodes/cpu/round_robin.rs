//! Lets units take turns on the CPUs of a node (round robin).
//!
//! While units queue, time is counted in quanta from a fixed instant. So turns that end together
//! end at exactly the same instant, without rounding errors.

use std::cell::RefCell;
use std::collections::VecDeque;

use crate::kernel::Waiter;
use crate::tracing::Tracing;

/// The units that are computing, and those that are waiting for their turn.
///
/// As with first come, first served, decisions are made at the end of an instant.
#[derive(Debug, Default)]
pub(super) struct Turns(RefCell<Lists>);

#[derive(Debug, Default)]
struct Lists {
    /// The requests of this instant.
    asking: Vec<Request>,
    /// Turns that ended at this instant with work left to do.
    ended: Vec<Job>,
    /// Older requests.
    queue: VecDeque<Request>,
    jobs: Vec<Job>,
    turns: u64,
    latest: Place,
}

type Request = (Waiter, Rest);

/// A number of quanta that is a multiple of 1 / `DECIMALS`, apart from a rounding error, is rounded
/// to it.
const DECIMALS: f64 = 1e6;
/// Maximum rounding error of a number of quanta.
const ROUNDING: f64 = 1e-9;

/// Removes the rounding error from a number of quanta that has few decimals. Returns `None` if it
/// has many.
fn few_decimals(quanta: f64) -> Option<f64> {
    let near = (quanta * DECIMALS).round() / DECIMALS;
    ((near - quanta).abs() <= ROUNDING).then_some(near)
}

/// Removes the rounding error from a number of quanta if it has few decimals.
fn tidy(quanta: f64) -> f64 {
    few_decimals(quanta).unwrap_or(quanta)
}

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// The time from which quanta are counted, in seconds.
    from_s: f64,
    quanta: f64,
    time_s: f64,
}

impl Place {
    fn at(time_s: f64) -> Self {
        Self {
            from_s: time_s,
            quanta: 0.0,
            time_s,
        }
    }

    /// Returns the time that is `quanta` quanta later.
    fn after(self, quanta: f64, quantum_s: f64) -> Self {
        let quanta = tidy(self.quanta + quanta);
        Self {
            quanta,
            time_s: self.from_s + quanta * quantum_s,
            ..self
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest {
    asked_s: f64,
    cost_s: f64,
    /// Number of quanta of the cost that have already been computed.
    done: f64,
}

#[derive(Debug, Clone, Copy)]
struct Job {
    waiter: Waiter,
    rest: Rest,
    number: u64,
    since: Place,
    until: Place,
    /// Whether the end of the turn is counted in quanta, because a unit is waiting.
    counted: bool,
    /// Length of the turn in quanta, or `None` if the work ends with it.
    limit: Option<f64>,
}

impl Rest {
    pub(super) fn new(asked_s: f64, cost_s: f64) -> Self {
        Self {
            asked_s,
            cost_s,
            done: 0.0,
        }
    }

    fn has_had_a_turn(&self) -> bool {
        self.done > 0.0
    }

    fn quanta(&self, quantum_s: f64) -> f64 {
        tidy(self.cost_s / quantum_s) - self.done
    }

    /// Returns when the work ends if it begins at `since`.
    fn end(&self, since: Place, quantum_s: f64) -> Place {
        match few_decimals(self.cost_s / quantum_s) {
            Some(quanta) => since.after(quanta - self.done, quantum_s),
            None => Place::at(since.time_s + (self.cost_s - self.done * quantum_s)),
        }
    }
}

impl Turns {
    pub(super) fn ask(&self, waiter: Waiter, cost: Rest) {
        self.0.borrow_mut().asking.push((waiter, cost));
    }

    /// Ends the turn of a unit, which frees its CPU. Returns the turn if work is left to do.
    pub(super) fn end_turn(&self, waiter: Waiter) -> Option<Turn> {
        let mut lists = self.0.borrow_mut();
        let job = lists.take_job(waiter)?;
        lists.latest = job.until;
        job.limit.map(|_| Turn(job))
    }

    /// Makes a unit whose turn has ended request another one, after the units that request a CPU at
    /// this instant.
    pub(super) fn ask_again(&self, waiter: Waiter, Turn(job): Turn) {
        self.0.borrow_mut().ended.push(Job { waiter, ..job });
    }

    pub(super) fn waiting(&self) -> usize {
        self.0.borrow().queue.len()
    }

    /// Removes a wait whose future was dropped. Returns `true` if it had a CPU.
    pub(super) fn withdraw(&self, waiter: Waiter) -> bool {
        let mut lists = self.0.borrow_mut();
        let other = |request: &Request| request.0 != waiter;
        lists.asking.retain(other);
        lists.ended.retain(|job| job.waiter != waiter);
        lists.queue.retain(other);
        lists.take_job(waiter).is_some()
    }

    /// Gives `free` CPUs to waiting units, and returns how many it gave away. If units are still
    /// waiting then, limits the turns of others.
    pub(super) fn dispatch(&self, run: &Tracing<'_>, free: u32, quantum_s: f64) -> u32 {
        let lists = &mut *self.0.borrow_mut();
        let now_s = run.now_s();
        if lists.latest.time_s.to_bits() != now_s.to_bits() {
            lists.latest = Place::at(now_s);
        }
        let mut left = free + lists.expire(run, quantum_s);
        lists.line_up(run);
        while left > 0
            && let Some(request) = lists.queue.pop_front()
        {
            left -= 1;
            lists.turns += 1;
            let job = Job::begin(run, request, lists.turns, lists.latest, quantum_s);
            lists.jobs.push(job);
        }
        if !lists.queue.is_empty() {
            lists
                .jobs
                .iter_mut()
                .for_each(|job| job.limit(run, quantum_s));
        }
        free - left
    }
}

impl Lists {
    /// Ends turns whose quanta end at this instant, if a unit requests a CPU now or is waiting.
    /// These ends weren't counted, because no unit was waiting before. Returns how many turns
    /// ended.
    fn expire(&mut self, run: &Tracing<'_>, quantum_s: f64) -> u32 {
        if self.asking.is_empty() && self.ended.is_empty() && self.queue.is_empty() {
            return 0;
        }
        let (jobs, ended) = (&mut self.jobs, &mut self.ended);
        let before = ended.len();
        let mut latest = self.latest;
        jobs.retain(|job| {
            let Some(job) = job.expired(run.now_s(), quantum_s) else {
                return true;
            };
            let unit = job.waiter.0;
            run.forget_timer(unit);
            run.trace_turn(unit);
            run.trace_given_back(run.nid(unit), unit);
            latest = job.until;
            ended.push(job);
            false
        });
        if latest.time_s.to_bits() == run.now_s().to_bits() {
            self.latest = latest;
        }
        // There can't be more of them than CPUs.
        u32::try_from(ended.len() - before).unwrap_or(0)
    }

    /// Queues the units that request a CPU, by process and thread, and then those whose turns have
    /// ended, in the order in which they got them. Otherwise, the first process would never give
    /// way.
    ///
    /// Units may have requested a CPU at this instant before CPUs were last assigned.
    fn line_up(&mut self, run: &Tracing<'_>) {
        let now_s = run.now_s();
        let key = |request: &Request| run.pid_and_tid(request.0.0);
        self.asking.sort_by_key(key);
        for request in self.asking.drain(..) {
            let is_before = |other: &Request| {
                let asks_now = !other.1.has_had_a_turn() && key(other) <= key(&request);
                other.1.asked_s < now_s || asks_now
            };
            let place = self.queue.partition_point(is_before);
            self.queue.insert(place, request);
        }
        self.ended.sort_by_key(|job| job.number);
        let ended = self.ended.drain(..);
        self.queue
            .extend(ended.map(|job| (job.waiter, job.rest_after(now_s))));
    }

    fn take_job(&mut self, waiter: Waiter) -> Option<Job> {
        let place = self.jobs.iter().position(|job| job.waiter == waiter)?;
        Some(self.jobs.remove(place))
    }
}

/// A turn that has ended with work left to do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn(Job);

impl Job {
    fn begin(
        run: &Tracing<'_>,
        (waiter, rest): Request,
        number: u64,
        since: Place,
        quantum_s: f64,
    ) -> Self {
        let until = if rest.has_had_a_turn() {
            rest.end(since, quantum_s)
        } else {
            Place::at(run.now_s() + rest.cost_s)
        };
        run.trace_granted(waiter.0, rest.asked_s);
        // If the time isn't finite, a failure is recorded and the run ends.
        let _ = run.resume_at(waiter.0, until.time_s);
        Self {
            waiter,
            rest,
            number,
            since,
            until,
            counted: false,
            limit: None,
        }
    }

    /// Limits the turn to a quantum because a unit is waiting now.
    fn limit(&mut self, run: &Tracing<'_>, quantum_s: f64) {
        let now_s = run.now_s();
        if self.counted || self.until.time_s <= now_s {
            return;
        }
        self.counted = true;
        let turns = self.turns(now_s, quantum_s).max(1.0);
        self.limit = (turns < self.rest.quanta(quantum_s)).then_some(turns);
        self.until = match self.limit {
            Some(turns) => self.since.after(turns, quantum_s),
            None => self.rest.end(self.since, quantum_s),
        };
        run.forget_timer(self.waiter.0);
        let _ = run.resume_at(self.waiter.0, self.until.time_s);
    }

    /// Returns the turn with its end, if it ends now and its end wasn't counted.
    fn expired(&self, now_s: f64, quantum_s: f64) -> Option<Self> {
        if self.counted {
            return None;
        }
        let turns = self.turns(now_s, quantum_s);
        let until = self.since.after(turns, quantum_s);
        let is_now = turns >= 1.0 && until.time_s <= now_s;
        (is_now && turns < self.rest.quanta(quantum_s)).then_some(Self {
            until,
            limit: Some(turns),
            ..*self
        })
    }

    /// Returns the number of turns so far. Quanta that passed while no unit was waiting don't
    /// count.
    fn turns(&self, now_s: f64, quantum_s: f64) -> f64 {
        tidy((now_s - self.since.time_s) / quantum_s).ceil()
    }

    fn rest_after(&self, asked_s: f64) -> Rest {
        Rest {
            asked_s,
            done: self.rest.done + self.limit.unwrap_or(0.0),
            ..self.rest
        }
    }
}
