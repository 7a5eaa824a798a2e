//! Implements waits (`wait`) for non-blocking operations.

use std::pin::Pin;
use std::task::{self, Poll, ready};

use super::element;
use super::received::ReceivedAll;
use crate::engine::process::{self, ProcessCtx};
use crate::language::Stopped;
use crate::language::element::{Element, RequestName, Requested};
use crate::language::number::Int;
use crate::mpi::Lane;
use crate::mpi::contents::Received;
use crate::mpi::transfer::Completing;

element! {
    /// Waits for the operations of a request, or for all operations of the process.
    ///
    /// Receives are charged during the wait, in the order in which their messages arrive. If
    /// several messages arrive at the same time, their receives are charged in the order in which
    /// they were posted.
    ///
    /// ```
    /// use prophet_runtime::{BSend, ByMachine, Message, Model, NBRecv, Simulation, System, Wait};
    ///
    /// const SEND: BSend = BSend::new(0, "Send", 1);
    /// const POST: NBRecv = NBRecv::new(1, "Post", 2).request(0, "halo");
    /// const WAIT: Wait = Wait::new(2, "Wait", 3).request(0, "halo");
    /// let model = Model::new("Overlap", &[], 3);
    /// let simulation = Simulation::new(&model, System::new(1, 2, 2, 1));
    /// let outcome = simulation.run(async |ctx| {
    ///     if ctx.pid() == 0 {
    ///         return SEND.execute(ctx, 1, Message::bytes(8), 2.5).await;
    ///     }
    ///     POST.execute(ctx, 0, Message::bytes(8), ByMachine).await?;
    ///     ctx.hold(2.0).await?;
    ///     WAIT.execute(ctx).await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 2.5);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Wait, "wait", requested: Requested = Requested::All
}

impl Wait {
    /// Sets the request to wait for: its name, and its index among the model's requests, from 0.
    #[must_use]
    pub const fn request(self, index: u32, name: &'static str) -> Self {
        let requested = Requested::One(RequestName { index, name });
        Self { requested, ..self }
    }

    /// Sets several requests to wait for, each with its index and name.
    #[must_use]
    pub const fn requests(self, names: &'static [(u32, &'static str)]) -> Self {
        let requested = Requested::Several(names);
        Self { requested, ..self }
    }

    /// Waits until all operations of the requests are complete.
    ///
    /// # Errors
    ///
    /// The future stops the run if the process hasn't begun any operation with that request.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> Waiting<'a> {
        Waiting {
            wait: process::Wait::new(ctx),
            element: self,
            start_s: 0.0,
            state: Completing::Over,
        }
    }

    /// Waits until one of the operations is complete, and leaves all others outstanding. If several
    /// complete at the same time, the one that was posted first counts.
    ///
    /// A receive is complete when its message has arrived, and is charged then. The future returns
    /// the index of the operation's request in [`Self::requests`]. If no operation is outstanding,
    /// it returns -1 immediately.
    ///
    /// ```
    /// use prophet_runtime::{BSend, ByMachine, Int, Message, Model, NBRecv};
    /// use prophet_runtime::{Simulation, System, Wait};
    ///
    /// const SEND: BSend = BSend::new(0, "Send", 1);
    /// const FAR: NBRecv = NBRecv::new(1, "Far", 2).request(0, "far");
    /// const NEAR: NBRecv = NBRecv::new(2, "Near", 3).request(1, "near");
    /// const WAIT: Wait = Wait::new(3, "Wait", 4).requests(&[(0, "far"), (1, "near")]);
    /// let model = Model::new("First", &[], 4).waits_for_any();
    /// let simulation = Simulation::new(&model, System::new(1, 3, 3, 1));
    /// let outcome = simulation.run(async |ctx| match ctx.pid().0 {
    ///     0 => {
    ///         FAR.execute(ctx, 2, Message::bytes(8), ByMachine).await?;
    ///         NEAR.execute(ctx, 1, Message::bytes(8), ByMachine).await?;
    ///         assert_eq!(WAIT.any(ctx).await?, Int(1));
    ///         assert_eq!(WAIT.any(ctx).await?, Int(0));
    ///         assert_eq!(WAIT.any(ctx).await?, Int(-1));
    ///         Ok(())
    ///     }
    ///     pid => SEND.execute(ctx, 0, Message::bytes(8), ctx.pid().real()).await,
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 2.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The future stops the run if the model doesn't declare that it [waits for
    /// any](crate::Model::waits_for_any).
    pub fn any<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> Choosing<'a> {
        Choosing {
            wait: process::Wait::new(ctx),
            element: self,
            start_s: 0.0,
            state: Completing::Over,
        }
    }
}

/// The future of [`Wait::execute`].
///
/// If you drop it before it ends, the next wait takes over its operations.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Waiting<'a> {
    wait: process::Wait<'a>,
    element: &'a Wait,
    start_s: f64,
    state: Completing,
}

impl<'a> Waiting<'a> {
    /// Makes the future return the received messages, in the order in which their receives began.
    pub fn received(self) -> ReceivedAll<'a, Self> {
        ReceivedAll::new(self.wait.ctx(), self)
    }
}

impl Waiting<'_> {
    fn element(&self) -> &Element {
        &self.element.element
    }

    fn begin(&mut self, lane: Option<Lane<'_>>) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = match lane {
            None => ctx.begin(self.element(), Wait::KIND)?,
            Some(lane) => lane.begin(self.element(), Wait::KIND)?,
        };
        let batch = self.wait.take_requests(self.element.requested)?;
        self.state = self.wait.complete(batch)?;
        Ok(self.state == Completing::Over)
    }
}

impl Future for Waiting<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let ctx = this.wait.ctx();
        let lane = ctx.lane();
        let over = if this.wait.generation() == 0 {
            this.begin(lane)?
        } else {
            this.wait.granted()
        };
        if !over {
            let state = this.state;
            this.wait.explain(|| ctx.world().describe_wait(state));
            return Poll::Pending;
        }
        if let Some(lane) = lane {
            lane.complete(std::mem::replace(&mut this.state, Completing::Over))?;
            lane.finish_content(this.element(), Wait::KIND, this.start_s);
        } else {
            ctx.finish_content(this.element(), this.start_s);
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.wait.generation() != 0 {
            self.wait.give_up_requests(self.state);
        }
    }
}

/// The future of [`Wait::any`].
///
/// If you drop it before it ends, the next wait takes over its operations, except for one that is
/// already complete.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Choosing<'a> {
    wait: process::Wait<'a>,
    element: &'a Wait,
    start_s: f64,
    state: Completing,
}

impl<'a> Choosing<'a> {
    /// Makes the future return the received message as well, if the completed operation is a
    /// receive.
    pub fn received(self) -> ReceivedAny<'a> {
        ReceivedAny(ReceivedAll::new(self.wait.ctx(), self))
    }

    /// Begins the wait. Returns `true` if it ends immediately, because nothing is outstanding.
    fn begin(&mut self) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        if let Some(lane) = ctx.lane() {
            return Err(lane.unsuited("waits for any of several requests"));
        }
        self.start_s = ctx.begin(&self.element.element, Wait::KIND)?;
        let batch = self.wait.take_begun(self.element.requested);
        if batch.is_empty() {
            return Ok(true);
        }
        self.state = self.wait.complete_any(batch)?;
        Ok(false)
    }
}

impl Future for Choosing<'_> {
    type Output = Result<Int, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let ctx = this.wait.ctx();
        let begins = this.wait.generation() == 0;
        let over = if begins {
            this.begin()?
        } else {
            this.wait.granted()
        };
        if !over {
            let state = this.state;
            this.wait.explain(|| ctx.world().describe_wait(state));
            return Poll::Pending;
        }
        ctx.finish_content(&this.element.element, this.start_s);
        if begins {
            return Poll::Ready(Ok(Int(-1)));
        }
        let chosen = this.wait.take_chosen();
        let place = chosen.map_or(Int(-1), |name| this.element.requested.place(name));
        Poll::Ready(Ok(place))
    }
}

impl Drop for Choosing<'_> {
    fn drop(&mut self) {
        if self.wait.generation() != 0 {
            self.wait.give_up_choice(self.state);
        }
    }
}

/// The future of [`Choosing::received`]. It returns the request that completed and, if that was a
/// receive, the message.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct ReceivedAny<'a>(ReceivedAll<'a, Choosing<'a>>);

impl Future for ReceivedAny<'_> {
    type Output = Result<(Int, Option<Received>), Stopped>;

    fn poll(mut self: Pin<&mut Self>, context: &mut task::Context<'_>) -> Poll<Self::Output> {
        let (place, received) = ready!(self.0.poll_heard(context))?;
        Poll::Ready(Ok((place, received.first().copied())))
    }
}
