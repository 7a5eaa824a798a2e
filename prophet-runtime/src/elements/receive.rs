//! Implements blocking receives (`brecv`).

use std::pin::Pin;
use std::task::{self, Poll};

use super::received::Listening;
use super::{Element, Message, element, known_process};
use crate::engine::process::{ProcessCtx, Wait};
use crate::language::Stopped;
use crate::language::number::Int;
use crate::language::price::{Charge, Price};
use crate::messages::letter::{ANY_SOURCE, ANY_TAG, Envelope};
use crate::messages::message::Incoming;
use crate::mpi::Lane;
use crate::mpi::plain::{PlainReceive, PlainState};

element! {
    /// A blocking receive. It takes the oldest message with the given source and tag.
    ///
    /// If the receive has a cost, it ends that much time after the message has arrived. Otherwise,
    /// the network determines when it ends.
    ///
    /// ```
    /// use prophet_runtime::{BRecv, Message, Model, Simulation, System};
    ///
    /// const RECV: BRecv = BRecv::new(0, "Recv", 2);
    /// let model = Model::new("Forgotten", &[], 1);
    /// let simulation = Simulation::new(&model, System::default());
    /// let run = simulation.run(async |ctx| RECV.execute(ctx, 0, Message::bytes(8), 0.5).await);
    /// assert_eq!(
    ///     run.unwrap_err().to_string(),
    ///     "deadlock: 1 process never resumes\n  \
    ///      at 0 s of simulated time\n  \
    ///      process 0 at brecv `Recv` (id 2) waits for a message with tag 0 from process 0\n  \
    ///      process 0 waits for itself"
    /// );
    /// ```
    BRecv, "brecv"
}

/// As a source, stands for any process; as a tag, for any tag.
///
/// From each source, a receive considers only the oldest message that has its tag. Among these
/// messages, it takes the one whose envelope arrives first or, if several arrive at the same time,
/// the one from the lowest pid. An envelope takes as long on the network as an empty message.
///
/// ```
/// use prophet_runtime::{ANY, BRecv, BSend, ByMachine, Message, Model, Simulation, System};
///
/// const SEND: BSend = BSend::new(0, "Send", 1);
/// const RECV: BRecv = BRecv::new(1, "Recv", 2);
/// let model = Model::new("First", &[], 2);
/// let simulation = Simulation::new(&model, System::new(1, 3, 3, 1));
/// let outcome = simulation.run(async |ctx| match ctx.pid().0 {
///     0 => RECV.execute(ctx, ANY, Message::any_size(), ByMachine).await,
///     pid => SEND.execute(ctx, 0, Message::bytes(8), 3.0 - ctx.pid().real()).await,
/// })?;
/// assert_eq!(outcome.processes[0].end_s, 1.0);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
pub const ANY: Int = Int(i64::MIN);

impl BRecv {
    /// Receives a message from process `source`, or from [`ANY`] process. If the source is
    /// [`PROC_NULL`](crate::PROC_NULL), the future ends immediately, without a message.
    ///
    /// # Errors
    ///
    /// The future stops the run if the process doesn't exist, if the size or the price is negative,
    /// or if the message is larger than the size.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        source: impl Into<Int>,
        message: Message,
        price: impl Price,
    ) -> Receiving<'a> {
        Receiving {
            wait: Wait::new(ctx),
            element: &self.0,
            receive: Receive {
                source: source.into().0,
                message,
                cost: ctx.charge(&self.0, price),
            },
            start_s: 0.0,
        }
    }
}

/// The future of [`BRecv::execute`].
///
/// If you drop it before its message has been sent, the next matching receive gets the message. If
/// you drop it later, the message is lost, as in MPI, because the receive has already taken it.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Receiving<'a> {
    wait: Wait<'a>,
    element: &'a Element,
    receive: Receive,
    start_s: f64,
}

/// The arguments of a receive, as the model gives them.
#[derive(Debug, Clone)]
pub(super) struct Receive {
    pub(super) source: i64,
    pub(super) message: Message,
    pub(super) cost: Charge,
}

impl Receive {
    #[inline]
    pub(super) fn has_partner(&self, ctx: &ProcessCtx<'_>) -> bool {
        ctx.is_process(self.source) || self.source == ANY.0
    }

    /// Checks a receive without a partner, which ends immediately. Fails if the partner is neither
    /// a process nor [`PROC_NULL`](crate::PROC_NULL).
    #[cold]
    #[inline(never)]
    pub(super) fn receive_from_nobody(&self, ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
        ctx.check_null("source", self.source)?;
        self.message.bytes.map_or(Ok(0), |bytes| ctx.bytes(bytes))?;
        ctx.seconds(self.cost).map(|_| ())
    }

    /// Checks the arguments of a receive that has a partner, and converts them.
    #[inline]
    pub(super) fn incoming(&self, ctx: &ProcessCtx<'_>) -> Result<Incoming, Stopped> {
        let source = if self.source == ANY.0 {
            ANY_SOURCE
        } else {
            known_process(self.source)
        };
        let bytes_max = self.message.bytes;
        Ok(Incoming {
            envelope: Envelope::of_program(source, self.message.tag),
            bytes_max: bytes_max.map_or(Ok(u64::MAX), |bytes| ctx.bytes(bytes))?,
            cost_s: ctx.seconds(self.cost)?,
        })
    }

    /// Checks a receive that doesn't name a process, in the local engine. Receives from [`ANY`]
    /// process end the run there.
    #[cold]
    #[inline(never)]
    fn check_unnamed(&self, ctx: &ProcessCtx<'_>, lane: Lane<'_>) -> Result<(), Stopped> {
        if self.has_partner(ctx) {
            return check_source(lane, &self.incoming(ctx)?);
        }
        self.receive_from_nobody(ctx)
    }

    /// Fails whenever [`Self::incoming`] would. For receives that name their source, in the local
    /// engine.
    #[inline]
    fn check_local(&self, ctx: &ProcessCtx<'_>, lane: Lane<'_>) -> Result<(), Stopped> {
        check_tag(lane, self.message.tag)?;
        if let Some(bytes) = self.message.bytes {
            ctx.bytes(bytes)?;
        }
        ctx.seconds(self.cost)?;
        Ok(())
    }

    /// Converts the arguments like [`Self::incoming`], if they are valid and name a source.
    #[expect(clippy::cast_sign_loss, reason = "the range has been checked")]
    #[inline]
    fn incoming_checked(&self) -> Incoming {
        Incoming {
            envelope: Envelope::of_program(known_process(self.source), self.message.tag),
            bytes_max: self.message.bytes.map_or(u64::MAX, |bytes| bytes as u64),
            cost_s: match self.cost {
                Charge::Seconds(cost_s) => Some(cost_s),
                Charge::ByMachine | Charge::Fault(_) => None,
            },
        }
    }

    #[inline]
    fn envelope(&self) -> Envelope {
        let wild = self.source == ANY.0;
        let source = if wild {
            ANY_SOURCE
        } else {
            known_process(self.source)
        };
        Envelope::of_program(source, self.message.tag)
    }
}

/// Ends the run if a message can come from any source, because the local engine doesn't order
/// processes.
#[inline]
pub(super) fn check_source(lane: Lane<'_>, message: &Incoming) -> Result<(), Stopped> {
    check_tag(lane, message.envelope.tag)?;
    if message.envelope.source == ANY_SOURCE {
        return Err(lane.unsuited("receives from any process"));
    }
    Ok(())
}

/// Ends the run if a message can have any tag, because the local engine doesn't order processes.
#[inline]
fn check_tag(lane: Lane<'_>, tag: i64) -> Result<(), Stopped> {
    if tag == ANY_TAG {
        return Err(lane.unsuited("receives with any tag"));
    }
    Ok(())
}

impl<'a> Receiving<'a> {
    /// Makes the future return the received message: its source, tag, size, and any value that it
    /// carries.
    pub fn received(self) -> Listening<'a, Self> {
        Listening::new(self.wait.ctx(), self.element.index, self)
    }
}

impl Receiving<'_> {
    /// Begins the receive. Returns `true` if it ends immediately.
    #[inline]
    fn begin(&mut self) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = ctx.begin(self.element, BRecv::KIND)?;
        if !self.receive.has_partner(ctx) {
            return self.receive.receive_from_nobody(ctx).map(|()| true);
        }
        let message = self.receive.incoming(ctx)?;
        self.wait.receive(&message)
    }

    /// Runs the receive on the fast path of the local engine, or returns `None` if that isn't
    /// possible.
    #[inline]
    fn poll_plain(&mut self) -> Option<Poll<()>> {
        let lane = self.wait.ctx().lane()?;
        let generation = self.wait.generation();
        let begins = generation == 0;
        let by_machine = matches!(self.receive.cost, Charge::ByMachine);
        if !by_machine || !begins && !lane.unit.is_granted(generation) {
            return None;
        }
        let receive = PlainReceive {
            element: self.element,
            source: self.receive.source,
            tag: self.receive.message.tag,
            bytes_max: self.receive.message.bytes,
            since_s: (!begins).then_some(self.start_s),
        };
        match lane.receive_plainly(&receive)? {
            PlainState::Over => {
                self.wait.end(lane.unit);
                Some(Poll::Ready(()))
            }
            PlainState::Waits(generation) => {
                self.wait.begin(generation);
                self.start_s = lane.now_s();
                Some(Poll::Pending)
            }
        }
    }

    /// Runs the receive in any engine.
    #[inline(never)]
    fn poll_any(&mut self) -> Poll<Result<(), Stopped>> {
        if let Some(lane) = self.wait.ctx().lane() {
            return self.poll_local(lane);
        }
        let over = if self.wait.generation() == 0 {
            self.begin()?
        } else {
            self.wait.granted()
        };
        if !over {
            self.wait.explain(|| self.receive.envelope().wanted());
            return Poll::Pending;
        }
        self.wait.ctx().finish(self.element, self.start_s);
        Poll::Ready(Ok(()))
    }

    /// Runs the receive in the local engine, where it takes the message when it has arrived.
    #[inline]
    fn poll_local(&mut self, lane: Lane<'_>) -> Poll<Result<(), Stopped>> {
        if self.wait.generation() == 0 {
            self.start_s = lane.begin(self.element, BRecv::KIND)?;
            let ctx = self.wait.ctx();
            if !ctx.is_process(self.receive.source) {
                self.receive.check_unnamed(ctx, lane)?;
                lane.finish(self.element, BRecv::KIND, self.start_s);
                return Poll::Ready(Ok(()));
            }
            self.receive.check_local(ctx, lane)?;
        } else if !self.wait.granted_to(lane.unit) {
            return Poll::Pending;
        }
        let message = self.receive.incoming_checked();
        if !lane.receive(&message)? {
            self.wait.want(lane, message.envelope)?;
            return Poll::Pending;
        }
        lane.finish(self.element, BRecv::KIND, self.start_s);
        Poll::Ready(Ok(()))
    }
}

impl Future for Receiving<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Self::Output> {
        match self.poll_plain() {
            Some(Poll::Ready(())) => Poll::Ready(Ok(())),
            Some(Poll::Pending) => Poll::Pending,
            None => self.poll_any(),
        }
    }
}

impl Drop for Receiving<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.wait.generation() != 0 {
            self.wait.withdraw_receive();
        }
    }
}
