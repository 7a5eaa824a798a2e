//! Tests the command as users call it.

use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_interpreter::Interpreted;
use prophet_runtime::{
    AllReduce, ByMachine, Machine, Model, ProcessCtx, Simulation, System, Value,
};
use prophet_testing::{Home, assert_says, assert_starts, stderr};

const OSU: &str = include_str!("measured/osu.txt");
const IMB: &str = include_str!("measured/imb.txt");

#[test]
fn a_node_is_measured_and_is_a_machine() {
    let home = home();
    let output = home.call("node --name here --out node.toml");
    let progress = stderr(&output);
    if progress.contains("does not list any caches") {
        prophet_testing::skip("this system lists no caches, as in a container without /sys");
        return;
    }
    assert!(output.status.success(), "{progress}");
    assert!(progress.contains("measuring memory on 1 of "), "{progress}");
    assert!(progress.contains("measuring L1\n"), "{progress}");
    let file = home.path("node.toml");
    let machine = Machine::read(file.to_str().expect("it is text")).expect("a machine");
    assert_eq!(machine.name, "here");
    let caches = &machine.memory.caches;
    assert!(!caches.is_empty() && machine.memory.core_bandwidth.is_some());
    // Nearer levels are faster and have shorter latencies, however busy this machine is.
    let speeds: Vec<f64> = caches.iter().map(|cache| cache.core_bandwidth).collect();
    assert!(speeds.is_sorted_by(|near, far| near >= far), "{speeds:?}");
    let price = |name: &str| machine.prices.get(name).expect(name);
    assert!(price("LOAD1") < price("LOADM") && price("FLOP") < price("LOAD1"));
}

fn home() -> Home {
    Home::of(env!("CARGO_BIN_EXE_prophet-calibrate"))
}

#[track_caller]
fn machine(home: &Home, words: &str) -> (Machine, String) {
    let output = home.call(&format!("{words} --force --out machine.toml"));
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "wrote machine.toml\n");
    assert!(output.stdout.is_empty());
    let text = home.read("machine.toml");
    let path = home.path("machine.toml");
    let machine = Machine::read(path.to_str().expect("it is text"));
    (machine.expect("it is a machine"), text)
}

/// Returns the one-way time of a message in the ping-pong sample.
fn one_way_s(machine: &Machine, bytes: u32) -> f64 {
    let turns = 100;
    let mut system = System::on(machine.clone(), 2, 1, 2, 1);
    system.parameters = [turns, bytes].map(|it| Value::Int(it.into())).to_vec();
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../sample-models/pingpong.uml"
    );
    let checked = check_by(&RuleSet::empty(), Path::new(file), None).expect("it is there");
    let program = Interpreted::new(&checked, "pingpong", false).expect("it is interpreted");
    let simulation = Simulation::new(program.model(), system);
    let outcome = simulation.run(async |ctx: &ProcessCtx<'_>| program.run(ctx).await);
    let outcome = outcome.expect("it runs");
    outcome.predicted_time_s / f64::from(2 * turns)
}

#[track_caller]
fn assert_near(found: f64, expected: f64, most: f64) {
    let error = (found / expected - 1.0).abs();
    assert!(error <= most, "{found} instead of {expected}");
}

#[test]
fn the_predicted_ping_pong_is_the_one_that_was_measured() {
    let home = home();
    home.write("imb.txt", IMB);
    let (machine, text) = machine(&home, "network imb.txt");
    assert_says(
        &text,
        &["network = \"hockney:latency=2us,bandwidth=1GB/s\""],
    );
    assert_says(&text, &["PingPong from Intel MPI Benchmarks"]);
    for (bytes, us) in [(0, 2.0), (1024, 3.02), (1 << 20, 1050.58)] {
        assert_near(one_way_s(&machine, bytes), us * 1e-6, 0.01);
    }
}

#[test]
fn a_stream_tells_the_overhead() {
    let home = home();
    home.write("osu.txt", OSU);
    let (measured, text) = machine(&home, "network osu.txt");
    // There is a message of 8 bytes every 0.25 us.
    assert_says(&text, &["loggp:L=", ",o=250ns,"]);
    for (bytes, us) in [(8, 1.01), (1024, 1.2), (65536, 14.1), (1 << 20, 211.0)] {
        assert_near(one_way_s(&measured, bytes), us * 1e-6, 0.02);
    }
    let latency = OSU.split("\n\n").next().expect("it is the first part");
    home.write("latency.txt", latency);
    let (_, text) = machine(&home, "network latency.txt");
    assert!(text.contains("network = \"hockney:latency=1us,"), "{text}");
}

#[test]
fn a_table_tells_the_overhead_and_the_eager_limit() {
    let home = home();
    let rows = "size,time_us,send_us,held_us\n8,1.008,0.2,0\n1024,2.024,0.2,0\n\
                8192,9.192,8,3000\n65536,66.536,60,3000\n";
    home.write("t.csv", rows);
    let (measured, text) = machine(&home, "network t.csv");
    let network = "loggp:L=601ns,o=200ns,g=0s,G=1ns,eager=1024";
    assert!(text.contains(network), "{text}");
    assert_says(
        &text,
        &["Senders of 8192 bytes waited; senders of 1024 bytes did not."],
    );
    for (bytes, us) in [(8, 1.008), (1024, 2.024), (8192, 9.192), (65536, 66.536)] {
        assert_near(one_way_s(&measured, bytes), us * 1e-6, 0.002);
    }
    let (_, text) = machine(&home, "network t.csv --model hockney --to 2KiB");
    assert_says(
        &text,
        &["network = \"hockney:latency=1us,bandwidth=1GB/s,eager=1024\""],
    );
    assert!(text.contains("2 sizes"), "{text}");
}

#[test]
fn without_a_file_the_machine_is_printed() {
    let home = home();
    home.write("imb.txt", IMB);
    let text = home.printed("network imb.txt --name here");
    assert_starts(&text, "name = \"here\"\nsource = \"\"\"\n");
    assert!(text.contains("\n# 1048576  1.051 ms"), "{text}");
}

/// Tests that a machine fitted to nccl-tests reproduces an all-reduce around a ring.
#[test]
fn a_ring_takes_what_nccl_tests_measured() {
    const MODEL: Model = Model::new("Ring", &[], 1);
    const SUM: AllReduce = AllReduce::new(0, "Sum", 1);
    let home = home();
    home.assert_transcripts("tests/cases/nccl.txt");
    let (machine, _) = machine(&home, "network reduce.txt");
    for (bytes, us) in [(1024, 12.008), (4_194_304, 43.457), (67_108_864, 515.316)] {
        let mut system = System::on(machine.clone(), 4, 1, 4, 1);
        let chosen = system.algorithms.choose("allreduce=ring");
        chosen.expect("they fit");
        let program = async |ctx: &ProcessCtx<'_>| SUM.execute(ctx, bytes, ByMachine).await;
        let outcome = Simulation::new(&MODEL, system).run(program);
        let predicted_s = outcome.expect("it runs").predicted_time_s;
        assert_near(predicted_s, us * 1e-6, 1e-3);
    }
}

#[test]
fn what_tells_no_network_is_refused() {
    let home = home();
    home.write("b", [0xff, 0xfe, 0x00]);
    assert_says(home.refused("network b"), &["it is not UTF-8 text"]);
    home.assert_transcripts("tests/cases/refused.txt");
}

#[test]
fn a_machine_without_mpi_says_so() {
    let home = home();
    let mut command = home.command("network --run");
    let output = command.env("PATH", "").output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let told = stderr(&output);
    assert!(
        told.contains("make is not installed; install MPI"),
        "{told}"
    );
}

#[test]
fn operations_are_priced() {
    let home = home();
    let (_, text) = machine(&home, "cpu");
    let price = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{name} = ")));
        let line = line.unwrap_or_else(|| panic!("{name} in {text}"));
        let number = line.split_whitespace().nth(2).expect("it has a price");
        number.parse::<f64>().expect("it is a number")
    };
    // The compiler didn't remove any of the loops.
    for name in [
        "AILL", "AFSL", "AFDG", "MFDL", "DFDL", "TFDG", "ARD1", "ARF4",
    ] {
        assert!(price(name) > 0.0, "{name} in {text}");
    }
}
