//! Implements constructs in which a team shares work: loops, sections, and work that one thread
//! does for its team.

use std::task::{Poll, ready};

use super::barrier::{AtBarrier, barrier};
use super::gate::Gate;
use super::region::{Region, fork_join};
use super::turn::{Turn, turn};
use crate::engine::process::ProcessCtx;
use crate::language::Stopped;
use crate::language::element::{Element, ModelElement};
use crate::language::threads::Threads;
use crate::omp::{Shared, Team, Work};

/// Runs the iterations of a loop, or the sections of a construct, with the thread's team. If there
/// is no team, or the element asks for a new one, creates a team.
pub(crate) async fn share<B>(
    ctx: &ProcessCtx<'_>,
    element: &impl ModelElement,
    threads: Threads,
    shared: Shared,
    body: &B,
) -> Result<(), Stopped>
where
    B: AsyncFn(&ProcessCtx<'_>, u64) -> Result<(), Stopped>,
{
    let (Shared::Loop(work) | Shared::Sections(work)) = shared else {
        return Ok(());
    };
    let index = element.element().index;
    if let (Some(team), Threads::Default) = (ctx.team(), threads) {
        team.enter(ctx.thread(), index, shared)?;
        run(ctx, team, element, work, body).await?;
        return barrier(ctx, team).await;
    }
    let region = Region::team(element.element(), threads);
    let thread = async |ctx: &ProcessCtx<'_>| {
        let Some(team) = ctx.team() else {
            return Ok(());
        };
        team.enter(ctx.thread(), index, shared)?;
        run(ctx, team, element, work, body).await?;
        team.leave(ctx.thread());
        Ok(())
    };
    fork_join(ctx, region, &thread).await
}

/// Runs the parts of its team's current work that a thread takes.
async fn run<B>(
    ctx: &ProcessCtx<'_>,
    team: &Team<'_>,
    element: &impl ModelElement,
    work: Work,
    body: &B,
) -> Result<(), Stopped>
where
    B: AsyncFn(&ProcessCtx<'_>, u64) -> Result<(), Stopped>,
{
    let (size, tid) = (u64::from(team.size()), u64::from(ctx.thread()));
    let mut chunks = work.chunks(size, tid);
    loop {
        let part = if work.is_settled() {
            chunks.next().unwrap_or(0..0)
        } else if size == 1 {
            team.take(&work)
        } else if team.ask(&work, ctx.world().omp.turns.rounds()) {
            turn(ctx).await?;
            team.take(&work)
        } else {
            0..0
        };
        if part.is_empty() {
            ctx.return_to(element.element());
            return Ok(());
        }
        for number in part {
            ctx.turn(element)?;
            body(ctx, number).await?;
        }
        ctx.return_to(element.element());
    }
}

/// A thread's way through a `single`. The first thread to arrive runs the content, and all others
/// wait for it.
pub(crate) struct FirstToCome<'a> {
    ctx: &'a ProcessCtx<'a>,
    element: &'a Element,
    turn: Option<Turn<'a>>,
    barrier: Option<AtBarrier<'a>>,
}

impl<'a> FirstToCome<'a> {
    pub(crate) fn new(ctx: &'a ProcessCtx<'_>, element: &'a Element) -> Self {
        Self {
            ctx,
            element,
            turn: None,
            barrier: None,
        }
    }
}

impl Gate for FirstToCome<'_> {
    fn enter(&mut self) -> Poll<Result<bool, Stopped>> {
        let ctx = self.ctx;
        let Some(team) = ctx.team() else {
            return Poll::Ready(Ok(true));
        };
        let work = Work::single();
        if self.turn.is_none() {
            team.enter(ctx.thread(), self.element.index, Shared::Single)?;
            if !team.ask(&work, ctx.world().omp.turns.rounds()) {
                return Poll::Ready(Ok(false));
            }
        }
        let turn = self.turn.get_or_insert_with(|| turn(ctx));
        ready!(turn.poll_turn())?;
        Poll::Ready(Ok(!team.take(&work).is_empty()))
    }

    fn leave(&mut self) -> Poll<Result<(), Stopped>> {
        let ctx = self.ctx;
        let Some(team) = ctx.team() else {
            return Poll::Ready(Ok(()));
        };
        let barrier = self.barrier.get_or_insert_with(|| barrier(ctx, team));
        barrier.poll_barrier()
    }
}

/// A thread's way through a `master`. Thread 0 runs the content, and all others skip it.
pub(crate) struct FirstThread<'a> {
    pub(crate) ctx: &'a ProcessCtx<'a>,
}

impl Gate for FirstThread<'_> {
    fn enter(&mut self) -> Poll<Result<bool, Stopped>> {
        let is_alone = self.ctx.team().is_none();
        Poll::Ready(Ok(is_alone || self.ctx.thread() == 0))
    }

    fn leave(&mut self) -> Poll<Result<(), Stopped>> {
        Poll::Ready(Ok(()))
    }
}

/// Waits for all threads of the team, at an element that is a barrier.
pub(crate) async fn meet(ctx: &ProcessCtx<'_>, element: &Element) -> Result<(), Stopped> {
    let Some(team) = ctx.team() else {
        return Ok(());
    };
    team.enter(ctx.thread(), element.index, Shared::Barrier)?;
    barrier(ctx, team).await
}
