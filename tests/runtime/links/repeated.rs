//! Tests phases of packets that repeat: compares `--repetition auto` with simulating all of them.

use prophet_runtime::{AllReduce, AllToAll, Barrier, Gather, SendRecv, Trace};

use super::*;

const SHIFT: SendRecv = SendRecv::new(6, "Shift", 7);
const GATHER: Gather = Gather::new(7, "Gather", 8);
const ALL: AllToAll = AllToAll::new(8, "All", 9);
const SYNC: Barrier = Barrier::new(9, "Sync", 10);
const SUM: AllReduce = AllReduce::new(10, "Sum", 11);

const RANKS: u32 = 32;
const ROUNDS: i64 = 30;
const TREE: &str = "packet:topology=fat-tree,children=8x4,parents=1x2,links=1x1,latency=1us,\
                    bandwidth=10GB/s,packet=4096B";

/// Predicts with and without repetition. Returns the fraction of phases that were computed.
#[track_caller]
fn computed(program: &impl ProcessProgram) -> f64 {
    let run = |repetition| {
        let simulation = Simulation::new(&MODEL, apart(RANKS, TREE)).with_repetition(repetition);
        simulation.run(program).expect("the program ends")
    };
    let (all, memoized) = (run(false), run(true));
    let (found_s, expected_s) = (memoized.predicted_time_s, all.predicted_time_s);
    assert_eq!(found_s.to_bits(), expected_s.to_bits());
    assert_eq!(all.evaluation.repetition, None);
    assert_eq!(memoized.evaluation.messages, all.evaluation.messages);
    let counts = |of: &Outcome| of.elements.iter().map(|it| it.count).collect::<Vec<_>>();
    assert_eq!(counts(&memoized), counts(&all));
    let told = memoized.evaluation.repetition.expect("it was asked for");
    let network = told.network.expect("it has packets");
    #[expect(clippy::cast_precision_loss, reason = "both are small")]
    let part = network.computed as f64 / network.phases as f64;
    part
}

#[test]
fn rings_gathers_and_all_to_alls_are_simulated_a_few_times() {
    let ring = computed(&async |ctx: &ProcessCtx<'_>| {
        let (pid, ranks) = (ctx.pid(), i64::from(RANKS));
        for _ in 0..ROUNDS {
            WORK.execute(ctx, 1e-3).await?;
            let (to, from) = ((pid + 1) % ranks, (pid + ranks - 1) % ranks);
            SHIFT
                .execute(ctx, to, from, Message::bytes(300_000), ByMachine)
                .await?;
            SYNC.execute(ctx, 5e-6).await?;
        }
        Ok(())
    });
    assert!(ring > 0.9, "{ring}");
    let incast = computed(&async |ctx: &ProcessCtx<'_>| {
        for _ in 0..ROUNDS {
            WORK.execute(ctx, 1e-3).await?;
            GATHER.execute(ctx, 0, 300_000, ByMachine).await?;
            SYNC.execute(ctx, 5e-6).await?;
        }
        Ok(())
    });
    assert!(incast > 0.9, "{incast}");
    let all_to_all = computed(&async |ctx: &ProcessCtx<'_>| {
        for _ in 0..ROUNDS {
            WORK.execute(ctx, 1e-3).await?;
            ALL.execute(ctx, 30_000, ByMachine).await?;
            SYNC.execute(ctx, 5e-6).await?;
        }
        Ok(())
    });
    assert!(all_to_all > 0.9, "{all_to_all}");
}

/// Packets reach a queue at the same time, apart from rounding, so few phases repeat.
#[test]
fn a_prediction_without_repetition_is_the_same() {
    computed(&async |ctx: &ProcessCtx<'_>| {
        let place = usize::try_from(ctx.pid().0 % 5).expect("a remainder");
        for _ in 0..20 {
            let cost_s = [4e-6, 1e-6, 3e-6, 5e-6, 2e-6][place];
            WORK.execute(ctx, cost_s).await?;
            SUM.execute(ctx, 30_000, ByMachine).await?;
            SYNC.execute(ctx, ByMachine).await?;
        }
        Ok(())
    });
}

#[test]
fn a_trace_needs_all_phases_and_other_networks_have_none() {
    let one = async |ctx: &ProcessCtx<'_>| SYNC.execute(ctx, ByMachine).await;
    let on = |network| Simulation::new(&MODEL, apart(4, network)).with_repetition(true);
    let phases = |outcome: Outcome| outcome.evaluation.repetition?.network;
    let folder = tempfile::tempdir().expect("there is room");
    let mut trace = Trace::new(folder.path().join("trace"));
    let traced = on(TREE).run_traced(one, &mut trace);
    assert_eq!(phases(traced.expect("the program ends")), None);
    let shared = on("shared:latency=1us,bandwidth=10GB/s").run(one);
    assert_eq!(phases(shared.expect("the program ends")), None);
}
