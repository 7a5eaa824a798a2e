//! Implements the future of a region whose parts wait for each other. Each part has a thread, which
//! rests until the part's tokens have arrived and then runs it.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::region::{go_on_after, team_size, wanted};
use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::Arena;
use crate::language::Stopped;
use crate::language::element::Element;
use crate::language::threads::Threads;
use crate::omp::Team;
use crate::results::failure::Cause;

/// Runs part 0 of a region, and then each part whose incoming flows all have a token, until nothing
/// is left to run. `targets` contains the part that each flow leads to.
pub(crate) async fn flow_on<B>(
    ctx: &ProcessCtx<'_>,
    element: &Element,
    targets: &[u32],
    body: &B,
) -> Result<(), Stopped>
where
    B: AsyncFn(&ProcessCtx<'_>, u32) -> Result<(), Stopped>,
{
    let last = targets.iter().copied().max().unwrap_or(0);
    let parts = Threads::Of((i64::from(last) + 1).into());
    let size = team_size(ctx, parts)?;
    let who = (ctx.rank(), ctx.unit());
    let team = Team::new(ctx.world(), who, element.index, size)?.flowing(targets);
    let contexts: Vec<_> = (0..size)
        .map(|tid| ctx.member(Some(&team), team.unit(tid), (tid, size)))
        .collect();
    // Declared after the team, because the members must be dropped before it.
    let mut members = Arena::new(contexts.iter().map(|ctx| turns(ctx, &team, body)));
    team.rest();
    let flowing = Flowing {
        wait: Wait::new(ctx),
        element,
        team: &team,
        members: &mut members,
    };
    flowing.await
}

/// Runs a thread's part again and again. The thread rests in between.
async fn turns<B>(ctx: &ProcessCtx<'_>, team: &Team<'_>, body: &B) -> Result<(), Stopped>
where
    B: AsyncFn(&ProcessCtx<'_>, u32) -> Result<(), Stopped>,
{
    let part = ctx.thread();
    loop {
        body(ctx, part).await?;
        let mut is_over = false;
        std::future::poll_fn(|_| {
            if std::mem::replace(&mut is_over, true) {
                return Poll::Ready(());
            }
            team.end_part(part);
            Poll::Pending
        })
        .await;
    }
}

/// A future that polls the thread that resumes, until all threads rest.
struct Flowing<'a, F> {
    /// What the first thread is waiting for: tokens, or the other threads.
    wait: Wait<'a>,
    element: &'a Element,
    team: &'a Team<'a>,
    members: &'a mut Arena<F>,
}

impl<F> Flowing<'_, F>
where
    F: Future<Output = Result<(), Stopped>>,
{
    /// Makes a thread rest after its part is over. Ready if all threads rest.
    fn rest(&mut self, tid: u32) -> Poll<Result<(), Stopped>> {
        let over = self.team.end(tid, false)?;
        let polled = go_on_after(&mut self.wait, self.team, self.element, (tid, over))?;
        if !over && tid == 0 {
            self.team.wait(0, self.wait.generation());
        }
        polled.map(Ok)
    }
}

impl<F> Future for Flowing<'_, F>
where
    F: Future<Output = Result<(), Stopped>>,
{
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let ctx = this.wait.ctx();
        let world = ctx.world();
        let tid = world.members.route(this.team.region(), ctx.unit());
        if tid == 0 && this.wait.generation() != 0 {
            if !this.wait.granted() {
                this.wait.explain(|| wanted(this.team, "part"));
                return Poll::Pending;
            }
            if this.team.is_at_rest() {
                this.team.settle();
                return Poll::Ready(Ok(()));
            }
        }
        loop {
            if let Some(Poll::Ready(Err(stopped))) = this.members.poll(tid as usize) {
                // If a failure has already been recorded, it takes precedence.
                let cause = Cause::returned(stopped);
                return Poll::Ready(Err(world.fail(Some(this.team.unit(tid)), cause)));
            }
            if !this.team.part_is_over(tid) {
                return Poll::Pending;
            }
            if !this.team.go_on(tid)? {
                return this.rest(tid);
            }
        }
    }
}
