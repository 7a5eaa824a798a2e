//! Tests how models use received values: which variables get them, and what depends on them.

use std::fs;
use std::path::Path;

use prophet_codegen::source::Source;
use prophet_tests::programs::{Programs, json};
use prophet_tests::sketch;

#[test]
fn wrong_uses_of_what_is_received_are_told() {
    prophet_testing::assert_cases("tests/cases/received.txt", |case| {
        let told = |(variant, sketch): (&str, String)| {
            let source = Source::new("t.uml", sketch::xmi(&sketch));
            let problems = sketch::read(&source).2;
            let told = { problems.iter() }
                .map(|it| format!("\n  {} {} ({})", it.code, it.message, it.help));
            format!("{variant}{}\n", told.collect::<String>())
        };
        sketch::variants(case.input).map(told).collect()
    });
}

/// Process 1 sends 3 to process 0, which has already posted a receive. Both exchange their pids
/// plus 0.5. Each then computes for the value that it received.
const EXCHANGE: &str = include_str!("cases/exchange.sketch");

#[test]
fn what_is_received_drives_the_program_in_both_engines() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("exchange.uml");
    fs::write(&path, sketch::xmi(EXCHANGE)).expect("a file can be written");
    let programs = Programs::build(&folder.join("received"), std::slice::from_ref(&path));
    for engine in ["event", "local"] {
        let flags = [
            "--engine",
            engine,
            "--processes",
            "2",
            "--cpus-per-node",
            "2",
            "--format",
            "json",
            "--network",
            "hockney:latency=0,bandwidth=1e300",
        ];
        let output = programs.run(&path, &flags);
        let result = json(&output);
        let ends = result["processes"].as_array().expect("there are processes");
        let end_s = |pid: usize| ends[pid]["end_s"].as_f64().expect("a number");
        // Process 0 computes 3 + 10 x 1 + 100 x 4 s, then 1.5 s for process 1's value. Process 1
        // computes 0.5 s for process 0's value.
        assert!((end_s(0) - 414.5).abs() < 1e-9, "{engine}: {ends:?}");
        assert!((end_s(1) - 0.5).abs() < 1e-9, "{engine}: {ends:?}");
    }
}

/// Processes 1 and 2 answer at different times. Process 0 finds out from the index which answer it
/// received.
const ANSWERS: &str = include_str!("cases/answers.sketch");

#[test]
fn an_index_tells_which_request_was_complete() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("answers.uml");
    fs::write(&path, sketch::xmi(ANSWERS)).expect("a file can be written");
    let programs = Programs::build(&folder.join("answers"), std::slice::from_ref(&path));
    let network = "hockney:latency=0,bandwidth=1e300";
    let flags = [
        "--processes",
        "3",
        "--cpus-per-node",
        "3",
        "--network",
        network,
    ];
    let output = programs.run(&path, &[&flags[..], &["--format", "json"]].concat());
    let result = json(&output);
    // Process 1 answers 0.25 at 1 s, and process 2 answers 0.5 at 2 s. The third wait finds no
    // request. Process 0 ends after 2 + 0.5 + 0.5 s, plus 210 s for the three indices, plus 1000 s
    // for process 1.
    let end_s = result["processes"][0]["end_s"].as_f64().expect("a number");
    assert!((end_s - 1213.0).abs() < 1e-9, "{end_s}");
}
