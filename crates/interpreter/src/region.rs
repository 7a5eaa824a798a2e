//! The executions of regions, whose parts are diagrams.

use std::task::Context;

use prophet_runtime::{Int, ProcessCtx, Threads};

use crate::code::{Part, Region};
use crate::execution::{Begun, Ended, Here, begin_boxed};
use crate::frame::word_int;
use crate::op::Reg;

impl Region {
    /// Begins to execute the region.
    pub(crate) fn start<'a>(&'a self, here: Here<'a>, cx: &mut Context<'_>) -> Begun<'a> {
        begin_boxed(self.perform(here), cx)
    }

    async fn perform(&self, (process, ctx, base): Here<'_>) -> Ended {
        let int = |reg: Reg| word_int(process.registers(base).word(reg));
        let team = |threads: Option<Reg>| match threads {
            Some(reg) => Threads::Of(int(reg)),
            None => Threads::Default,
        };
        let chosen = |parts: &[Part]| u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let content = |part| process.part(ctx, part, base, Int(0));
        match self {
            Self::Parallel(element, threads, part) => {
                let body = async |ctx: &ProcessCtx<'_>| process.part(ctx, part, base, Int(0)).await;
                element.execute(ctx, team(*threads), body).await
            }
            Self::ParallelDo(it) => {
                let schedule = (it.schedule)(it.chunk.map(int));
                let body = async |ctx: &ProcessCtx<'_>, iteration: Int| {
                    process.part(ctx, &it.part, base, iteration).await
                };
                let (threads, count) = (team(it.threads), int(it.count));
                it.element
                    .execute(ctx, threads, count, schedule, body)
                    .await
            }
            Self::Sections(element, threads, parts) => {
                let body = async |ctx: &ProcessCtx<'_>, section: u32| {
                    process
                        .part(ctx, &parts[section as usize], base, Int(0))
                        .await
                };
                element
                    .execute(ctx, team(*threads), chosen(parts), body)
                    .await
            }
            Self::Fork(element, parts) => {
                let body = async |ctx: &ProcessCtx<'_>, branch: u32| {
                    process
                        .part(ctx, &parts[branch as usize], base, Int(0))
                        .await
                };
                element.execute(ctx, chosen(parts), body).await
            }
            Self::Flows(element, targets, parts) => {
                let body = async |ctx: &ProcessCtx<'_>, part: u32| {
                    let part = &parts[part as usize];
                    process.part(ctx, part, base, Int(0)).await
                };
                element.execute(ctx, targets, body).await
            }
            Self::Critical(element, part) => element.execute(ctx, content(part)).await,
            Self::Atomic(element, part) => element.execute(ctx, content(part)).await,
            Self::Single(element, part) => element.execute(ctx, content(part)).await,
            Self::Master(element, part) => element.execute(ctx, content(part)).await,
        }
    }
}
