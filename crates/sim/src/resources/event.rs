//! Events: processes wait for something to happen.

use std::cell::Cell;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::kernel::{Caller, Stopped, Wait, Wanted};
use crate::resources::Status;
use crate::resources::waiters::Waiters;

/// An event that processes can wait for.
///
/// When you set the event, all waiting processes continue, in the order of their arrival. The event
/// stays set until you clear it. Create it outside of the processes that share it. An event serves
/// one run at a time.
///
/// ```
/// use prophet_sim::{Event, Study};
///
/// let start = Event::new("start");
/// let run = Study::new().run(&start, async |sim, start| {
///     for _ in 0..3 {
///         sim.spawn(async |runner| {
///             start.wait(&runner).await?;
///             assert_eq!(runner.now_s(), 2.0);
///             Ok(())
///         });
///     }
///     sim.hold(2.0).await?;
///     start.set(&sim);
///     Ok(())
/// })?;
/// assert_eq!(run.unfinished, 0);
/// # Ok::<(), prophet_sim::Failure>(())
/// ```
#[derive(Debug)]
pub struct Event {
    name: String,
    set: Cell<bool>,
    queue: Waiters,
    /// Processes that take turns: each continues by clearing the event.
    turns: Waiters,
    /// Processes that wait for other events as well.
    watchers: Waiters,
}

impl Event {
    /// Creates an event that hasn't happened.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            set: Cell::new(false),
            queue: Waiters::default(),
            turns: Waiters::default(),
            watchers: Waiters::default(),
        }
    }

    /// Returns `true` if the event has happened and hasn't been cleared.
    pub fn is_set(&self) -> bool {
        self.set.get()
    }

    /// Returns the number of processes that are waiting for the event.
    pub fn queue_len(&self) -> usize {
        self.queue.len() + self.turns.len() + self.watchers.len()
    }

    /// Sets the event. All waiting processes continue, even if the event is cleared at the same
    /// instant. The first [queuing](Event::queue) process continues too, and clears the event.
    pub fn set(&self, process: &impl Caller) {
        process.needs_order();
        let kernel = process.kernel();
        while self.queue.wake_first(kernel).is_some() {}
        let taken = self.turns.wake_first(kernel).is_some();
        self.set.set(!taken);
        self.watchers.nudge(kernel);
    }

    /// Clears the event.
    pub fn clear(&self) {
        self.set.set(false);
    }

    /// Waits until the event is set; returns immediately if it is already set.
    pub fn wait<'a, C: Caller>(&'a self, process: &'a C) -> WaitEvent<'a, C> {
        WaitEvent {
            event: self,
            wait: Wait::new(process),
            takes: false,
        }
    }

    /// Waits for this process's turn: each time the event is set, the first process in the queue
    /// continues, and the event is cleared.
    ///
    /// If the event is already set, this clears the event and returns immediately. If you drop the
    /// future after its turn has come, the next process gets the turn.
    pub fn queue<'a, C: Caller>(&'a self, process: &'a C) -> WaitEvent<'a, C> {
        WaitEvent {
            event: self,
            wait: Wait::new(process),
            takes: true,
        }
    }

    /// Waits until one of `events` is set, and returns its index. If several are set, returns the
    /// lowest index.
    ///
    /// Returns immediately if an event is already set. If an event is set and cleared at the same
    /// instant before this process runs, the process misses it.
    pub fn any<'a, C: Caller>(process: &'a C, events: &'a [&'a Event]) -> WaitEvents<'a, C> {
        WaitEvents {
            events,
            wait: Wait::new(process),
            all: false,
        }
    }

    /// Waits until all of `events` are set at the same time, and returns 0.
    pub fn all<'a, C: Caller>(process: &'a C, events: &'a [&'a Event]) -> WaitEvents<'a, C> {
        WaitEvents {
            events,
            wait: Wait::new(process),
            all: true,
        }
    }
}

impl Status for Event {
    fn status(&self) -> String {
        let state = if self.is_set() { "set" } else { "clear" };
        let name = self.name.escape_debug();
        format!("event `{name}`: {state}, {} waiting", self.queue_len())
    }
}

/// The future of [`Event::wait`] and [`Event::queue`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct WaitEvent<'a, C: Caller> {
    event: &'a Event,
    wait: Wait<'a, C>,
    /// Whether the wait clears the event when it ends.
    takes: bool,
}

impl<C: Caller> WaitEvent<'_, C> {
    fn waiters(&self) -> &Waiters {
        if self.takes {
            &self.event.turns
        } else {
            &self.event.queue
        }
    }
}

impl<C: Caller> Future for WaitEvent<'_, C> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let event = this.event;
        if !this.wait.is_registered() {
            if !event.is_set() {
                let waiter = this.wait.register()?;
                this.waiters().add(waiter);
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

impl<C: Caller> Drop for WaitEvent<'_, C> {
    fn drop(&mut self) {
        if self.wait.is_registered() && !self.waiters().leave(&self.wait) && self.takes {
            self.event.set(self.wait.caller());
        }
    }
}

/// The future of [`Event::any`] and [`Event::all`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct WaitEvents<'a, C: Caller> {
    events: &'a [&'a Event],
    wait: Wait<'a, C>,
    all: bool,
}

impl<C: Caller> WaitEvents<'_, C> {
    /// If the wait is over, returns its result: the index of an event that is set, or 0 if the wait
    /// is for all events.
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

impl<C: Caller> Future for WaitEvents<'_, C> {
    type Output = Result<usize, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let kernel = this.wait.kernel();
        if !kernel.asks()
            && let Some(found) = this.found()
        {
            if this.wait.is_registered() {
                this.leave();
                this.wait.give_up();
            }
            return Poll::Ready(Ok(found));
        }
        if !this.wait.is_registered() {
            let waiter = this.wait.register()?;
            for event in this.events {
                event.watchers.add(waiter);
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

impl<C: Caller> Drop for WaitEvents<'_, C> {
    fn drop(&mut self) {
        if self.wait.is_registered() {
            self.leave();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Process;

    #[test]
    fn its_future_is_small() {
        assert_eq!(size_of::<WaitEvent<'_, Process<'_>>>(), 32);
    }
}
