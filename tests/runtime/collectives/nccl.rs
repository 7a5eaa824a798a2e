//! Tests collectives on machines whose files select NCCL.

use prophet_runtime::{AllReduce, ByMachine, Engine, Machine, Model, Scan, Simulation, System};

const MODEL: Model = Model::new("GPUs", &[], 2);
const SUM: AllReduce = AllReduce::new(0, "Sum", 1);
const SCAN: Scan = Scan::new(1, "Scan", 2);

const FILE: &str = "name = \"gpus\"\nsource = \"a test\"\ncpus-per-node = 8\n\
                    network = \"hockney:latency=5us,bandwidth=45GB/s\"\n\
                    intranode = \"hockney:latency=3us,bandwidth=360GB/s\"\n";

fn machine(collectives: &str) -> Machine {
    let text = format!("{FILE}collectives = \"{collectives}\"\n");
    Machine::parse(&text, "gpus.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// Returns when the ranks end an all-reduce of all ranks, or of the ranks that have the same number
/// on their nodes.
fn ends_s(system: &System, bytes: i64, is_split: bool) -> Vec<f64> {
    let run = |engine| {
        let simulation = Simulation::new(&MODEL, system.clone()).with_engine(engine);
        let outcome = simulation.run(async |ctx| {
            let all = SUM.execute(ctx, bytes, ByMachine);
            if is_split {
                all.comm(|ctx| ctx.pid() % 8).await
            } else {
                all.await
            }
        });
        let outcome = outcome.unwrap_or_else(|failure| panic!("{failure}"));
        crate::ends(&outcome)
    };
    let ends = run(Engine::Event);
    // Only the event engine lets processes share interfaces.
    if system.protocol.nics == 1 {
        assert_eq!(ends, run(Engine::Local));
    }
    ends
}

#[track_caller]
fn assert_all(ends: &[f64], expected_s: f64) {
    for end_s in ends {
        let error = (end_s / expected_s - 1.0).abs();
        assert!(error < 1e-9, "{end_s} for {expected_s}");
    }
}

#[test]
fn a_machines_file_says_that_nccl_does_the_collectives() {
    let n = f64::from(1 << 30);
    let mut one = System::on(machine("nccl-hopper"), 1, 8, 8, 1);
    // NVLink SHARP moves each byte once, at 61% of 360 GB/s.
    assert_all(&ends_s(&one, 1 << 30, false), 25e-6 + n / (0.61 * 360e9));
    assert_eq!(one.machine(), "gpus");
    // One GPU on each of four nodes, with an interface each: a ring.
    let four = System::on(machine("nccl-hopper"), 4, 8, 32, 1);
    let copied_s = 0.5 * n / 4.0 / 360e9;
    let ring_s = 1.4 * (18e-6 + 6.0 * 14e-6) + 1.5 * n / 45e9 + copied_s;
    assert_all(&ends_s(&four, 1 << 30, true), ring_s);
    // Two nodes, and two interfaces for the eight GPUs of each.
    let hockney = "hockney:latency=5us,bandwidth=45GB/s";
    let file = FILE.replace(hockney, "loggp:L=5us,o=0s,g=0s,G=0.02ns,nics=2");
    let file = Machine::parse(&(file + "collectives = \"nccl-ampere\"\n"), "gpus.toml");
    let two = System::on(file.expect("it is right"), 2, 8, 16, 1);
    let steps_s = 28.0 * 6.8e-6 + 2.0 * 14e-6;
    let bytes_s = n * 30.0 / 16.0 / (2.0 * 50e9) + 0.5 * n / 16.0 / 360e9;
    let ring_s = 1.4 * (25e-6 + steps_s) + bytes_s;
    assert_all(&ends_s(&two, 1 << 30, false), ring_s);
    // Flags take precedence.
    one.algorithms.choose("rule=mpich").expect("it is a rule");
    assert_eq!(one.machine(), "gpus --collective rule=mpich");
    assert!(ends_s(&one, 1 << 30, false)[0] > 1.4 * n / 360e9);
}

/// These are all-reduces that vTrain measured with nccl-tests on a node with A100:
/// `trace/a100/AR_GPU4_1M_1024M_LUT` and `AR_GPU8_…` in its repository
/// github.com/VIA-Research/vTrain.
#[test]
fn large_all_reduces_of_a_node_take_what_was_measured() {
    let a100 = Machine::preset("a100").expect("there is one of that name");
    for (gpus, bytes, measured_us) in [
        (4, 1 << 27, 998.6),
        (4, 1 << 28, 1929.0),
        (4, 1 << 30, 7259.4),
        (8, 1 << 27, 1162.0),
        (8, 1 << 28, 2162.3),
        (8, 1 << 30, 8193.0),
    ] {
        let mut system = System::on(a100.clone(), 1, gpus, gpus, 1);
        let rule = system.algorithms.choose("rule=nccl-ampere");
        rule.expect("it is a rule");
        let error = ends_s(&system, bytes, false)[0] / (measured_us * 1e-6) - 1.0;
        assert!(error.abs() < 0.1, "{gpus} GPUs, {bytes} bytes: {error}");
    }
}

#[test]
fn collectives_that_nccl_lacks_are_messages() {
    let system = System::on(machine("nccl-ampere"), 1, 8, 8, 1);
    let run = |system: System| {
        let outcome =
            Simulation::new(&MODEL, system).run(async |ctx| SCAN.execute(ctx, 8, ByMachine).await);
        outcome
            .unwrap_or_else(|failure| panic!("{failure}"))
            .predicted_time_s
    };
    let mut others = system.clone();
    others
        .algorithms
        .choose("rule=mpich")
        .expect("it is a rule");
    assert!((run(system) - run(others)).abs() < 1e-15);
    let mut system = System::new(2, 1, 2, 1);
    let error = system.algorithms.choose("scan=nccl-ampere").unwrap_err();
    let expected = "a scan has no algorithm `nccl-ampere` (auto, analytic, linear, \
                    recursive-doubling, simgrid)";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_wrong_rule_of_a_file_is_told_with_its_line() {
    let text = format!("{FILE}collectives = \"nccl-hoper\"\n");
    let error = Machine::parse(&text, "gpus.toml").expect_err("there is no such rule");
    let expected = "gpus.toml:6: `collectives`: unknown rule `nccl-hoper` (mpich, simgrid, \
                    nccl-ampere, nccl-hopper, nccl-blackwell); did you mean `nccl-hopper`?";
    assert_eq!(error.to_string(), expected);
}
