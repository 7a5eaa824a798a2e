//! The command `fit distribution` as users call it.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Output};

use prophet_sim::variates::Generator;
use serde_json::Value;

fn distribution(arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_prophet-fit"));
    let output = program.arg("distribution").args(arguments).output();
    output.expect("the program can be started")
}

/// A file of times in a folder that goes with the test.
fn file(folder: &tempfile::TempDir, text: &str) -> String {
    let path = folder.path().join("t.csv");
    fs::write(&path, text).expect("a file can be written");
    path.display().to_string()
}

/// Times of a lognormal variate, at one point or at several.
fn times(points: u32) -> String {
    let mut generator = Generator::new(9, 8, 7);
    let mut text = "p,time\n".to_owned();
    for index in 0..400 {
        let p = 1 + index % points;
        let noise = generator.lognormal(0.0, 0.4).expect("it is in range");
        let _ = writeln!(text, "{p},{}", f64::from(p) * noise);
    }
    text
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

#[test]
fn the_variate_of_repeated_times_is_found() {
    let folder = folder();
    let out = distribution(&[&file(&folder, &times(1)), "--format", "json"]);
    let found: Value = serde_json::from_slice(&out.stdout).expect("it is JSON");
    let best = &found[0]["variates"][0];
    assert_eq!(best["family"], "lognormal");
    assert!(best["p_value"].as_f64().expect("a number") > 0.05);
    assert!(best["distance"].as_f64().expect("a number") < 0.06);
    let cost = best["cost"].as_str().expect("it is text");
    assert!(cost.starts_with("lognormal("), "{cost}");
    assert_eq!(found[0]["relative"], false);
    let again = distribution(&[&file(&folder, &times(1)), "--format", "json"]);
    assert_eq!(out.stdout, again.stdout);
}

#[test]
fn times_of_several_points_give_a_factor() {
    let folder = folder();
    let out = distribution(&[&file(&folder, &times(4))]);
    let shown = String::from_utf8_lossy(&out.stdout);
    let about = "time: 400 values, relative to the median of their point: a factor of a cost\n";
    assert!(shown.starts_with(about), "{shown}");
    let first = shown.lines().nth(2).expect("there is a row");
    assert!(first.starts_with("lognormal("), "{shown}");
}

#[test]
fn times_that_no_variate_describes_can_be_drawn_themselves() {
    let folder = folder();
    // Two modes, as with and without a page fault.
    let mut text = "time\n".to_owned();
    for index in 0..100 {
        let _ = writeln!(
            text,
            "{}",
            if index % 2 == 0 { 1.0 } else { 5.0 } + f64::from(index) / 1e3
        );
    }
    let csv = file(&folder, &text);
    let out = folder.path().join("quantiles.csv").display().to_string();
    let output = distribution(&[&csv, "--out", &out]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        shown.contains("note: no variate describes the values well"),
        "{shown}"
    );
    assert!(
        shown.contains("interpolate(\"quantiles.csv\", uniform(0, 1))"),
        "{shown}"
    );
    let table = fs::read_to_string(&out).expect("it is there");
    let rows: Vec<&str> = table.lines().skip(2).collect();
    assert_eq!((rows.len(), rows[0], rows[99]), (100, "0,1", "1,5.099"));
}

#[test]
fn times_that_say_nothing_are_refused() {
    let folder = folder();
    let cases = [
        (
            "time\n1\n2\n",
            "time: 2 repeated values are too few to tell how they vary; measure at least 8",
        ),
        (
            "time\n1\n1\n1\n1\n1\n1\n1\n1\n",
            "time: all values are equal: nothing varies",
        ),
        (
            "time\n1\n2\n3\n4\n5\n6\n7\n-8\n",
            "time: a variate of times needs positive values",
        ),
        (
            "p,time\n1,1\n2,2\n3,3\n",
            "time: 0 repeated values are too few to tell how they vary",
        ),
    ];
    for (text, why) in cases {
        let output = distribution(&[&file(&folder, text)]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(why), "{told}");
    }
}
