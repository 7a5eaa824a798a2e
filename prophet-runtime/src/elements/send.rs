//! Implements sends: `bsend` and `nbsend`.

use std::pin::Pin;
use std::task::{self, Poll};

use prophet_machine::value::Value;

use super::{Element, Message, element, known_process, request_index, requesting_element};
use crate::engine::process::{ProcessCtx, Wait};
use crate::language::Stopped;
use crate::language::number::Int;
use crate::language::price::{Charge, Price};
use crate::messages::letter::Context;
use crate::messages::message::{Outgoing, Part};
use crate::mpi::Lane;
use crate::mpi::transfer::wanted_receiver;

element! {
    /// A blocking send. It returns when the sender can reuse its buffer.
    ///
    /// If the send has a cost, it returns, and the message arrives, after that time. Otherwise, the
    /// network determines both times.
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
    /// A non-blocking send, which a [`Wait`](crate::Wait) completes.
    ///
    /// If the send has a cost, it returns immediately. The message arrives, and the send is
    /// complete, after the time of the cost. Otherwise, the send takes as long as the network
    /// occupies the sender. A message above the network's eager limit takes no time at the sender,
    /// and the send is complete when the message arrives.
    NBSend, "nbsend"
}

impl BSend {
    /// Sends a message to process `dest`. If `dest` is [`PROC_NULL`](crate::PROC_NULL), this does
    /// nothing.
    ///
    /// # Errors
    ///
    /// The future stops the run if the process doesn't exist, or if the size or the price is
    /// negative.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        dest: impl Into<Int>,
        message: Message,
        price: impl Price,
    ) -> Sending<'a> {
        Sending::new(
            ctx,
            &self.0,
            (dest.into().0, message),
            price,
            Mode::Blocking,
        )
    }
}

impl NBSend {
    /// Sends a message to process `dest`.
    ///
    /// # Errors
    ///
    /// The future stops the run if the process doesn't exist, or if the size or the price is
    /// negative.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        dest: impl Into<Int>,
        message: Message,
        price: impl Price,
    ) -> Sending<'a> {
        let mode = Mode::Request(request_index(self.request));
        Sending::new(ctx, &self.element, (dest.into().0, message), price, mode)
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
    cost: Charge,
    start_s: f64,
    mode: Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Blocking,
    /// The send doesn't block. The number is the index of its request.
    Request(u32),
}

impl<'a> Sending<'a> {
    fn new(
        ctx: &'a ProcessCtx<'_>,
        element: &'a Element,
        (dest, message): (i64, Message),
        price: impl Price,
        mode: Mode,
    ) -> Self {
        Self {
            wait: Wait::new(ctx),
            element,
            dest,
            bytes: message.bytes.unwrap_or(0),
            tag: message.tag,
            cost: ctx.charge(element, price),
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
    fn has_partner(&self) -> bool {
        self.wait.ctx().is_process(self.dest)
    }

    /// Checks a send without a partner, which ends immediately. Fails if the partner is neither a
    /// process nor [`PROC_NULL`](crate::PROC_NULL).
    #[cold]
    #[inline(never)]
    fn send_to_nobody(&self) -> Result<(), Stopped> {
        let ctx = self.wait.ctx();
        ctx.check_null("dest", self.dest)?;
        ctx.bytes(self.bytes)?;
        ctx.seconds(self.cost)?;
        if let Mode::Request(request) = self.mode {
            self.wait
                .post_nothing(self.wait.origin(self.element, request));
        }
        Ok(())
    }

    #[inline]
    fn message(&self, value: Option<Value>) -> Result<Outgoing, Stopped> {
        let ctx = self.wait.ctx();
        Ok(Outgoing {
            dest: known_process(self.dest),
            context: Context::Program,
            element: self.element.index,
            tag: self.tag,
            bytes: ctx.bytes(self.bytes)?,
            cost_s: ctx.seconds(self.cost)?,
            part: Part::Whole,
            value,
        })
    }

    /// Runs the send on the fast path of the local engine, or returns `None` if that isn't
    /// possible.
    #[inline]
    fn send_plainly(&self) -> Option<()> {
        let lane = self.wait.ctx().lane()?;
        let by_machine = matches!(self.cost, Charge::ByMachine);
        if !by_machine || self.mode != Mode::Blocking || self.wait.generation() != 0 {
            return None;
        }
        lane.send_plainly(self.element, (self.dest, self.tag, self.bytes))
    }

    /// Runs the send in the local engine. Pending as long as it waits for its receive.
    #[inline]
    fn poll_local(&mut self, lane: Lane<'_>, value: Option<Value>) -> Poll<Result<(), Stopped>> {
        if self.wait.generation() != 0 {
            return self.end_local();
        }
        if !lane.may_begin() {
            return Poll::Pending;
        }
        if let Mode::Request(request) = self.mode {
            return Poll::Ready(self.post_local(request, value));
        }
        let start_s = lane.begin(self.element, BSend::KIND)?;
        if !self.has_partner() {
            self.send_to_nobody()?;
            lane.finish(self.element, BSend::KIND, start_s);
            return Poll::Ready(Ok(()));
        }
        let message = self.message(value)?;
        if lane.mpi.is_rendezvous(lane.rank, &message) {
            return self.wait_local(value);
        }
        lane.send(&message)?;
        lane.finish(self.element, BSend::KIND, start_s);
        Poll::Ready(Ok(()))
    }

    #[inline(never)]
    fn post_local(&self, request: u32, value: Option<Value>) -> Result<(), Stopped> {
        let Some(lane) = self.wait.ctx().lane() else {
            return Ok(());
        };
        let start_s = lane.begin(self.element, NBSend::KIND)?;
        if !self.has_partner() {
            self.send_to_nobody()?;
            lane.finish(self.element, NBSend::KIND, start_s);
            return Ok(());
        }
        let message = self.message(value)?;
        if lane.mpi.is_rendezvous(lane.rank, &message) {
            return Err(lane.unsuited("non-blocking sends above the eager limit"));
        }
        lane.post_send(&message, self.wait.origin(self.element, request))?;
        lane.finish(self.element, NBSend::KIND, start_s);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn wait_local(&mut self, value: Option<Value>) -> Poll<Result<(), Stopped>> {
        let Some(lane) = self.wait.ctx().lane() else {
            return Poll::Pending;
        };
        self.start_s = lane.now_s();
        if lane.send_rendezvous(&self.message(value)?)?.is_none() {
            self.wait.register()?;
            lane.count_steps(1)?;
            return Poll::Pending;
        }
        lane.finish(self.element, BSend::KIND, self.start_s);
        Poll::Ready(Ok(()))
    }

    /// Ends a send after it has waited for its receive.
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

    #[inline]
    fn begin(&mut self, value: Option<Value>) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = ctx.begin(self.element, self.kind())?;
        if !self.has_partner() {
            return self.send_to_nobody().map(|()| true);
        }
        let message = self.message(value)?;
        match self.mode {
            Mode::Blocking => self.wait.send(&message),
            Mode::Request(request) => {
                let origin = self.wait.origin(self.element, request);
                self.wait.post_send(&message, origin)
            }
        }
    }
}

impl<'a> Sending<'a> {
    /// Attaches a value (an integer or a real number) to the message, in addition to its bytes. The
    /// receive can [return](crate::Receiving::received) it.
    pub fn value(self, value: impl Into<Value>) -> Carrying<'a> {
        Carrying {
            sending: self,
            value: value.into(),
        }
    }

    #[inline(never)]
    fn poll_with(&mut self, value: Option<Value>) -> Poll<Result<(), Stopped>> {
        if let Some(lane) = self.wait.ctx().lane() {
            return self.poll_local(lane, value);
        }
        let over = if self.wait.generation() == 0 {
            self.begin(value)?
        } else {
            self.wait.granted()
        };
        if !over {
            // A send that only waits for time to pass can't be part of a deadlock.
            let dest = u32::try_from(self.dest).unwrap_or(0);
            self.wait.explain(|| wanted_receiver(dest));
            return Poll::Pending;
        }
        self.wait.ctx().finish(self.element, self.start_s);
        Poll::Ready(Ok(()))
    }
}

impl Future for Sending<'_> {
    type Output = Result<(), Stopped>;

    // Not inlined: a generated program has thousands of calls, and the compiler would have to
    // process each.
    fn poll(mut self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        match self.send_plainly() {
            Some(()) => Poll::Ready(Ok(())),
            None => self.poll_with(None),
        }
    }
}

/// The future of [`Sending::value`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Carrying<'a> {
    sending: Sending<'a>,
    value: Value,
}

impl Future for Carrying<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        let value = self.value;
        self.sending.wait.ctx().world().contents();
        self.sending.poll_with(Some(value))
    }
}
