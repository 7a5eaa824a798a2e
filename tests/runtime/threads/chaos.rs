//! Tests random programs, most of which are wrong. Each must end or fail, and always in the same
//! way.

use std::pin::Pin;

use prophet_runtime::{
    ActionPlus, Atomic, CpuDiscipline, Critical, Fault, FaultKind, Fork, Int, Master, OmpBarrier,
    Parallel, ParallelDo, ParallelSections, ProcessCtx, Schedule, Simulation, Single, Stopped,
    System, Threads, WaitPolicy,
};
use proptest::prelude::*;

use crate::threads::{MODEL, quarters};

/// A statement. The number is the index of its element.
#[derive(Debug, Clone)]
enum Op {
    Work(u32, u8),
    Hold(u8),
    Meet(u32),
    Loop(u32, u8, u8, Threads, Vec<Op>),
    Sections(u32, Threads, Vec<Vec<Op>>),
    Single(u32, Vec<Op>),
    Master(u32, Vec<Op>),
    Critical(u32, Vec<Op>),
    Atomic(u32, Vec<Op>),
    Team(u32, Threads, Vec<Op>),
    Fork(u32, Vec<Vec<Op>>),
    /// Operations of a single thread.
    Only(u8, Vec<Op>),
    /// Operations that are dropped after this many polls.
    GiveUp(u8, Vec<Op>),
    Fault,
}

type Boxed<'a> = Pin<Box<dyn Future<Output = Result<(), Stopped>> + 'a>>;

fn go<'a>(ctx: &'a ProcessCtx<'_>, ops: &'a [Op]) -> Boxed<'a> {
    Box::pin(async move {
        for op in ops {
            step(ctx, op).await?;
        }
        Ok(())
    })
}

async fn step(ctx: &ProcessCtx<'_>, op: &Op) -> Result<(), Stopped> {
    match op {
        Op::Work(i, count) => {
            ActionPlus::new(*i, "Work", 1)
                .execute(ctx, quarters(*count))
                .await
        }
        Op::Hold(count) => ctx.hold(quarters(*count)).await,
        Op::Meet(i) => OmpBarrier::new(*i, "Meet", 1).execute(ctx).await,
        Op::Loop(..) | Op::Sections(..) | Op::Team(..) | Op::Fork(..) => region(ctx, op).await,
        Op::Single(i, ops) => Single::new(*i, "Once", 1).execute(ctx, go(ctx, ops)).await,
        Op::Master(i, ops) => Master::new(*i, "First", 1).execute(ctx, go(ctx, ops)).await,
        Op::Critical(i, ops) => {
            let critical = Critical::new(*i, "Critical", 1).named(i % 2);
            critical.execute(ctx, go(ctx, ops)).await
        }
        Op::Atomic(i, ops) => {
            Atomic::new(*i, "Atomic", 1)
                .execute(ctx, go(ctx, ops))
                .await
        }
        Op::Only(tid, ops) if ctx.tid() == i64::from(*tid) => go(ctx, ops).await,
        Op::Only(..) => Ok(()),
        Op::GiveUp(polls, ops) => {
            let (mut content, mut left) = (go(ctx, ops), *polls);
            std::future::poll_fn(|cx| {
                if left == 0 {
                    return std::task::Poll::Ready(Ok(()));
                }
                left -= 1;
                content.as_mut().poll(cx)
            })
            .await
        }
        Op::Fault => Err(Fault::from(FaultKind::DivisionByZero).into()),
    }
}

async fn region(ctx: &ProcessCtx<'_>, op: &Op) -> Result<(), Stopped> {
    match op {
        Op::Loop(i, count, kind, threads, ops) => {
            let chunk = Some(Int(i64::from(kind / 3)));
            let schedule = match kind % 3 {
                0 => Schedule::Static(chunk),
                1 => Schedule::Dynamic(chunk),
                _ => Schedule::Guided(chunk),
            };
            let element = ParallelDo::new(*i, "Loop", 1);
            let body = element.execute(
                ctx,
                *threads,
                i64::from(*count),
                schedule,
                async |ctx, _| go(ctx, ops).await,
            );
            body.await
        }
        Op::Sections(i, threads, parts) => {
            let sections = u32::try_from(parts.len()).expect("few");
            let element = ParallelSections::new(*i, "Parts", 1);
            let body = element.execute(ctx, *threads, sections, async |ctx, section| {
                go(ctx, &parts[section as usize]).await
            });
            body.await
        }
        Op::Team(i, threads, ops) => {
            let element = Parallel::new(*i, "Team", 1);
            element
                .execute(ctx, *threads, async |ctx| go(ctx, ops).await)
                .await
        }
        Op::Fork(i, parts) => {
            let branches = u32::try_from(parts.len()).expect("few");
            let element = Fork::new(*i, "Fork", 1);
            let body = element.execute(ctx, branches, async |ctx, branch| {
                go(ctx, &parts[branch as usize]).await
            });
            body.await
        }
        _ => Ok(()),
    }
}

fn threads() -> impl Strategy<Value = Threads> {
    prop_oneof![
        4 => Just(Threads::Default),
        2 => (1_i64..5).prop_map(|threads| Threads::Of(Int(threads))),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let index = || 0_u32..16;
    let leaf = prop_oneof![
        8 => (index(), 0_u8..5).prop_map(|(i, count)| Op::Work(i, count)),
        2 => (0_u8..3).prop_map(Op::Hold),
        3 => index().prop_map(Op::Meet),
        1 => Just(Op::Fault),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        let ops = || prop::collection::vec(inner.clone(), 0..4);
        let parts = || prop::collection::vec(ops(), 1..4);
        prop_oneof![
            4 => (index(), 0_u8..7, 0_u8..12, threads(), ops())
                .prop_map(|(i, count, kind, threads, ops)| Op::Loop(i, count, kind, threads, ops)),
            2 => (index(), threads(), parts()).prop_map(|(i, n, parts)| Op::Sections(i, n, parts)),
            2 => (index(), ops()).prop_map(|(i, ops)| Op::Single(i, ops)),
            1 => (index(), ops()).prop_map(|(i, ops)| Op::Master(i, ops)),
            3 => (index(), ops()).prop_map(|(i, ops)| Op::Critical(i, ops)),
            2 => (index(), ops()).prop_map(|(i, ops)| Op::Atomic(i, ops)),
            4 => (index(), threads(), ops()).prop_map(|(i, n, ops)| Op::Team(i, n, ops)),
            2 => (index(), parts()).prop_map(|(i, parts)| Op::Fork(i, parts)),
            2 => (0_u8..3, ops()).prop_map(|(tid, ops)| Op::Only(tid, ops)),
            2 => (0_u8..6, ops()).prop_map(|(polls, ops)| Op::GiveUp(polls, ops)),
        ]
    })
}

fn systems() -> impl Strategy<Value = System> {
    (1_u32..5, 1_u32..4, 1_u32..4, 0..3, any::<bool>()).prop_map(
        |(cpus, processes, threads, discipline, holds)| {
            let mut system = System::new(1, cpus, processes, threads);
            system.discipline = match discipline {
                0 => CpuDiscipline::Fcfs,
                1 => CpuDiscipline::RoundRobin { quantum_s: 0.5 },
                _ => CpuDiscipline::ProcessorSharing,
            };
            if holds {
                system.wait_policy = WaitPolicy::Hold;
            }
            system
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(300)))]

    #[test]
    fn every_program_ends_or_fails_and_the_same_way_again(
        system in systems(),
        ops in prop::collection::vec(op(), 1..6),
    ) {
        let simulation = Simulation::new(&MODEL, system);
        let run = || simulation.run(async |ctx| go(ctx, &ops).await);
        let first = run();
        if let Err(failure) = &first {
            let text = failure.to_string();
            prop_assert!(!text.contains("foreign await"), "{}", text);
            prop_assert!(!text.contains("two things at the same time"), "{}", text);
        }
        prop_assert_eq!(first, run());
    }
}
