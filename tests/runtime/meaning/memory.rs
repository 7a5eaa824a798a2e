//! Tests memory that the CPUs of a socket share.

use prophet_runtime::{ActionPlus, CpuDiscipline, Engine, Memory, Outcome, Simulation, System};

use crate::meaning::{MODEL, ends};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);

/// Number of bytes that a CPU can move in a second.
const SECOND: i64 = 10_000_000_000;

/// A node whose sockets each have the bandwidth of two CPUs.
fn node(cpus: u32, processes: u32, sockets: u32) -> System {
    let mut system = System::new(1, cpus, processes, 1);
    system.memory = Memory {
        sockets,
        bandwidth: Some(20e9),
        core_bandwidth: Some(10e9),
        ..Memory::default()
    };
    system
}

/// Makes each process compute and move bytes, for as many seconds as given here if it were alone.
fn simulate(
    system: System,
    engine: Engine,
    programs: &'static [(f64, f64)],
) -> Result<Outcome, String> {
    let simulation = Simulation::new(&MODEL, system).with_engine(engine);
    let run = simulation.run(async |ctx| {
        let (cost_s, moves_s) = programs[usize::try_from(ctx.pid().0).expect("small")];
        #[expect(clippy::cast_possible_truncation, reason = "whole seconds")]
        let bytes = moves_s as i64 * SECOND;
        WORK.execute(ctx, cost_s).moving(bytes).await
    });
    run.map_err(|failure| failure.to_string())
}

#[test]
fn the_local_engine_serves_what_nobody_can_slow_down() {
    let seen = |sockets, program: fn(&Simulation<'_>) -> _| {
        let simulation = Simulation::new(&MODEL, node(4, 4, sockets)).with_engine(Engine::Auto);
        let outcome: Outcome = program(&simulation);
        let evaluation = &outcome.evaluation;
        (
            evaluation.engine.to_string(),
            evaluation.why_not_local.clone(),
            ends(&outcome),
        )
    };
    let moving = |simulation: &Simulation<'_>| {
        let run = simulation.run(async |ctx| WORK.execute(ctx, 0.5).moving(SECOND).await);
        run.expect("the program ends")
    };
    let computing = |simulation: &Simulation<'_>| {
        let run = simulation.run(async |ctx| WORK.execute(ctx, 0.5).moving(0).await);
        run.expect("the program ends")
    };
    assert_eq!(seen(2, moving), ("local".to_owned(), None, vec![1.0; 4]));
    assert_eq!(seen(1, computing), ("local".to_owned(), None, vec![0.5; 4]));
    let why = Some("the program uses memory shared by processes".to_owned());
    assert_eq!(seen(1, moving), ("event".to_owned(), why, vec![2.0; 4]));
}

#[test]
fn machines_that_are_none_are_refused() {
    let refused = |change: fn(&mut System)| {
        let mut system = node(1, 1, 1);
        change(&mut system);
        simulate(system, Engine::Event, &[(0.0, 1.0)]).expect_err("no such machine")
    };
    for (change, message) in [
        (
            (|system| system.memory.sockets = 0) as fn(&mut System),
            "a node needs at least one socket",
        ),
        (
            |system| system.memory.bandwidth = Some(0.0),
            "the memory bandwidth is 0 B/s",
        ),
        (
            |system| system.memory.core_bandwidth = Some(f64::NAN),
            "the memory bandwidth of a core is NaN B/s",
        ),
        (
            |system| system.discipline = CpuDiscipline::ProcessorSharing,
            "a memory bandwidth is not supported with the discipline processor-sharing yet; use \
             fcfs",
        ),
    ] {
        assert!(refused(change).contains(message), "{}", refused(change));
    }
}
