//! Facilities: servers that processes reserve, first come first served.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use crate::engine::Wanted;
use crate::process::{Hold, ProcessCtx, Wait};
use crate::stopped::Stopped;
use crate::waiters::Waiters;

/// A number of equal servers with one queue, first come first served.
///
/// It lies outside the processes that share it and serves one simulation at a time. A server that
/// is released goes to the first in the queue at once, so that nobody who comes later at the same
/// instant gets ahead.
///
/// ```
/// use prophet_runtime::{Facility, Model, Simulation, System};
///
/// let teller = Facility::new("teller", 1);
/// let model = Model { name: "Bank", parameters: &[], elements: 0 };
/// let outcome = Simulation::new(&model, System::new(1, 3, 3, 1)).run(async |ctx| {
///     teller.use_for(ctx, 2.0).await
/// })?;
/// let ends: Vec<f64> = outcome.processes.iter().map(|process| process.end_s).collect();
/// assert_eq!(ends, [2.0, 4.0, 6.0]);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug)]
pub struct Facility {
    name: String,
    free: Cell<u32>,
    queue: Waiters,
}

impl Facility {
    /// A facility with that many free servers.
    pub fn new(name: impl Into<String>, servers: u32) -> Self {
        Self {
            name: name.into(),
            free: Cell::new(servers),
            queue: Waiters::default(),
        }
    }

    /// How many servers are free.
    pub fn free(&self) -> u32 {
        self.free.get()
    }

    /// How many processes wait for a server.
    pub fn queue_len(&self) -> usize {
        self.queue.len()
    }

    /// Reserves a server, waiting for it if none is free; it is released by
    /// [`Server::release`] or when the [`Server`] is dropped.
    ///
    /// Dropped while it waits, the future leaves the queue; dropped when a server has been given
    /// to it, it passes the server on.
    pub fn reserve<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> Reserve<'a> {
        Reserve {
            facility: self,
            wait: Wait::new(ctx),
        }
    }

    /// Reserves a server, holds it for `seconds` of simulated time and releases it.
    ///
    /// # Errors
    ///
    /// The future stops the run when the time is negative or not finite.
    pub fn use_for<'a>(&'a self, ctx: &'a ProcessCtx<'_>, seconds: f64) -> Use<'a> {
        Use {
            reserve: self.reserve(ctx),
            server: None,
            hold: ctx.hold(seconds),
        }
    }

    /// Gives a server to the first in the queue, or keeps it free.
    fn pass_on(&self, ctx: &ProcessCtx<'_>) {
        if self.queue.wake_first(ctx).is_none() {
            self.free.set(self.free.get() + 1);
        }
    }
}

/// A reserved server of a [`Facility`].
#[derive(Debug)]
#[must_use = "a server is released when it is dropped"]
pub struct Server<'a> {
    facility: &'a Facility,
    ctx: &'a ProcessCtx<'a>,
}

impl Server<'_> {
    /// Releases the server.
    pub fn release(self) {
        drop(self);
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.facility.pass_on(self.ctx);
    }
}

/// The future of [`Facility::reserve`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Reserve<'a> {
    facility: &'a Facility,
    wait: Wait<'a>,
}

impl<'a> Future for Reserve<'a> {
    type Output = Result<Server<'a>, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let facility = this.facility;
        if this.wait.generation() == 0 {
            let free = facility.free.get();
            if free == 0 {
                facility.queue.join(&mut this.wait)?;
                return Poll::Pending;
            }
            facility.free.set(free - 1);
        } else if !this.wait.granted() {
            let text = || format!("a server of facility `{}`", facility.name.escape_debug());
            this.wait.explain(|| Wanted {
                text: text(),
                process: None,
            });
            return Poll::Pending;
        }
        Poll::Ready(Ok(Server {
            facility,
            ctx: this.wait.ctx(),
        }))
    }
}

impl Drop for Reserve<'_> {
    fn drop(&mut self) {
        if self.wait.generation() != 0 && !self.facility.queue.leave(&self.wait) {
            self.facility.pass_on(self.wait.ctx());
        }
    }
}

/// The future of [`Facility::use_for`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Use<'a> {
    reserve: Reserve<'a>,
    server: Option<Server<'a>>,
    hold: Hold<'a>,
}

impl Future for Use<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if this.server.is_none() {
            this.server = Some(ready!(Pin::new(&mut this.reserve).poll(cx))?);
        }
        ready!(Pin::new(&mut this.hold).poll(cx))?;
        this.server = None;
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_futures_are_small() {
        assert_eq!(size_of::<Reserve<'_>>(), 24);
        assert_eq!(size_of::<Use<'_>>(), 64);
    }
}
