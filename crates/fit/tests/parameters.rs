//! Parameters of models and networks, fitted to times that are known.

use std::fmt::Write as _;

use serde_json::Value;

use crate::command::{file, folder, found, refused};

const PING_PONG: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../sample-models/pingpong.uml"
);
const NETWORK: [&str; 5] = [
    "--",
    "--nodes",
    "2",
    "--network",
    "hockney:latency=1us,bandwidth=1GB/s",
];

/// A model whose time is SPEED * 100 / `NUM_PROCESSES` + START; nothing needs IDLE.
const SOLVER: &str = "@startuml
title Main
legend
  model Solver
  parameter double SPEED = 1
  parameter double START = 1
  parameter double IDLE = 1
  parameter int N = 4
end legend
start
:<<action+>> Begin
cost = START;
:<<action+>> Solve
cost = SPEED * 100 / NUM_PROCESSES;
stop
@enduml
";

/// Runs of 1000 round trips over a network of 3 us and 2 GB/s, with errors of a share.
fn round_trips(share: f64) -> String {
    let mut csv = "size,time_s\n".to_owned();
    let signs = [1.0, -1.0, -0.5, 1.0, 0.5, -1.0, 0.0, 0.5];
    for (size, sign) in [8.0, 64.0, 512.0, 4096.0, 8192.0, 16384.0, 32768.0, 65536.0]
        .into_iter()
        .zip(signs)
    {
        let time_s = 2000.0 * (3e-6 + size / 2e9) * (1.0 + share * sign);
        let _ = writeln!(csv, "{size},{time_s}");
    }
    csv
}

fn number(text: &Value) -> f64 {
    let text = text.as_str().expect("it is text");
    let end = text.find(char::is_alphabetic).unwrap_or(text.len());
    text[..end].parse().expect("it begins with a number")
}

#[test]
fn a_networks_latency_and_bandwidth_are_found() {
    let folder = folder();
    let runs = file(&folder, "runs.csv", &round_trips(0.0));
    let free = "network.latency,network.bandwidth";
    let arguments = [
        PING_PONG, "--runs", &runs, "--free", free, "--format", "json",
    ];
    let text = found(&[&arguments[..], &NETWORK].concat());
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    let parameters = &document["parameters"];
    assert_eq!(parameters[0]["value"], "3us", "{text}");
    assert_eq!(parameters[1]["value"], "2GB/s", "{text}");
    assert_eq!(
        document["flags"],
        serde_json::json!([
            "--vary network.latency=3us",
            "--vary network.bandwidth=2GB/s"
        ])
    );
    assert!(
        document["error_left_out"]
            .as_f64()
            .is_some_and(|it| it < 1e-6)
    );
    // The same bytes each time.
    assert_eq!(text, found(&[&arguments[..], &NETWORK].concat()));
}

#[test]
fn intervals_hold_what_noise_hides() {
    let folder = folder();
    let runs = file(&folder, "runs.csv", &round_trips(0.02));
    let free = [
        "--free",
        "network.latency",
        "--free",
        "network.bandwidth=0.1GB/s..50GB/s",
    ];
    let arguments = [
        PING_PONG, "--runs", &runs, free[0], free[1], free[2], free[3],
    ];
    let text = found(&[&arguments[..], &NETWORK].concat());
    assert!(text.contains("estimate  90% by the model\n"), "{text}");
    assert!(
        text.contains("\nfitted to     8 runs, mean error 1"),
        "{text}"
    );
    let arguments = [&arguments[..], &["--format", "json"], &NETWORK].concat();
    let found: Value = serde_json::from_str(&found(&arguments)).expect("it is JSON");
    for (parameter, truth) in found["parameters"]
        .as_array()
        .expect("a list")
        .iter()
        .zip([3.0, 2.0])
    {
        let (low, high) = (number(&parameter["low"]), number(&parameter["high"]));
        assert!(
            low < truth && truth < high && high < 1.1 * low,
            "{parameter}"
        );
    }
    assert!(
        found["error_left_out"]
            .as_f64()
            .is_some_and(|it| it > 0.005 && it < 0.03)
    );
}

#[test]
fn runs_far_from_all_others_count_less_if_asked() {
    let folder = folder();
    // The machine was busy in one of nine runs.
    let runs = file(&folder, "runs.csv", &(round_trips(0.002) + "2048,0.0241\n"));
    let held_out = file(
        &folder,
        "held-out.csv",
        "size,time_s\n1024,0.007024\n131072,0.137072\n",
    );
    let free = "network.latency,network.bandwidth";
    let arguments = |more: &[&'static str]| {
        let given = [
            PING_PONG,
            "--runs",
            &runs,
            "--free",
            free,
            "--held-out",
            &held_out,
        ];
        found(&[&given[..], more, &NETWORK].concat())
    };
    let text = arguments(&[]);
    let note = "1 of 9 runs is further from its prediction than 4 standard deviations of the \
                others; --robust lets such runs count less";
    assert!(text.contains(note), "{text}");
    assert!(
        text.contains("\nheld out      2 runs, mean error "),
        "{text}"
    );
    let text = arguments(&["--robust"]);
    assert!(text.contains("others; such runs counted less"), "{text}");
    let of = |more: &[&'static str]| {
        let more = [more, &["--format", "json"]].concat();
        let found: Value = serde_json::from_str(&arguments(&more)).expect("it is JSON");
        let errors = found["held_out"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| {
                let time = |name: &str| it[name].as_f64().expect("a number");
                (time("predicted_s") / time("measured_s") - 1.0).abs()
            });
        errors.fold(0.0, f64::max)
    };
    let (by_squares, robust) = (of(&[]), of(&["--robust"]));
    assert!(robust < 0.004, "{robust}");
    assert!(by_squares > 0.02, "{by_squares}");
}

#[test]
fn runs_that_are_held_out_are_read_like_the_others() {
    let folder = folder();
    let runs = file(&folder, "runs.csv", &round_trips(0.0));
    let held_out = file(&folder, "held-out.csv", "sise,time_s\n8,0.1\n");
    let arguments = [
        PING_PONG,
        "--runs",
        &runs,
        "--free",
        "network.latency",
        "--held-out",
        &held_out,
    ];
    let told = refused(&[&arguments[..], &NETWORK].concat());
    assert!(told.contains("the run at sise=8: "), "{told}");
    assert!(told.contains("did you mean `size`?"), "{told}");
}

#[test]
fn parameters_of_a_model_are_found() {
    let folder = folder();
    let model = file(&folder, "solver.puml", SOLVER);
    let mut csv = "processes,time_s\n".to_owned();
    for processes in [1.0, 2.0, 4.0, 8.0, 16.0] {
        let _ = writeln!(csv, "{processes},{}", 0.025 * 100.0 / processes + 0.3);
    }
    let runs = file(&folder, "runs.csv", &csv);
    let of = |free: &str| {
        let arguments = [model.as_str(), "--runs", &runs, "--free", free];
        let words = ["--format", "json", "--", "--nodes", "16"];
        serde_json::from_str::<Value>(&found(&[&arguments[..], &words].concat()))
            .expect("it is JSON")
    };
    let both = of("SPEED,start");
    assert_eq!(both["parameters"][0]["value"], "0.025", "{both}");
    assert_eq!(both["parameters"][1]["value"], "0.3", "{both}");
    assert_eq!(
        both["flags"],
        serde_json::json!(["--set SPEED=0.025", "--set START=0.3"])
    );
    let idle = of("SPEED,START,IDLE");
    let note = "`IDLE` changes no time of these runs: any value fits";
    assert_eq!(idle["notes"], serde_json::json!([note]), "{idle}");
    assert!(idle["parameters"][2]["low"].is_null());
}

#[test]
fn parameters_that_runs_cannot_tell_apart_are_told() {
    let folder = folder();
    let csv = "n,time_s\n100,0.001\n200,0.00201\n400,0.00399\n";
    let runs = file(&folder, "runs.csv", csv);
    let free = "network.latency,network.bandwidth";
    let arguments = [PING_PONG, "--runs", &runs, "--free", free];
    let text = found(&[&arguments[..], &NETWORK].concat());
    let note = "these runs cannot tell `network.latency`, `network.bandwidth` apart: ";
    assert!(text.contains(note), "{text}");
    assert_eq!(text.matches("not determined\n").count(), 2, "{text}");
}

#[test]
fn what_cannot_be_fitted_is_refused_with_a_reason() {
    let folder = folder();
    let model = file(&folder, "solver.puml", SOLVER);
    let runs = file(&folder, "runs.csv", "processes,time_s\n1,3\n2,2\n");
    let two = file(&folder, "two.csv", "processes,a_s,b_s\n1,3,4\n2,2,4\n");
    let of = |runs: &str, free: &str| refused(&[&model, "--runs", runs, "--free", free]);
    let cases = [
        (of(&runs, "SPED"), "no parameter `SPED`"),
        (
            of(&runs, "N=1..9"),
            "only a parameter that is any number can be fitted",
        ),
        (
            of(&runs, "N"),
            "where to look for `N` is not known; write --free N=FROM..TO",
        ),
        (of(&runs, "SPEED=3"), "`3` is no range of `SPEED`"),
        (of(&runs, "SPEED,SPEED"), "--free names `SPEED` twice"),
        (of(&runs, "processes=1..9"), "any number can be fitted"),
        (
            of(&runs, "SPEED,START,IDLE"),
            "2 runs cannot tell 3 parameters",
        ),
        (
            of(&two, "SPEED"),
            "the runs have 2 regions and metrics; choose one by --region, --metric",
        ),
        (of("no.csv", "SPEED"), "no.csv: it cannot be read"),
    ];
    for (told, why) in cases {
        assert!(told.contains(why), "{why} in {told}");
    }
}
