//! Fits parameters of models and networks to known times.

use std::fmt::Write as _;

use prophet_testing::assert_says;
use serde_json::Value;

use crate::command::home;
use crate::fitted_files::SOLVER;

const RUNS: &str = "pingpong.uml --runs runs.csv";
const BOTH: &str = "--free network.latency,network.bandwidth";
const NETWORK: &str = "-- --nodes 2 --network hockney:latency=1us,bandwidth=1GB/s";

/// Returns runs of 1000 round trips over a network with 3 us and 2 GB/s, with relative errors of
/// `share`.
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
    let home = home();
    home.write("runs.csv", round_trips(0.0));
    let words = format!("{RUNS} {BOTH} --format json {NETWORK}");
    let text = home.printed(&words);
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
    // The output is always the same.
    assert_eq!(text, home.printed(&words));
}

#[test]
fn intervals_hold_what_noise_hides() {
    let home = home();
    home.write("runs.csv", round_trips(0.02));
    let words =
        format!("{RUNS} --free network.latency --free network.bandwidth=0.1GB/s..50GB/s {NETWORK}");
    let text = home.printed(&words);
    assert!(text.contains("estimate  90% by the model\n"), "{text}");
    assert_says(&text, &["\nfitted to     8 runs, mean error 1"]);
    let found = home.json(&words.replace(" -- ", " --format json -- "));
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
    let home = home();
    // The machine was busy in one of nine runs.
    home.write("runs.csv", round_trips(0.002) + "2048,0.0241\n");
    let held_out = "size,time_s\n1024,0.007024\n131072,0.137072\n";
    home.write("held-out.csv", held_out);
    let words = |more: &str| format!("{RUNS} {BOTH} --held-out held-out.csv {more} {NETWORK}");
    let of = |more: &str| home.json(&words(&format!("--format json {more}")));
    let error = |found: &serde_json::Value| {
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
    let (by_squares, robust) = (of(""), of("--robust"));
    let far =
        "1 of 9 runs is further from its prediction than 4 standard deviations of the other runs; ";
    for (found, what) in [
        (&by_squares, "use --robust to count these runs less"),
        (&robust, "these runs counted less"),
    ] {
        assert_eq!(found["notes"], serde_json::json!([format!("{far}{what}")]));
    }
    let (by_squares, robust) = (error(&by_squares), error(&robust));
    assert!(robust < 0.004, "{robust}");
    assert!(by_squares > 0.02, "{by_squares}");
}

#[test]
fn runs_that_are_held_out_are_read_like_the_others() {
    let home = home();
    home.write("runs.csv", round_trips(0.0));
    home.write("held-out.csv", "sise,time_s\n8,0.1\n");
    let told = home.refused(&format!(
        "{RUNS} --free network.latency --held-out held-out.csv {NETWORK}"
    ));
    assert!(told.contains("the run at sise=8: "), "{told}");
    assert!(told.contains("did you mean `size`?"), "{told}");
}

#[test]
fn parameters_of_a_model_are_found() {
    let home = home();
    home.write("solver.puml", SOLVER.replace("clc(\"N*IADD\")", "0"));
    let mut csv = "processes,time_s\n".to_owned();
    for processes in [1.0, 2.0, 4.0, 8.0, 16.0] {
        let _ = writeln!(csv, "{processes},{}", 0.025 * 100.0 / processes + 0.3);
    }
    home.write("runs.csv", csv);
    let of = |free: &str| {
        let words = format!("solver.puml --runs runs.csv --free {free} --format json");
        home.json(&format!("{words} -- --nodes 16"))
    };
    let both = of("SPEED,start");
    assert_eq!(both["parameters"][0]["value"], "0.025", "{both}");
    assert_eq!(both["parameters"][1]["value"], "0.3", "{both}");
    assert_eq!(
        both["flags"],
        serde_json::json!(["--set SPEED=0.025", "--set START=0.3"])
    );
    let idle = of("SPEED,START,IDLE");
    let note = "`IDLE` does not change the time of any of these runs: all values fit equally well";
    assert_eq!(idle["notes"], serde_json::json!([note]), "{idle}");
    assert!(idle["parameters"][2]["low"].is_null());
}

#[test]
fn a_price_of_a_second_is_found() {
    let home = home();
    home.write("solver.puml", SOLVER);
    let run = |n: f64| format!("{n},{}\n", 2.0 + 0.75 * n);
    home.write(
        "runs.csv",
        "n,time_s\n".to_owned() + &[1.0, 2.0, 4.0, 8.0].map(run).concat(),
    );
    // By default, and in a range whose ends have different units.
    for (free, value) in [("", "750000000ns"), ("=10us..2s", "750000us")] {
        let words = format!("solver.puml --runs runs.csv --free operations.IADD{free}");
        let found = home.json(&format!(
            "{words} --format json -- --machine gescher --nodes 1 --cpus-per-node 1 --speed 0.01"
        ));
        assert_eq!(found["parameters"][0]["value"], value, "{found}");
    }
}

#[test]
fn parameters_that_runs_cannot_tell_apart_are_told() {
    let home = home();
    home.write(
        "runs.csv",
        "n,time_s\n100,0.001\n200,0.00201\n400,0.00399\n",
    );
    let text = home.printed(&format!("{RUNS} {BOTH} {NETWORK}"));
    let note =
        "these runs cannot separate `network.latency`, `network.bandwidth` from each other: ";
    assert!(text.contains(note), "{text}");
    assert_eq!(text.matches("not determined\n").count(), 2, "{text}");
}
