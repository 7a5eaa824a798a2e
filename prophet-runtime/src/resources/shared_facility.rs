//! Facilities whose servers all that use them share.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::Wanted;
use crate::language::price::Cost;
use crate::language::stopped::Stopped;
use crate::nodes::sharing::Sharing;
use crate::resources::status::Status;
use crate::statistics::usage::{Statistics, Usage};

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
    sharing: Sharing,
    usage: Usage,
}

impl SharedFacility {
    /// A facility with that many servers.
    pub fn new(name: impl Into<String>, servers: u32) -> Self {
        Self {
            name: name.into(),
            servers,
            sharing: Sharing::new(f64::from(servers)),
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
        self.sharing.users()
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
        }
    }

    fn leave(&self, ctx: &ProcessCtx<'_>) {
        let world = ctx.world();
        self.sharing.leave(world, ctx.unit());
        if !world.closes() {
            self.usage.complete();
            self.note(world.now_s());
        }
    }

    /// Notes how many servers are busy, and users beyond them.
    fn note(&self, now_s: f64) {
        let users = self.users();
        let busy = users.min(self.servers as usize);
        self.usage.set(now_s, busy as u64, (users - busy) as u64);
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
}

impl Future for Share<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let (facility, ctx) = (this.facility, this.wait.ctx());
        if this.wait.generation() == 0 {
            ctx.seconds(&Cost::Seconds(this.seconds))?;
            let generation = this.wait.register()?;
            let waiter = (ctx.unit(), generation);
            facility.sharing.enter(ctx.world(), waiter, this.seconds);
            facility.note(ctx.now_s());
        } else if this.wait.granted_turn() {
            facility.leave(ctx);
            this.wait.served(this.seconds);
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
            self.facility.leave(self.wait.ctx());
        }
    }
}
