//! `wait`: the end of operations that do not block.

use std::pin::Pin;
use std::task::{self, Poll};

use super::{Element, requesting_element};
use crate::engine::Lane;
use crate::messages::Completing;
use crate::process::{self, ProcessCtx};
use crate::stopped::Stopped;

requesting_element! {
    /// Waits for the operations of a request, or for all of its process.
    ///
    /// Receives are charged here, in the order in which their messages arrive, then in the order
    /// in which they were posted.
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
    Wait, "wait"
}

impl Wait {
    /// Waits until the operations are complete.
    ///
    /// # Errors
    ///
    /// The future stops the run when the process has begun nothing with that request.
    pub fn execute<'a>(&'a self, ctx: &'a ProcessCtx<'_>) -> Waiting<'a> {
        Waiting {
            wait: process::Wait::unordered(ctx),
            element: self,
            start_s: 0.0,
            state: Completing::Over,
        }
    }
}

/// The future of [`Wait::execute`].
///
/// Dropped before all is complete, it leaves its operations to the next wait.
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Waiting<'a> {
    wait: process::Wait<'a>,
    element: &'a Wait,
    start_s: f64,
    state: Completing,
}

impl Waiting<'_> {
    fn element(&self) -> &Element {
        &self.element.element
    }

    /// Returns whether it is over at once.
    fn begin(&mut self, lane: Option<Lane<'_>>) -> Result<bool, Stopped> {
        let ctx = self.wait.ctx();
        self.start_s = match lane {
            None => ctx.begin(self.element(), Wait::KIND)?,
            Some(lane) => lane.begin(self.element(), Wait::KIND)?,
        };
        let batch = self.wait.take_requests(self.element.request)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_future_is_small() {
        assert_eq!(size_of::<Waiting<'_>>(), 40);
    }
}
