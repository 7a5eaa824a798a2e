//! Facilities whose servers all that use them share.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::{Wanted, World};
use crate::price::Cost;
use crate::process::{ProcessCtx, Wait};
use crate::stopped::Stopped;
use crate::study::Status;
use crate::usage::{Statistics, Usage};

/// Equal servers that all who use them share at once: processor sharing.
///
/// Of `n` processes each is served at the rate `min(1, servers / n)`. Nobody queues. A service
/// that others never slow down ends at its start plus its length, in one addition.
///
/// ```
/// use prophet_runtime::{SharedFacility, Study};
///
/// let cpus = SharedFacility::new("cpus", 2);
/// let run = Study::new().run(&cpus, async |sim, cpus| {
///     for _ in 0..3 {
///         sim.spawn(async |job| {
///             cpus.use_for(&job, 1.0).await?;
///             assert_eq!(job.now_s(), 1.5);
///             Ok(())
///         });
///     }
///     Ok(())
/// })?;
/// assert_eq!(cpus.statistics(run.end_s).utilization, 1.0);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug)]
pub struct SharedFacility {
    name: String,
    servers: u32,
    sharing: RefCell<Sharing>,
    usage: Usage,
}

/// A place in the order of the ends: the bits of the virtual time of the end, and a number.
type Place = (u64, u64);

/// Who is served, by the virtual time of their ends.
///
/// Virtual time passes at the rate at which each is served, so that an arrival or an end changes
/// the time of no other in it. It starts anew whenever nobody is there.
#[derive(Debug, Default)]
struct Sharing {
    jobs: BTreeMap<Place, Job>,
    virtual_s: f64,
    last_s: f64,
    /// Changes of the rate.
    changes: u64,
    number: u64,
    /// The unit whose end is scheduled, and the changes of the rate at that time.
    timed: Option<(u32, u64)>,
}

#[derive(Debug, Clone, Copy)]
struct Job {
    unit: u32,
    generation: u32,
    /// Its end if the rate is 1 until then, and the changes of the rate at its start.
    end_s: f64,
    changes: u64,
}

impl SharedFacility {
    /// A facility with that many servers.
    pub fn new(name: impl Into<String>, servers: u32) -> Self {
        Self {
            name: name.into(),
            servers,
            sharing: RefCell::default(),
            usage: Usage::new(),
        }
    }

    /// The facility without statistics, which then cost nothing.
    #[must_use]
    pub fn without_statistics(mut self) -> Self {
        self.usage.switch_off();
        self
    }

    /// How many processes use it.
    pub fn users(&self) -> usize {
        self.sharing.borrow().jobs.len()
    }

    /// How it was used until `now_s`, in seconds. Those that there is no server for count as its
    /// queue.
    pub fn statistics(&self, now_s: f64) -> Statistics {
        self.usage.statistics(now_s, f64::from(self.servers))
    }

    /// Begins the statistics anew.
    pub fn reset_statistics(&self, now_s: f64) {
        self.usage.reset(now_s);
    }

    /// Uses the facility until it has served `seconds`.
    ///
    /// Dropped while it is served, the future leaves the facility to the others.
    ///
    /// # Errors
    ///
    /// The future stops the run when the time is negative or not finite.
    pub fn use_for<'a>(&'a self, ctx: &'a ProcessCtx<'_>, seconds: f64) -> Share<'a> {
        Share {
            facility: self,
            wait: Wait::new(ctx),
            seconds,
            place: (0, 0),
        }
    }

    /// At which rate each of `users` is served.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn rate(&self, users: usize) -> f64 {
        if users <= self.servers as usize {
            1.0
        } else {
            f64::from(self.servers) / users as f64
        }
    }

    fn enter(&self, ctx: &ProcessCtx<'_>, generation: u32, seconds: f64) -> Place {
        let now_s = ctx.now_s();
        let mut sharing = self.sharing.borrow_mut();
        let users = sharing.jobs.len();
        sharing.advance(now_s, self.rate(users));
        if users == 0 {
            sharing.virtual_s = 0.0;
        }
        sharing.number += 1;
        let place = ((sharing.virtual_s + seconds).to_bits(), sharing.number);
        sharing.changes += u64::from(self.slower(users, users + 1));
        let job = Job {
            unit: ctx.unit(),
            generation,
            end_s: now_s + seconds,
            changes: sharing.changes,
        };
        sharing.jobs.insert(place, job);
        drop(sharing);
        self.settle(ctx.world());
        place
    }

    fn leave(&self, world: &World<'_>, place: Place) {
        let mut sharing = self.sharing.borrow_mut();
        let users = sharing.jobs.len();
        sharing.advance(world.now_s(), self.rate(users));
        sharing.jobs.remove(&place);
        sharing.changes += u64::from(self.slower(users - 1, users));
        drop(sharing);
        if !world.closes() {
            self.usage.complete();
            self.settle(world);
        }
    }

    /// Whether more users are served at a lower rate.
    fn slower(&self, few: usize, more: usize) -> bool {
        self.rate(more) < self.rate(few)
    }

    /// Schedules the next end.
    fn settle(&self, world: &World<'_>) {
        let now_s = world.now_s();
        let mut sharing = self.sharing.borrow_mut();
        let users = sharing.jobs.len();
        let rate = self.rate(users);
        let busy = users.min(self.servers as usize);
        self.usage.set(now_s, busy as u64, (users - busy) as u64);
        let first = sharing
            .jobs
            .first_key_value()
            .map(|(place, job)| (*place, *job));
        // One whose time has come leaves at this instant, and settles what follows.
        let Some(((virtual_end, _), job)) =
            first.filter(|(_, job)| rate > 0.0 && world.waits(job.unit, job.generation))
        else {
            return;
        };
        let timed = Some((job.unit, sharing.changes));
        if sharing.timed == timed && world.has_timer(job.unit) {
            return;
        }
        if let Some((unit, _)) = sharing.timed
            && sharing.jobs.values().any(|other| other.unit == unit)
        {
            world.forget_timer(unit);
        }
        let untouched = rate >= 1.0 && job.changes == sharing.changes;
        let end_s = if untouched {
            job.end_s
        } else {
            now_s + ((f64::from_bits(virtual_end) - sharing.virtual_s) / rate).max(0.0)
        };
        sharing.timed = timed;
        drop(sharing);
        // A time that is not finite is recorded, and the run ends.
        let _ = world.resume_at(job.unit, end_s);
    }
}

impl Sharing {
    fn advance(&mut self, now_s: f64, rate: f64) {
        self.virtual_s += (now_s - self.last_s) * rate;
        self.last_s = now_s;
    }
}

impl Status for SharedFacility {
    fn status(&self, now_s: f64) -> String {
        format!(
            "shared facility `{}`: {} users of {} servers; {}",
            self.name.escape_debug(),
            self.users(),
            self.servers,
            self.statistics(now_s)
        )
    }
}

/// The future of [`SharedFacility::use_for`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Share<'a> {
    facility: &'a SharedFacility,
    wait: Wait<'a>,
    seconds: f64,
    place: Place,
}

impl Future for Share<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let (facility, ctx) = (this.facility, this.wait.ctx());
        if this.wait.generation() == 0 {
            ctx.seconds(Cost::Seconds(this.seconds))?;
            let generation = this.wait.register()?;
            this.place = facility.enter(ctx, generation, this.seconds);
        } else if this.wait.granted() {
            facility.leave(ctx.world(), this.place);
            return Poll::Ready(Ok(()));
        } else {
            this.wait.explain(|| Wanted {
                text: format!(
                    "its service at shared facility `{}`",
                    facility.name.escape_debug()
                ),
                process: None,
            });
        }
        Poll::Pending
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        if self.wait.generation() != 0 {
            self.facility.leave(self.wait.ctx().world(), self.place);
        }
    }
}
