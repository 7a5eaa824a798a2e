//! Tests that the sample models predict what they should, with their checked-in crates or by
//! interpretation.

#![expect(clippy::cast_precision_loss, reason = "parameters are small")]

use prophet_runtime::{Engine, Network, Outcome, Simulation, System, Value};
use prophet_testing::assert_close;
use prophet_tests::root;
use prophet_tests::samples::{halo, kernel6_detailed, pingpong, summa};

/// Runs a sample's crate. `$flags` contains the numbers of nodes, CPUs per node and processes.
macro_rules! run {
    ($sample:ident, $flags:expr, $parameters:expr) => {{
        let (nodes, cpus, processes) = $flags;
        let mut system = System::new(nodes, cpus, processes, 1);
        system.parameters = $parameters;
        Simulation::new(&$sample::MODEL, system)
            .run($sample::program)
            .unwrap_or_else(|failure| panic!("{failure}"))
    }};
}

fn end_times(outcome: &Outcome) -> Vec<f64> {
    outcome
        .processes
        .iter()
        .map(|process| process.end_s)
        .collect()
}

#[test]
fn the_papers_sample_ends_as_published() {
    let outcome = run!(sample, (1, 4, 4), Vec::new());
    let expected = [
        194.184_431_847_133_76,
        178.184_431_847_133_76,
        172.184_431_847_133_76,
        170.184_431_847_133_76,
    ];
    for (found, expected) in end_times(&outcome).into_iter().zip(expected) {
        assert_close(found, expected);
    }
    assert_close(outcome.predicted_time_s, expected[0]);
}

#[test]
fn the_papers_sample_fits_a_page() {
    let lines: usize = ["lib.rs", "main.rs"]
        .iter()
        .map(|file| {
            let path = root().join("generated/sample/src").join(file);
            std::fs::read_to_string(path)
                .expect("the crate is checked in")
                .lines()
                .count()
        })
        .sum();
    assert!(lines <= 100, "{lines} lines");
}

#[test]
fn both_forms_of_kernel_6_take_the_same_time() {
    for (m, n) in [(1, 2), (10, 100), (3, 37), (0, 5), (2, 1)] {
        let parameters = || vec![Value::Int(m), Value::Int(n), Value::Real(2e-9)];
        let block = run!(kernel6, (1, 1, 1), parameters()).predicted_time_s;
        let detailed = run!(kernel6_detailed, (1, 1, 1), parameters()).predicted_time_s;
        // There are M times the sum of 1 to N - 1 statements, of 2 ns each.
        let expected = (m * n * (n - 1) / 2) as f64 * 2e-9;
        if expected == 0.0 {
            assert!(block == 0.0 && detailed == 0.0);
        } else {
            assert_close(block, expected);
            assert_close(detailed, expected);
        }
    }
}

#[test]
fn pingpong_takes_what_the_network_takes() {
    for (rounds, size) in [(1, 0), (1000, 8), (10, 1_000_000)] {
        let parameters = || vec![Value::Int(rounds), Value::Int(size)];
        for (nodes, cpus, latency, bandwidth) in [(2, 1, 1e-6, 10e9), (1, 2, 0.3e-6, 20e9)] {
            let outcome = run!(pingpong, (nodes, cpus, 2), parameters());
            let expected = 2.0 * rounds as f64 * (latency + size as f64 / bandwidth);
            assert_close(outcome.predicted_time_s, expected);
        }
    }
}

#[test]
fn summa_broadcasts_along_rows_and_columns() {
    let parameters = || {
        let (n, panel, rows) = (Value::Int(4096), Value::Int(64), Value::Int(4));
        vec![n, panel, rows, Value::Real(2.5e-10)]
    };
    let run = |choice: &str| {
        let mut system = System::new(16, 1, 16, 1);
        system.parameters = parameters();
        system.algorithms.choose(choice).expect("it fits");
        let simulation = Simulation::new(&summa::MODEL, system);
        let outcome = simulation.run(summa::program).expect("it ends");
        outcome.predicted_time_s
    };
    // There are 64 iterations: two broadcasts of 512 KiB with two steps each, and 1024 x 1024 x 64
    // cells. An allreduce of 8 bytes with four rounds follows.
    let step = 1e-6 + 524_288.0 / 10e9;
    let update = 2.0 * 1024.0 * 1024.0 * 64.0 * 2.5e-10;
    let expected = 64.0 * (4.0 * step + update) + 4.0 * (1e-6 + 8.0 / 10e9);
    assert_close(run("broadcast=analytic"), expected);
    let by_messages = run("broadcast=auto");
    assert!(
        64.0 * update < by_messages && by_messages < expected,
        "{by_messages}"
    );
}

/// The expected times come from an independent program that walks over the model by the rules in
/// SPEC 4.
#[test]
fn jacobi2d_agrees_with_an_independent_walk() {
    let expected = [
        (1, 1, 0.209_715_199_999_999_77),
        (1, 4, 0.052_539_360_000_000_11),
        (2, 2, 0.052_699_880_000_000_004),
        (3, 2, 0.035_322_620_4),
        (3, 3, 0.023_752_284_000_000_116),
        (4, 4, 0.013_487_919_999_999_96),
    ];
    for (nodes, cpus, seconds) in expected {
        let parameters = vec![Value::Int(1024), Value::Int(100), Value::Real(2e-9)];
        let outcome = run!(jacobi2d, (nodes, cpus, nodes * cpus), parameters);
        assert_close(outcome.predicted_time_s, seconds);
    }
}

/// From ORACLES.md: 100,000 messages of 8 bytes are sent back and forth, with L = 2 us, o = 1 us
/// and G = 1 ns.
#[test]
fn pingpong_is_the_known_answer_of_loggp() {
    for engine in [Engine::Event, Engine::Local] {
        let mut system = System::new(2, 1, 2, 1);
        system.network = Network::LogGp {
            l_s: 2e-6,
            o_s: 1e-6,
            g_s: 0.0,
            gap_per_byte_s: 1e-9,
        };
        system.parameters = vec![Value::Int(50_000), Value::Int(8)];
        let simulation = Simulation::new(&pingpong::MODEL, system).with_engine(engine);
        let outcome = simulation
            .run(pingpong::program)
            .unwrap_or_else(|failure| panic!("{failure}"));
        assert_close(outcome.predicted_time_s, 400_700_000e-9);
        assert_eq!(outcome.evaluation.messages, 100_000);
    }
}

/// Compares with the formulas in `sample-models/halo.md`.
#[test]
fn halo_gains_what_travels_while_it_computes() {
    for (edge, overlap, expected_us) in [
        (500_000, 1, 80.0 + 10.0),
        (500_000, 0, 51.0 + 80.0 + 10.0),
        (2_000_000, 1, 201.0 + 10.0),
    ] {
        for eager_bytes in [u64::MAX, 65_536] {
            let mut system = System::new(4, 1, 4, 1);
            system.protocol.eager_bytes = eager_bytes;
            let reals = [Value::Real(8e-5), Value::Real(1e-5)];
            system.parameters = [100, edge, overlap].map(Value::Int).to_vec();
            system.parameters.extend(reals);
            let simulation = Simulation::new(&halo::MODEL, system).with_engine(Engine::Auto);
            let outcome = simulation
                .run(halo::program)
                .unwrap_or_else(|failure| panic!("{failure}"));
            for end_s in end_times(&outcome) {
                assert_close(end_s, 100.0 * expected_us * 1e-6);
            }
        }
    }
}
