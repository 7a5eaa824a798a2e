//! Implements nodes that take no time: decisions, merges, loops, and plain actions.

use super::element;
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::results::failure::{Cause, Unmet};

element! {
    /// A node that takes no time but can stop the run, such as a decision, a merge, or a loop.
    ///
    /// ```
    /// use prophet_runtime::{Model, Node, Simulation, System};
    ///
    /// const DECISION: Node = Node::new(0, "Big enough?", 3);
    /// let model = Model::new("Undecided", &[], 1);
    /// let run = Simulation::new(&model, System::default()).run(async |ctx| {
    ///     if ctx.pid() == 7 { Ok(()) } else { Err(DECISION.stuck(ctx)) }
    /// });
    /// assert_eq!(
    ///     run.unwrap_err().to_string(),
    ///     "no guard holds, and there is no else branch: draw one, or a guard that holds here\n  \
    ///      at 0 s of simulated time, process 0, node `Big enough?` (id 3)"
    /// );
    /// ```
    Node, "node"
}

impl Node {
    /// Stops the run because none of this decision's guards is true.
    pub fn stuck(&self, ctx: &ProcessCtx<'_>) -> Stopped {
        self.unmet(ctx, None, "")
    }

    /// Stops the run like [`Self::stuck`], with more details in the message. If the decision has
    /// only one guard, `compared` contains the two numbers that it compares, with the C operator
    /// between them. `comment` is the decision's comment.
    pub fn unmet(
        &self,
        ctx: &ProcessCtx<'_>,
        compared: Option<(f64, &'static str, f64)>,
        comment: &str,
    ) -> Stopped {
        let comment = comment.to_owned();
        ctx.at(self);
        ctx.fail(Cause::NoGuardHolds(Unmet { compared, comment }))
    }
}
