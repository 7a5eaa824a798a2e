//! Implements waits that a deadline or an interrupt can end early.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::tasks::Tasks;
use crate::kernel::{Stopped, Wrapped, Wrapper};

/// The state of [`timeout`], apart from the future that has the deadline.
#[derive(Debug)]
pub(super) struct Deadline<'w> {
    tasks: &'w Tasks<'w>,
    unit: u32,
    /// The unit of the alarm, or `None` if it hasn't been set yet.
    alarm: Option<u32>,
    seconds: f64,
}

/// Awaits `future` until its deadline, and then drops it.
pub(super) fn timeout<'w, F>(
    tasks: &'w Tasks<'w>,
    unit: u32,
    seconds: f64,
    future: F,
) -> Wrapped<Deadline<'w>, Option<F>> {
    let deadline = Deadline {
        tasks,
        unit,
        alarm: None,
        seconds,
    };
    Wrapped::new(deadline, Some(future))
}

impl Deadline<'_> {
    /// Sets the alarm, at the first poll.
    fn begin(&mut self) -> Result<(), Stopped> {
        let kernel = self.tasks.kernel();
        kernel.check_seconds(self.unit, self.seconds)?;
        let time_s = kernel.now_s() + self.seconds;
        self.alarm = Some(self.tasks.set_alarm(self.unit, time_s)?);
        Ok(())
    }
}

impl Drop for Deadline<'_> {
    fn drop(&mut self) {
        if let Some(alarm) = self.alarm {
            self.tasks.clear_alarm(alarm);
        }
    }
}

impl<F, T> Wrapper<Option<F>> for Deadline<'_>
where
    F: Future<Output = Result<T, Stopped>>,
{
    type Output = Result<Option<T>, Stopped>;

    fn poll(
        &mut self,
        mut future: Pin<&mut Option<F>>,
        cx: &mut Context<'_>,
    ) -> Poll<Self::Output> {
        let Some(running) = future.as_mut().as_pin_mut() else {
            return Poll::Ready(Ok(None));
        };
        if let Poll::Ready(result) = running.poll(cx) {
            future.set(None);
            return Poll::Ready(result.map(Some));
        }
        match self.alarm {
            None => {
                self.begin()?;
                Poll::Pending
            }
            Some(alarm) if self.tasks.has_rung(alarm) => {
                future.set(None);
                Poll::Ready(Ok(None))
            }
            Some(_) => Poll::Pending,
        }
    }
}

/// The error of an interrupted wait: see [`Process::interruptible`](crate::Process::interruptible).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

#[derive(Debug)]
pub(super) struct Interruption<'w> {
    tasks: &'w Tasks<'w>,
    unit: u32,
}

/// Awaits `future` until the process is interrupted, and then drops it.
pub(super) fn interruptible<'w, F>(
    tasks: &'w Tasks<'w>,
    unit: u32,
    future: F,
) -> Wrapped<Interruption<'w>, Option<F>> {
    Wrapped::new(Interruption { tasks, unit }, Some(future))
}

impl<F, T> Wrapper<Option<F>> for Interruption<'_>
where
    F: Future<Output = Result<T, Stopped>>,
{
    type Output = Result<Result<T, Interrupted>, Stopped>;

    fn poll(
        &mut self,
        mut future: Pin<&mut Option<F>>,
        cx: &mut Context<'_>,
    ) -> Poll<Self::Output> {
        let Some(running) = future.as_mut().as_pin_mut() else {
            return Poll::Ready(Ok(Err(Interrupted)));
        };
        if let Poll::Ready(result) = running.poll(cx) {
            future.set(None);
            return Poll::Ready(result.map(Ok));
        }
        if self.tasks.take_interrupt(self.unit) {
            future.set(None);
            return Poll::Ready(Ok(Err(Interrupted)));
        }
        Poll::Pending
    }
}
