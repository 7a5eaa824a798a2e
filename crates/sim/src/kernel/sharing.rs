//! Implements processor sharing: all users share the servers evenly, and the servers' speed can
//! change.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Kernel, Waiter};

/// Servers that all users share at the same time. Each of `n` users gets the fraction
/// `min(1, servers / n)` of a server, or a fraction from a table. The rate of a service is that
/// fraction times the servers' speed, which is initially 1.
///
/// If other users never slow a service down, it ends at its start plus its length, a single
/// addition. The result doesn't depend on the order in which users arrive at the same instant.
#[derive(Debug)]
pub struct Sharing {
    /// Number of users that are served at the full rate; may be a fraction.
    servers: f64,
    /// The share of a server that each of 1, 2, … users gets; empty if `servers` determines all
    /// shares.
    table: Arc<[f64]>,
    users_min: Cell<usize>,
    speed: Cell<f64>,
    service: RefCell<Service>,
}

/// Position in the order of ends: the bits of the end in virtual time, and a number that makes it
/// unique.
type Place = (u64, u64);

/// The users being served, ordered by when they end in virtual time.
///
/// Virtual time passes at the rate at which each user is served, so when a user arrives or ends,
/// the virtual ends of the others don't change. Virtual time restarts whenever there are no users.
#[derive(Debug, Default)]
struct Service {
    jobs: BTreeMap<Place, Job>,
    places: BTreeMap<u32, Place>,
    virtual_s: f64,
    /// Server time that each user has received so far, in seconds.
    share_s: f64,
    last_s: f64,
    /// The last time at which the rate wasn't 1.
    off_until_s: f64,
    number: u64,
    /// The unit whose end is scheduled, and the bits of the rate that the schedule assumes.
    timed: Option<(u32, u64)>,
}

#[derive(Debug, Clone, Copy)]
struct Job {
    unit: u32,
    generation: u32,
    since_s: f64,
    /// Value of `share_s` when this job began.
    since_share_s: f64,
    /// Time at which the job ends if the rate is always 1.
    end_s: f64,
}

impl Sharing {
    /// Creates servers without users.
    pub fn new(servers: f64) -> Self {
        Self {
            servers,
            table: Arc::default(),
            users_min: Cell::new(0),
            speed: Cell::new(1.0),
            service: RefCell::default(),
        }
    }

    /// Creates servers without users. `table` contains each user's fraction of a server for 1, 2, …
    /// users. Any further users share the total of the last entry.
    pub fn by_table(table: Arc<[f64]>) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let servers = table
            .last()
            .map_or(f64::INFINITY, |last| last * table.len() as f64);
        Self {
            table,
            ..Self::new(servers)
        }
    }

    /// Returns the number of users being served.
    pub fn users(&self) -> usize {
        self.service.borrow().jobs.len()
    }

    /// Applies `change` to the minimum number of users, which sets the shares while there are fewer
    /// users.
    pub fn set_users_min(&self, kernel: &Kernel<'_>, change: impl FnOnce(usize) -> usize) {
        self.advance(kernel);
        self.users_min.set(change(self.users_min.get()));
        self.settle(kernel);
    }

    /// Sets the servers' speed from now on; at 0, all services pause.
    pub fn set_speed(&self, kernel: &Kernel<'_>, speed: f64) {
        self.advance(kernel);
        self.speed.set(speed);
        self.settle(kernel);
    }

    /// Returns the server time that a unit has received since its service began, in seconds; `None`
    /// if the rate has always been 1, so that the server time equals the elapsed time.
    pub fn had_s(&self, kernel: &Kernel<'_>, unit: u32) -> Option<f64> {
        self.advance(kernel);
        let service = self.service.borrow();
        let job = service.jobs.get(service.places.get(&unit)?)?;
        (!service.is_steady(job)).then(|| service.share_s - job.since_share_s)
    }

    /// Serves a unit until it has received `seconds` of server time, and then ends its wait.
    pub fn enter(&self, kernel: &Kernel<'_>, (unit, generation): Waiter, seconds: f64) {
        self.advance(kernel);
        let now_s = kernel.now_s();
        let mut service = self.service.borrow_mut();
        if service.jobs.is_empty() {
            (service.virtual_s, service.share_s) = (0.0, 0.0);
        }
        service.number += 1;
        let place = ((service.virtual_s + seconds).to_bits(), service.number);
        let job = Job {
            unit,
            generation,
            since_s: now_s,
            since_share_s: service.share_s,
            end_s: now_s + seconds,
        };
        service.jobs.insert(place, job);
        service.places.insert(unit, place);
        drop(service);
        self.settle(kernel);
    }

    /// Ends a unit's service, even if it isn't complete; returns `false` if the unit wasn't being
    /// served.
    pub fn leave(&self, kernel: &Kernel<'_>, unit: u32) -> bool {
        self.advance(kernel);
        let mut service = self.service.borrow_mut();
        let Some(place) = service.places.remove(&unit) else {
            return false;
        };
        service.jobs.remove(&place);
        drop(service);
        if !kernel.closes() {
            self.settle(kernel);
        }
        true
    }

    fn advance(&self, kernel: &Kernel<'_>) {
        let mut service = self.service.borrow_mut();
        let share = self.share(service.jobs.len());
        service.advance(kernel.now_s(), share, self.speed.get());
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn share(&self, users: usize) -> f64 {
        let users = users.max(self.users_min.get());
        if users > 0
            && let Some(share) = self.table.get(users - 1)
        {
            return *share;
        }
        let users = users as f64;
        if users <= self.servers {
            1.0
        } else {
            self.servers / users
        }
    }

    /// Schedules the next end of a job.
    fn settle(&self, kernel: &Kernel<'_>) {
        let now_s = kernel.now_s();
        let mut service = self.service.borrow_mut();
        let rate = self.share(service.jobs.len()) * self.speed.get();
        let first = service
            .jobs
            .first_key_value()
            .map(|(place, job)| (*place, *job));
        // A due job leaves at this instant, and then settles the jobs after it.
        let Some(((virtual_end, _), job)) =
            first.filter(|(_, job)| kernel.waits(job.unit, job.generation))
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
        service.timed = timed;
        if rate <= 0.0 {
            return;
        }
        let end_s = if is_one(rate) && service.is_steady(&job) {
            job.end_s
        } else {
            now_s + ((f64::from_bits(virtual_end) - service.virtual_s) / rate).max(0.0)
        };
        drop(service);
        // A non-finite time is recorded, and the run ends.
        let _ = kernel.resume_at(job.unit, end_s);
    }
}

impl Service {
    /// Advances virtual time to `now_s`, given each user's share of a server and the speed of the
    /// servers.
    fn advance(&mut self, now_s: f64, share: f64, speed: f64) {
        let rate = share * speed;
        if !is_one(rate) && now_s > self.last_s {
            self.off_until_s = now_s;
        }
        self.virtual_s += (now_s - self.last_s) * rate;
        self.share_s += (now_s - self.last_s) * share;
        self.last_s = now_s;
    }

    /// Returns `true` if the rate has been 1 ever since the job began.
    fn is_steady(&self, job: &Job) -> bool {
        self.off_until_s <= job.since_s
    }
}

/// Returns `true` if, at this rate, a service takes exactly its length.
fn is_one(rate: f64) -> bool {
    rate.to_bits() == 1.0_f64.to_bits()
}
