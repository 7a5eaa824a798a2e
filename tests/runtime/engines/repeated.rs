//! Tests that repetition gives the same results as the full run.

use prophet_runtime::{
    ActionPlus, AllReduce, BRecv, BSend, ByMachine, Energy, Engine, Int, LoopPlus, Message,
    Network, Outcome, ProcessCtx, ProcessProgram, Repeat, Simulation, Stopped, System, Value, div,
};
use proptest::prelude::*;

use crate::engines::MODEL;
use crate::engines::random::{self, Op};

const LOOP: LoopPlus = LoopPlus::new(30, "Loop", 31);
const WORK: ActionPlus = ActionPlus::new(31, "Work", 32);
const SEND: BSend = BSend::new(32, "Send", 33);
const RECV: BRecv = BRecv::new(33, "Receive", 34);
const SUM: AllReduce = AllReduce::new(34, "Sum", 35);

/// Maximum relative difference between the times with repetition and in the full run.
const TOLERANCE: f64 = 1e-9;

fn run(system: &System, repetition: bool, program: impl ProcessProgram) -> Outcome {
    let simulation = Simulation::new(&MODEL, system.clone()).with_engine(Engine::Local);
    let outcome = simulation.with_repetition(repetition).run(program);
    outcome.expect("the program ends")
}

fn computed(outcome: &Outcome) -> u64 {
    let repetition = outcome.evaluation.repetition.as_ref();
    let loops = repetition.map_or(&[][..], |it| &it.computed);
    loops.iter().map(|it| it.iterations).sum()
}

fn why(outcome: &Outcome) -> &str {
    let repetition = outcome.evaluation.repetition.as_ref();
    let simulated = repetition.and_then(|it| it.simulated.first());
    simulated.map_or("", |it| &it.why)
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn count(executions: u64) -> f64 {
    executions as f64
}

/// Checks that two outcomes differ only by rounding.
fn agree(full: &Outcome, fast: &Outcome) -> Result<(), TestCaseError> {
    let end_s = full.predicted_time_s;
    let near = |what: &str, full: f64, fast: f64, noise: f64| {
        let apart = (full - fast).abs();
        let most = TOLERANCE * full.abs() + noise;
        prop_assert!(apart <= most, "{}: {:e} and {:e}", what, full, fast);
        Ok(())
    };
    near("predicted", end_s, fast.predicted_time_s, 0.0)?;
    prop_assert_eq!(full.evaluation.messages, fast.evaluation.messages);
    prop_assert_eq!(full.energy.is_some(), fast.energy.is_some());
    for (full, fast) in full.energy.iter().zip(&fast.energy) {
        // The same goes for the times at work.
        let noise = TOLERANCE * full.idle_j;
        near("CPUs", full.cpus_j, fast.cpus_j, noise)?;
        near("network", full.network_j, fast.network_j, 0.0)?;
        near("total", full.total_j, fast.total_j, noise)?;
        let joules = |energy: &Energy| energy.elements.iter().map(|it| it.cpus_j).sum();
        near("elements", joules(full), joules(fast), noise)?;
    }
    for (full, fast) in full.processes.iter().zip(&fast.processes) {
        near("end", full.end_s, fast.end_s, 0.0)?;
        // Waits are differences of clocks, which are rounded.
        let noise = TOLERANCE * end_s;
        near("compute", full.compute_s, fast.compute_s, noise)?;
        near("hold", full.hold_s, fast.hold_s, noise)?;
        near("wait", full.wait_s, fast.wait_s, noise)?;
        let spent = (full.communication_s, fast.communication_s);
        near("communication", spent.0, spent.1, noise)?;
    }
    prop_assert_eq!(full.elements.len(), fast.elements.len());
    for (full, fast) in full.elements.iter().zip(&fast.elements) {
        prop_assert_eq!((&full.name, full.count), (&fast.name, fast.count));
        // Each of these times is a difference of rounded clocks.
        let noise = 64.0 * f64::EPSILON * end_s;
        near(
            &full.name,
            full.total_s,
            fast.total_s,
            noise * count(full.count),
        )?;
        near(&full.name, full.max_s, fast.max_s, noise)?;
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
struct Loop<'o> {
    ops: &'o [Op],
    iterations: i64,
    together: bool,
    /// The work of a process depends on the iteration's number modulo this.
    modulus: i64,
}

async fn repeat(ctx: &ProcessCtx<'_>, repeated: Loop<'_>) -> Result<(), Stopped> {
    let Loop {
        ops,
        iterations,
        together,
        modulus,
    } = repeated;
    let mut repeat = Repeat::new(&LOOP, iterations).modulo(modulus);
    while repeat.next(ctx, &[]).await? {
        let turn = (repeat.number() + ctx.pid()) % modulus;
        WORK.execute(ctx, 1e-6 * turn.real()).await?;
        random::perform_all(ctx, ops).await?;
        random::wait_for_all(ctx).await?;
        if together {
            SUM.execute(ctx, 8, ByMachine).await?;
        }
    }
    Ok(())
}

fn compare(system: &System, repeated: Loop<'_>) -> Result<u64, TestCaseError> {
    let program = async |ctx: &ProcessCtx<'_>| repeat(ctx, repeated).await;
    let full = run(system, false, program);
    let fast = run(system, true, program);
    agree(&full, &fast)?;
    Ok(computed(&fast))
}

/// Generates operations that are the same in each iteration.
fn stationary() -> impl Strategy<Value = Vec<Op>> {
    let op = random::op().prop_filter("it draws", |op| !matches!(op, Op::Draw { .. }));
    prop::collection::vec(op, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(64)))]

    #[test]
    fn random_loops_give_the_same(
        system in random::system(),
        ops in stationary(),
        iterations in 2..=40_i64,
        together in any::<bool>(),
        modulus in 1..=5_i64,
    ) {
        compare(&system, Loop { ops: &ops, iterations, together, modulus })?;
    }
}

#[test]
#[ignore = "it takes minutes"]
fn many_random_loops_give_the_same() {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(4_000));
    let counts = (2..=400_i64, 1..=5_i64);
    let cases = (random::system(), stationary(), counts, any::<bool>());
    let (tried, repeated) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let result = runner.run(&cases, |(system, ops, (iterations, modulus), together)| {
        tried.set(tried.get() + 1);
        let body = Loop {
            ops: &ops,
            iterations,
            together,
            modulus,
        };
        let computed = compare(&system, body)?;
        repeated.set(repeated.get() + u32::from(computed > 0));
        Ok(())
    });
    eprintln!("{} of {} loops repeat", repeated.get(), tried.get());
    assert!(repeated.get() > tried.get() / 4);
    result.expect("all agree");
}

fn system(processes: u32, network: Network) -> System {
    let mut system = System::new(processes, 1, processes, 1);
    system.network = network;
    system
}

const LOGGP: Network = Network::LogGp {
    l_s: 3e-6,
    o_s: 1.3e-6,
    g_s: 0.7e-6,
    gap_per_byte_s: 1e-10,
};

/// Sends messages around a ring. In each iteration, each process sends one to the next process,
/// which receives it in the following iteration.
async fn ring(ctx: &ProcessCtx<'_>, iterations: i64) -> Result<(), Stopped> {
    let (pid, processes) = (ctx.pid().0, ctx.num_processes().0);
    let message = || Message::bytes(1000);
    let (next, before) = ((pid + 1) % processes, (pid + processes - 1) % processes);
    for _ in 0..5 {
        SEND.execute(ctx, next, message(), ByMachine).await?;
    }
    let mut repeat = Repeat::new(&LOOP, iterations);
    while repeat.next(ctx, &[]).await? {
        let cost_s = if pid == 2 { 3.1e-5 } else { 1e-5 };
        WORK.execute(ctx, cost_s).await?;
        SEND.execute(ctx, next, message(), ByMachine).await?;
        RECV.execute(ctx, before, message(), ByMachine).await?;
    }
    Ok(())
}

#[test]
fn messages_may_wait_from_one_iteration_to_the_next() {
    for network in [Network::DEFAULT, LOGGP] {
        let system = system(7, network);
        for iterations in [1_000, 10_000] {
            let program = async |ctx: &ProcessCtx<'_>| ring(ctx, iterations).await;
            let (full, fast) = (run(&system, false, program), run(&system, true, program));
            agree(&full, &fast).expect("the same");
            assert!(computed(&fast) > 900, "{:?}", fast.evaluation);
        }
    }
}

/// Iterates with a variable that iterations depend on and assign.
async fn counting(ctx: &ProcessCtx<'_>, modulus: i64) -> Result<(), Stopped> {
    let mut turn = 0;
    let mut repeat = Repeat::new(&LOOP, 1000);
    while repeat.next(ctx, &[Value::Int(turn)]).await? {
        turn = (turn + 1) % modulus;
        WORK.execute(ctx, 1e-5 * f64::from(u32::try_from(turn).unwrap_or(0)))
            .await?;
        SUM.execute(ctx, 8, ByMachine).await?;
    }
    Ok(())
}

#[test]
fn what_depends_on_variables_repeats_when_they_do() {
    let system = system(4, LOGGP);
    for (modulus, period) in [(3, Some(3)), (7, Some(7)), (1000, None)] {
        let program = async |ctx: &ProcessCtx<'_>| counting(ctx, modulus).await;
        let (full, fast) = (run(&system, false, program), run(&system, true, program));
        agree(&full, &fast).expect("the same");
        let repetition = fast.evaluation.repetition.expect("it was asked for");
        let found = repetition.computed.first().map(|it| it.period);
        assert_eq!(found, period, "{modulus}");
    }
}

/// Iterations depend on their number, modulo a different value in each process.
async fn turns(ctx: &ProcessCtx<'_>, moduli: &[i64]) -> Result<(), Stopped> {
    let modulus = moduli[usize::try_from(ctx.pid().0).expect("it is a number")];
    let mut repeat = Repeat::new(&LOOP, 1000).modulo(modulus).modulo(2);
    while repeat.next(ctx, &[]).await? {
        let number = repeat.number();
        WORK.execute(ctx, 1e-5 * (number % modulus + number % 2).real())
            .await?;
        SUM.execute(ctx, 8, ByMachine).await?;
    }
    Ok(())
}

#[test]
fn what_depends_on_remainders_repeats_when_all_of_them_do() {
    let system = system(3, LOGGP);
    for (moduli, period) in [
        ([1, 1, 1], Some(2)),
        ([3, 1, 4], Some(12)),
        ([7, 11, 13], None),
    ] {
        let program = async |ctx: &ProcessCtx<'_>| turns(ctx, &moduli).await;
        let (full, fast) = (run(&system, false, program), run(&system, true, program));
        agree(&full, &fast).expect("the same");
        let repetition = fast.evaluation.repetition.expect("it was asked for");
        let found = repetition.computed.first().map(|it| it.period);
        assert_eq!(found, period, "{moduli:?}");
    }
}

#[test]
fn remainders_by_what_cannot_be_told_are_simulated() {
    let far = Int(i64::MAX);
    for factors in [vec![Int(0)], vec![far, far], vec![]] {
        let program = async |ctx: &ProcessCtx<'_>| {
            let told = || match *factors {
                [] => div(1, 0).map(|it| [it, it]),
                [one] => Ok([one, one]),
                [one, other, ..] => Ok([one, other]),
            };
            let mut repeat = Repeat::new(&LOOP, 10).modulo_product(told);
            while repeat.next(ctx, &[]).await? {
                WORK.execute(ctx, 1e-6).await?;
            }
            Ok(())
        };
        let fast = run(&system(2, LOGGP), true, program);
        assert_eq!(computed(&fast), 0);
        let expected = "its iterations depend on the loop variable in too many ways";
        assert_eq!(why(&fast), expected);
    }
}

/// The work of each process in an iteration, and once before, in microseconds. Also the processes
/// that send to others in each iteration.
#[derive(Debug)]
struct Drift<'d> {
    work: &'d [i32],
    before: &'d [i32],
    sends: &'d [(i64, i64)],
}

async fn drift(ctx: &ProcessCtx<'_>, drift: &Drift<'_>) -> Result<(), Stopped> {
    let pid = ctx.pid().0;
    let own = usize::try_from(pid).expect("it is a number");
    let message = || Message::bytes(100);
    WORK.execute(ctx, 1e-6 * f64::from(drift.before[own]))
        .await?;
    let mut repeat = Repeat::new(&LOOP, 2000);
    while repeat.next(ctx, &[]).await? {
        for (source, dest) in drift.sends {
            if pid == *source {
                SEND.execute(ctx, *dest, message(), ByMachine).await?;
            } else if pid == *dest {
                RECV.execute(ctx, *source, message(), ByMachine).await?;
            }
        }
        WORK.execute(ctx, 1e-6 * f64::from(drift.work[own])).await?;
    }
    SUM.execute(ctx, 8, ByMachine).await
}

#[test]
fn processes_that_do_not_wait_for_each_other_repeat_at_rates_of_their_own() {
    let near = 1900;
    for (work, before, sends, least) in [
        // No process waits for another.
        ([10, 20, 30, 0], [0; 4], &[][..], near),
        // There are two pairs.
        (
            [10, 20, 30, 45],
            [0; 4],
            &[(0, 1), (1, 0), (2, 3), (3, 2)],
            near,
        ),
        // The senders are faster than the receivers, or slower.
        ([10, 20, 40, 80], [0; 4], &[(0, 1), (1, 2), (2, 3)], near),
        ([80, 40, 20, 10], [0; 4], &[(0, 1), (1, 2), (2, 3)], near),
        // Messages are early at first and late in the end.
        (
            [80, 60, 10, 10],
            [0, 3000, 0, 0],
            &[(0, 1), (2, 3)],
            near / 2,
        ),
    ] {
        let drifts = Drift {
            work: &work,
            before: &before,
            sends,
        };
        for network in [Network::DEFAULT, LOGGP] {
            let system = system(4, network);
            let program = async |ctx: &ProcessCtx<'_>| drift(ctx, &drifts).await;
            let (full, fast) = (run(&system, false, program), run(&system, true, program));
            agree(&full, &fast).expect("the same");
            assert!(computed(&fast) > least, "{drifts:?} {:?}", fast.evaluation);
        }
    }
}

#[test]
fn so_many_iterations_are_simulated_at_least() {
    let program = async |ctx: &ProcessCtx<'_>| {
        let mut repeat = Repeat::new(&LOOP, 1000).at_least(100);
        while repeat.next(ctx, &[]).await? {
            SUM.execute(ctx, 8, ByMachine).await?;
        }
        Ok(())
    };
    let fast = run(&system(4, LOGGP), true, program);
    assert_eq!(computed(&fast), 900);
}

#[test]
fn loops_that_processes_pass_through_apart_are_simulated() {
    let program = async |ctx: &ProcessCtx<'_>| {
        let (pid, message) = (ctx.pid().0, || Message::bytes(8));
        // In one iteration, the second process receives the messages of two iterations of the
        // first.
        let mut repeat = Repeat::new(&LOOP, 200 / (pid + 1));
        while repeat.next(ctx, &[]).await? {
            WORK.execute(ctx, 1e-6).await?;
            if pid == 0 {
                SEND.execute(ctx, 1, message(), ByMachine).await?;
            } else {
                RECV.execute(ctx, 0, message(), ByMachine).await?;
                RECV.execute(ctx, 0, message(), ByMachine).await?;
            }
        }
        Ok(())
    };
    let system = system(2, Network::DEFAULT);
    let (full, fast) = (run(&system, false, program), run(&system, true, program));
    agree(&full, &fast).expect("the same");
    assert_eq!(
        why(&fast),
        "the processes do not run its iterations in step"
    );
}

#[test]
fn the_event_engine_says_that_it_simulates_all() {
    let simulation = Simulation::new(&MODEL, system(3, LOGGP)).with_repetition(true);
    let outcome = simulation.run(async |ctx| ring(ctx, 10).await);
    let outcome = outcome.expect("it ends");
    assert_eq!(why(&outcome), "the event engine simulates all iterations");
}

/// A loop in which no time passes reaches the same state again and again. Ranks stop at its head a
/// few times and then pass it.
#[test]
fn a_loop_at_rest_is_not_compared_for_ever() {
    let system = System::new(4, 1, 4, 1);
    let program = async |ctx: &ProcessCtx<'_>| {
        WORK.execute(ctx, ctx.pid().real()).await?;
        let mut repeat = Repeat::new(&LOOP, 5_000);
        while repeat.next(ctx, &[]).await? {
            if ctx.pid().0 % 2 == 0 {
                SEND.execute(ctx, ctx.pid() + 1, Message::bytes(8), ByMachine)
                    .await?;
            } else {
                RECV.execute(ctx, ctx.pid() - 1, Message::any_size(), ByMachine)
                    .await?;
            }
        }
        WORK.execute(ctx, 1.0).await
    };
    let (full, fast) = (run(&system, false, program), run(&system, true, program));
    agree(&full, &fast).expect("they agree");
    assert_eq!(
        (computed(&fast), why(&fast)),
        (0, "no time passes in its iterations")
    );
    // Otherwise, each rank would stop 5,000 times.
    let stops = fast.evaluation.events - full.evaluation.events;
    assert!(stops < 200, "{stops} more events");
}
