//! `brecv`: a message received from another process.

use std::pin::Pin;
use std::task::{self, Poll};

use super::{Element, Message, element};
use crate::engine::{Lane, Wanted};
use crate::matching::{Context, Envelope};
use crate::messages::Incoming;
use crate::number::Int;
use crate::price::{Cost, Price};
use crate::process::{ProcessCtx, Wait};
use crate::stopped::Stopped;

element! {
    /// A blocking receive of the oldest message with its source and tag.
    ///
    /// With a cost it ends that long after the message is there; without one the network says.
    ///
    /// ```
    /// use prophet_runtime::{BRecv, Message, Model, Simulation, System};
    ///
    /// const RECV: BRecv = BRecv::new(0, "Recv", 2);
    /// let model = Model { name: "Forgotten", parameters: &[], elements: 1 };
    /// let simulation = Simulation::new(&model, System::default());
    /// let run = simulation.run(async |ctx| RECV.execute(ctx, 0, Message::bytes(8), 0.5).await);
    /// assert_eq!(
    ///     run.unwrap_err().to_string(),
    ///     "deadlock: 1 of 1 processes waits forever\n  \
    ///      at 0 s of simulated time\n  \
    ///      process 0 at brecv `Recv` (id 2) waits for a message with tag 0 from process 0\n  \
    ///      process 0 waits for itself"
    /// );
    /// ```
    BRecv, "brecv"
}

impl BRecv {
    /// Receives a message from process `source`.
    ///
    /// # Errors
    ///
    /// The future stops the run when there is no such process, the size or the price is negative,
    /// or the message has more bytes than the size.
    pub fn execute<'a>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        source: impl Into<Int>,
        message: Message,
        price: impl Price,
    ) -> Receiving<'a> {
        Receiving {
            wait: Wait::unordered(ctx),
            element: &self.0,
            source: source.into().0,
            message,
            cost: price.cost(),
            start_s: 0.0,
        }
    }
}

/// The future of [`BRecv::execute`].
///
/// Dropped before its message is sent, it leaves the message to the next receive; dropped later,
/// it has taken the message, as in MPI.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Receiving<'a> {
    wait: Wait<'a>,
    element: &'a Element,
    source: i64,
    message: Message,
    cost: Cost,
    start_s: f64,
}

impl Receiving<'_> {
    /// Returns whether it is over at once.
    #[inline]
    fn begin(&mut self) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = ctx.begin(self.element, BRecv::KIND)?;
        let message = self.incoming()?;
        self.wait.receive(&message)
    }

    #[inline]
    fn incoming(&self) -> Result<Incoming, Stopped> {
        let ctx = self.wait.ctx();
        let source = ctx.process("source", self.source)?;
        Ok(Incoming {
            envelope: Envelope {
                source,
                context: Context::Program,
                tag: self.message.tag,
            },
            bytes_max: self
                .message
                .bytes
                .map_or(Ok(u64::MAX), |bytes| ctx.bytes(bytes))?,
            cost_s: ctx.seconds(self.cost)?,
        })
    }

    /// [`Self::incoming`], which was in order before.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the ranges have been checked"
    )]
    #[inline]
    fn incoming_again(&self) -> Incoming {
        Incoming {
            envelope: Envelope {
                source: self.source as u32,
                context: Context::Program,
                tag: self.message.tag,
            },
            bytes_max: self.message.bytes.map_or(u64::MAX, |bytes| bytes as u64),
            cost_s: match self.cost {
                Cost::Seconds(cost_s) => Some(cost_s),
                Cost::ByMachine | Cost::Fault(_) => None,
            },
        }
    }

    /// All of it in the local engine: the message is taken when it is there.
    #[inline]
    fn poll_local(&mut self, lane: Lane<'_>) -> Poll<Result<(), Stopped>> {
        let message = if self.wait.generation() == 0 {
            self.start_s = lane.begin()?;
            self.incoming()?
        } else if self.wait.granted() {
            self.incoming_again()
        } else {
            return Poll::Pending;
        };
        if !lane.receive(&message)? {
            self.wait.want(lane, message.envelope)?;
            return Poll::Pending;
        }
        lane.finish(self.element, BRecv::KIND, self.start_s);
        Poll::Ready(Ok(()))
    }

    fn wanted(&self) -> Wanted {
        let (tag, source) = (self.message.tag, self.source);
        Wanted {
            text: format!("a message with tag {tag} from process {source}"),
            process: u32::try_from(source).ok(),
        }
    }
}

impl Future for Receiving<'_> {
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
            this.wait.explain(|| this.wanted());
            return Poll::Pending;
        }
        this.wait.ctx().finish(this.element, this.start_s);
        Poll::Ready(Ok(()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_future_is_small() {
        assert_eq!(size_of::<Receiving<'_>>(), 80);
    }
}
