//! `bsend` and `nbsend`: messages sent to another process.

use std::pin::Pin;
use std::task::{self, Poll};

use super::{Element, Message, element};
use crate::engine::{Lane, Wanted};
use crate::matching::Context;
use crate::messages::Outgoing;
use crate::number::Int;
use crate::price::{Cost, Price};
use crate::process::{ProcessCtx, Wait};
use crate::stopped::Stopped;

element! {
    /// A blocking send: it returns when the sender may use its buffer again.
    ///
    /// With a cost that is after the cost, when the message arrives; without one the network says.
    ///
    /// ```
    /// use prophet_runtime::{BRecv, BSend, ByMachine, Message, Model, Simulation, System};
    ///
    /// const SEND: BSend = BSend::new(0, "Send", 1);
    /// const RECV: BRecv = BRecv::new(1, "Recv", 2);
    /// let model = Model { name: "OneMessage", parameters: &[], elements: 2 };
    /// let simulation = Simulation::new(&model, System::new(1, 2, 2, 1));
    /// let outcome = simulation.run(async |ctx| {
    ///     if ctx.pid() == 0 {
    ///         SEND.execute(ctx, 1, Message::bytes(8), 2.5).await
    ///     } else {
    ///         RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
    ///     }
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 2.5);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    BSend, "bsend"
}

element! {
    /// A non-blocking send.
    ///
    /// With a cost it returns at once and the message arrives after the cost; without one it
    /// takes what the network takes of the sender.
    NBSend, "nbsend"
}

impl BSend {
    /// Sends a message to process `dest`.
    ///
    /// # Errors
    ///
    /// The future stops the run when there is no such process, or the size or the price is
    /// negative.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        dest: impl Into<Int>,
        message: Message,
        price: impl Price,
    ) -> Sending<'a> {
        Sending::new(ctx, &self.0, (dest.into().0, message), price.cost(), true)
    }
}

impl NBSend {
    /// Sends a message to process `dest`.
    ///
    /// # Errors
    ///
    /// The future stops the run when there is no such process, or the size or the price is
    /// negative.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        dest: impl Into<Int>,
        message: Message,
        price: impl Price,
    ) -> Sending<'a> {
        Sending::new(ctx, &self.0, (dest.into().0, message), price.cost(), false)
    }
}

/// The future of a send's `execute`.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Sending<'a> {
    wait: Wait<'a>,
    element: &'a Element,
    dest: i64,
    bytes: i64,
    tag: i64,
    cost: Cost,
    start_s: f64,
    /// Whether it waits for its own cost.
    blocking: bool,
}

impl<'a> Sending<'a> {
    fn new(
        ctx: &'a ProcessCtx<'_>,
        element: &'a Element,
        (dest, message): (i64, Message),
        cost: Cost,
        blocking: bool,
    ) -> Self {
        Self {
            wait: Wait::unordered(ctx),
            element,
            dest,
            bytes: message.bytes.unwrap_or(0),
            tag: message.tag,
            cost,
            start_s: 0.0,
            blocking,
        }
    }

    #[inline]
    fn kind(&self) -> &'static str {
        if self.blocking {
            BSend::KIND
        } else {
            NBSend::KIND
        }
    }

    #[inline]
    fn message(&self) -> Result<Outgoing, Stopped> {
        let ctx = self.wait.ctx();
        Ok(Outgoing {
            dest: ctx.process("dest", self.dest)?,
            context: Context::Program,
            tag: self.tag,
            bytes: ctx.bytes(self.bytes)?,
            cost_s: ctx.seconds(self.cost)?,
        })
    }

    /// Whether the sender waits until it is free.
    #[inline]
    fn waits(&self, message: &Outgoing) -> bool {
        self.blocking || message.cost_s.is_none()
    }

    /// All of it in the local engine.
    #[inline]
    fn poll_local(&mut self, lane: Lane<'_>) -> Poll<Result<(), Stopped>> {
        if !lane.may_begin() {
            return Poll::Pending;
        }
        let start_s = lane.begin()?;
        let message = self.message()?;
        lane.send(&message, self.waits(&message))?;
        lane.finish(self.element, self.kind(), start_s);
        Poll::Ready(Ok(()))
    }

    /// Returns whether it is over at once.
    #[inline]
    fn begin(&mut self) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = ctx.begin(self.element, self.kind())?;
        let message = self.message()?;
        if self.waits(&message) {
            self.wait.send(&message)
        } else {
            self.wait.post_send(&message)?;
            Ok(true)
        }
    }
}

impl Future for Sending<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Some(lane) = this.wait.ctx().lane() {
            return this.poll_local(lane);
        }
        let over = if this.wait.generation() == 0 {
            this.begin()?
        } else {
            this.wait.granted()
        };
        if !over {
            this.wait.explain(|| Wanted {
                text: "its message to leave".to_owned(),
                process: None,
            });
            return Poll::Pending;
        }
        this.wait.ctx().finish(this.element, this.start_s);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_future_is_small() {
        assert_eq!(size_of::<Sending<'_>>(), 80);
    }
}
