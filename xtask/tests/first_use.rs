//! Tests the program for first predictions, and a command that is compiled on first use.

use std::path::Path;
use std::process::{Command, Output};

use prophet_testing::{cargo, copy_program, stderr};

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
fn a_first_prediction_needs_few_crates_and_a_large_command_is_compiled_on_first_use() {
    let lapw0 = ["run", "sample-models/lapw0.uml", "--", "--nodes", "8"];
    let sizes = ["--cpus-per-node", "4", "--nat", "32"];
    let predicted = predict(&[&lapw0[..], &sizes].concat());
    let table = String::from_utf8_lossy(&predicted.stdout);
    assert!(
        table.starts_with("Predicted time  112.456 s\n"),
        "{table}\n{}",
        stderr(&predicted)
    );

    let output = predict(&["report", "none.arrow"]);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{message}");
    let reason = "error: cannot read none.arrow: there is no such file";
    assert!(message.contains(reason), "{message}");

    #[cfg(unix)]
    for bytes in [&b"PK\x03\x04"[..], b"\xff\xfe<\0"] {
        let (folder, program) = (tempfile::tempdir().unwrap(), env!("CARGO_BIN_EXE_xtask"));
        let model = folder.path().join("model.uml");
        std::fs::write(&model, bytes).unwrap();
        let mut program = Command::new(Path::new(program).with_file_name("predict"));
        program.args(["check"]).arg(&model).env("CARGO", "echo");
        program.env(
            "CARGO_MANIFEST_DIR",
            Path::new(env!("CARGO_MANIFEST_DIR")).join("commands"),
        );
        let output = program.output().expect("it is compiled");
        let called = String::from_utf8_lossy(&output.stdout);
        assert!(
            called.contains("--bin commands -- check"),
            "{called}{}",
            stderr(&output)
        );
    }
}

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
    let line = "compiling what this command needs; this happens once and takes about a minute\n";
    for command in ["run", "gen", "record", "ci"] {
        assert_eq!(called(&[command, "model.uml"]), line, "{command}");
    }
    std::fs::write(folder.path().join("predict"), "").expect("there is room");
    assert_eq!(called(&["record"]), "");
}
