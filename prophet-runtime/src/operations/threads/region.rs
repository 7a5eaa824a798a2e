//! Implements the future of a region. It owns the futures of its threads, and ends when all of them
//! have ended.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::process::{ProcessCtx, Wait};
use crate::kernel::{Arena, Wanted};
use crate::language::Stopped;
use crate::language::element::Element;
use crate::language::number::Int;
use crate::language::threads::{TEAM_MAX, Threads};
use crate::omp::Team;
use crate::results::failure::{Cause, Misuse};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Region<'a> {
    element: &'a Element,
    threads: Threads,
    /// Whether the threads share constructs. The threads of a fork don't.
    is_team: bool,
}

impl<'a> Region<'a> {
    pub(crate) fn team(element: &'a Element, threads: Threads) -> Self {
        Self {
            element,
            threads,
            is_team: true,
        }
    }

    pub(crate) fn fork(element: &'a Element, branches: u32) -> Self {
        Self {
            element,
            threads: Threads::Of(i64::from(branches).into()),
            is_team: false,
        }
    }
}

/// Runs `body` once in each thread of a region, and waits for all of them.
///
/// The thread that reaches the region is its thread 0 and continues immediately. The others follow
/// at the same instant, in order.
pub(crate) async fn fork_join<B>(
    ctx: &ProcessCtx<'_>,
    region: Region<'_>,
    body: &B,
) -> Result<(), Stopped>
where
    B: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let size = team_size(ctx, region.threads)?;
    let who = (ctx.rank(), ctx.unit());
    let team = Team::new(ctx.world(), who, region.element.index, size)?;
    let shared = region.is_team.then_some(&team);
    let contexts: Vec<_> = (0..team.size())
        .map(|tid| ctx.member(shared, team.unit(tid), (tid, team.size())))
        .collect();
    // Declared after the team, because the members must be dropped before it.
    let mut members = Arena::new(contexts.iter().map(|ctx| body(ctx)));
    team.start();
    let join = Join {
        wait: Wait::new(ctx),
        region,
        team: &team,
        members: &mut members,
    };
    join.await
}

/// A future that polls the thread that resumes, until all threads have ended.
struct Join<'a, F> {
    /// The wait of the first thread for the others, after it has ended.
    wait: Wait<'a>,
    region: Region<'a>,
    team: &'a Team<'a>,
    members: &'a mut Arena<F>,
}

impl<F> Join<'_, F>
where
    F: Future<Output = Result<(), Stopped>>,
{
    /// Continues when the first thread, which has ended, resumes.
    fn poll_wait(&mut self) -> Poll<Result<(), Stopped>> {
        if self.wait.granted() {
            self.team.settle();
            return Poll::Ready(Ok(()));
        }
        self.wait.explain(|| wanted(self.team, "thread"));
        Poll::Pending
    }

    fn end(&mut self, tid: u32) -> Poll<Result<(), Stopped>> {
        self.members.clear(tid as usize);
        let over = self.team.end(tid, self.region.is_team)?;
        go_on_after(&mut self.wait, self.team, self.region.element, (tid, over))
    }
}

impl<F> Future for Join<'_, F>
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
            return this.poll_wait();
        }
        match this.members.poll(tid as usize) {
            Some(Poll::Ready(Ok(()))) => this.end(tid),
            Some(Poll::Ready(Err(stopped))) => {
                // If a failure has already been recorded, it takes precedence.
                let cause = Cause::returned(stopped);
                Poll::Ready(Err(world.fail(Some(this.team.unit(tid)), cause)))
            }
            Some(Poll::Pending) | None => Poll::Pending,
        }
    }
}

pub(super) fn team_size(ctx: &ProcessCtx<'_>, threads: Threads) -> Result<u32, Stopped> {
    let threads = match threads {
        Threads::Default => ctx.num_threads().0,
        Threads::Of(Int(threads)) => threads,
    };
    let size = u32::try_from(threads).ok();
    size.filter(|size| (1..=TEAM_MAX).contains(size))
        .ok_or_else(|| ctx.fail(Cause::Threads(Misuse::TeamSize { threads })))
}

/// Describes the threads that the first thread of a team is waiting for. `what` is what each of
/// them runs.
pub(super) fn wanted(team: &Team<'_>, what: &str) -> Wanted {
    let (tid, count) = team.running();
    Wanted {
        text: match count {
            1 => format!("{what} {tid} to end"),
            _ => format!("{count} {what}s to end, the first of them {what} {tid}"),
        },
        process: Some(team.unit(tid)),
    }
}

/// Continues after a thread has ended. Ready if the region is over and this is the first thread,
/// which waits for the others and is woken by the last one.
pub(super) fn go_on_after(
    wait: &mut Wait<'_>,
    team: &Team<'_>,
    element: &Element,
    (tid, is_over): (u32, bool),
) -> Poll<Result<(), Stopped>> {
    let ctx = wait.ctx();
    match (is_over, tid) {
        (true, 0) => {
            team.settle();
            return Poll::Ready(Ok(()));
        }
        (true, _) => {
            ctx.world().wake(ctx.unit(), wait.generation());
        }
        (false, 0) => {
            ctx.return_to(element);
            wait.register()?;
        }
        (false, _) => {}
    }
    Poll::Pending
}
