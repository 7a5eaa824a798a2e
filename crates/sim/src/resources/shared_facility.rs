//! Facilities with servers that all users share.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::kernel::{Caller, Kernel, Sharing, Stopped, Wait, Wanted};
use crate::resources::Status;
use crate::resources::usage::{Statistics, Usage};

/// Identical servers that all users share at the same time (processor sharing).
///
/// Each of `n` processes is served at the rate `min(1, servers / n)`, so no process has to queue. A
/// service that is never slowed down by other processes ends exactly at `start + length`, a single
/// addition.
///
/// ```
/// use prophet_sim::{SharedFacility, Study};
///
/// let cpus = SharedFacility::new("cpus", 2);
/// Study::new().run(&cpus, async |sim, cpus| {
///     for _ in 0..3 {
///         sim.spawn(async |job| {
///             cpus.use_for(&job, 1.0).await?;
///             assert_eq!(job.now_s(), 1.5);
///             Ok(())
///         });
///     }
///     Ok(())
/// })?;
/// assert_eq!(cpus.statistics().utilization, 1.0);
/// # Ok::<(), prophet_sim::Failure>(())
/// ```
#[derive(Debug)]
pub struct SharedFacility {
    name: String,
    servers: u32,
    sharing: Sharing,
    usage: Usage,
}

impl SharedFacility {
    /// Creates a facility with `servers` servers.
    pub fn new(name: impl Into<String>, servers: u32) -> Self {
        Self {
            name: name.into(),
            servers,
            sharing: Sharing::new(f64::from(servers)),
            usage: Usage::new(0),
        }
    }

    /// Turns off statistics, which makes the simulation faster.
    #[must_use]
    pub fn without_statistics(mut self) -> Self {
        self.usage.switch_off();
        self
    }

    /// Returns the number of processes that are using the facility.
    pub fn users(&self) -> usize {
        self.sharing.users()
    }

    /// Returns the facility's statistics for the last run that used it, up to now or to the end of
    /// that run.
    ///
    /// If there are more processes than servers, the excess counts as waiting.
    pub fn statistics(&self) -> Statistics {
        self.usage.statistics(f64::from(self.servers))
    }

    /// Restarts the statistics, for example after a warm-up.
    pub fn reset_statistics(&self, process: &impl Caller) {
        self.usage.reset(process.kernel());
    }

    /// Uses the facility until the process has received `seconds` of service.
    ///
    /// If you drop the future during the service, the service ends, and the remaining users share
    /// the servers.
    ///
    /// # Errors
    ///
    /// The future stops the run if the time is negative or not finite.
    pub fn use_for<'a, C: Caller>(&'a self, process: &'a C, seconds: f64) -> Share<'a, C> {
        Share {
            facility: self,
            wait: Wait::new(process),
            seconds,
        }
    }

    fn leave(&self, process: &impl Caller) {
        let kernel = process.kernel();
        self.sharing.leave(kernel, process.unit());
        if !kernel.closes() {
            self.usage.complete(kernel);
            self.note(kernel);
        }
    }

    /// Records the number of busy servers. Users in excess of the servers count as waiting.
    fn note(&self, kernel: &Kernel<'_>) {
        let users = self.users();
        let busy = users.min(self.servers as usize);
        self.usage.set(kernel, busy as u64, (users - busy) as u64);
    }
}

impl Status for SharedFacility {
    fn status(&self) -> String {
        format!(
            "shared facility `{}`: {} users of {} servers; {}",
            self.name.escape_debug(),
            self.users(),
            self.servers,
            self.statistics()
        )
    }
}

/// The future of [`SharedFacility::use_for`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Share<'a, C: Caller> {
    facility: &'a SharedFacility,
    wait: Wait<'a, C>,
    seconds: f64,
}

impl<C: Caller> Future for Share<'_, C> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let (facility, kernel) = (this.facility, this.wait.kernel());
        if !this.wait.is_registered() {
            kernel.check_seconds(this.wait.caller().unit(), this.seconds)?;
            let waiter = this.wait.register()?;
            facility.sharing.enter(kernel, waiter, this.seconds);
            facility.note(kernel);
        } else if this.wait.granted_turn() {
            facility.leave(this.wait.caller());
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

impl<C: Caller> Drop for Share<'_, C> {
    fn drop(&mut self) {
        if self.wait.is_registered() {
            self.facility.leave(self.wait.caller());
        }
    }
}
