//! Tests that the sample `master_worker` ends at the time given by a simple loop over its tasks.

use prophet_runtime::{Engine, Simulation, System, Value};
use prophet_tests::samples::master_worker;

const LATENCY_S: f64 = 1e-6;
const BODY_S: f64 = 8.0 / 10e9;

fn task_s(task: i32, average_s: f64, spread: f64) -> f64 {
    average_s * (1.0 + spread * (37.0 * f64::from(task)).sin())
}

/// Computes when the master and the workers end. The master receives requests in the order in which
/// their envelopes arrive. Its answers take no time to send.
fn ends_s(tasks: i32, workers: usize, average_s: f64, spread: f64) -> Vec<f64> {
    // The time when each worker has sent its last request.
    let mut asked_s = vec![Some(0.0_f64); workers];
    let mut ends_s = vec![0.0_f64; workers + 1];
    let mut next = 0;
    while let Some((worker, sent_s)) = asked_s
        .iter()
        .enumerate()
        .filter_map(|(worker, sent_s)| Some((worker, (*sent_s)?)))
        .min_by(|(_, a), (_, b)| (a + LATENCY_S).total_cmp(&(b + LATENCY_S)))
    {
        ends_s[0] = ends_s[0].max(sent_s + LATENCY_S + BODY_S);
        let answered_s = ends_s[0] + LATENCY_S + BODY_S;
        if next < tasks {
            asked_s[worker] = Some(answered_s + task_s(next, average_s, spread));
            next += 1;
        } else {
            asked_s[worker] = None;
            ends_s[worker + 1] = answered_s;
        }
    }
    ends_s
}

#[test]
fn master_worker_ends_when_a_plain_loop_says() {
    for (tasks, workers, average_s, spread) in [
        (100, 7, 0.01, 0.5),
        (100, 7, 0.01, 0.0),
        (100, 1, 0.01, 1.0),
        (3, 5, 0.01, 0.9),
        (0, 4, 0.01, 0.5),
        (1000, 40, 1.37e-5, 1.0),
    ] {
        let processes = u32::try_from(workers + 1).expect("few");
        let mut system = System::new(processes, 1, processes, 1);
        let mut parameters = master_worker::MODEL.defaults();
        parameters[0] = Value::Int(i64::from(tasks));
        parameters[1] = Value::Real(average_s);
        parameters[2] = Value::Real(spread);
        system.parameters = parameters;
        let simulation = Simulation::new(&master_worker::MODEL, system).with_engine(Engine::Auto);
        let outcome = simulation
            .run(master_worker::program)
            .unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(outcome.evaluation.engine, "event");
        let expected = ends_s(tasks, workers, average_s, spread);
        assert_eq!(outcome.processes.len(), expected.len());
        for (process, expected) in outcome.processes.iter().zip(expected) {
            let error = (process.end_s - expected).abs();
            assert!(
                error <= 1e-9 * expected,
                "{workers} workers, {tasks} tasks: process {} ends at {} instead of {expected}",
                process.pid,
                process.end_s
            );
        }
    }
}

#[test]
fn a_master_alone_ends_at_once() {
    let mut system = System::new(1, 1, 1, 1);
    system.parameters = master_worker::MODEL.defaults();
    let outcome = Simulation::new(&master_worker::MODEL, system).run(master_worker::program);
    assert_eq!(outcome.map(|outcome| outcome.predicted_time_s), Ok(0.0));
}
