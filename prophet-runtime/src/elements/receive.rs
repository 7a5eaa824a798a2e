//! `brecv`: a message received from another process.

use std::pin::Pin;
use std::task::{self, Poll};

use super::{Element, Message, element};
use crate::engine::Wanted;
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
            wait: Wait::new(ctx),
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
    fn begin(&mut self) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = ctx.begin(self.element, BRecv::KIND)?;
        let source = ctx.process("source", self.source)?;
        let message = Incoming {
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
        };
        self.wait.receive(message)
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
