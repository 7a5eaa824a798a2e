//! Implements forks and joins that aren't nested. Flows carry tokens between parts, which wait for
//! them.

use super::element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::operations::threads::flow_on;
use crate::results::failure::{Cause, Misuse};

element! {
    /// Parts of a diagram that a process's threads run as soon as all their tokens have arrived, as
    /// in UML. The element ends when no token can move.
    ///
    /// A *flow* leads to a part. A part runs when every flow that leads to it has a token. It takes
    /// these tokens, and runs again when new ones have arrived. The thread that reaches the element
    /// runs part 0, which begins immediately. The threads aren't a team, so a team's construct
    /// inside a part has a team of its own.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, Flows, Model, Simulation, System};
    ///
    /// const FLOWS: Flows = Flows::new(0, "Flows", 1);
    /// const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
    /// let model = Model::new("Three parts", &[], 2);
    /// let outcome = Simulation::new(&model, System::new(1, 2, 1, 2)).run(async |ctx| {
    ///     // Flows 2 and 3 lead to part 2, which waits for both of the others.
    ///     FLOWS.execute(ctx, &[0, 1, 2, 2], async |ctx, part| match part {
    ///         0 => {
    ///             FLOWS.pass(ctx, &[1])?;
    ///             WORK.execute(ctx, 1.0).await?;
    ///             FLOWS.pass(ctx, &[2])
    ///         }
    ///         1 => {
    ///             WORK.execute(ctx, 3.0).await?;
    ///             FLOWS.pass(ctx, &[3])
    ///         }
    ///         _ => WORK.execute(ctx, 2.0).await,
    ///     })
    ///     .await
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 5.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    Flows, "flows"
}

impl Flows {
    /// Runs `body` for part 0, and then for each part that has a token on all of its incoming
    /// flows. Each part has its own thread, with the same number. `targets` contains the number of
    /// the part that each flow leads to.
    ///
    /// # Errors
    ///
    /// The future returns the error of the first part that fails. It stops the run if there are
    /// more than 65,536 parts, or if parts begin more than 10,000,000 times at the same simulated
    /// time.
    pub async fn execute<B>(
        &self,
        ctx: &ProcessCtx<'_>,
        targets: &[u32],
        body: B,
    ) -> Result<(), Stopped>
    where
        B: AsyncFn(&ProcessCtx<'_>, u32) -> Result<(), Stopped>,
    {
        let start_s = ctx.begin_threads(&self.0, Self::KIND)?;
        flow_on(ctx, &self.0, targets, &body).await?;
        ctx.finish_content(&self.0, start_s);
        Ok(())
    }

    /// Puts a token on each of these flows. Call this from a part of this element.
    ///
    /// # Errors
    ///
    /// Stops the run if this element has no such flow.
    pub fn pass(&self, ctx: &ProcessCtx<'_>, flows: &[u32]) -> Result<(), Stopped> {
        for &flow in flows {
            let team = ctx.flowing().filter(|team| team.element() == self.0.index);
            let Some(part) = team.and_then(|team| team.add_token(flow)) else {
                return Err(ctx.fail(Cause::Threads(Misuse::Flow { flow })));
            };
            if let Some(team) = team {
                team.offer(part, ctx.unit())?;
            }
        }
        Ok(())
    }
}
