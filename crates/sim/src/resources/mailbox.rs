//! Mailboxes: processes send values to each other, first in, first out.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::kernel::{Caller, Kernel, Stopped, Wait, Waiter, Wanted};
use crate::resources::Status;
use crate::resources::usage::{Statistics, Usage};

/// Decides whether a receive accepts a value.
type Match<T> = Box<dyn Fn(&T) -> bool>;

/// A process that waits for a value, and its condition, if any.
type Receiver<T> = (Waiter, Option<Match<T>>);

/// A queue of values: any process can send to it and receive from it.
///
/// Values are received in the order in which they were sent, and processes receive them in the
/// order in which they asked. A process that [asks for a matching value](Mailbox::receive_where)
/// leaves all other values in the box. Create the mailbox outside of the processes that share it. A
/// mailbox serves one run at a time.
///
/// ```
/// use prophet_sim::{Mailbox, Study};
///
/// let orders = Mailbox::new("orders");
/// Study::new().run(&orders, async |sim, orders| {
///     sim.spawn(async |cook| {
///         assert_eq!(orders.receive(&cook).await?, "coffee");
///         assert_eq!(cook.now_s(), 1.5);
///         Ok(())
///     });
///     sim.hold(1.5).await?;
///     orders.send(&sim, "coffee");
///     Ok(())
/// })?;
/// # Ok::<(), prophet_sim::Failure>(())
/// ```
pub struct Mailbox<T> {
    name: String,
    values: RefCell<VecDeque<T>>,
    queue: RefCell<VecDeque<Receiver<T>>>,
    /// Values for processes whose waits are over but that haven't been polled yet.
    granted: RefCell<Vec<(Waiter, T)>>,
    usage: Usage,
}

impl<T> fmt::Debug for Mailbox<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailbox")
            .field("name", &self.name)
            .field("len", &self.len())
            .field("queue_len", &self.queue_len())
            .finish_non_exhaustive()
    }
}

impl<T> Mailbox<T> {
    /// Creates an empty mailbox.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            values: RefCell::default(),
            queue: RefCell::default(),
            granted: RefCell::default(),
            usage: Usage::new(0),
        }
    }

    /// Turns off statistics, which makes the simulation faster.
    #[must_use]
    pub fn without_statistics(mut self) -> Self {
        self.usage.switch_off();
        self
    }

    /// Returns the number of values in the box.
    pub fn len(&self) -> usize {
        self.values.borrow().len()
    }

    /// Returns `true` if the box contains no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of processes that are waiting for a value.
    pub fn queue_len(&self) -> usize {
        self.queue.borrow().len()
    }

    /// Returns the mailbox's statistics for the last run that used it, up to now or to the end of
    /// that run.
    ///
    /// `mean_busy` is the mean number of values in the box, and the response time is the mean time
    /// that a value stays there. The queue statistics are about the waiting receivers.
    pub fn statistics(&self) -> Statistics {
        self.usage.statistics(0.0).stored()
    }

    /// Restarts the statistics, for example after a warm-up.
    pub fn reset_statistics(&self, process: &impl Caller) {
        self.usage.reset(process.kernel());
    }

    /// Sends a value to the first waiting process that accepts it; otherwise, the value stays in
    /// the box.
    pub fn send(&self, process: &impl Caller, value: T) {
        process.needs_order();
        self.deliver(process.kernel(), value, false);
    }

    /// Gives a value to the first waiting process that accepts it. If there is none, puts the value
    /// into the box, as the newest or oldest one.
    fn deliver(&self, kernel: &Kernel<'_>, value: T, oldest: bool) {
        let mut queue = self.queue.borrow_mut();
        let wants = |(_, wanted): &Receiver<T>| wanted.as_ref().is_none_or(|wants| wants(&value));
        while let Some(first) = queue.front() {
            // Usually the first process accepts it, and nothing needs to be moved.
            let receiver = if wants(first) {
                queue.pop_front()
            } else {
                let place = queue.iter().skip(1).position(wants);
                place.and_then(|place| queue.remove(place + 1))
            };
            let Some((receiver, _)) = receiver else {
                break;
            };
            if kernel.wake(receiver.0, receiver.1) {
                self.granted.borrow_mut().push((receiver, value));
                drop(queue);
                self.note(kernel);
                self.usage.complete_here();
                return;
            }
        }
        drop(queue);
        let mut values = self.values.borrow_mut();
        if oldest {
            values.push_front(value);
        } else {
            values.push_back(value);
        }
        drop(values);
        self.note(kernel);
    }

    #[inline]
    fn note(&self, kernel: &Kernel<'_>) {
        let (values, queue) = (self.len() as u64, self.queue_len() as u64);
        self.usage.set(kernel, values, queue);
    }

    /// Receives the oldest value, waiting if the box is empty.
    ///
    /// If you drop the future while it waits, it leaves the queue. If it already has a value, the
    /// next process gets that value before any newer one.
    pub fn receive<'a, C: Caller>(&'a self, process: &'a C) -> ReceiveValue<'a, T, C> {
        ReceiveValue {
            mailbox: self,
            wait: Wait::new(process),
            wanted: None,
        }
    }

    /// Receives the oldest value for which `wanted` returns `true`, waiting if the box contains no
    /// such value.
    ///
    /// `wanted` is called with each value in the box, and then with each newly sent value until one
    /// matches. Its result should depend only on the value.
    ///
    /// ```
    /// use prophet_sim::{Mailbox, Study};
    ///
    /// let replies = Mailbox::new("replies");
    /// Study::new().run(&replies, async |sim, replies| {
    ///     for id in 0..3 {
    ///         replies.send(&sim, (id, "done"));
    ///     }
    ///     let reply = replies.receive_where(&sim, |(id, _)| *id == 2).await?;
    ///     assert_eq!((reply, replies.len()), ((2, "done"), 2));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), prophet_sim::Failure>(())
    /// ```
    pub fn receive_where<'a, C: Caller>(
        &'a self,
        process: &'a C,
        wanted: impl Fn(&T) -> bool + 'static,
    ) -> ReceiveValue<'a, T, C> {
        ReceiveValue {
            mailbox: self,
            wait: Wait::new(process),
            wanted: Some(Box::new(wanted)),
        }
    }

    /// Receives the oldest value without waiting; returns `None` if the box is empty.
    pub fn try_receive(&self, process: &impl Caller) -> Option<T> {
        process.needs_order();
        self.take(process.kernel(), None)
    }

    /// Removes and returns the oldest value that `wanted` accepts, or the oldest of all without
    /// `wanted`.
    fn take(&self, kernel: &Kernel<'_>, wanted: Option<&Match<T>>) -> Option<T> {
        let mut values = self.values.borrow_mut();
        let value = match wanted {
            None => values.pop_front(),
            Some(wanted) => {
                let place = values.iter().position(wanted);
                place.and_then(|place| values.remove(place))
            }
        }?;
        drop(values);
        self.note(kernel);
        self.usage.complete_here();
        Some(value)
    }

    /// Removes a wait whose future was dropped; returns `false` if it wasn't in the queue.
    fn leave(&self, wait: &Wait<'_, impl Caller>) -> bool {
        let waiter = wait.waiter();
        let mut queue = self.queue.borrow_mut();
        let place = queue.iter().position(|(other, _)| *other == waiter);
        let left = place.and_then(|place| queue.remove(place)).is_some();
        drop(queue);
        if left {
            self.note(wait.kernel());
        }
        left
    }

    fn take_granted(&self, waiter: Waiter) -> Option<T> {
        let mut granted = self.granted.borrow_mut();
        let place = granted.iter().position(|(to, _)| *to == waiter)?;
        Some(granted.swap_remove(place).1)
    }
}

impl<T> Status for Mailbox<T> {
    fn status(&self) -> String {
        format!(
            "mailbox `{}`: {} values, {} waiting; {}",
            self.name.escape_debug(),
            self.len(),
            self.queue_len(),
            self.statistics()
        )
    }
}

/// The future of [`Mailbox::receive`] and [`Mailbox::receive_where`].
#[must_use = "futures do nothing unless awaited"]
pub struct ReceiveValue<'a, T, C: Caller> {
    mailbox: &'a Mailbox<T>,
    wait: Wait<'a, C>,
    /// Decides which values the receive accepts. Moved to the mailbox when the receive begins to
    /// wait.
    wanted: Option<Match<T>>,
}

impl<T, C: Caller> fmt::Debug for ReceiveValue<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReceiveValue")
            .field("waiter", &self.wait.waiter())
            .finish_non_exhaustive()
    }
}

impl<T, C: Caller> Future for ReceiveValue<'_, T, C> {
    type Output = Result<T, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let mailbox = this.mailbox;
        let kernel = this.wait.kernel();
        if !this.wait.is_registered() {
            if let Some(value) = mailbox.take(kernel, this.wanted.as_ref()) {
                return Poll::Ready(Ok(value));
            }
            let receiver = (this.wait.register()?, this.wanted.take());
            mailbox.queue.borrow_mut().push_back(receiver);
            mailbox.note(kernel);
            return Poll::Pending;
        }
        let waiter = this.wait.waiter();
        if this.wait.granted()
            && let Some(value) = mailbox.take_granted(waiter)
        {
            return Poll::Ready(Ok(value));
        }
        let text = || format!("a value in mailbox `{}`", mailbox.name.escape_debug());
        this.wait.explain(|| Wanted {
            text: text(),
            process: None,
        });
        Poll::Pending
    }
}

impl<T, C: Caller> Drop for ReceiveValue<'_, T, C> {
    fn drop(&mut self) {
        if !self.wait.is_registered() || self.mailbox.leave(&self.wait) {
            return;
        }
        if let Some(value) = self.mailbox.take_granted(self.wait.waiter()) {
            // Values that were granted to other receivers at this instant, older or newer, stay
            // with these receivers. Newer values in the box stay there, because no waiting receiver
            // wants them.
            self.mailbox.usage.take_back();
            let kernel = self.wait.kernel();
            self.mailbox.deliver(kernel, value, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Process;

    #[test]
    fn its_future_is_small() {
        assert_eq!(size_of::<ReceiveValue<'_, String, Process<'_>>>(), 40);
    }
}
