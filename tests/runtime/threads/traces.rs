//! Tests traces of threads.

use prophet_runtime::{
    ActionPlus, Atomic, CpuDiscipline, Critical, Engine, Master, OmpBarrier, Parallel, ParallelDo,
    ParallelSections, ProcessCtx, ProcessProgram, Schedule, Single, Stopped, System, Threads,
    WaitPolicy,
};
use prophet_trace::{UnitId, UnitState};
use proptest::prelude::*;

use crate::threads::trees::{Tree, go, trees};
use crate::threads::{MODEL, quarters, traced};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const TEAM: Parallel = Parallel::new(5, "Team", 6);

/// An operation of all threads in a team: the time of the first thread, and how much longer each
/// further thread takes, in quarters of a second.
#[derive(Debug, Clone, Copy)]
enum Op {
    Work,
    Meet,
    Critical,
    Atomic,
    Single,
    Master,
    Loop(bool),
    Sections,
}

type Step = (Op, u8, u8);

async fn step(ctx: &ProcessCtx<'_>, (op, first, more): Step) -> Result<(), Stopped> {
    let seconds = quarters(first) + ctx.tid().real() * quarters(more);
    let work = async || WORK.execute(ctx, seconds).await;
    match op {
        Op::Work => work().await,
        Op::Meet => OmpBarrier::new(6, "Meet", 7).execute(ctx).await,
        Op::Critical => {
            let critical = Critical::new(7, "Critical", 8);
            critical.execute(ctx, critical.compute(ctx, seconds)).await
        }
        Op::Atomic => Atomic::new(8, "Atomic", 9).execute(ctx, work()).await,
        Op::Single => Single::new(9, "Single", 10).execute(ctx, work()).await,
        Op::Master => Master::new(10, "Master", 11).execute(ctx, work()).await,
        Op::Loop(dynamic) => {
            let schedule = if dynamic {
                Schedule::Dynamic(Some(1.into()))
            } else {
                Schedule::Static(None)
            };
            let body = async |ctx: &ProcessCtx<'_>, i: prophet_runtime::Int| {
                WORK.execute(ctx, quarters(first) * i.real()).await
            };
            let element = ParallelDo::new(11, "Loop", 12);
            element
                .execute(ctx, Threads::Default, 5, schedule, body)
                .await
        }
        Op::Sections => {
            let body = async |ctx: &ProcessCtx<'_>, section: u32| {
                WORK.execute(ctx, quarters(more) * f64::from(section)).await
            };
            let element = ParallelSections::new(12, "Sections", 13);
            element.execute(ctx, Threads::Default, 3, body).await
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let op = prop_oneof![
        Just(Op::Work),
        Just(Op::Meet),
        Just(Op::Critical),
        Just(Op::Atomic),
        Just(Op::Single),
        Just(Op::Master),
        any::<bool>().prop_map(Op::Loop),
        Just(Op::Sections),
    ];
    prop::collection::vec((op, 0..5_u8, 0..5_u8), 0..12)
}

fn systems() -> impl Strategy<Value = System> {
    let disciplines = prop_oneof![
        Just(CpuDiscipline::Fcfs),
        Just(CpuDiscipline::RoundRobin { quantum_s: 0.4 }),
        Just(CpuDiscipline::ProcessorSharing),
    ];
    (1..=6_u32, 1..=3_u32, 1..=4_u32, disciplines, any::<bool>()).prop_map(
        |(cpus, processes, threads, discipline, holds)| {
            let mut system = System::new(1, cpus, processes, threads);
            system.discipline = discipline;
            // Units that keep their CPUs don't take turns.
            if holds && !matches!(discipline, CpuDiscipline::RoundRobin { .. }) {
                system.wait_policy = WaitPolicy::Hold;
            }
            system
        },
    )
}

/// Checks the trace of a program, unless it waits forever for CPUs that others keep.
fn check(system: &System, program: &impl ProcessProgram) {
    let (outcome, traced) = traced::run(&MODEL, Engine::Event, system, program);
    let (_, again) = traced::run(&MODEL, Engine::Event, system, program);
    assert!(traced.bytes == again.bytes, "the same run, the same bytes");
    match outcome {
        Ok(outcome) => traced::check(&traced, &outcome),
        Err(_) => assert!(!traced.results.complete),
    }
}

/// On the path back, two processes cause each other's waits at the same instant.
#[test]
fn forks_of_no_time_leave_whole_traces() {
    let fork = |parts: &[f64]| Tree::Fork(parts.iter().copied().map(Tree::Work).collect());
    let tree = Tree::InOrder(vec![
        fork(&[0.0, 0.25, 0.0]),
        fork(&[0.0, 0.25]),
        Tree::Work(0.0),
    ]);
    let mut system = System::new(1, 6, 3, 1);
    system.wait_policy = WaitPolicy::Hold;
    check(&system, &async |ctx| go(ctx, &tree).await);
}

/// On the path back, a wait of no time has a cause that was already passed.
#[test]
fn waits_of_no_time_leave_whole_traces() {
    let fork = |parts: &[f64]| Tree::Fork(parts.iter().copied().map(Tree::Work).collect());
    let row = vec![Tree::Work(0.25), Tree::Work(0.0), fork(&[0.0, 0.0])];
    let tree = Tree::Fork(vec![Tree::InOrder(row), fork(&[0.0, 0.25])]);
    check(&System::new(1, 1, 2, 1), &async |ctx| go(ctx, &tree).await);
}

proptest! {
    #[test]
    fn trees_of_regions_leave_whole_traces(system in systems(), tree in trees()) {
        check(&system, &async |ctx| go(ctx, &tree).await);
    }

    #[test]
    fn teams_leave_whole_traces(system in systems(), steps in steps()) {
        check(&system, &async |ctx| {
            TEAM.execute(ctx, Threads::Default, async |ctx| {
                for one in &steps {
                    step(ctx, *one).await?;
                }
                Ok(())
            })
            .await?;
            WORK.execute(ctx, 0.5).await
        });
    }
}

#[test]
fn a_thread_waits_for_a_lock_and_for_the_others_to_end() {
    const LOCK: Critical = Critical::new(7, "Lock", 8);
    let system = System::new(1, 2, 1, 2);
    let (outcome, traced) = traced::run(&MODEL, Engine::Event, &system, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            LOCK.execute(ctx, LOCK.compute(ctx, 1.0)).await
        })
        .await
    });
    assert_eq!(outcome.expect("it ends").predicted_time_s, 2.0);
    let unit = |tid| UnitId { pid: 0, tid };
    let seen: Vec<_> = { traced.records.iter() }
        .map(|record| {
            let times = (record.start_s, record.end_s);
            (
                record.tid,
                record.state,
                record.element_index(),
                times,
                record.cause_unit(),
            )
        })
        .collect();
    let (lock, team) = (Some(7), Some(5));
    assert_eq!(
        seen,
        [
            (1, UnitState::Synchronize, team, (0.0, 0.0), Some(unit(0))),
            (0, UnitState::Compute, lock, (0.0, 1.0), None),
            (0, UnitState::Content, lock, (0.0, 1.0), None),
            (1, UnitState::Synchronize, lock, (0.0, 1.0), Some(unit(0))),
            (1, UnitState::Compute, lock, (1.0, 2.0), None),
            (1, UnitState::Content, lock, (0.0, 2.0), None),
            (0, UnitState::Synchronize, team, (1.0, 2.0), Some(unit(1))),
            (0, UnitState::Content, team, (0.0, 2.0), None),
        ]
    );
}
