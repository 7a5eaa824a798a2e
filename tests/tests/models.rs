//! Generates, compiles and runs the small models in `tests/models`: they must end when
//! `EXPECTED.md` says, or fail as it says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;

use prophet_codegen::diagnostic::render_human;
use prophet_frontend::checked::check;
use prophet_tests::expected::rows;
use prophet_tests::programs::Programs;
use prophet_tests::{models, root, stem};
use serde_json::Value;

fn build(name: &str, models: &[PathBuf]) -> Programs {
    Programs::build(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), models)
}

fn model(folder: &str, name: &str) -> PathBuf {
    root()
        .join("tests/models")
        .join(folder)
        .join(name)
        .with_extension("uml")
}

fn end_times(output: &Output) -> Vec<f64> {
    let result: Value = serde_json::from_slice(&output.stdout).expect("the result is JSON");
    let processes = result["processes"].as_array().expect("there are processes");
    processes
        .iter()
        .map(|process| process["end_s"].as_f64().expect("a number"))
        .collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1e-30)
}

#[test]
fn control_flow_ends_when_it_should() {
    // The column contains several numbers of processes. This test runs the first one.
    end_when_they_should("flow", |column| {
        let count = column.split(',').next().unwrap_or_default();
        let is_shared = column.contains("--cpus-per-node 1");
        let cpus = if is_shared { "1" } else { count };
        format!("--cpus-per-node {cpus} --processes {count}")
    });
}

#[test]
fn threads_end_when_they_should() {
    end_when_they_should("threads", str::to_owned);
}

#[test]
fn flows_that_are_not_nested_end_when_they_should() {
    end_when_they_should("flows", str::to_owned);
}

#[test]
fn processes_share_cpus_and_memory_as_they_should() {
    end_when_they_should("machine", str::to_owned);
}

#[test]
fn events_come_when_they_should() {
    end_when_they_should("events", str::to_owned);
}

/// Checks all models in a folder. `flags_of` makes a model's flags from the second column of its
/// row.
fn end_when_they_should(folder: &str, flags_of: fn(&str) -> String) {
    let all = models(&format!("tests/models/{folder}"));
    let programs = build(folder, &all);
    let rows = rows(&format!("# What the models in `{folder}/` predict"));
    let mut seen = BTreeSet::new();
    for row in &rows {
        let flags = flags_of(&row[1]) + " --format json";
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let output = programs.run(&model(folder, &row[0]), &flags);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {message}", row[0]);
        let times = end_times(&output);
        let expected = row[2].split(',').map(|time| time.trim().parse::<f64>());
        let expected: Vec<f64> = expected.map(|time| time.expect("a time")).collect();
        let same = times.len() == expected.len();
        let same = same && times.iter().zip(&expected).all(|(a, b)| close(*a, *b));
        assert!(same, "{}: {times:?} instead of {expected:?}", row[0]);
        seen.insert(row[0].clone());
    }
    let all: BTreeSet<String> = all.iter().map(|it| stem(it).to_owned()).collect();
    assert_eq!(seen, all, "each model has a row, and each row a model");
    programs.clippy();
}

/// A row about an invalid model: its name, the flags of its run, and the exit code.
struct Wrong {
    name: String,
    flags: Vec<String>,
    generates: bool,
    code: i32,
}

fn wrong_models() -> Vec<Wrong> {
    let rows = rows("# What the models in `wrong/` lead to");
    assert_eq!(
        rows.len(),
        models("tests/models/wrong").len(),
        "each model has a row"
    );
    rows.into_iter()
        .map(|row| {
            let (command, flags) = row[1].split_once("--").unwrap_or((&row[1], ""));
            Wrong {
                name: row[0].clone(),
                flags: flags.split_whitespace().map(str::to_owned).collect(),
                generates: command.trim() == "run",
                code: row[2].parse().expect("an exit code"),
            }
        })
        .collect()
}

/// Compares a text with the file next to the model. With `UPDATE_EXPECT`, writes the file instead.
fn compare(model: &Path, text: &str, differences: &mut Vec<String>) {
    let path = model.with_extension("stderr");
    let text = text.replace(&format!("{}/", root().display()), "");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, text).expect("the expected text can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    if text != expected {
        differences.push(format!("{}:\n{text}\ninstead of\n{expected}", stem(model)));
    }
}

#[test]
fn wrong_models_are_refused_with_a_clear_message() {
    let mut differences = Vec::new();
    for wrong in wrong_models().into_iter().filter(|wrong| !wrong.generates) {
        let path = model("wrong", &wrong.name);
        let text = match check(&path, None) {
            Ok(checked) => {
                if checked.program.is_some() {
                    differences.push(format!("{} is accepted", wrong.name));
                }
                render_human(&checked.source, &checked.diagnostics, false)
            }
            Err(problem) => problem.into(),
        };
        compare(&path, &text, &mut differences);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[test]
fn runs_that_cannot_go_on_say_why() {
    let wrong: Vec<Wrong> = wrong_models()
        .into_iter()
        .filter(|wrong| wrong.generates)
        .collect();
    let paths: Vec<PathBuf> = wrong
        .iter()
        .map(|wrong| model("wrong", &wrong.name))
        .collect();
    let programs = build("wrong", &paths);
    let mut differences = Vec::new();
    for (wrong, path) in wrong.iter().zip(&paths) {
        let flags: Vec<&str> = wrong.flags.iter().map(String::as_str).collect();
        let output = programs.run(path, &flags);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.code(),
            Some(wrong.code),
            "{}: {message}",
            wrong.name
        );
        if wrong.code != 0 {
            assert!(output.stdout.is_empty(), "{} prints a result", wrong.name);
            compare(path, &message, &mut differences);
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    programs.clippy();
}
