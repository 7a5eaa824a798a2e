//! Tests `new`: a user's first model runs unchanged, with processes, with threads, and with both.

use std::path::Path;

use prophet_tests::built::xtask;
use prophet_tests::interpreted;
use serde_json::Value;

/// Runs a command and returns its output. Fails unless it exits with `code`.
fn says(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = xtask(folder).args(arguments).output();
    let output = output.expect("cargo can be started");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?} prints a result");
    message
}

fn predicted_s(folder: &Path, flags: &[&str]) -> f64 {
    let predicted = ["uml", "puml"].map(|ending| predicted_of_s(folder, ending, flags));
    assert_eq!(predicted[0].to_bits(), predicted[1].to_bits());
    predicted[0]
}

/// Returns the time predicted for the model in UML, or for the same model in text form.
fn predicted_of_s(folder: &Path, ending: &str, flags: &[&str]) -> f64 {
    let machine = folder.join("heat/cluster.toml");
    let machine = machine.to_str().expect("its name is text");
    let flags = [&["--machine", machine, "--format", "json"], flags].concat();
    let model = folder.join("heat/heat").with_extension(ending);
    let ran = interpreted::run(&model, "heat", &flags);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let result: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    result["predicted_time_s"].as_f64().expect("it is a time")
}

#[test]
fn the_first_model_runs_as_it_is() {
    let folder = tempfile::tempdir().expect("there is room");
    let folder = folder.path();
    let message = says(folder, &["new", "heat"], 0);
    let next = "next: cargo xtask run heat/heat.uml -- --machine heat/cluster.toml --nodes";
    assert!(message.contains(next), "{message}");
    assert_eq!(says(folder, &["check", "heat/heat.uml"], 0), "");
    let other = folder.join("text");
    std::fs::create_dir(&other).expect("there is room");
    let message = says(&other, &["new", "heat", "--text"], 0);
    let next = "next: cargo xtask run heat/heat.puml -- --machine heat/cluster.toml --nodes";
    assert!(message.contains(next), "{message}");
    assert_eq!(says(&other, &["check", "heat/heat.puml"], 0), "");
    let written = other.join("heat/heat.puml");
    std::fs::rename(written, folder.join("heat/heat.puml")).expect("it is there");

    let cells_s = 100.0 * 1024.0 * 1024.0 * 1e-8;
    let flags: [(&[&str], f64); 4] = [
        (&["--processes", "1"], 1.0),
        (&["--nodes", "4", "--processes", "4"], 4.0),
        (&["--processes", "1", "--threads", "8"], 8.0),
        (
            &["--nodes", "4", "--processes", "4", "--threads", "8"],
            32.0,
        ),
    ];
    for (flags, units) in flags {
        let time_s = predicted_s(folder, flags);
        let computing_s = cells_s / units;
        // The residual takes the remaining time, a few microseconds per step.
        let rest_s = time_s - computing_s;
        assert!((-1e-9..1e-3).contains(&rest_s), "{flags:?}: {time_s} s");
    }
}

#[test]
fn what_is_there_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(folder.path().join("heat"), "mine").expect("there is room");
    let message = says(folder.path(), &["new", "heat"], 1);
    assert!(message.contains("heat already exists; choose another name"));
    let kept = std::fs::read_to_string(folder.path().join("heat"));
    assert_eq!(kept.expect("it is there"), "mine");
}

#[test]
fn names_that_are_no_names_of_models_are_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    for (name, why) in [
        ("../heat", "expected a name, not a path"),
        ("2d", "a name must start with a letter"),
        ("", "a name must start with a letter"),
    ] {
        let message = says(folder.path(), &["new", name], 2);
        assert!(message.contains(why), "{message}");
    }
}
