//! Tests the program for first predictions, and what it leaves to the whole program.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use prophet_testing::{cargo, copy_program, stderr, write_script};

/// Runs the program `predict`. No other test compiles its features, but most of its crates are
/// already compiled in the test profile.
fn predict(words: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut program: Command = cargo();
    program.args(["run", "--quiet", "--locked", "--profile=test", "--package"]);
    program.args(["xtask-commands", "--bin", "predict", "--"]);
    let output = program.args(words).current_dir(root).output();
    output.expect("cargo can be started")
}

#[test]
#[ignore = "compiles a program that no other test needs: 30 s of CPU, in the gate"]
fn a_first_prediction_needs_few_crates_and_the_rest_needs_the_whole_program() {
    let lapw0 = ["run", "sample-models/lapw0.uml", "--", "--nodes", "8"];
    let sizes = ["--cpus-per-node", "4", "--nat", "32"];
    let predicted = predict(&[&lapw0[..], &sizes].concat());
    let table = String::from_utf8_lossy(&predicted.stdout);
    assert!(
        table.starts_with("Predicted time  112.456 s\n"),
        "{table}\n{}",
        stderr(&predicted)
    );

    #[cfg(unix)]
    for (command, bytes) in [
        ("check", &b"PK\x03\x04"[..]),
        ("check", b"\xff\xfe<\0"),
        ("run", b"digraph snakemake_dag {"),
        ("run", b"0 init\n"),
        ("run", WORKFLOW),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.uml");
        std::fs::write(&model, bytes).unwrap();
        let cargo = folder.path().join("cargo");
        write_script(&cargo, "#!/bin/sh\necho \"$@\"\ncat\n");
        let program = Path::new(env!("CARGO_BIN_EXE_xtask")).with_file_name("predict");
        let called = |model: &Path, stdin: Stdio| {
            let mut program = Command::new(&program);
            program
                .arg(command)
                .arg(model)
                .env("CARGO", &cargo)
                .stdin(stdin);
            program.env(
                "CARGO_MANIFEST_DIR",
                Path::new(env!("CARGO_MANIFEST_DIR")).join("commands"),
            );
            let output = program.output().expect("it is compiled");
            let told = stderr(&output);
            (output.stdout, told)
        };
        let (called_with, told) = called(&model, Stdio::null());
        let line = format!("--bin commands -- {command} {}\n", model.display());
        assert!(called_with.ends_with(line.as_bytes()), "{line}{told}");
        if command == "run" {
            // The whole program gets what was read from standard input.
            let file = std::fs::File::open(&model).unwrap();
            let (called_with, told) = called(Path::new("-"), file.into());
            assert!(
                called_with.ends_with(&[b"-- run -\n", bytes].concat()),
                "{told}"
            );
        }
    }
}

/// A drawn workflow.
#[cfg(unix)]
const WORKFLOW: &[u8] = b"@startuml
title <<workflow>> Flow
start
:<<task>> b
cost = 2;
stop
@enduml
";

#[cfg(unix)]
#[test]
fn the_first_call_says_at_once_that_it_compiles() {
    let folder = tempfile::tempdir().expect("there is room");
    let program = folder.path().join("xtask");
    copy_program(Path::new(env!("CARGO_BIN_EXE_xtask")), &program);
    let called = |words: &[&str]| {
        let mut xtask = Command::new(&program);
        xtask.args(words).env("CARGO", "true");
        let output = xtask.env("CARGO_MANIFEST_DIR", folder.path()).output();
        stderr(&output.expect("it starts"))
    };
    for (command, takes) in [
        ("run", "about a minute"),
        ("gen", "about three minutes"),
        ("record", "about three minutes"),
        ("ci", "about three minutes"),
    ] {
        let line = "compiling what this command needs; this happens once and takes";
        let line = format!("{line} {takes}\n");
        assert_eq!(called(&[command, "model.uml"]), line, "{command}");
    }
    std::fs::write(folder.path().join("commands"), "").expect("there is room");
    assert_eq!(called(&["record"]), "");
}
