//! Events: something that processes wait to happen.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::Wanted;
use crate::process::{ProcessCtx, Wait};
use crate::stopped::Stopped;
use crate::waiters::Waiters;

/// Something that has happened or not, and that processes wait for.
///
/// Setting it wakes all that wait, in the order in which they came, and it stays set until it is
/// cleared. It lies outside the processes that share it and serves one simulation at a time.
///
/// ```
/// use prophet_runtime::{Event, Model, Simulation, System};
///
/// let start = Event::new("start");
/// let model = Model { name: "Race", parameters: &[], elements: 0 };
/// let outcome = Simulation::new(&model, System::new(1, 3, 3, 1)).run(async |ctx| {
///     if ctx.pid() == 0 {
///         ctx.hold(2.0).await?;
///         start.set(ctx);
///     } else {
///         start.wait(ctx).await?;
///     }
///     Ok(())
/// })?;
/// assert!(outcome.processes.iter().all(|process| process.end_s == 2.0));
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug)]
pub struct Event {
    name: String,
    set: Cell<bool>,
    queue: Waiters,
}

impl Event {
    /// An event that has not happened.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            set: Cell::new(false),
            queue: Waiters::default(),
        }
    }

    /// Whether it has happened and has not been cleared.
    pub fn is_set(&self) -> bool {
        self.set.get()
    }

    /// How many processes wait for it.
    pub fn queue_len(&self) -> usize {
        self.queue.len()
    }

    /// Lets it happen. Who waits goes on, even when it is cleared at the same instant.
    pub fn set(&self, ctx: &ProcessCtx<'_>) {
        self.set.set(true);
        while self.queue.wake_first(ctx).is_some() {}
    }

    /// Makes it not have happened.
    pub fn clear(&self) {
        self.set.set(false);
    }

    /// Waits until it happens; not at all when it has.
    pub fn wait<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> WaitEvent<'a> {
        WaitEvent {
            event: self,
            wait: Wait::new(ctx),
        }
    }
}

/// The future of [`Event::wait`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct WaitEvent<'a> {
    event: &'a Event,
    wait: Wait<'a>,
}

impl Future for WaitEvent<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let event = this.event;
        if this.wait.generation() == 0 {
            if !event.is_set() {
                event.queue.join(&mut this.wait)?;
                return Poll::Pending;
            }
        } else if !this.wait.granted() {
            let text = || format!("event `{}`", event.name.escape_debug());
            this.wait.explain(|| Wanted {
                text: text(),
                process: None,
            });
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for WaitEvent<'_> {
    fn drop(&mut self) {
        if self.wait.generation() != 0 {
            self.event.queue.leave(&self.wait);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_future_is_small() {
        assert_eq!(size_of::<WaitEvent<'_>>(), 24);
    }
}
