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
/// A service that is never slowed down by other users ends exactly at `start + length`, a single
/// addition. The result doesn't depend on the order in which users arrive at the same instant.
#[derive(Debug)]
pub struct Sharing {
    /// Number of users that can be served at the full rate at the same time; may be a fraction.
    servers: f64,
    /// The fraction of a server that each user gets with 1, 2, … users. Empty if `servers`
    /// determines all shares.
    table: Arc<[f64]>,
    users_min: Cell<usize>,
    speed: Cell<f64>,
    service: RefCell<Service>,
}

/// A service's position in the order of ends: the bits of its virtual end time, and a number that
/// makes the position unique.
type Place = (u64, u64);

/// The users being served, ordered by virtual end time.
///
/// Virtual time advances at the rate at which each user is served, so a user who arrives or leaves
/// doesn't change the virtual ends of the others. Virtual time restarts whenever there are no
/// users.
#[derive(Debug, Default)]
struct Service {
    jobs: BTreeMap<Place, Job>,
    places: BTreeMap<u32, Place>,
    virtual_s: f64,
    /// Server time that each user has received since virtual time started, in seconds.
    share_s: f64,
    last_s: f64,
    /// The last time at which the rate wasn't 1.
    off_until_s: f64,
    number: u64,
    /// The unit whose end is scheduled, and the bits of the rate assumed for it.
    timed: Option<(u32, u64)>,
}

#[derive(Debug, Clone, Copy)]
struct Job {
    unit: u32,
    generation: u32,
    since_s: f64,
    /// Value of `share_s` when this job began.
    since_share_s: f64,
    /// Time at which the job ends if the rate always stays 1.
    end_s: f64,
}

impl Sharing {
    /// Creates `servers` servers without users.
    pub fn new(servers: f64) -> Self {
        Self {
            servers,
            table: Arc::default(),
            users_min: Cell::new(0),
            speed: Cell::new(1.0),
            service: RefCell::default(),
        }
    }

    /// Creates servers without users. With `n` users, each gets the fraction `table[n - 1]` of a
    /// server. If there are more users than entries, they share the total of the last entry.
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

    /// Changes the minimum number of users. If there are fewer users, shares are computed as if
    /// there were that many.
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

    /// Returns the server time that a unit has received since its service began, in seconds.
    /// Returns `None` if the rate has always been 1, because the server time then equals the
    /// elapsed time.
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
        // A job that is due leaves at this instant, and the jobs after it are settled then.
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
        // If the time isn't finite, a failure is recorded and the run ends.
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

/// Returns `true` if services take exactly their length at this rate.
fn is_one(rate: f64) -> bool {
    rate.to_bits() == 1.0_f64.to_bits()
}
