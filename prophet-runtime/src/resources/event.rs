//! Events: something that processes wait to happen.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::process::{ProcessCtx, Wait};
use crate::engine::waiters::{Waiters, waiter};
use crate::kernel::Wanted;
use crate::language::stopped::Stopped;
use crate::resources::status::Status;

/// Something that has happened or not, and that processes wait for.
///
/// Setting it wakes all that wait, in the order in which they came, and it stays set until it is
/// cleared. It lies outside the processes that share it and serves one simulation at a time.
///
/// ```
/// use prophet_runtime::{Event, Model, Simulation, System};
///
/// let start = Event::new("start");
/// let model = Model::new("Race", &[], 0);
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
    /// Those that go on one at a time.
    turns: Waiters,
    /// Those that wait for other events too.
    watchers: Waiters,
}

impl Event {
    /// An event that has not happened.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            set: Cell::new(false),
            queue: Waiters::default(),
            turns: Waiters::default(),
            watchers: Waiters::default(),
        }
    }

    /// Whether it has happened and has not been cleared.
    pub fn is_set(&self) -> bool {
        self.set.get()
    }

    /// How many processes wait for it.
    pub fn queue_len(&self) -> usize {
        self.queue.len() + self.turns.len() + self.watchers.len()
    }

    /// Lets it happen. Who waits goes on, even when it is cleared at the same instant; so does the
    /// first of those that [queue](Event::queue), which clears the event.
    pub fn set(&self, ctx: &ProcessCtx<'_>) {
        while self.queue.wake_first(ctx).is_some() {}
        let taken = self.turns.wake_first(ctx).is_some();
        self.set.set(!taken);
        self.watchers.nudge(ctx);
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
            takes: false,
        }
    }

    /// Waits for its turn: each time that the event happens, one of those that queue goes on,
    /// first come first served, and the event is clear again.
    ///
    /// Does not wait when the event is set, and clears it. Dropped when its turn has come, the
    /// future passes the turn on.
    pub fn queue<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> WaitEvent<'a> {
        WaitEvent {
            event: self,
            wait: Wait::new(ctx),
            takes: true,
        }
    }

    /// Waits until one of `events` is set and gives its place among them, the first if several
    /// are.
    ///
    /// Not at all when one is set. An event that is set and cleared at one instant, before this
    /// process runs, is missed.
    pub fn any<'a>(ctx: &'a ProcessCtx<'_>, events: &'a [&'a Event]) -> WaitEvents<'a> {
        WaitEvents {
            events,
            wait: Wait::new(ctx),
            all: false,
        }
    }

    /// Waits until all of `events` are set at one time; gives 0.
    pub fn all<'a>(ctx: &'a ProcessCtx<'_>, events: &'a [&'a Event]) -> WaitEvents<'a> {
        WaitEvents {
            events,
            wait: Wait::new(ctx),
            all: true,
        }
    }
}

impl Status for Event {
    fn status(&self, _: f64) -> String {
        let state = if self.is_set() { "set" } else { "clear" };
        let name = self.name.escape_debug();
        format!("event `{name}`: {state}, {} waiting", self.queue_len())
    }
}

/// The future of [`Event::wait`] and [`Event::queue`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct WaitEvent<'a> {
    event: &'a Event,
    wait: Wait<'a>,
    /// Whether it takes the event for itself.
    takes: bool,
}

impl WaitEvent<'_> {
    fn waiters(&self) -> &Waiters {
        if self.takes {
            &self.event.turns
        } else {
            &self.event.queue
        }
    }
}

impl Future for WaitEvent<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let event = this.event;
        if this.wait.generation() == 0 {
            if !event.is_set() {
                let waiters = if this.takes {
                    &event.turns
                } else {
                    &event.queue
                };
                waiters.join(&mut this.wait)?;
                return Poll::Pending;
            }
            if this.takes {
                event.clear();
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
        if self.wait.generation() != 0 && !self.waiters().leave(&self.wait) && self.takes {
            self.event.set(self.wait.ctx());
        }
    }
}

/// The future of [`Event::any`] and [`Event::all`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct WaitEvents<'a> {
    events: &'a [&'a Event],
    wait: Wait<'a>,
    all: bool,
}

impl WaitEvents<'_> {
    /// What it gives when its wait is over.
    fn found(&self) -> Option<usize> {
        if self.all {
            let all = self.events.iter().all(|event| event.is_set());
            return all.then_some(0);
        }
        self.events.iter().position(|event| event.is_set())
    }

    fn leave(&self) {
        for event in self.events {
            event.watchers.leave(&self.wait);
        }
    }
}

impl Future for WaitEvents<'_> {
    type Output = Result<usize, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let world = this.wait.ctx().world();
        if !world.asks()
            && let Some(found) = this.found()
        {
            if this.wait.generation() != 0 {
                this.leave();
                this.wait.give_up();
            }
            return Poll::Ready(Ok(found));
        }
        if this.wait.generation() == 0 {
            this.wait.register()?;
            for event in this.events {
                event.watchers.add(waiter(&this.wait));
            }
            return Poll::Pending;
        }
        this.wait.explain(|| {
            let names = this.events.iter();
            let names: Vec<_> = names
                .map(|event| format!("`{}`", event.name.escape_debug()))
                .collect();
            let which = if this.all { "all" } else { "one" };
            Wanted {
                text: format!("{which} of the events {}", names.join(", ")),
                process: None,
            }
        });
        Poll::Pending
    }
}

impl Drop for WaitEvents<'_> {
    fn drop(&mut self) {
        if self.wait.generation() != 0 {
            self.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_future_is_small() {
        assert_eq!(size_of::<WaitEvent<'_>>(), 32);
    }
}
