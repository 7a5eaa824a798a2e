//! Memory that the CPUs of a socket share.

use prophet_runtime::{
    ActionPlus, CpuDiscipline, Engine, Memory, Outcome, Parallel, Simulation, System, Threads,
};

use crate::meaning::{MODEL, ends};

const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
const TEAM: Parallel = Parallel::new(1, "Team", 2);

/// Bytes that one CPU moves in a second.
const SECOND: i64 = 10_000_000_000;

/// A node whose sockets have the bandwidth of two CPUs each.
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

/// Runs processes that compute and move bytes, for these seconds if a process were alone.
fn run(system: System, programs: &'static [(f64, f64)]) -> Outcome {
    simulate(system, Engine::Event, programs).expect("the program ends")
}

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
fn four_cpus_share_the_bandwidth_of_two() {
    assert_eq!(ends(&run(node(4, 4, 1), &[(0.5, 1.0); 4])), [2.0; 4]);
    // The longer of computing and moving counts.
    assert_eq!(ends(&run(node(4, 4, 1), &[(3.0, 1.0); 4])), [3.0; 4]);
    assert_eq!(ends(&run(node(4, 2, 1), &[(0.5, 1.0); 2])), [1.0; 2]);
    let outcome = run(node(4, 4, 1), &[(0.5, 1.0); 4]);
    assert_eq!(
        (outcome.processes[0].compute_s, outcome.processes[0].wait_s),
        (2.0, 0.0)
    );
}

#[test]
fn shares_are_max_min() {
    // As 2 servers that are shared: ORACLES has 1.5, 2.5, 3.5.
    let programs = &[(0.0, 1.0), (0.0, 2.0), (0.0, 3.0)];
    assert_eq!(ends(&run(node(3, 3, 1), programs)), [1.5, 2.5, 3.5]);
    // Who has no bytes leaves the bandwidth to the others.
    let programs = &[(2.5, 0.0), (0.0, 1.0), (0.25, 1.0)];
    assert_eq!(ends(&run(node(3, 3, 1), programs)), [2.5, 1.0, 1.0]);
}

#[test]
fn each_socket_has_its_bandwidth() {
    assert_eq!(ends(&run(node(4, 4, 2), &[(0.0, 1.0); 4])), [1.0; 4]);
    // Three on two sockets: 0 and 1 share the first.
    let programs = &[(0.0, 1.0), (0.0, 1.0), (0.0, 1.0)];
    let mut system = node(4, 3, 2);
    system.memory.core_bandwidth = None;
    assert_eq!(ends(&run(system, programs)), [1.0, 1.0, 0.5]);
}

#[test]
fn who_queues_for_a_cpu_moves_nothing() {
    let outcome = run(node(1, 2, 1), &[(0.5, 1.0), (1.5, 1.0)]);
    assert_eq!(ends(&outcome), [1.0, 2.5]);
    let last = &outcome.processes[1];
    assert_eq!((last.compute_s, last.wait_s), (1.5, 1.0));
}

#[test]
fn threads_are_placed_on_sockets_by_blocks() {
    for (sockets, expected_s) in [(1, 2.0), (2, 1.0)] {
        let mut system = node(4, 1, sockets);
        system.threads = 4;
        let run = Simulation::new(&MODEL, system).run(async |ctx| {
            TEAM.execute(ctx, Threads::Default, async |ctx| {
                WORK.execute(ctx, 0.0).moving(SECOND).await
            })
            .await
        });
        assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(expected_s));
    }
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
    let why = Some("the program uses memory that processes share".to_owned());
    assert_eq!(seen(1, moving), ("event".to_owned(), why, vec![2.0; 4]));
}

#[test]
fn without_a_bandwidth_moving_takes_no_time() {
    let system = System::new(1, 2, 2, 1);
    assert_eq!(ends(&run(system, &[(0.5, 9.0), (0.0, 9.0)])), [0.5, 0.0]);
}

#[test]
fn what_is_no_number_of_bytes_stops_the_run() {
    let failure = simulate(node(1, 1, 1), Engine::Event, &[(0.0, -1.0)]).expect_err("negative");
    assert!(failure.contains("-10000000000 bytes"), "{failure}");
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
            "a node has no sockets",
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
            "a memory bandwidth with the discipline processor-sharing is not yet there; use fcfs",
        ),
    ] {
        assert!(refused(change).contains(message), "{}", refused(change));
    }
}
