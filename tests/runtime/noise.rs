//! Tests noise: its distribution, its streams, and how it changes runs.

use std::f64::consts::{PI, SQRT_2};

use prophet_runtime::{
    ActionPlus, AllReduce, BRecv, BSend, Barrier, ByMachine, Engine, LoopPlus, Message, Model,
    NBSend, Network, Outcome, ProcessCtx, ProcessProgram, Repeat, SendRecv, Simulation, Stopped,
    System, Tally, Wait,
};

use crate::ends;

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const SEND: BSend = BSend::new(1, "Send", 2);
const RECV: BRecv = BRecv::new(2, "Recv", 3);
const SUM: AllReduce = AllReduce::new(3, "Sum", 4);
const MEET: Barrier = Barrier::new(4, "Meet", 5);
const SHIFT: SendRecv = SendRecv::new(5, "Shift", 6);
const BEGIN: NBSend = NBSend::new(6, "Begin", 7);
const WAIT: Wait = Wait::new(7, "Wait", 8);
const LOOP: LoopPlus = LoopPlus::new(8, "Loop", 9);
const MODEL: Model = Model::new("Noise", &[], 9);

/// A system with this noise, and with one process per node.
fn system(processes: u32, noise: &[&str], slow: &[&str]) -> System {
    let mut system = System::new(processes, 1, processes, 1);
    system.network = Network::Hockney {
        latency_s: 0.5,
        bytes_per_s: 1000.0,
    };
    for text in noise {
        system.noise.choose(text).unwrap();
    }
    for text in slow {
        system.noise.slow_down(text).unwrap();
    }
    system
}

fn run(system: &System, engine: Engine, program: impl ProcessProgram) -> Outcome {
    let simulation = Simulation::new(&MODEL, system.clone()).with_engine(engine);
    simulation.run(program).unwrap()
}

/// Returns a tally of the predicted times with the seeds from 1 to `runs`.
fn times(mut system: System, runs: u64, program: impl ProcessProgram + Copy) -> Tally {
    let mut tally = Tally::new();
    for seed in 1..=runs {
        system.seed = seed;
        tally.record(run(&system, Engine::Event, program).predicted_time_s);
    }
    tally
}

/// Returns the cumulative distribution function of the standard normal distribution.
fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// Returns the expected maximum of `n` lognormal numbers with mean 1, computed with the trapezoidal
/// rule. The maximum of their normal numbers has the density `n φ(z) Φ(z)^(n - 1)`.
fn expected_maximum(n: u32, sigma: f64) -> f64 {
    let count = f64::from(n);
    let density = |z: f64| {
        let normal_density = (-0.5 * z * z).exp() / (2.0 * PI).sqrt();
        count * normal_density * normal(z).powi(n.cast_signed() - 1)
    };
    let value = |z: f64| (sigma * z - 0.5 * sigma * sigma).exp() * density(z);
    let step = 1e-3;
    (-10_000..10_000)
        .map(|i| value(f64::from(i) * step) * step)
        .sum()
}

#[test]
fn a_barrier_waits_for_the_expected_maximum_of_its_lognormals() {
    assert!((expected_maximum(1, 0.3) - 1.0).abs() < 1e-9);
    for (ranks, sigma) in [(1, 0.3), (8, 0.1), (64, 0.3)] {
        let noise = format!("costs=lognormal:{sigma}");
        let tally = times(system(ranks, &[&noise], &[]), 2000, async |ctx| {
            WORK.execute(ctx, 1.0).await?;
            MEET.execute(ctx, 0.0).await
        });
        let expected_s = expected_maximum(ranks, sigma);
        let interval = tally.interval(0.999).unwrap();
        assert!(
            interval.contains(expected_s),
            "{ranks} ranks, sigma {sigma}: {expected_s} is not in {interval:?}"
        );
        assert!(interval.relative() < 0.03, "{interval:?}");
    }
}

#[test]
fn messages_take_their_time_in_the_mean() {
    let noise = ["messages=lognormal:0.5"];
    let tally = times(system(2, &noise, &[]), 2000, async |ctx| {
        if ctx.pid() == 0 {
            SEND.execute(ctx, 1, Message::bytes(500), ByMachine).await
        } else {
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        }
    });
    let interval = tally.interval(0.999).unwrap();
    assert!(interval.contains(1.0), "{interval:?}");
    assert!(interval.relative() > 0.01, "{interval:?}");
}

/// Sends all kinds of messages, each after a cost.
async fn exchange(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    let (pid, all) = (ctx.pid().0, ctx.num_processes().0);
    let (next, last) = ((pid + 1) % all, (pid + all - 1) % all);
    for bytes in [0, 8, 5000] {
        WORK.execute(ctx, 0.7).await?;
        SHIFT
            .execute(ctx, next, last, Message::bytes(bytes), ByMachine)
            .await?;
        SUM.execute(ctx, bytes, ByMachine).await?;
        WORK.execute(ctx, 0.2).await?;
        if pid % 2 == 0 {
            SEND.execute(ctx, next, Message::bytes(bytes), ByMachine)
                .await?;
        } else {
            RECV.execute(ctx, last, Message::any_size(), ByMachine)
                .await?;
        }
        if pid == 0 {
            BEGIN
                .execute(ctx, next, Message::bytes(bytes), ByMachine)
                .await?;
            WAIT.execute(ctx).await?;
        } else if pid == 1 {
            RECV.execute(ctx, last, Message::any_size(), ByMachine)
                .await?;
        }
    }
    MEET.execute(ctx, 0.5).await
}

/// Returns an outcome as text, without its evaluation.
fn settled(mut outcome: Outcome) -> String {
    outcome.evaluation.engine = "".into();
    outcome.evaluation.events = 0;
    format!("{outcome:?}")
}

#[test]
fn both_engines_draw_the_same_factors() {
    let noise = [
        "costs=lognormal:0.1,messages=lognormal:0.2",
        "ranks=lognormal:0.3",
    ];
    let mut noisy = system(6, &noise, &["2..3=1.5"]);
    let quiet = system(6, &[], &[]);
    for eager_bytes in [u64::MAX, 10_000] {
        for network in [
            "hockney:latency=1us,bandwidth=1GB/s",
            "loggp:L=2us,o=1us,g=1us,G=1ns",
        ] {
            noisy.network = network.parse().unwrap();
            noisy.protocol.eager_bytes = eager_bytes;
            let by_events = run(&noisy, Engine::Event, exchange);
            let local = run(&noisy, Engine::Local, exchange);
            assert_eq!(
                settled(by_events),
                settled(local),
                "{network} {eager_bytes}"
            );
        }
    }
    assert_ne!(
        settled(run(&noisy, Engine::Event, exchange)),
        settled(run(&quiet, Engine::Event, exchange))
    );
}

#[test]
fn messages_that_wait_for_their_receives_have_noise_in_both_engines() {
    let mut noisy = system(4, &["messages=lognormal:0.2"], &[]);
    noisy.protocol.eager_bytes = 10;
    let program = async |ctx: &ProcessCtx<'_>| {
        for bytes in [100, 5, 1000] {
            WORK.execute(ctx, ctx.pid().real()).await?;
            if ctx.pid() % 2 == 0 {
                SEND.execute(ctx, ctx.pid() + 1, Message::bytes(bytes), ByMachine)
                    .await?;
            } else {
                RECV.execute(ctx, ctx.pid() - 1, Message::any_size(), ByMachine)
                    .await?;
            }
        }
        Ok(())
    };
    let by_events = run(&noisy, Engine::Event, program);
    let local = run(&noisy, Engine::Local, program);
    assert_eq!(settled(by_events), settled(local));
}

#[test]
fn noise_on_shared_links_changes_the_bytes() {
    let network = "shared:topology=star,latency=0s,bandwidth=1kB/s";
    let mut noisy = system(2, &["messages=lognormal:0.5"], &[]);
    noisy.choose_network(network).unwrap();
    let tally = times(noisy, 500, async |ctx| {
        if ctx.pid() == 0 {
            SEND.execute(ctx, 1, Message::bytes(1000), ByMachine).await
        } else {
            RECV.execute(ctx, 0, Message::any_size(), ByMachine).await
        }
    });
    let interval = tally.interval(0.999).unwrap();
    assert!(interval.contains(1.0), "{interval:?}");
    assert!(interval.relative() > 0.01, "{interval:?}");
}

#[test]
fn a_slow_node_slows_its_processes_alone() {
    let slow = system(4, &[], &["1=2", "3=0.5"]);
    let outcome = run(&slow, Engine::Auto, async |ctx| {
        WORK.execute(ctx, 3.0).await
    });
    assert_eq!(ends(&outcome), [3.0, 6.0, 3.0, 1.5]);
    let beyond = system(2, &[], &["4=2"]);
    let failure = Simulation::new(&MODEL, beyond)
        .run(async |_| Ok(()))
        .unwrap_err();
    let message = "node 4 is slowed down, but the last node is 1";
    assert!(failure.to_string().contains(message), "{failure}");
}

#[test]
fn ranks_keep_their_factors_through_a_run() {
    let program = async |ctx: &ProcessCtx<'_>| {
        WORK.execute(ctx, 1.0).await?;
        ctx.hold(0.0).await?;
        WORK.execute(ctx, 1.0).await
    };
    let by_rank = run(
        &system(3, &["ranks=lognormal:0.3"], &[]),
        Engine::Event,
        program,
    );
    let once = run(
        &system(3, &["ranks=lognormal:0.3"], &[]),
        Engine::Event,
        async |ctx| WORK.execute(ctx, 2.0).await,
    );
    for (twice, once) in by_rank.processes.iter().zip(&once.processes) {
        assert!((twice.end_s - once.end_s).abs() < 1e-12);
    }
    let ends = by_rank.processes.iter().map(|it| it.end_s.to_bits());
    assert_eq!(ends.collect::<std::collections::BTreeSet<_>>().len(), 3);
}

#[test]
fn measured_times_are_drawn_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fwq.txt");
    std::fs::write(&path, "# cycles\n90\n110\n").unwrap();
    let noise = format!("costs=empirical:{}", path.display());
    let outcome = run(&system(64, &[&noise], &[]), Engine::Auto, async |ctx| {
        WORK.execute(ctx, 1.0).await
    });
    let count = |factor: f64| {
        let ends = outcome.processes.iter().map(|it| it.end_s);
        ends.filter(|end_s| (end_s - factor).abs() < 1e-12).count()
    };
    assert_eq!(count(0.9) + count(1.1), 64);
    assert!(count(0.9) > 16 && count(1.1) > 16);
}

#[test]
fn a_negative_cost_is_told_as_the_model_has_it() {
    let noisy = system(2, &["costs=lognormal:0.5"], &["1=3"]);
    let run = Simulation::new(&MODEL, noisy).run(async |ctx| WORK.execute(ctx, -1.25).await);
    let message = run.unwrap_err().to_string();
    assert!(message.contains("-1.25"), "{message}");
}

#[test]
fn iterations_with_noise_do_not_repeat() {
    let repetition = |system: System| {
        let simulation = Simulation::new(&MODEL, system).with_engine(Engine::Local);
        let run = simulation.with_repetition(true).run(async |ctx| {
            let mut repeat = Repeat::new(&LOOP, 1000);
            while repeat.next(ctx, &[]).await? {
                WORK.execute(ctx, 1.0).await?;
                MEET.execute(ctx, ByMachine).await?;
            }
            Ok(())
        });
        run.unwrap().evaluation.repetition.unwrap()
    };
    // Constant factors are the same in every iteration.
    let steady = repetition(system(3, &["ranks=lognormal:0.3"], &["1=2"]));
    assert!(steady.computed[0].iterations > 900, "{steady:?}");
    let noisy = repetition(system(3, &["messages=lognormal:0.3"], &[]));
    assert!(noisy.computed.is_empty(), "{noisy:?}");
    assert_eq!(
        noisy.simulated[0].why,
        "noise makes each iteration different"
    );
}
