//! Implements barriers in teams: no thread continues before all have arrived.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::Wanted;
use crate::language::Stopped;
use crate::omp::Team;

/// Waits for the team where the current construct ends.
pub(super) fn barrier<'a>(ctx: &'a ProcessCtx<'_>, team: &'a Team<'a>) -> AtBarrier<'a> {
    AtBarrier {
        wait: Wait::new(ctx),
        team,
    }
}

#[derive(Debug)]
pub(super) struct AtBarrier<'a> {
    wait: Wait<'a>,
    team: &'a Team<'a>,
}

impl AtBarrier<'_> {
    fn wanted(&self) -> Wanted {
        let (tid, count) = self.team.missing();
        Wanted {
            text: match count {
                1 => format!("thread {tid} to reach the barrier"),
                _ => format!("{count} threads to reach the barrier, the first of them {tid}"),
            },
            process: Some(self.team.unit(tid)),
        }
    }

    pub(super) fn poll_barrier(&mut self) -> Poll<Result<(), Stopped>> {
        let tid = self.wait.ctx().thread();
        if self.wait.generation() == 0 {
            if self.team.arrive(tid) {
                return Poll::Ready(Ok(()));
            }
            let generation = self.wait.register()?;
            self.team.wait(tid, generation);
        } else if self.wait.granted() {
            return Poll::Ready(Ok(()));
        } else {
            self.wait.explain(|| self.wanted());
        }
        Poll::Pending
    }
}

impl Future for AtBarrier<'_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_barrier()
    }
}

impl Drop for AtBarrier<'_> {
    fn drop(&mut self) {
        let ctx = self.wait.ctx();
        if self.wait.generation() != 0 && !ctx.world().closes() {
            self.team.withdraw(ctx.thread());
        }
    }
}
