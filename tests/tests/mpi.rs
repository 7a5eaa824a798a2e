//! Tests that the models in `tests/models/mpi` end when `EXPECTED.md` says, in both engines.

use std::path::{Path, PathBuf};
use std::process::Output;

use prophet_tests::expected::rows;
use prophet_tests::programs::Programs;
use prophet_tests::{models, root};
use serde_json::Value;

fn model(name: &str) -> PathBuf {
    root()
        .join("tests/models/mpi")
        .join(name)
        .with_extension("uml")
}

fn result(output: &Output) -> Value {
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    serde_json::from_slice(&output.stdout).expect("the result is JSON")
}

/// Returns the end times in a result with all digits. `serde_json` would round them.
fn end_times(output: &Output) -> Vec<f64> {
    let text = String::from_utf8_lossy(&output.stdout);
    let fields = text.split("\"end_s\":").skip(1);
    fields
        .map(|field| {
            let number = field.split([',', '}']).next().unwrap_or_default();
            number.trim().parse().expect("a number")
        })
        .collect()
}

/// Runs a model in the engine that `auto` selects, which must be `engine`, and in the event engine.
/// Both must give the same result.
fn run(programs: &Programs, path: &Path, flags: &str, engine: &str) -> Vec<f64> {
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let by = |choice: &str| {
        let more = ["--format", "json", "--engine", choice];
        programs.run(path, &[&flags[..], &more].concat())
    };
    let (auto, event) = (by("auto"), by("event"));
    let times = end_times(&auto);
    assert_eq!(times, end_times(&event));
    let (chosen, event) = (result(&auto), result(&event));
    let name = chosen["evaluation"]["engine"].as_str();
    assert_eq!(name, Some(engine), "{} {flags:?}", path.display());
    assert_eq!(chosen["processes"], event["processes"]);
    assert_eq!(chosen["elements"], event["elements"]);
    times
}

#[test]
fn messages_end_when_they_should() {
    let all = models("tests/models/mpi");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpi");
    let programs = Programs::build(&target, &all);
    let rows = rows("# What the models in `mpi/` predict");
    for path in &all {
        let named = |row: &Vec<String>| model(&row[0]) == *path;
        assert!(rows.iter().any(named), "{} has a row", path.display());
    }
    for row in &rows {
        let flags = row[1]
            .replace("slow", "loggp:L=4s,o=1s,g=2s,G=0.5s")
            .replace("plain", "hockney:latency=1s,bandwidth=8B/s");
        let times = run(&programs, &model(&row[0]), &flags, &row[2]);
        let expected: Vec<f64> = row[3]
            .split(',')
            .map(|time| time.trim().parse().expect("a time"))
            .collect();
        assert_eq!(times.len(), expected.len(), "{row:?}");
        for (time, expected) in times.iter().zip(&expected) {
            let error = (time - expected).abs();
            assert!(error <= 1e-9 * expected, "{row:?}: {times:?}");
        }
    }
    programs.clippy();
}
