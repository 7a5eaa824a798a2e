//! Implements waits for a thread's turn.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::Wanted;
use crate::language::Stopped;
use crate::omp::Candidate;

/// Returns the waiting thread as a candidate. Its wait begins at this instant.
pub(super) fn candidate(wait: &Wait<'_>) -> Candidate {
    let ctx = wait.ctx();
    Candidate {
        since_s: ctx.now_s(),
        order: ctx.place(),
        unit: ctx.unit(),
        generation: wait.generation(),
    }
}

pub(super) fn turn<'a>(ctx: &'a ProcessCtx<'_>) -> Turn<'a> {
    Turn {
        wait: Wait::new(ctx),
    }
}

pub(super) struct Turn<'a> {
    wait: Wait<'a>,
}

impl Turn<'_> {
    pub(super) fn poll_turn(&mut self) -> Poll<Result<(), Stopped>> {
        if self.wait.generation() == 0 {
            self.wait.register()?;
            let world = self.wait.ctx().world();
            world.omp.turns.ask(world, candidate(&self.wait));
        } else if self.wait.granted() {
            return Poll::Ready(Ok(()));
        } else {
            self.wait.explain(|| Wanted {
                text: "its turn".to_owned(),
                process: None,
            });
        }
        Poll::Pending
    }
}

impl Future for Turn<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_turn()
    }
}

impl Drop for Turn<'_> {
    /// Withdraws requests for turns that the thread hasn't got.
    fn drop(&mut self) {
        if self.wait.generation() != 0
            && let Some(team) = self.wait.ctx().team()
        {
            team.forget_asked();
        }
    }
}
