//! Tests parts that wait for each other: closed forms, and random precedence graphs against a
//! simple list scheduler.

use prophet_runtime::{ActionPlus, Cause, Engine, Flows, Livelock, ProcessCtx, Stopped, System};
use proptest::prelude::*;

use crate::threads::{MODEL, quarters, run, time_s, traced};

const FLOWS: Flows = Flows::new(0, "Flows", 1);
const WORK: ActionPlus = ActionPlus::new(2, "Work", 3);

/// The cost of each part, and the parts before it, which have lower numbers. Part 0 costs nothing
/// and comes before all parts that have none before them.
#[derive(Debug, Clone)]
struct Graph {
    costs: Vec<u8>,
    before: Vec<Vec<usize>>,
}

impl Graph {
    /// Returns the part that each flow leads to, and the flows that each part gives tokens to.
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

    /// Returns when the simulated graph ends on this number of CPUs.
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

    /// Returns when the graph ends if each free CPU takes the part that has been ready longest or,
    /// if there are several, the one with the lowest number.
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

    fn critical_s(&self) -> f64 {
        let mut ends = vec![0.0_f64; self.costs.len()];
        for part in 1..self.costs.len() {
            let start = self.before[part].iter().map(|&other| ends[other]);
            ends[part] = start.fold(0.0, f64::max) + quarters(self.costs[part]);
        }
        ends.into_iter().fold(0.0, f64::max)
    }
}

/// Generates graphs of up to 20 parts, each with a cost.
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

#[test]
fn tokens_without_end_at_one_instant_are_refused() {
    let failure = run(1, 2, async |ctx| {
        let swap =
            async |ctx: &ProcessCtx<'_>, part| FLOWS.pass(ctx, if part == 0 { &[1] } else { &[0] });
        FLOWS.execute(ctx, &[0, 1], swap).await
    });
    let cause = *failure.expect_err("it fails").cause;
    assert!(
        matches!(cause, Cause::Livelock(Livelock::Turns(_))),
        "{cause:?}"
    );
}
