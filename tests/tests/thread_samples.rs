//! Tests that the samples with threads predict what `sample-models/threads.md` derives, with their
//! checked-in crates.

use prophet_runtime::{Outcome, Simulation, System, Value};
use prophet_tests::samples::{contention, hybrid, schedules};

/// Runs a sample's crate. The arguments are the numbers of nodes, CPUs per node, processes and
/// threads.
macro_rules! run {
    ($sample:ident, $system:expr, $parameters:expr) => {{
        let (nodes, cpus, processes, threads) = $system;
        let mut system = System::new(nodes, cpus, processes, threads);
        system.parameters = $parameters;
        Simulation::new(&$sample::MODEL, system)
            .run($sample::program)
            .unwrap_or_else(|failure| panic!("{failure}"))
    }};
}

fn assert_close(found: f64, expected: f64, what: &str) {
    let error = (found - expected).abs() / expected.abs();
    assert!(error <= 1e-9, "{what}: {found} instead of {expected}");
}

fn total_s(outcome: &Outcome, element: &str) -> f64 {
    let mut elements = outcome.elements.iter();
    let found = elements.find(|one| one.name == element);
    found.expect("the sample has it").total_s
}

/// Returns how many of the remaining iterations a thread gets next.
type Next = fn(rest: usize, threads: usize, chunk: usize) -> usize;

/// Returns the end of a loop. Iteration i takes i + 1 seconds. A free thread takes the next
/// iterations; if several are free, the lowest one does.
fn taken(iterations: usize, threads: usize, chunk: usize, next: Next) -> usize {
    let mut free_at = vec![0; threads];
    let mut done = 0;
    while done < iterations {
        let rest = iterations - done;
        let first = (0..threads)
            .min_by_key(|&thread| free_at[thread])
            .unwrap_or(0);
        let end = done + next(rest, threads, chunk).min(rest);
        free_at[first] += (done..end).map(|i| i + 1).sum::<usize>();
        done = end;
    }
    free_at.into_iter().max().unwrap_or(0)
}

/// Returns the end of a loop with a static schedule. Each thread has a block; the first blocks may
/// have one more iteration.
fn settled(iterations: usize, threads: usize) -> usize {
    let (share, more) = (iterations / threads, iterations % threads);
    let begin = |thread: usize| thread * share + thread.min(more);
    let work = |thread: usize| (begin(thread)..begin(thread + 1)).map(|i| i + 1).sum();
    (0..threads).map(work).max().unwrap_or(0)
}

#[test]
fn schedules_share_uneven_iterations_as_openmp_does() {
    for (iterations, threads, chunk) in [
        (16, 4, 1),
        (16, 4, 2),
        (16, 4, 4),
        (16, 3, 1),
        (100, 7, 3),
        (5, 8, 1),
        (64, 1, 10),
    ] {
        let int = |number: usize| Value::Int(i64::try_from(number).expect("it is small"));
        let parameters = vec![int(iterations), int(chunk), Value::Real(1.0)];
        let cpus = u32::try_from(threads).expect("it is small");
        let outcome = run!(schedules, (1, cpus, 1, cpus), parameters);
        let expected = [
            ("Static", settled(iterations, threads)),
            (
                "Dynamic",
                taken(iterations, threads, chunk, |_, _, chunk| chunk),
            ),
            (
                "Guided",
                taken(iterations, threads, chunk, |rest, threads, chunk| {
                    chunk.max(rest.div_ceil(threads))
                }),
            ),
        ];
        for (element, seconds) in expected {
            let seconds = f64::from(u32::try_from(seconds).expect("it is small"));
            let what = format!("{element}, {iterations} on {threads} by {chunk}");
            assert_close(total_s(&outcome, element), seconds, &what);
        }
    }
}

#[test]
fn a_critical_section_is_a_bottleneck() {
    for threads in [1, 2, 4, 8, 10, 12, 16, 32] {
        let parameters = vec![Value::Int(100), Value::Real(0.009), Value::Real(0.001)];
        let outcome = run!(contention, (1, threads, 1, threads), parameters);
        let expected = if threads <= 10 {
            100.0 * 0.010 + 0.001 * f64::from(threads - 1)
        } else {
            0.009 + 0.1 * f64::from(threads)
        };
        let what = format!("{threads} threads");
        assert_close(outcome.predicted_time_s, expected, &what);
    }
}

#[test]
fn a_hybrid_run_adds_messages_and_shared_rows() {
    let parameters = || vec![Value::Int(1024), Value::Int(100), Value::Real(2e-9)];
    let message = 1e-6 + 8192.0 / 10e9;
    let sweep = 64.0 * 1024.0 * 2e-9;
    let (between, within) = (1e-6 + 8.0 / 10e9, 0.3e-6 + 8.0 / 20e9);
    let cases = [
        ((4, 4, 4, 4), message + sweep + 2.0 * between),
        (
            (4, 4, 16, 1),
            message + sweep + 2.0 * between + 2.0 * within,
        ),
        ((4, 4, 4, 1), message + 4.0 * sweep + 2.0 * between),
    ];
    for (system, iteration) in cases {
        let outcome = run!(hybrid, system, parameters());
        let what = format!("{system:?}");
        assert_close(outcome.predicted_time_s, 100.0 * iteration, &what);
    }
}
