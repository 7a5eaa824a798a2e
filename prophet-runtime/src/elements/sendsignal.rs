//! Implements `sendsignal`, which sends a signal to another flow of the same process.

use super::signaling_element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::operations::threads::send;

signaling_element! {
    /// A signal to the flows that run concurrently in the same process. One of them accepts it.
    /// Sending takes no time and never waits.
    ///
    /// For an example, see [`AcceptSignal`](crate::AcceptSignal).
    SendSignal, "sendsignal"
}

impl SendSignal {
    /// Sends the signal.
    ///
    /// # Errors
    ///
    /// The future stops the run if the process runs forever without time advancing.
    #[expect(clippy::unused_async, reason = "all elements are awaited")]
    pub async fn execute(&self, ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
        let start_s = ctx.begin_threads(&self.element, Self::KIND)?;
        send(ctx, self.signal);
        ctx.finish_content(&self.element, start_s);
        Ok(())
    }
}
