//! Processor sharing: service that is evenly shared by all of its users.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::{Kernel, Waiter};

/// Servers shared at once by all users: each of `n` users is served at the rate `min(1, servers /
/// n)`.
///
/// A service that others never slow down ends at its start plus its length, in one addition. The
/// result does not depend on the order in which users come at one instant.
#[derive(Debug)]
pub struct Sharing {
    /// Number of users that are served at the full rate; need not be whole.
    servers: f64,
    /// Minimum number of users to assume.
    users_min: Cell<usize>,
    service: RefCell<Service>,
}

/// Position in the order of the ends: the bits of the virtual time of the end, and a number.
type Place = (u64, u64);

/// Users being served, by the virtual time of their ends.
///
/// Virtual time passes at the rate at which each is served, so that an arrival or an end changes
/// the time of no other in it. It starts anew whenever there are no users.
#[derive(Debug, Default)]
struct Service {
    jobs: BTreeMap<Place, Job>,
    /// Position of each unit's job.
    places: BTreeMap<u32, Place>,
    virtual_s: f64,
    last_s: f64,
    /// Time until which the rate was last below 1.
    slow_until_s: f64,
    number: u64,
    /// Unit whose end is scheduled, and the bits of the rate for which it is scheduled.
    timed: Option<(u32, u64)>,
}

#[derive(Debug, Clone, Copy)]
struct Job {
    unit: u32,
    generation: u32,
    since_s: f64,
    /// End if the rate is 1 until then.
    end_s: f64,
}

impl Sharing {
    /// Servers that nobody uses.
    pub fn new(servers: f64) -> Self {
        Self {
            servers,
            users_min: Cell::new(0),
            service: RefCell::default(),
        }
    }

    /// Number of users being served.
    pub fn users(&self) -> usize {
        self.service.borrow().jobs.len()
    }

    /// Changes the minimum number of users to assume by `change`.
    pub fn set_users_min(&self, kernel: &Kernel<'_>, change: impl FnOnce(usize) -> usize) {
        let mut service = self.service.borrow_mut();
        let rate = self.rate(service.jobs.len());
        service.advance(kernel.now_s(), rate);
        self.users_min.set(change(self.users_min.get()));
        drop(service);
        self.settle(kernel);
    }

    /// Begins to serve a unit for `seconds` at the full rate; its wait ends with that.
    pub fn enter(&self, kernel: &Kernel<'_>, (unit, generation): Waiter, seconds: f64) {
        let now_s = kernel.now_s();
        let mut service = self.service.borrow_mut();
        let users = service.jobs.len();
        service.advance(now_s, self.rate(users));
        if users == 0 {
            service.virtual_s = 0.0;
        }
        service.number += 1;
        let place = ((service.virtual_s + seconds).to_bits(), service.number);
        let job = Job {
            unit,
            generation,
            since_s: now_s,
            end_s: now_s + seconds,
        };
        service.jobs.insert(place, job);
        service.places.insert(unit, place);
        drop(service);
        self.settle(kernel);
    }

    /// Ends the service of a unit, complete or not.
    pub fn leave(&self, kernel: &Kernel<'_>, unit: u32) {
        let mut service = self.service.borrow_mut();
        let rate = self.rate(service.jobs.len());
        service.advance(kernel.now_s(), rate);
        let Some(place) = service.places.remove(&unit) else {
            return;
        };
        service.jobs.remove(&place);
        drop(service);
        if !kernel.closes() {
            self.settle(kernel);
        }
    }

    /// Rate at which each of `users` is served.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn rate(&self, users: usize) -> f64 {
        let users = users.max(self.users_min.get()) as f64;
        if users <= self.servers {
            1.0
        } else {
            self.servers / users
        }
    }

    /// Schedules the next end.
    fn settle(&self, kernel: &Kernel<'_>) {
        let now_s = kernel.now_s();
        let mut service = self.service.borrow_mut();
        let rate = self.rate(service.jobs.len());
        let first = service
            .jobs
            .first_key_value()
            .map(|(place, job)| (*place, *job));
        // A job whose time has come leaves at this instant, and settles those that follow.
        let Some(((virtual_end, _), job)) =
            first.filter(|(_, job)| rate > 0.0 && kernel.waits(job.unit, job.generation))
        else {
            return;
        };
        let timed = Some((job.unit, rate.to_bits()));
        if service.timed == timed && kernel.has_timer(job.unit) {
            return;
        }
        if let Some((unit, _)) = service.timed
            && service.places.contains_key(&unit)
        {
            kernel.forget_timer(unit);
        }
        let untouched = rate >= 1.0 && service.slow_until_s <= job.since_s;
        let end_s = if untouched {
            job.end_s
        } else {
            now_s + ((f64::from_bits(virtual_end) - service.virtual_s) / rate).max(0.0)
        };
        service.timed = timed;
        drop(service);
        // A non-finite time is recorded, and the run ends.
        let _ = kernel.resume_at(job.unit, end_s);
    }
}

impl Service {
    /// Lets time pass at a rate.
    fn advance(&mut self, now_s: f64, rate: f64) {
        if rate < 1.0 && now_s > self.last_s {
            self.slow_until_s = now_s;
        }
        self.virtual_s += (now_s - self.last_s) * rate;
        self.last_s = now_s;
    }
}
