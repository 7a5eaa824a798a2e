//! Tests that the twins give the same results, to the last bit.

use prophet_runtime::{Engine, Model, Network, Outcome, ProcessCtx, Simulation, Stopped};
use prophet_runtime::{System, Value};

/// Runs a program. With `repetition`, only simulates iterations that differ from previous ones.
fn run<P>(model: &Model, program: P, system: &System, repetition: bool) -> Outcome
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let simulation = Simulation::new(model, system.clone())
        .with_engine(Engine::Auto)
        .with_repetition(repetition);
    simulation.run(program).expect("it runs")
}

/// Returns systems of various shapes, with each kind of network.
fn systems() -> Vec<System> {
    let loggp = "loggp:L=2us,o=1us,g=3us,G=1ns".parse::<Network>();
    let mut slow = System::new(6, 1, 6, 1);
    slow.network = loggp.expect("it is a network");
    let mut shared = System::new(9, 2, 18, 1);
    let star = "shared:topology=star,latency=1us,bandwidth=1GB/s";
    shared.choose_network(star).expect("it is a network");
    let mut small = System::new(2, 2, 7, 1);
    small.parameters = vec![Value::Int(100), Value::Int(30), Value::Real(1e-7)];
    vec![
        System::new(1, 1, 1, 1),
        System::new(16, 1, 16, 1),
        slow,
        shared,
        small,
    ]
}

#[test]
fn twins_take_the_same_time() {
    for system in systems() {
        for repetition in [false, true] {
            let hand = run(
                &jacobi_by_hand::MODEL,
                jacobi_by_hand::program,
                &system,
                repetition,
            );
            let drawn = run(&jacobi2d::MODEL, jacobi2d::program, &system, repetition);
            let machine = system.machine();
            assert_eq!(
                hand.predicted_time_s.to_bits(),
                drawn.predicted_time_s.to_bits(),
                "{machine}"
            );
            assert_eq!(hand.processes, drawn.processes, "{machine}");
            assert_eq!(hand.evaluation.engine, drawn.evaluation.engine);
            for element in &hand.elements {
                let mut twin = drawn.elements.iter();
                let twin = twin
                    .find(|it| it.name == element.name)
                    .expect("it is there");
                let unnamed = |of: &prophet_runtime::ElementOutcome| {
                    let mut of = of.clone();
                    of.id = 0;
                    of
                };
                assert_eq!(unnamed(element), unnamed(twin), "{machine}");
            }
        }
    }
}
