//! `bsend` and `nbsend`: messages sent to another process.

use std::pin::Pin;
use std::task::{self, Poll};

use super::{Element, Message, element, known_process, request_index, requesting_element};
use crate::engine::Lane;
use crate::matching::Context;
use crate::messages::{Outgoing, wanted_receiver};
use crate::number::Int;
use crate::price::{Cost, Price};
use crate::process::{ProcessCtx, Wait};
use crate::stopped::Stopped;
use crate::trace::Part;

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
    /// let model = Model::new("OneMessage", &[], 2);
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

requesting_element! {
    /// A non-blocking send: a [`Wait`](crate::Wait) completes it.
    ///
    /// With a cost it returns at once and the message arrives after the cost, when it is complete;
    /// without one it takes what the network takes of the sender. A message above the network's
    /// eager limit takes nothing of the sender and is complete when it arrives.
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
        let blocking = Mode::Blocking;
        Sending::new(
            ctx,
            &self.0,
            (dest.into().0, message),
            ctx.cost(&self.0, price),
            blocking,
        )
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
        let mode = Mode::Request(request_index(self.request));
        Sending::new(
            ctx,
            &self.element,
            (dest.into().0, message),
            ctx.cost(&self.element, price),
            mode,
        )
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
    mode: Mode,
}

/// Whether a send blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// It does.
    Blocking,
    /// It does not, and is a request with this index.
    Request(u32),
}

impl<'a> Sending<'a> {
    fn new(
        ctx: &'a ProcessCtx<'_>,
        element: &'a Element,
        (dest, message): (i64, Message),
        cost: Cost,
        mode: Mode,
    ) -> Self {
        Self {
            wait: Wait::unordered(ctx),
            element,
            dest,
            bytes: message.bytes.unwrap_or(0),
            tag: message.tag,
            cost,
            start_s: 0.0,
            mode,
        }
    }

    #[inline]
    fn kind(&self) -> &'static str {
        match self.mode {
            Mode::Blocking => BSend::KIND,
            Mode::Request(_) => NBSend::KIND,
        }
    }

    #[inline]
    fn message(&self) -> Result<Outgoing, Stopped> {
        let ctx = self.wait.ctx();
        ctx.check_process("dest", self.dest)?;
        Ok(Outgoing {
            dest: known_process(self.dest),
            context: Context::Program,
            element: self.element.index,
            tag: self.tag,
            bytes: ctx.bytes(self.bytes)?,
            cost_s: ctx.seconds(self.cost)?,
            part: Part::Whole,
        })
    }

    /// All of it in the local engine, unless it waits for its receive.
    #[inline]
    fn poll_local(&mut self, lane: Lane<'_>) -> Poll<Result<(), Stopped>> {
        if self.wait.generation() != 0 {
            return self.end_local();
        }
        if !lane.may_begin() {
            return Poll::Pending;
        }
        if let Mode::Request(request) = self.mode {
            return Poll::Ready(self.post_local(request));
        }
        let start_s = lane.begin(self.element, BSend::KIND)?;
        let message = self.message()?;
        if lane.world.is_rendezvous(lane.rank, &message) {
            return self.wait_local();
        }
        lane.send(&message)?;
        lane.finish(self.element, BSend::KIND, start_s);
        Poll::Ready(Ok(()))
    }

    /// A send that does not block, in the local engine.
    #[inline(never)]
    fn post_local(&self, request: u32) -> Result<(), Stopped> {
        let Some(lane) = self.wait.ctx().lane() else {
            return Ok(());
        };
        let start_s = lane.begin(self.element, NBSend::KIND)?;
        let message = self.message()?;
        if lane.world.is_rendezvous(lane.rank, &message) {
            return Err(lane.unsuited("non-blocking sends above the eager limit"));
        }
        lane.post_send(&message, self.wait.origin(self.element, request))?;
        lane.finish(self.element, NBSend::KIND, start_s);
        Ok(())
    }

    /// A send that waits for its receive, in the local engine.
    #[cold]
    #[inline(never)]
    fn wait_local(&mut self) -> Poll<Result<(), Stopped>> {
        let Some(lane) = self.wait.ctx().lane() else {
            return Poll::Pending;
        };
        self.start_s = lane.now_s();
        if lane.send_rendezvous(&self.message()?)?.is_none() {
            self.wait.register()?;
            lane.count_steps(1)?;
            return Poll::Pending;
        }
        lane.finish(self.element, BSend::KIND, self.start_s);
        Poll::Ready(Ok(()))
    }

    /// Ends a send that has waited for its receive.
    #[cold]
    #[inline(never)]
    fn end_local(&mut self) -> Poll<Result<(), Stopped>> {
        if !self.wait.granted() {
            return Poll::Pending;
        }
        if let Some(lane) = self.wait.ctx().lane() {
            lane.finish(self.element, BSend::KIND, self.start_s);
        }
        Poll::Ready(Ok(()))
    }

    /// Returns whether it is over at once.
    #[inline]
    fn begin(&mut self) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = ctx.begin(self.element, self.kind())?;
        let message = self.message()?;
        match self.mode {
            Mode::Blocking => self.wait.send(&message),
            Mode::Request(request) => {
                let origin = self.wait.origin(self.element, request);
                self.wait.post_send(&message, origin)
            }
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
            // One that waits for time alone is in no deadlock.
            let dest = u32::try_from(this.dest).unwrap_or(0);
            this.wait.explain(|| wanted_receiver(dest));
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
