//! Tests that the machine samples predict what `sample-models/machine.md` says, with their
//! checked-in crates.

use prophet_runtime::{
    CpuDiscipline, Engine, Machine, Outcome, Simulation, System, Value, WaitPolicy,
};
use prophet_testing::assert_close;
use prophet_tests::samples::{gpu_stencil, oversubscribed, stream};

/// Runs 16 processes on 4 CPUs.
fn oversubscribed(change: impl FnOnce(&mut System)) -> Result<Outcome, String> {
    let mut system = System::new(1, 4, 16, 1);
    change(&mut system);
    let run = Simulation::new(&oversubscribed::MODEL, system).run(oversubscribed::program);
    run.map_err(|failure| failure.to_string())
}

/// Returns the time when the last process ends its work, and the mean over all processes.
fn last_and_mean(discipline: CpuDiscipline) -> (f64, f64) {
    let outcome = oversubscribed(|system| system.discipline = discipline).expect("it ends");
    let work = &outcome.elements[0];
    assert_eq!((work.name.as_str(), work.count), ("Work", 16));
    (outcome.predicted_time_s, work.mean_s)
}

#[test]
fn how_cpus_are_shared_decides_when_the_last_is_there() {
    let (last, mean) = last_and_mean(CpuDiscipline::Fcfs);
    assert_close(last, 9.0);
    assert_close(mean, 67.0 / 16.0);
    let (last, mean) = last_and_mean(CpuDiscipline::ProcessorSharing);
    assert_close(last, 7.0);
    assert_close(mean, (12.0 * 4.0 + 4.0 * 7.0) / 16.0);
    let quantum_s = CpuDiscipline::DEFAULT_QUANTUM_S;
    let (last, mean) = last_and_mean(CpuDiscipline::RoundRobin { quantum_s });
    assert_close(last, 7.0);
    // The short processes end their last turns in round 100, which takes 40 ms.
    let short_s = 3.0 * (3.97 + 3.98 + 3.99 + 4.0);
    assert_close(mean, (short_s + 4.0 * 7.0) / 16.0);
}

#[test]
fn who_holds_its_cpu_at_the_barrier_lets_nobody_start() {
    let held = oversubscribed(|system| system.wait_policy = WaitPolicy::Hold);
    let failure = held.expect_err("the barrier is never complete");
    assert!(failure.starts_with("deadlock: 16 of 16 processes never resume"));
    let waits = "process 4 waits for a CPU of node 0; they are held by \
                 process 0; process 1; process 2; process 3\n";
    assert!(failure.contains(waits), "{failure}");
    // If processes share CPUs, all of them are active, and waiting ones use their share.
    let shared = oversubscribed(|system| {
        system.wait_policy = WaitPolicy::Hold;
        system.discipline = CpuDiscipline::ProcessorSharing;
    });
    let outcome = shared.expect("it ends");
    assert_close(outcome.predicted_time_s, 16.0);
}

/// Returns the triad's time on one node of LUMI-C.
fn stream(processes: u32) -> f64 {
    let lumi = Machine::preset("lumi-c").expect("there is one of that name");
    let mut system = System::on(lumi, 1, 128, processes, 1);
    system.parameters = vec![Value::Int(10_000_000), Value::Int(10), Value::Real(2e10)];
    let run = Simulation::new(&stream::MODEL, system).run(stream::program);
    run.expect("it ends").predicted_time_s
}

#[test]
fn memory_limits_how_far_a_node_scales() {
    let bytes = 24.0 * 1e7 * 10.0;
    for processes in [1, 2, 8, 12, 16, 32, 64, 128_u32] {
        // Half of the processes are on each socket.
        let on_socket = f64::from(processes.div_ceil(2));
        let each = (122e9 / on_socket).min(20e9);
        assert_close(stream(processes), bytes / each);
    }
}

/// Returns the stencil's time on two nodes of Alps. Both engines must give the same time.
fn gpu_stencil(n: i64, steps: i64) -> f64 {
    let alps = Machine::preset("alps-gh200").expect("there is one of that name");
    let mut system = System::on(alps, 2, 288, 8, 1);
    system.parameters = vec![Value::Int(n), Value::Int(steps)];
    let run = |engine| {
        let simulation = Simulation::new(&gpu_stencil::MODEL, system.clone()).with_engine(engine);
        let outcome = simulation.run(gpu_stencil::program).expect("it ends");
        outcome.predicted_time_s
    };
    let (event, local) = (run(Engine::Event), run(Engine::Local));
    assert_eq!(event.to_bits(), local.to_bits());
    event
}

/// Compares with the formula in `sample-models/machine.md`.
#[test]
fn the_exchange_of_a_stencil_hides_behind_the_inside() {
    for n in [1024, 8192, 32_768] {
        let size = f64::from(n);
        let launch = 5e-6;
        let kernel = |rows: f64| 16.0 * size * rows / 4e12;
        let copy = 2e-6 + 16.0 * size / 450e9;
        // A message between two nodes.
        let message = 2.3e-6 + 8.0 * size / 24e9;
        let there = f64::max(
            3.0 * launch,
            f64::max(2.0 * launch, launch + kernel(2.0)) + copy,
        );
        let exchange = there + message + launch + copy;
        let inside = f64::max(3.0 * launch, launch + kernel(2.0)) + kernel(size - 2.0);
        assert_close(gpu_stencil(i64::from(n), 10), 10.0 * exchange.max(inside));
    }
}
