//! Tests small models for which an independent simulator once disagreed
//! (`../shared/oracle-models`). They are generated, compiled and run as users would, with limits on
//! memory and CPU time.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use prophet_tests::built::xtask;
use prophet_tests::programs::{Programs, json};
use prophet_tests::{root, shared};
use serde_json::Value;

const MODELS: [&str; 7] = [
    "any1",
    "cp_nbsend_brecv",
    "h6",
    "h7",
    "nicrdv",
    "rr1",
    "thrnic",
];
/// Latency and overheads of 2 s, and 1 ms for each byte except the first.
const LOGGP: &str = "loggp:L=1,o=0.5,g=0,G=1ms,eager=1000";

struct Models {
    folder: PathBuf,
    programs: Programs,
}

impl Models {
    fn run(&self, name: &str, flags: &str) -> Output {
        let model = self.folder.join(format!("{name}.uml"));
        let output = run_within_limits(&self.programs.path(&model), flags);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{name} {flags}: {message}");
        output
    }

    fn result(&self, name: &str, flags: &str) -> Value {
        let output = self.run(name, &format!("{flags} --format json"));
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    }

    fn predicted_s(&self, name: &str, flags: &str) -> f64 {
        seconds(&self.result(name, flags)["predicted_time_s"])
    }

    fn mean_s(&self, name: &str, flags: &str, element: u64) -> f64 {
        let result = self.result(name, flags);
        let mut elements = result["elements"].as_array().expect("a list").iter();
        let found = elements.find(|it| it["id"] == element);
        seconds(&found.expect("it was executed")["mean_s"])
    }
}

/// Runs a program with limits of 2 GB of memory and one minute of CPU time.
fn run_within_limits(program: &Path, flags: &str) -> Output {
    let limits = "ulimit -v 2000000; ulimit -t 60; exec \"$0\" \"$@\"";
    Command::new("sh")
        .args(["-c", limits])
        .arg(program)
        .args(flags.split_whitespace())
        .output()
        .expect("there is a shell")
}

fn seconds(value: &Value) -> f64 {
    value.as_f64().expect("a number of seconds")
}

fn assert_close(found_s: f64, expected_s: f64, what: &str) {
    let error_s = (found_s - expected_s).abs();
    assert!(
        error_s <= 1e-9 * expected_s,
        "{what}: {found_s} instead of {expected_s}"
    );
}

#[test]
fn models_on_which_simulators_disagreed_predict_what_was_found_by_hand() {
    let Some(folder) = shared().map(|it| it.join("oracle-models")) else {
        eprintln!("skipped: there is no ../shared/oracle-models beside the project");
        return;
    };
    let hybrid = root().join("sample-models/hybrid.uml");
    let paths = MODELS.map(|name| folder.join(format!("{name}.uml")));
    let paths = [&paths[..], std::slice::from_ref(&hybrid)].concat();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle-models");
    let models = Models {
        programs: Programs::build(&target, &paths),
        folder,
    };
    more_threads_than_cpus(&models);
    check_hybrid(&run_within_limits(
        &models.programs.path(&hybrid),
        "--processes 3 --nodes 1 --cpus-per-node 4 --threads 2",
    ));
    round_robin_knows_no_scale(&models);
    threads_share_an_interface(&models);
    rendezvous_sends_queue_by_process(&models);
    envelopes_arrive_whatever_the_size(&models);
    the_critical_path_is_that_of_the_late_receiver(&models);
}

fn more_threads_than_cpus(models: &Models) {
    let nested = models.predicted_s("h6", "--processes 1 --cpus-per-node 3");
    assert_close(nested, 6.0, "h6");
    let two = models.predicted_s("h7", "--processes 2 --nodes 1 --cpus-per-node 3");
    assert_close(two, 6.0, "h7");
}

fn check_hybrid(output: &Output) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "hybrid: {message}");
}

fn round_robin_knows_no_scale(models: &Models) {
    let ends_s = |flags: &str| -> Vec<f64> {
        let flags = format!("--cpus-per-node 2 --processes 3 --discipline round-robin {flags}");
        let result = models.result("rr1", &flags);
        let processes = result["processes"].as_array().expect("a list").clone();
        let ends = processes.iter().map(|process| seconds(&process["end_s"]));
        ends.collect()
    };
    let full = ends_s("--u 10 --quantum 1s");
    let tenth = ends_s("--u 1 --quantum 0.1s");
    assert_eq!(full.len(), 3);
    for (pid, (full_s, tenth_s)) in full.iter().zip(&tenth).enumerate() {
        assert_close(10.0 * tenth_s, *full_s, &format!("rr1, process {pid}"));
    }
    // While a process waits, all others have at most one quantum left.
    let last_s = full.iter().copied().fold(0.0, f64::max);
    assert!((120.0..=121.0).contains(&last_s), "{full:?}");
}

fn threads_share_an_interface(models: &Models) {
    for nic in ["rank", "node"] {
        let flags = "--processes 3 --nodes 3 --cpus-per-node 8";
        let network = format!("--network loggp:L=1,o=1,g=0,G=1ms,nic={nic}");
        let result = models.result("thrnic", &format!("{flags} {network}"));
        let elements = result["elements"].as_array().expect("a list");
        let small = elements.iter().find(|it| it["id"] == 6).expect("R1");
        // The message is sent at 0.5 s, and no process receives it earlier.
        assert_close(seconds(&small["max_s"]), 3.507, &format!("nic={nic}"));
    }
}

fn rendezvous_sends_queue_by_process(models: &Models) {
    let flags = format!("--processes 4 --nodes 2 --cpus-per-node 2 --network {LOGGP},nic=node");
    // Process 2 sends 8 bytes immediately. After that, the interface sends the bytes of process 3.
    assert_close(models.mean_s("nicrdv", &flags, 2), 2.007, "the small one");
    assert_close(models.mean_s("nicrdv", &flags, 1), 7.006, "the large one");
}

fn envelopes_arrive_whatever_the_size(models: &Models) {
    let flags = format!("--processes 3 --nodes 3 --w2 3 --network {LOGGP}");
    // The large message starts to wait at 0 s and to travel at 1 s, and occupies the interface
    // until 12.498 s.
    assert_close(models.mean_s("any1", &flags, 2), 6.999, "the first");
    assert_close(models.mean_s("any1", &flags, 3), 4.999, "the second");
}

/// The message has to wait for a receiver that computes for 10 s.
fn the_critical_path_is_that_of_the_late_receiver(models: &Models) {
    let folder = tempfile::tempdir().expect("there is room");
    let trace = folder.path().join("trace.arrow").display().to_string();
    let network = "--network loggp:L=1,o=0.5,g=0,G=1us,eager=1000";
    let flags = format!("--processes 2 --nodes 2 {network} --trace {trace}");
    models.run("cp_nbsend_brecv", &flags);
    let report = xtask(&root())
        .args(["report", &trace, "--format", "json"])
        .output();
    let output = report.expect("cargo can be started");
    let report = json(&output);
    let parts = report["critical_path"].as_array().expect("a list").iter();
    let parts: Vec<_> = parts
        .map(|part| {
            let (element, state) = (&part["element"]["name"], &part["state"]);
            let name = |text: &Value| text.as_str().expect("a name").to_owned();
            (name(element), name(state), seconds(&part["total_s"]))
        })
        .collect();
    let expected = [
        ("Work", "compute", 10.0),
        ("S", "transfer", 2.499_999),
        ("R", "receive", 0.5),
    ];
    assert_eq!(parts.len(), expected.len(), "{parts:?}");
    for (name, state, total_s) in expected {
        let found = parts.iter().find(|(found, ..)| found == name);
        let (_, found_state, found_s) = found.expect("it is on the path");
        assert_eq!(found_state, state, "{name}");
        assert_close(*found_s, total_s, name);
    }
}
