//! Tests `cargo xtask run --save`: it runs a program and saves the result.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Output, Stdio};

use prophet_runs::command::{Origin, keep_result};
use prophet_testing::{assert_says, send_signal, stderr, words};
use prophet_text::Problem;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{add, listed, printed, program, result, text};

/// A model, a crate, and a script in place of its program. The script prints a prediction, and
/// writes the result to the file named by `--record`.
struct Project(TempDir);

impl Project {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("the folder can be written");
        };
        fs::create_dir(folder.path().join("src")).expect("the folder can be written");
        write("model.uml", "<uml/>");
        write("Cargo.toml", "[package]");
        write("src/lib.rs", "");
        write("result.json", &result("M", 2, 1.5).to_string());
        let record = "for last; do :; done";
        write("program", &format!("#!/bin/sh\n{record}\n{script}\n"));
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        text(&self.0.path().join(name)).to_owned()
    }

    fn keep(&self, repository: &str) -> Command {
        let mut command = program(repository);
        let keep = "keep --model model.uml --folder . -- sh program --nodes 2";
        command.args(words(keep));
        command
            .current_dir(self.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Returns the names in the project's folder, except the initial ones.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("it is there");
        let names = entries.map(|entry| entry.expect("it is there").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let known = ["Cargo.toml", "model.uml", "program", "result.json", "src"];
        names
            .filter(|name| !known.contains(&name.as_str()))
            .collect()
    }
}

fn output(command: &mut Command) -> Output {
    command.output().expect("the program can be started")
}

const PREDICTS: &str = "echo 1.5 s; cp result.json \"$last\"";

#[test]
fn a_result_is_printed_and_saved_with_what_it_is_of() {
    let project = Project::new(PREDICTS);
    let repository = project.path("runs.sqlite");
    let output = output(&mut project.keep(&repository));
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(output.stdout, b"1.5 s\n");
    assert!(
        stderr(&output).starts_with("saved as run 1 in "),
        "{}",
        stderr(&output)
    );
    let run = printed(&repository, "show 1 --format json");
    let run: Value = serde_json::from_str(&run).expect("it is JSON");
    assert_eq!(run["result"], result("M", 2, 1.5));
    assert_eq!(run["model_file"], "model.uml");
    assert_eq!(
        run["command"],
        serde_json::json!(["program", "--nodes", "2"])
    );
    for hash in ["model_hash", "crate_hash"] {
        assert_eq!(run[hash].as_str().map(str::len), Some(64), "{hash}");
    }
}

#[test]
fn a_result_is_saved_with_what_it_was_computed_from() {
    let project = Project::new("");
    let repository = project.path("runs.sqlite");
    let flags = ["--nodes", "2"].map(OsString::from);
    let keep = |model: &str, changed: &str| {
        let model = PathBuf::from(project.path(model));
        let origin = Origin::of(&model, None).expect("it can be read");
        let kept = keep_result(repository.as_ref(), &origin, (&flags, "runs"), |record| {
            // The model can change while it is predicted.
            fs::write(project.path("model.uml"), changed).expect("it can be written");
            fs::copy(project.path("result.json"), record).expect("there is room");
            Ok::<_, Problem>(ExitCode::from(4))
        });
        assert_eq!(kept.expect("it can be saved"), ExitCode::from(4));
        let id = listed(&repository).len().to_string();
        let run = printed(&repository, &format!("show {id} --format json"));
        serde_json::from_str::<Value>(&run).expect("it is JSON")
    };
    let of_model = fs::read_to_string(project.path("model.uml")).expect("it is there");
    let run = keep("model.uml", "<changed/>");
    assert_eq!(run["result"], result("M", 2, 1.5));
    assert_eq!(run["command"], serde_json::json!(["--nodes", "2"]));
    assert_eq!(run["crate_hash"], Value::Null);
    let changed = keep("model.uml", &of_model);
    assert_ne!(changed["model_hash"], run["model_hash"]);
    assert_eq!(
        keep("model.uml", &of_model)["model_hash"],
        run["model_hash"]
    );
    // A trace can be a folder.
    assert_eq!(keep("", &of_model)["model_hash"], Value::Null);
}

#[test]
fn a_trace_is_pointed_at() {
    for flags in [&["--trace", "out.arrow"][..], &["--trace=out.arrow"]] {
        let project = Project::new(&format!("{PREDICTS}; printf ARROW1 > out.arrow"));
        let repository = project.path("runs.sqlite");
        let output = output(
            project
                .keep(&repository)
                .args(flags)
                .args(["--trace-filter", "x"]),
        );
        assert!(output.status.success(), "{}", stderr(&output));
        let run = printed(&repository, "show 1 --format json");
        let run: Value = serde_json::from_str(&run).expect("it is JSON");
        assert_eq!(run["trace"], project.path("out.arrow"));
    }
}

#[test]
fn a_result_that_cannot_be_saved_is_printed_and_put_into_a_file() {
    let project = Project::new(PREDICTS);
    let output = output(&mut project.keep("postgresql://127.0.0.1:1/runs"));
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(output.stdout, b"1.5 s\n");
    let left = project.left();
    assert_eq!(left.len(), 1, "{left:?}");
    for words in [
        "the run was not saved",
        "cannot reach the database",
        &format!("runs add ./{}", left[0]),
    ] {
        assert!(message.contains(words), "{words}: {message}");
    }
    let repository = project.path("runs.sqlite");
    printed(&repository, &add(project.path(&left[0]).as_ref()));
    let run = printed(&repository, "show 1");
    assert!(run.contains("Crate hash"), "nothing is lost: {run}");
}

#[test]
fn the_exit_code_is_that_of_the_program() {
    for (script, code, saved) in [
        ("exit 3".to_owned(), 3, false),
        ("exit 2".to_owned(), 2, false),
        (format!("{PREDICTS}; exit 3"), 3, true),
    ] {
        let project = Project::new(&script);
        let repository = project.path("runs.sqlite");
        let output = output(&mut project.keep(&repository));
        assert_eq!(
            output.status.code(),
            Some(code),
            "{script}: {}",
            stderr(&output)
        );
        assert_eq!(Path::new(&repository).exists(), saved, "{script}");
    }
}

/// Starts the command, and waits until its program has started, which a file shows.
#[expect(clippy::disallowed_methods, reason = "the program takes its time")]
fn begun(project: &Project, repository: &str) -> Child {
    let child = project
        .keep(repository)
        .spawn()
        .expect("the program can be started");
    while !Path::new(&project.path("begun")).exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child
}

#[test]
fn one_that_is_killed_leaves_nothing() {
    let project = Project::new("echo $$ > soon; mv soon begun; exec sleep 60");
    let repository = project.path("runs.sqlite");
    let mut child = begun(&project, &repository);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(project.left(), ["begun"]);
    let orphan = fs::read_to_string(project.path("begun")).expect("it is there");
    let orphan = orphan.trim().parse().expect("a number");
    assert!(send_signal(orphan, "TERM"));
}

#[test]
fn a_signal_to_end_reaches_the_program_whose_partial_result_is_saved() {
    // This is how programs end: with a partial result, and exit code 3.
    let script = "trap 'cp result.json \"$last\"; exit 3' TERM; touch begun; while :; do :; done";
    let project = Project::new(script);
    let repository = project.path("runs.sqlite");
    let child = begun(&project, &repository);
    assert!(send_signal(child.id(), "TERM"));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert_eq!(listed(&repository).len(), 1);
}

#[test]
fn a_program_that_is_killed_is_no_success() {
    let project = Project::new("kill -KILL $$");
    let output = output(&mut project.keep(&project.path("runs.sqlite")));
    assert_eq!(output.status.code(), Some(1));
    assert_says(stderr(&output), &["ended with signal: 9"]);
}
