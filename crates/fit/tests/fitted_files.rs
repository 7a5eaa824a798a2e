//! Tests that `fit --runs` writes estimates into models and machine files, which then predict the
//! runs.

use std::fmt::Write as _;

use prophet_frontend::checked::check;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Configuration, RunHandle};
use prophet_testing::{Home, stderr, words};

use crate::command::home;

/// A model that takes 100 SPEED / processes + START + N operations. IDLE has no effect.
pub(crate) const SOLVER: &str = include_str!("solver.puml");

fn predicted_s(home: &Home, model: &str, flags: &str) -> f64 {
    let checked = check(&home.path(model), None).expect("it can be read");
    let program = Interpreted::new(&checked, "model", false).expect("it can be interpreted");
    let configuration =
        Configuration::read(program.model(), &words(flags)).expect("flags of a run");
    let run = program.predict(&configuration, &RunHandle::default());
    run.expect("it runs").outcome.predicted_time_s
}

#[track_caller]
fn assert_near(found: f64, truth: f64) {
    assert!((found / truth - 1.0).abs() < 1e-3, "{found} for {truth}");
}

/// Returns runs of 1000 round trips over a network with 3 us and 2 GB/s.
fn round_trips() -> String {
    let mut csv = "size,time_s\n".to_owned();
    for size in [8.0, 512.0, 4096.0, 16384.0, 65536.0] {
        let _ = writeln!(csv, "{size},{}", 2000.0 * (3e-6 + size / 2e9));
    }
    csv
}

/// Returns runs of the solver with SPEED 0.025, START 0.3, and 2 us per operation.
fn solved() -> String {
    let mut csv = "processes,n,time_s\n".to_owned();
    for (processes, n) in [(1.0, 4.0), (2.0, 1e5), (4.0, 1e6), (8.0, 10.0), (16.0, 3e6)] {
        let time_s = 0.025 * 100.0 / processes + 0.3 + 2e-6 * n;
        let _ = writeln!(csv, "{processes},{n},{time_s}");
    }
    csv
}

fn machine(home: &Home, name: &str) -> String {
    format!("--machine '{}'", home.path(name).display())
}

fn solver() -> Home {
    let home = home();
    home.write("solver.puml", SOLVER);
    home.write("runs.csv", solved());
    home
}

#[test]
fn a_network_becomes_a_machines_file_that_runs() {
    let home = home();
    home.write("runs.csv", round_trips());
    let words = "pingpong.uml --runs runs.csv --free network.latency,network.bandwidth \
                 --out 'my machine.toml' -- --nodes 2";
    let network = "--network hockney:latency=1us,bandwidth=1GB/s,eager=100B";
    home.printed(&format!("{words} {network}"));
    assert_eq!(
        home.read("my machine.toml"),
        "name = \"my-machine\"\nsource = \"Fitted to 5 runs of runs.csv.\"\n\
         network = \"hockney:eager=100B,latency=3us,bandwidth=2GB/s\"\n\
         # Fitted to 5 runs of runs.csv: network.latency, network.bandwidth.\n"
    );
    let flags = machine(&home, "my machine.toml") + " --nodes 2 --size 1000";
    let time_s = predicted_s(&home, "pingpong.uml", &flags);
    assert_near(time_s, 2000.0 * (3e-6 + 1000.0 / 2e9));
    // Without network flags, all other settings come from the default machine.
    home.printed(words);
    let text = home.read("my machine.toml");
    assert!(text.starts_with(
        "name = \"my-machine\"\n\
         source = \"Fitted to 5 runs of runs.csv; everything else comes from the machine \
         default.\"\n\
         network = \"hockney:latency=3us,bandwidth=2GB/s\"\n\
         intranode = \"hockney:latency=0.3us,bandwidth=20GB/s\"\n"
    ));
}

#[test]
fn values_change_in_a_machines_file_and_nothing_else() {
    let home = solver();
    let text = "name = \"mine\" # a comment\nsource = \"measured\"\nnodes = 16\n\n\
                [network]\nmodel = \"hockney\"\nlatency = \"9us\"\nbandwidth = \"1GB/s\"\n\n\
                [operations]\nunit = \"us\"\nIADD = 50 # guessed\nDILG = 3\n";
    home.write("mine.toml", text);
    let words = "solver.puml --runs runs.csv --free operations.IADD,SPEED,START \
                 --into solver.puml --out mine.toml -- --machine mine.toml";
    home.printed(words);
    let comment = "# Fitted to 5 runs of runs.csv: operations.IADD.\n";
    let expected = text.replace("= 50", "= 2") + comment;
    assert_eq!(home.read("mine.toml"), expected);
    let expected = SOLVER.replace("SPEED = 1", "SPEED = 0.025");
    let expected = expected.replace("START = 1", "START = 0.3");
    assert_eq!(home.read("solver.puml"), expected);
    let flags = machine(&home, "mine.toml") + " --processes 4 --n 500000";
    assert_near(predicted_s(&home, "solver.puml", &flags), 0.625 + 0.3 + 1.0);
    // A second fit, which starts there, writes the same bytes.
    home.printed(words);
    let again = home.read("mine.toml");
    assert_eq!(again.matches(comment).count(), 1, "{again}");
}

#[test]
fn a_machine_without_prices_gets_a_table_of_them() {
    let home = solver();
    home.printed(
        "solver.puml --runs runs.csv --free operations.IADD,SPEED,START --out new.toml -- \
         --nodes 16",
    );
    let text = home.read("new.toml");
    let table = "\n\n[operations]\nunit = \"ns\"\nIADD = 2000\n";
    assert!(text.contains(table), "{text}");
    let flags = machine(&home, "new.toml") + " --nodes 1 --speed 1 --start 1 --n 1000000";
    assert_near(predicted_s(&home, "solver.puml", &flags), 100.0 + 1.0 + 2.0);
}

#[test]
fn a_default_changes_in_a_model_of_uml() {
    let home = home();
    let text = home.read("kernel6.uml");
    let predicted_s = |flags: &str| predicted_s(&home, "kernel6.uml", flags);
    let mut csv = "n,time_s\n".to_owned();
    for n in ["100", "200", "400"] {
        let time_s = predicted_s(&format!("--n {n} --t-statement 5e-9"));
        let _ = writeln!(csv, "{n},{time_s}");
    }
    home.write("runs.csv", csv);
    home.printed("kernel6.uml --runs runs.csv --free T_STATEMENT --into kernel6.uml");
    let expected = text.replace("value=\"2.0E-9\"", "value=\"5.0000e-9\"");
    assert_ne!(expected, text);
    assert_eq!(home.read("kernel6.uml"), expected);
    assert_near(
        predicted_s("--n 300"),
        predicted_s("--n 300 --t-statement 5e-9"),
    );
}

#[test]
fn estimates_that_runs_do_not_determine_are_shown_alone() {
    let home = solver();
    let output = home.call(
        "solver.puml --runs runs.csv --free SPEED,IDLE --into solver.puml -- --nodes 16 \
         --start 0.3 --machine pti-cluster",
    );
    let told = stderr(&output);
    let why = "the runs do not determine `IDLE`, so nothing was written";
    assert!(told.contains(why), "{told}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("not determined\n"));
    assert_eq!(home.read("solver.puml"), SOLVER);
}

#[test]
fn a_cost_beyond_caches_is_one_of_the_model() {
    let home = home();
    // A matrix of doubles: 0.1 ns per byte, and 0.9 ns more for each byte that doesn't fit in the
    // cache.
    let truth = |n: f64| 8.0 * n * n * if 8.0 * n * n > 32e3 { 1e-9 } else { 1e-10 };
    let mut csv = "working_set,time_s\n".to_owned();
    for n in [8.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0, 128.0, 192.0, 256.0] {
        let _ = writeln!(csv, "{},{}", 8.0 * n * n, truth(n));
    }
    home.write("t.csv", csv);
    home.write(
        "node.toml",
        "name = \"node\"\nsource = \"a guess\"\n[[cache]]\nlevel = 1\nsize = \"32kB\"\n\
         cpus = 1\ncore-bandwidth = \"100GB/s\"\n",
    );
    let model = SOLVER.replace("cost = START", "cost = 0");
    home.write("matrix.puml", model.replace("clc(\"N*IADD\")", "0"));
    home.printed(
        "t.csv --machine node.toml --into matrix.puml --element Solve \
         --argument working_set=8.0*N*N",
    );
    for n in [20.0, 63.0, 64.0, 1000.0] {
        let found = predicted_s(&home, "matrix.puml", &format!("--n {n}"));
        assert_near(found, truth(n));
    }
}
