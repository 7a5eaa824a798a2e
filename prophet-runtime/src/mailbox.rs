//! Mailboxes: values from processes to processes, first in first out.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::Wanted;
use crate::process::{ProcessCtx, Wait};
use crate::stopped::Stopped;
use crate::waiters::{Waiter, Waiters, waiter};

/// A queue of values that any process may send to and any may receive from.
///
/// Values are received in the order in which they were sent, by the processes in the order in
/// which they asked. It lies outside the processes that share it and serves one simulation at a
/// time.
///
/// ```
/// use prophet_runtime::{Mailbox, Model, Simulation, System};
///
/// let orders = Mailbox::new("orders");
/// let model = Model { name: "Shop", parameters: &[], elements: 0 };
/// Simulation::new(&model, System::new(1, 2, 2, 1)).run(async |ctx| {
///     if ctx.pid() == 0 {
///         ctx.hold(1.5).await?;
///         orders.send(ctx, "coffee");
///     } else {
///         assert_eq!(orders.receive(ctx).await?, "coffee");
///         assert_eq!(ctx.now_s(), 1.5);
///     }
///     Ok(())
/// })?;
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug)]
pub struct Mailbox<T> {
    name: String,
    values: RefCell<VecDeque<T>>,
    queue: Waiters,
    /// Values for waits that are over and have not been polled yet.
    granted: RefCell<Vec<(Waiter, T)>>,
}

impl<T> Mailbox<T> {
    /// An empty mailbox.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            values: RefCell::default(),
            queue: Waiters::default(),
            granted: RefCell::default(),
        }
    }

    /// How many values wait to be received.
    pub fn len(&self) -> usize {
        self.values.borrow().len()
    }

    /// Whether no value waits to be received.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many processes wait for a value.
    pub fn queue_len(&self) -> usize {
        self.queue.len()
    }

    /// Sends a value, to the first process that waits for one if any does.
    pub fn send(&self, ctx: &ProcessCtx<'_>, value: T) {
        match self.queue.wake_first(ctx) {
            Some(waiter) => self.granted.borrow_mut().push((waiter, value)),
            None => self.values.borrow_mut().push_back(value),
        }
    }

    /// Receives the oldest value, waiting for one if there is none.
    ///
    /// Dropped while it waits, the future leaves the queue; dropped when a value has been given
    /// to it, it passes the value on, ahead of all younger ones.
    pub fn receive<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> ReceiveValue<'a, T> {
        ReceiveValue {
            mailbox: self,
            wait: Wait::new(ctx),
        }
    }

    fn take_granted(&self, waiter: Waiter) -> Option<T> {
        let mut granted = self.granted.borrow_mut();
        let place = granted.iter().position(|(to, _)| *to == waiter)?;
        Some(granted.remove(place).1)
    }
}

/// The future of [`Mailbox::receive`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct ReceiveValue<'a, T> {
    mailbox: &'a Mailbox<T>,
    wait: Wait<'a>,
}

impl<T> Future for ReceiveValue<'_, T> {
    type Output = Result<T, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let mailbox = this.mailbox;
        let value = if this.wait.generation() == 0 {
            mailbox.values.borrow_mut().pop_front()
        } else {
            let waiter = waiter(&this.wait);
            if !this.wait.granted() {
                let text = || format!("a value in mailbox `{}`", mailbox.name.escape_debug());
                this.wait.explain(|| Wanted {
                    text: text(),
                    process: None,
                });
                return Poll::Pending;
            }
            mailbox.take_granted(waiter)
        };
        if let Some(value) = value {
            return Poll::Ready(Ok(value));
        }
        mailbox.queue.join(&mut this.wait)?;
        Poll::Pending
    }
}

impl<T> Drop for ReceiveValue<'_, T> {
    fn drop(&mut self) {
        if self.wait.generation() == 0 || self.mailbox.queue.leave(&self.wait) {
            return;
        }
        let Some(value) = self.mailbox.take_granted(waiter(&self.wait)) else {
            return;
        };
        // The values granted to others at this instant are older or younger than this one, but
        // theirs already; those in the box are younger, and nobody waits while there are any.
        match self.mailbox.queue.wake_first(self.wait.ctx()) {
            Some(waiter) => self.mailbox.granted.borrow_mut().push((waiter, value)),
            None => self.mailbox.values.borrow_mut().push_front(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_future_is_small() {
        assert_eq!(size_of::<ReceiveValue<'_, String>>(), 24);
    }
}
