//! Tests random trees of forks and regions. If each thread has a CPU, the longest path determines
//! the time. With one CPU, the sum does.

use std::pin::Pin;

use prophet_runtime::{ActionPlus, Fork, Parallel, ProcessCtx, Stopped, Threads};
use proptest::prelude::*;

use crate::threads::{quarters, run};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 0);

#[derive(Debug, Clone)]
pub(crate) enum Tree {
    Work(f64),
    InOrder(Vec<Tree>),
    Fork(Vec<Tree>),
    Team(Vec<Tree>),
}

impl Tree {
    fn longest_s(&self) -> f64 {
        match self {
            Self::Work(seconds) => *seconds,
            Self::InOrder(parts) => parts.iter().map(Self::longest_s).sum(),
            Self::Fork(parts) | Self::Team(parts) => {
                parts.iter().map(Self::longest_s).fold(0.0, f64::max)
            }
        }
    }

    fn sum_s(&self) -> f64 {
        match self {
            Self::Work(seconds) => *seconds,
            Self::InOrder(parts) | Self::Fork(parts) | Self::Team(parts) => {
                parts.iter().map(Self::sum_s).sum()
            }
        }
    }

    /// Returns how long a process computes, in seconds. Threads that run at the same time count
    /// with their mean.
    fn mean_s(&self) -> f64 {
        let sum_s = |parts: &[Self]| parts.iter().map(Self::mean_s).sum::<f64>();
        match self {
            Self::Work(seconds) => *seconds,
            Self::InOrder(parts) => sum_s(parts),
            #[expect(clippy::cast_precision_loss, reason = "a few")]
            Self::Fork(parts) | Self::Team(parts) => sum_s(parts) / parts.len() as f64,
        }
    }

    fn leaves(&self) -> u32 {
        match self {
            Self::Work(_) => 1,
            Self::InOrder(parts) | Self::Fork(parts) | Self::Team(parts) => {
                parts.iter().map(Self::leaves).sum()
            }
        }
    }
}

pub(crate) type Boxed<'a> = Pin<Box<dyn Future<Output = Result<(), Stopped>> + 'a>>;

pub(crate) fn go<'a>(ctx: &'a ProcessCtx<'_>, tree: &'a Tree) -> Boxed<'a> {
    within(ctx, tree, 0)
}

/// Each depth has other elements, because in a model, no element contains itself.
fn within<'a>(ctx: &'a ProcessCtx<'_>, tree: &'a Tree, depth: u32) -> Boxed<'a> {
    let (fork, team) = (2 * depth + 1, 2 * depth + 2);
    let fork = Fork::new(fork, "Fork", fork.into());
    let team = Parallel::new(team, "Team", team.into());
    Box::pin(async move {
        match tree {
            Tree::Work(seconds) => WORK.execute(ctx, *seconds).await,
            Tree::InOrder(parts) => {
                for part in parts {
                    within(ctx, part, depth + 1).await?;
                }
                Ok(())
            }
            Tree::Fork(parts) => {
                let branches = u32::try_from(parts.len()).expect("few");
                fork.execute(ctx, branches, async |ctx, branch| {
                    within(ctx, &parts[branch as usize], depth + 1).await
                })
                .await
            }
            Tree::Team(parts) => {
                let threads = Threads::Of(i64::try_from(parts.len()).expect("few").into());
                team.execute(ctx, threads, async |ctx| {
                    let tid = usize::try_from(ctx.tid().0).expect("few");
                    within(ctx, &parts[tid], depth + 1).await
                })
                .await
            }
        }
    })
}

pub(crate) fn trees() -> impl Strategy<Value = Tree> {
    let leaf = (0_u8..8).prop_map(|count| Tree::Work(quarters(count)));
    leaf.prop_recursive(5, 64, 5, |inner| {
        let parts = prop::collection::vec(inner, 1..5);
        (0..3, parts).prop_map(|(kind, parts)| match kind {
            0 => Tree::InOrder(parts),
            1 => Tree::Fork(parts),
            _ => Tree::Team(parts),
        })
    })
}

proptest! {
    #[test]
    fn the_longest_path_decides_when_cpus_are_plenty(tree in trees()) {
        let outcome = run(1, tree.leaves(), async |ctx| go(ctx, &tree).await);
        let outcome = outcome.expect("the tree ends");
        prop_assert_eq!(outcome.predicted_time_s, tree.longest_s());
        let process = &outcome.processes[0];
        prop_assert!((process.compute_s - tree.mean_s()).abs() < 1e-9);
        let sum_s = process.compute_s + process.wait_s;
        prop_assert!((sum_s - process.end_s).abs() < 1e-9);
    }

    #[test]
    fn one_cpu_does_one_thing_after_the_other(tree in trees()) {
        let outcome = run(1, 1, async |ctx| go(ctx, &tree).await).expect("the tree ends");
        prop_assert_eq!(outcome.predicted_time_s, tree.sum_s());
    }

    /// A tree that is dropped while it runs leaves nothing behind, so what follows takes its normal
    /// time.
    #[test]
    fn a_tree_can_be_dropped_at_any_time(tree in trees(), stop in 0_u8..40) {
        let cpus = tree.leaves();
        let outcome = run(1, cpus, async |ctx| {
            let mut whole = go(ctx, &tree);
            let mut polls = 0;
            std::future::poll_fn(|cx| {
                polls += 1;
                if polls > stop {
                    return std::task::Poll::Ready(Ok(()));
                }
                whole.as_mut().poll(cx)
            })
            .await?;
            drop(whole);
            let before_s = ctx.now_s();
            go(ctx, &tree).await?;
            assert_eq!(ctx.now_s() - before_s, tree.longest_s());
            Ok(())
        });
        prop_assert!(outcome.is_ok(), "{:?}", outcome);
    }
}
