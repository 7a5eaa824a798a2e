//! Waits that something else may end: a deadline, an interrupt.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::tasks::Tasks;
use crate::kernel::Wrapped;
use crate::language::stopped::Stopped;
use crate::results::failure::Cause;

/// What a wait with a deadline keeps besides the wait.
#[derive(Debug)]
pub(super) struct Deadline<'w> {
    tasks: &'w Tasks<'w>,
    unit: u32,
    /// The unit of the alarm, when one is set.
    alarm: Option<u32>,
    seconds: f64,
}

/// Ends `future` at its deadline.
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
    /// Sets the alarm when the wait begins.
    fn begin(&mut self) -> Result<(), Stopped> {
        let world = self.tasks.world();
        if self.seconds < 0.0 || !self.seconds.is_finite() {
            let cost_s = self.seconds;
            return Err(world.fail(Some(self.unit), Cause::Cost { cost_s }));
        }
        let time_s = world.now_s() + self.seconds;
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

impl<F, T> Future for Wrapped<Deadline<'_>, Option<F>>
where
    F: Future<Output = Result<T, Stopped>>,
{
    type Output = Result<Option<T>, Stopped>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (deadline, mut future) = self.parts();
        let Some(running) = future.as_mut().as_pin_mut() else {
            return Poll::Ready(Ok(None));
        };
        if let Poll::Ready(result) = running.poll(cx) {
            future.set(None);
            return Poll::Ready(result.map(Some));
        }
        match deadline.alarm {
            None => {
                deadline.begin()?;
                Poll::Pending
            }
            Some(alarm) if deadline.tasks.has_rung(alarm) => {
                future.set(None);
                Poll::Ready(Ok(None))
            }
            Some(_) => Poll::Pending,
        }
    }
}

/// The process has been interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

/// The process that a wait is to be interrupted in.
#[derive(Debug)]
pub(super) struct Interruption<'w> {
    tasks: &'w Tasks<'w>,
    unit: u32,
}

/// Ends `future` when the process is interrupted.
pub(super) fn interruptible<'w, F>(
    tasks: &'w Tasks<'w>,
    unit: u32,
    future: F,
) -> Wrapped<Interruption<'w>, Option<F>> {
    Wrapped::new(Interruption { tasks, unit }, Some(future))
}

impl<F, T> Future for Wrapped<Interruption<'_>, Option<F>>
where
    F: Future<Output = Result<T, Stopped>>,
{
    type Output = Result<Result<T, Interrupted>, Stopped>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (interruption, mut future) = self.parts();
        let Some(running) = future.as_mut().as_pin_mut() else {
            return Poll::Ready(Ok(Err(Interrupted)));
        };
        if let Poll::Ready(result) = running.poll(cx) {
            future.set(None);
            return Poll::Ready(result.map(Ok));
        }
        if interruption.tasks.take_interrupt(interruption.unit) {
            future.set(None);
            return Poll::Ready(Ok(Err(Interrupted)));
        }
        Poll::Pending
    }
}
