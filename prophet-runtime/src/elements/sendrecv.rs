//! Implements combined sends and receives (`sendrecv`), which can't deadlock, whichever partner
//! starts first.

use std::pin::Pin;
use std::task::{self, Poll};

use prophet_machine::value::Value;

use super::receive::{Receive, check_source};
use super::received::Listening;
use super::{Element, Message, element, known_process};
use crate::engine::process::{self, ProcessCtx};
use crate::kernel::Wanted;
use crate::language::Stopped;
use crate::language::number::Int;
use crate::language::price::Price;
use crate::messages::letter::Context;
use crate::messages::message::{Incoming, Outgoing, Part};
use crate::messages::requests::UNNAMED;
use crate::mpi::Lane;
use crate::mpi::transfer::{Completing, wanted_receiver};

element! {
    /// A combined send and receive.
    ///
    /// The receive is posted first, so that a message above the eager limit finds it. Then the
    /// message is sent, and finally the receive is charged. A cost applies to both the send and the
    /// receive.
    ///
    /// ```
    /// use prophet_runtime::{ByMachine, Message, Model, SendRecv, Simulation, System};
    ///
    /// const SHIFT: SendRecv = SendRecv::new(0, "Shift", 1);
    /// let model = Model::new("Ring", &[], 1);
    /// let simulation = Simulation::new(&model, System::new(4, 1, 4, 1));
    /// let outcome = simulation.run(async |ctx| {
    ///     let (right, left) = ((ctx.pid() + 1) & 3, (ctx.pid() + 3) & 3);
    ///     SHIFT.execute(ctx, right, left, Message::bytes(10_000), ByMachine).await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 1e-6 + 1e-6);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    SendRecv, "sendrecv"
}

impl SendRecv {
    /// Sends a message to process `dest`, and receives one of at most the same size from process
    /// `source` or from [`ANY`](crate::ANY) process. If `dest` or `source` is
    /// [`PROC_NULL`](crate::PROC_NULL), the future only receives or only sends.
    ///
    /// # Errors
    ///
    /// The future stops the run if a process doesn't exist, if the size or the price is negative,
    /// or if the received message is larger than the size.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        dest: impl Into<Int>,
        source: impl Into<Int>,
        message: Message,
        price: impl Price,
    ) -> Exchanging<'a> {
        Exchanging {
            wait: process::Wait::new(ctx),
            element: &self.0,
            dest: dest.into().0,
            receive: Receive {
                source: source.into().0,
                message,
                cost: ctx.charge(&self.0, price),
            },
            value: None,
            start_s: 0.0,
            state: State::New,
        }
    }
}

/// The future of [`SendRecv::execute`].
///
/// If you drop it before it ends, the next wait for all requests completes its receive.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Exchanging<'a> {
    wait: process::Wait<'a>,
    element: &'a Element,
    dest: i64,
    receive: Receive,
    value: Option<Value>,
    start_s: f64,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// The send is in progress. The number is the request of the receive.
    Sending(u32),
    /// The send is in progress, and there is nothing to receive.
    SendingAlone,
    Receiving(Completing),
    Over,
}

impl<'a> Exchanging<'a> {
    /// Attaches a value to the sent message, in addition to its bytes.
    pub fn value(mut self, value: impl Into<Value>) -> Self {
        self.value = Some(value.into());
        self
    }

    /// Makes the future return the received message: its source, tag, size, and any value that it
    /// carries.
    pub fn received(self) -> Listening<'a, Self> {
        Listening::new(self.wait.ctx(), self.element.index, self)
    }
}

impl Exchanging<'_> {
    fn messages(&self) -> Result<(Outgoing, Incoming), Stopped> {
        let ctx = self.wait.ctx();
        let incoming = self.receive.incoming(ctx)?;
        let message = self.receive.message;
        let outgoing = Outgoing {
            dest: known_process(self.dest),
            context: Context::Program,
            element: self.element.index,
            tag: message.tag,
            bytes: ctx.bytes(message.bytes.unwrap_or(0))?,
            cost_s: incoming.cost_s,
            part: Part::Some,
            value: self.value,
        };
        Ok((outgoing, incoming))
    }

    /// Posts the receive, and sends. Returns `true` if both end immediately.
    fn begin(&mut self, lane: Option<Lane<'_>>) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        if self.value.is_some() {
            ctx.world().contents();
        }
        let origin = self.wait.origin(self.element, UNNAMED);
        let Some(lane) = lane else {
            self.start_s = ctx.begin(self.element, SendRecv::KIND)?;
            if !self.has_partners() {
                return self.begin_half(None);
            }
            let (outgoing, incoming) = self.messages()?;
            let request = self.wait.post_receive(&incoming, origin, true)?;
            self.state = State::Sending(request);
            return self.wait.send(&outgoing);
        };
        self.start_s = lane.begin(self.element, SendRecv::KIND)?;
        if !self.has_partners() {
            return self.begin_half(Some(lane));
        }
        let (outgoing, incoming) = self.messages()?;
        check_source(lane, &incoming)?;
        let request = lane.post_receive(&incoming, origin, true)?;
        self.state = State::Sending(request);
        self.send(lane, &outgoing)
    }

    /// Sends in the local engine. Returns `true` if that ends immediately.
    fn send(&mut self, lane: Lane<'_>, outgoing: &Outgoing) -> Result<bool, Stopped> {
        if !lane.mpi.is_rendezvous(lane.rank, outgoing) {
            lane.send(outgoing)?;
            return Ok(true);
        }
        let sent = lane.send_rendezvous(outgoing)?;
        if sent.is_none() {
            self.wait.register()?;
        }
        Ok(sent.is_some())
    }

    fn has_partners(&self) -> bool {
        let ctx = self.wait.ctx();
        ctx.is_process(self.dest) && self.receive.has_partner(ctx)
    }

    /// Begins an exchange that lacks a partner. Fails if a missing partner isn't
    /// [`PROC_NULL`](crate::PROC_NULL).
    #[cold]
    fn begin_half(&mut self, lane: Option<Lane<'_>>) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        let (sends, receives) = (ctx.is_process(self.dest), self.receive.has_partner(ctx));
        if !receives {
            self.receive.receive_from_nobody(ctx)?;
        }
        if !sends {
            ctx.check_null("dest", self.dest)?;
        }
        let (outgoing, incoming) = self.messages()?;
        self.state = State::SendingAlone;
        if receives {
            let origin = self.wait.origin(self.element, UNNAMED);
            let request = match lane {
                None => self.wait.post_receive(&incoming, origin, true)?,
                Some(lane) => {
                    check_source(lane, &incoming)?;
                    lane.post_receive(&incoming, origin, true)?
                }
            };
            self.state = State::Sending(request);
        }
        match lane {
            _ if !sends => Ok(true),
            None => self.wait.send(&outgoing),
            Some(lane) => self.send(lane, &outgoing),
        }
    }

    /// Continues as far as possible. Returns `true` if the exchange is over.
    fn go_on(&mut self, lane: Option<Lane<'_>>) -> Result<bool, Stopped> {
        if self.wait.generation() == 0 {
            if !self.begin(lane)? {
                return Ok(false);
            }
        } else if !self.wait.granted() {
            return Ok(false);
        }
        if let State::Sending(request) = self.state {
            let batch = self.wait.ctx().world().take_request(request);
            let completing = self.wait.complete(batch)?;
            self.state = State::Receiving(completing);
            return Ok(completing == Completing::Over);
        }
        if let (Some(lane), State::Receiving(completing)) = (lane, self.state) {
            lane.complete(completing)?;
        }
        Ok(true)
    }

    fn wanted(&self) -> Wanted {
        match self.state {
            State::Receiving(completing) => self.wait.ctx().world().describe_wait(completing),
            _ => wanted_receiver(u32::try_from(self.dest).unwrap_or(0)),
        }
    }
}

impl Future for Exchanging<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let ctx = this.wait.ctx();
        let lane = ctx.lane();
        let begins = this.wait.generation() == 0;
        if begins && lane.is_some_and(|lane| !lane.may_begin()) {
            return Poll::Pending;
        }
        if !this.go_on(lane)? {
            this.wait.explain(|| this.wanted());
            return Poll::Pending;
        }
        this.state = State::Over;
        match lane {
            None => ctx.finish_content(this.element, this.start_s),
            Some(lane) => lane.finish_content(this.element, SendRecv::KIND, this.start_s),
        }
        Poll::Ready(Ok(()))
    }
}

impl Drop for Exchanging<'_> {
    fn drop(&mut self) {
        match self.state {
            State::New | State::SendingAlone | State::Over => {}
            State::Sending(request) => self.wait.ctx().world().leave_request(request),
            State::Receiving(completing) => self.wait.give_up_requests(completing),
        }
    }
}
