//! Parts that wait for each other: closed forms, and random precedence graphs against a plain list
//! scheduler.

use std::cell::RefCell;

use prophet_runtime::{
    ActionPlus, Cause, CpuDiscipline, Engine, Failure, Flows, Fork, Livelock, Misuse, ProcessCtx,
    Simulation, Stopped, System, WaitPolicy,
};
use proptest::prelude::*;

use crate::threads::{MODEL, quarters, run, time_s, traced};

const FLOWS: Flows = Flows::new(0, "Flows", 1);
const INNER: Flows = Flows::new(1, "Inner", 2);
const WORK: ActionPlus = ActionPlus::new(2, "Work", 3);
const FORK: Fork = Fork::new(3, "Fork", 4);

/// Costs of parts, and for each the parts before it, which have lower numbers. Part 0 costs nothing
/// and is before all that have none.
#[derive(Debug, Clone)]
struct Graph {
    costs: Vec<u8>,
    before: Vec<Vec<usize>>,
}

impl Graph {
    /// The part that each flow leads to, and the flows that each part gives tokens to.
    fn flows(&self) -> (Vec<u32>, Vec<Vec<u32>>) {
        let (mut targets, mut passes) = (vec![0], vec![Vec::new(); self.costs.len()]);
        for (part, before) in (0..).zip(&self.before) {
            for &other in before {
                passes[other].push(u32::try_from(targets.len()).expect("they are few"));
                targets.push(part);
            }
        }
        (targets, passes)
    }

    /// End of the simulated graph on this number of CPUs.
    fn simulated_s(&self, cpus: u32) -> f64 {
        time_s(1, cpus, async |ctx| self.execute(ctx).await)
    }

    async fn execute(&self, ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
        let (targets, passes) = self.flows();
        FLOWS
            .execute(ctx, &targets, async |ctx, part| {
                let part = part as usize;
                if part > 0 {
                    WORK.execute(ctx, quarters(self.costs[part])).await?;
                }
                FLOWS.pass(ctx, &passes[part])
            })
            .await
    }

    /// End of the graph when free CPUs take, of the parts that can begin, those that could first,
    /// and of these the ones with the lowest numbers.
    fn listed_s(&self, cpus: usize) -> f64 {
        let mut waiting: Vec<usize> = self.before.iter().map(Vec::len).collect();
        let (mut now, mut ready) = (0_u32, vec![(0_u32, 0_usize)]);
        let mut running: Vec<(u32, usize)> = Vec::new();
        let mut after = vec![Vec::new(); self.costs.len()];
        for (part, before) in self.before.iter().enumerate() {
            for &other in before {
                after[other].push(part);
            }
        }
        loop {
            ready.sort_unstable();
            while running.len() < cpus && !ready.is_empty() {
                let (_, part) = ready.remove(0);
                let cost = if part == 0 { 0 } else { self.costs[part] };
                running.push((now + u32::from(cost), part));
            }
            let Some(&(end, _)) = running.iter().min() else {
                return f64::from(now) * 0.25;
            };
            now = end;
            let (ended, others) = running.into_iter().partition(|&(at, _)| at == now);
            running = others;
            let ended: Vec<(u32, usize)> = ended;
            for &next in ended.iter().flat_map(|&(_, part)| &after[part]) {
                waiting[next] -= 1;
                if waiting[next] == 0 {
                    ready.push((now, next));
                }
            }
        }
    }

    /// The longest way through the graph.
    fn critical_s(&self) -> f64 {
        let mut ends = vec![0.0_f64; self.costs.len()];
        for part in 1..self.costs.len() {
            let start = self.before[part].iter().map(|&other| ends[other]);
            ends[part] = start.fold(0.0, f64::max) + quarters(self.costs[part]);
        }
        ends.into_iter().fold(0.0, f64::max)
    }
}

/// Graphs of up to 20 parts, each of which costs something.
fn graphs() -> impl Strategy<Value = Graph> {
    prop::collection::vec((1..40_u8, any::<u32>(), 0..4_u32), 1..20).prop_map(|parts| {
        let mut graph = Graph {
            costs: vec![0],
            before: vec![Vec::new()],
        };
        for (cost, bits, several) in parts {
            let earlier = graph.costs.len();
            let picks = (0..several).map(|pick| (bits >> (8 * pick)) as usize % earlier);
            let mut before: Vec<usize> = picks.filter(|&part| part > 0).collect();
            before.sort_unstable();
            before.dedup();
            if before.is_empty() {
                before.push(0);
            }
            graph.costs.push(cost);
            graph.before.push(before);
        }
        graph
    })
}

proptest! {
    #[test]
    fn random_graphs_end_when_a_list_scheduler_says(graph in graphs(), cpus in 1..5_u32) {
        prop_assert_eq!(graph.simulated_s(cpus), graph.listed_s(cpus as usize));
        let sum: f64 = graph.costs.iter().map(|&cost| quarters(cost)).sum();
        prop_assert_eq!(graph.simulated_s(1), sum);
        prop_assert_eq!(graph.simulated_s(100), graph.critical_s());
    }
}

proptest! {
    #[test]
    fn traces_tell_the_lives_of_parts(graph in graphs(), cpus in 1..5_u32) {
        let system = System::new(2, cpus, 3, 1);
        let program = async |ctx: &ProcessCtx<'_>| {
            graph.execute(ctx).await?;
            ctx.hold(0.5).await?;
            graph.execute(ctx).await
        };
        let (outcome, traced) = traced::run(&MODEL, Engine::Event, &system, program);
        traced::check(&traced, &outcome.expect("it ends"));
    }
}

/// The N: C waits for A and B, D for B alone.
async fn letter_n(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    FLOWS
        .execute(ctx, &[0, 1, 2, 3, 3, 4], async |ctx, part| match part {
            0 => FLOWS.pass(ctx, &[1, 2]),
            1 => {
                WORK.execute(ctx, 4.0).await?;
                FLOWS.pass(ctx, &[3])
            }
            2 => {
                WORK.execute(ctx, 1.0).await?;
                FLOWS.pass(ctx, &[4, 5])
            }
            3 => WORK.execute(ctx, 2.0).await,
            _ => WORK.execute(ctx, 5.5).await,
        })
        .await
}

#[test]
fn the_n_takes_its_longest_way() {
    assert_eq!(time_s(1, 2, letter_n), 6.5);
    assert_eq!(time_s(1, 1, letter_n), 12.5);
}

#[test]
fn a_part_runs_once_for_each_token_and_one_after_the_other() {
    let seen = RefCell::new(Vec::new());
    let time_s = time_s(1, 4, async |ctx| {
        FLOWS
            .execute(ctx, &[0, 1, 2, 3], async |ctx, part| match part {
                0 => FLOWS.pass(ctx, &[1, 2]),
                1 | 2 => {
                    WORK.execute(ctx, f64::from(part)).await?;
                    FLOWS.pass(ctx, &[3])
                }
                _ => {
                    seen.borrow_mut().push((ctx.now_s(), ctx.tid().0));
                    WORK.execute(ctx, 10.0).await
                }
            })
            .await
    });
    assert_eq!(seen.into_inner(), [(1.0, 3), (11.0, 3)]);
    assert_eq!(time_s, 21.0);
}

#[test]
fn a_part_that_lacks_a_token_never_runs() {
    let outcome = run(1, 2, async |ctx| {
        FLOWS
            .execute(ctx, &[0, 1, 2, 2], async |ctx, part| match part {
                0 => FLOWS.pass(ctx, &[1]),
                1 => {
                    WORK.execute(ctx, 1.0).await?;
                    FLOWS.pass(ctx, &[2])
                }
                _ => unreachable!("flow 3 has no token"),
            })
            .await
    });
    assert_eq!(outcome.expect("it ends").predicted_time_s, 1.0);
}

#[test]
fn flows_lie_in_parts_forks_and_processes() {
    let mut system = System::new(2, 8, 3, 1);
    system.mapping = vec![0, 1, 0];
    let outcome = Simulation::new(&MODEL, system).run(async |ctx| {
        FORK.execute(ctx, 2, async |ctx, branch| {
            if branch == 0 {
                return letter_n(ctx).await;
            }
            INNER
                .execute(ctx, &[0, 1], async |ctx, part| {
                    if part == 0 {
                        letter_n(ctx).await?;
                        INNER.pass(ctx, &[1])
                    } else {
                        letter_n(ctx).await
                    }
                })
                .await
        })
        .await
    });
    assert_eq!(outcome.expect("it ends").predicted_time_s, 13.0);
}

#[test]
fn threads_that_hold_cpus_give_them_back_while_they_rest() {
    let mut system = System::new(1, 2, 1, 1);
    for discipline in [CpuDiscipline::Fcfs, CpuDiscipline::ProcessorSharing] {
        system.discipline = discipline;
        system.wait_policy = WaitPolicy::Hold;
        let outcome = Simulation::new(&MODEL, system.clone()).run(letter_n);
        assert!(outcome.is_ok(), "{outcome:?}");
    }
}

/// The cause of a failure.
fn cause(failure: Result<prophet_runtime::Outcome, Failure>) -> Cause {
    *failure.expect_err("it fails").cause
}

#[test]
fn tokens_without_end_at_one_instant_are_refused() {
    let failure = run(1, 2, async |ctx| {
        let swap =
            async |ctx: &ProcessCtx<'_>, part| FLOWS.pass(ctx, if part == 0 { &[1] } else { &[0] });
        FLOWS.execute(ctx, &[0, 1], swap).await
    });
    let cause = cause(failure);
    assert!(
        matches!(cause, Cause::Livelock(Livelock::Turns(_))),
        "{cause:?}"
    );
}

#[test]
fn flows_that_are_not_there_are_refused() {
    let elsewhere = run(1, 1, async |ctx| FLOWS.pass(ctx, &[0]));
    assert_eq!(cause(elsewhere), Cause::Threads(Misuse::Flow { flow: 0 }));
    let unknown = run(1, 1, async |ctx| {
        FLOWS
            .execute(ctx, &[0], async |ctx, _| FLOWS.pass(ctx, &[7]))
            .await
    });
    assert_eq!(cause(unknown), Cause::Threads(Misuse::Flow { flow: 7 }));
    let many = run(1, 1, async |ctx| {
        FLOWS.execute(ctx, &[u32::MAX], async |_, _| Ok(())).await
    });
    let threads = i64::from(u32::MAX) + 1;
    assert_eq!(cause(many), Cause::Threads(Misuse::TeamSize { threads }));
}
