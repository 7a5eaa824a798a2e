//! Estimates that `fit --runs` writes into models and machine files, which then predict the runs.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prophet_codegen::generate::check;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Configuration, RunHandle};

use crate::command::{file, fit, folder, found, refused};

const PING_PONG: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../sample-models/pingpong.uml"
);

/// A model whose time is 100 SPEED / processes + START + N operations; nothing needs IDLE.
const SOLVER: &str = "@startuml
title Main
legend
  model Solver
  parameter double SPEED = 1 // for each process
  parameter double START = 1
  parameter double IDLE = 1
  parameter int N = 4
end legend
start
:<<action+>> Begin
cost = START;
:<<action+>> Solve
cost = SPEED * 100 / NUM_PROCESSES;
:<<action+>> Count
cost = clc(\"N*IADD\");
stop
@enduml
";

const KERNEL: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../sample-models/kernel6.uml"
);

/// The predicted time of a run of a model.
fn predicted_s(model: &str, flags: &[&str]) -> f64 {
    let checked = check(Path::new(model), None).expect("it can be read");
    let program = Interpreted::new(&checked, "model", false).expect("it can be interpreted");
    let configuration = Configuration::read(program.model(), flags).expect("flags of a run");
    let run = program.predict(&configuration, &RunHandle::default());
    run.expect("it runs").outcome.predicted_time_s
}

#[track_caller]
fn assert_near(found: f64, truth: f64) {
    assert!((found / truth - 1.0).abs() < 1e-3, "{found} for {truth}");
}

/// Runs of 1000 round trips over a network of 3 us and 2 GB/s.
fn round_trips() -> String {
    let mut csv = "size,time_s\n".to_owned();
    for size in [8.0, 512.0, 4096.0, 16384.0, 65536.0] {
        let _ = writeln!(csv, "{size},{}", 2000.0 * (3e-6 + size / 2e9));
    }
    csv
}

/// Runs of the solver with SPEED 0.025, START 0.3 and 2 us an operation.
fn solved() -> String {
    let mut csv = "processes,n,time_s\n".to_owned();
    for (processes, n) in [(1.0, 4.0), (2.0, 1e5), (4.0, 1e6), (8.0, 10.0), (16.0, 3e6)] {
        let time_s = 0.025 * 100.0 / processes + 0.3 + 2e-6 * n;
        let _ = writeln!(csv, "{processes},{n},{time_s}");
    }
    csv
}

#[test]
fn a_network_becomes_a_machines_file_that_runs() {
    let folder = folder();
    let runs = file(&folder, "runs.csv", &round_trips());
    let out = folder.path().join("my machine.toml").display().to_string();
    let free = "network.latency,network.bandwidth";
    let arguments = [PING_PONG, "--runs", &runs, "--free", free, "--out", &out];
    let network = "hockney:latency=1us,bandwidth=1GB/s,eager=100B";
    found(
        &[
            &arguments[..],
            &["--", "--nodes", "2", "--network", network],
        ]
        .concat(),
    );
    let text = fs::read_to_string(&out).expect("it was written");
    assert_eq!(
        text,
        "name = \"my-machine\"\nsource = \"Fitted to 5 runs of runs.csv.\"\n\
         network = \"hockney:eager=100B,latency=3us,bandwidth=2GB/s\"\n\
         # Fitted to 5 runs of runs.csv: network.latency, network.bandwidth.\n"
    );
    let flags = ["--machine", &out, "--nodes", "2", "--size", "1000"];
    assert_near(
        predicted_s(PING_PONG, &flags),
        2000.0 * (3e-6 + 1000.0 / 2e9),
    );
    // Without a network of the flags, the rest is of the default machine.
    found(&[&arguments[..], &["--", "--nodes", "2"]].concat());
    let text = fs::read_to_string(&out).expect("it was written");
    assert!(text.starts_with(
        "name = \"my-machine\"\n\
         source = \"Fitted to 5 runs of runs.csv; all else is of the machine default.\"\n\
         network = \"hockney:latency=3us,bandwidth=2GB/s\"\n\
         intranode = \"hockney:latency=0.3us,bandwidth=20GB/s\"\n"
    ));
}

#[test]
fn values_change_in_a_machines_file_and_nothing_else() {
    let folder = folder();
    let model = file(&folder, "solver.puml", SOLVER);
    let runs = file(&folder, "runs.csv", &solved());
    let text = "name = \"mine\" # a comment\nsource = \"measured\"\nnodes = 16\n\n\
                [network]\nmodel = \"hockney\"\nlatency = \"9us\"\nbandwidth = \"1GB/s\"\n\n\
                [operations]\nunit = \"us\"\nIADD = 50 # guessed\nDILG = 3\n";
    let machine = file(&folder, "mine.toml", text);
    let arguments = [
        &model,
        "--runs",
        &runs,
        "--free",
        "operations.IADD,SPEED,START",
        "--into",
        &model,
        "--out",
        &machine,
        "--",
        "--machine",
        &machine,
    ];
    found(&arguments);
    let comment = "# Fitted to 5 runs of runs.csv: operations.IADD.\n";
    let expected = text.replace("= 50", "= 2") + comment;
    assert_eq!(fs::read_to_string(&machine).expect("a file"), expected);
    let expected = SOLVER.replace("SPEED = 1", "SPEED = 0.025");
    let expected = expected.replace("START = 1", "START = 0.3");
    assert_eq!(fs::read_to_string(&model).expect("a file"), expected);
    let flags = ["--machine", &machine, "--processes", "4", "--n", "500000"];
    assert_near(predicted_s(&model, &flags), 0.625 + 0.3 + 1.0);
    // A second fit, from there, gives the same bytes.
    found(&arguments);
    let again = fs::read_to_string(&machine).expect("a file");
    assert_eq!(again.matches(comment).count(), 1, "{again}");
}

#[test]
fn a_machine_without_prices_gets_a_table_of_them() {
    let folder = folder();
    let model = file(&folder, "solver.puml", SOLVER);
    let runs = file(&folder, "runs.csv", &solved());
    let out = folder.path().join("new.toml").display().to_string();
    let arguments = [
        &model,
        "--runs",
        &runs,
        "--free",
        "operations.IADD,SPEED,START",
        "--out",
        &out,
        "--",
        "--nodes",
        "16",
    ];
    found(&arguments);
    let text = fs::read_to_string(&out).expect("it was written");
    assert!(
        text.contains("\n\n[operations]\nunit = \"ns\"\nIADD = 2000\n"),
        "{text}"
    );
    let flags = [
        "--machine",
        &out,
        "--nodes",
        "1",
        "--speed",
        "1",
        "--start",
        "1",
        "--n",
        "1000000",
    ];
    assert_near(predicted_s(&model, &flags), 100.0 + 1.0 + 2.0);
}

#[test]
fn a_default_changes_in_a_model_of_uml() {
    let folder = folder();
    let text = fs::read_to_string(KERNEL).expect("a sample");
    let model = file(&folder, "kernel.uml", &text);
    let mut csv = "n,time_s\n".to_owned();
    for n in ["100", "200", "400"] {
        let flags = ["--n", n, "--t-statement", "5e-9"];
        let _ = writeln!(csv, "{n},{}", predicted_s(&model, &flags));
    }
    let runs = file(&folder, "runs.csv", &csv);
    found(&[
        &model,
        "--runs",
        &runs,
        "--free",
        "T_STATEMENT",
        "--into",
        &model,
    ]);
    let expected = text.replace("value=\"2.0E-9\"", "value=\"5.0000e-9\"");
    assert_ne!(expected, text);
    assert_eq!(fs::read_to_string(&model).expect("a file"), expected);
    let given = ["--n", "300", "--t-statement", "5e-9"];
    assert_near(
        predicted_s(&model, &given[..2]),
        predicted_s(&model, &given),
    );
}

#[test]
fn what_cannot_be_written_is_refused() {
    let folder = folder();
    let model = file(&folder, "solver.puml", SOLVER);
    let runs = file(&folder, "runs.csv", &solved());
    let notes = file(&folder, "notes.txt", "mine");
    let of = |free: &str, output: [&str; 2]| {
        let words = ["--", "--nodes", "16"];
        let arguments = [
            &model, "--runs", &runs, "--free", free, output[0], output[1],
        ];
        refused(&[&arguments[..], &words].concat())
    };
    let out = folder.path().join("new.toml").display().to_string();
    let cases = [
        (
            of("SPEED", ["--out", &out]),
            "--out: no free parameter is a value of the machine",
        ),
        (
            of("operations.IADD", ["--into", &model]),
            "--into: no free parameter is a parameter of the model",
        ),
        (of("operations.IADD", ["--out", &runs]), "runs.csv itself"),
        (
            of("operations.IADD", ["--out", &notes]),
            "exists and is not the file of a machine",
        ),
        (
            of("operations.IADDD", ["--out", &out]),
            "the model Solver has no operation `IADDD`; did you mean `IADD`?",
        ),
        (
            refused(&[&runs, "--into", &model]),
            "help: name the element by --element NAME",
        ),
    ];
    for (told, why) in cases {
        assert!(told.contains(why), "{why} in {told}");
    }
    assert!(!Path::new(&out).exists());
    // The estimates are shown, and nothing is written.
    let arguments = [
        &model,
        "--runs",
        &runs,
        "--free",
        "SPEED,IDLE",
        "--into",
        &model,
        "--",
        "--nodes",
        "16",
        "--start",
        "0.3",
    ];
    let machine = ["--machine", "pti-cluster"];
    let output = fit(&[&arguments[..], &machine].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("the runs do not determine `IDLE`: nothing is written"),
        "{told}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("not determined\n"));
    assert_eq!(fs::read_to_string(&model).expect("a file"), SOLVER);
}
