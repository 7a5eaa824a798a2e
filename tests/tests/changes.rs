//! Tests changes to a machine that arrive through a pipe while generated programs run.
#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use prophet_testing::has;
use prophet_tests::interpreted;
use prophet_tests::programs::Programs;
use serde_json::Value;

/// Each process executes a block that takes 20 s.
const MODEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<model xmlns="http:///schemas/prophet/model/1" name="Blocks" main="Main">
  <activity name="Main">
    <initial/>
    <action name="Block" stereotype="action+" cost="20"/>
    <final/>
  </activity>
</model>
"#;

fn program(name: &str) -> (PathBuf, PathBuf, Programs) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder can be made");
    let model = folder.join("blocks.xml");
    fs::write(&model, MODEL).expect("a file can be written");
    let programs = Programs::build(&folder, std::slice::from_ref(&model));
    (folder, model, programs)
}

fn start(program: &Path) -> Child {
    Command::new(program)
        .args(["--changes", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built")
}

fn write(child: &mut Child, lines: &str) {
    let pipe = child.stdin.as_mut().expect("it is piped");
    pipe.write_all(lines.as_bytes()).expect("the program reads");
    pipe.flush().expect("likewise");
}

#[expect(clippy::disallowed_methods, reason = "a sensor waits, too")]
fn assert_waits(child: &mut Child) {
    thread::sleep(Duration::from_millis(300));
    let ended = child.try_wait().expect("it can be asked");
    assert_eq!(ended, None, "it is ahead of its lines");
}

fn result(output: &Output) -> Value {
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

#[test]
fn a_run_goes_on_as_lines_come() {
    let (folder, model, programs) = program("changes");
    let mut child = start(&programs.path(&model));
    assert_waits(&mut child);
    write(
        &mut child,
        "{\"at_s\": 10, \"node\": \"node0\", \"speed\": 0.5}\n",
    );
    assert_waits(&mut child);
    // The block would end at 30 s, but the changes until that time aren't known yet.
    write(
        &mut child,
        "{\"at_s\": 20, \"node\": \"node0\", \"speed\": 5}\n",
    );
    assert_waits(&mut child);
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(result(&output)["predicted_time_s"], 21.0);

    // The program ends before the time on the last line.
    let mut child = start(&programs.path(&model));
    write(
        &mut child,
        "{\"at_s\": 20.5, \"node\": \"node0\", \"speed\": 0.5}\n",
    );
    let stdin = child.stdin.take();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(result(&output)["predicted_time_s"], 20.0);
    drop(stdin);

    let mut child = start(&programs.path(&model));
    write(
        &mut child,
        "{\"at_s\": 10, \"node\": \"node3\", \"speed\": 0.5}\n",
    );
    let output = child.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert_eq!(
        message,
        "error: <stdin>:1: a change at 10 s names the node `node3`, but the machine has `node0` \
         alone\n  at 0 s of simulated time\n"
    );
    as_interpreted(&folder, &model, &programs);
    flat(&model, &programs);
}

/// Sends changes through a named pipe, and checks that the compiled program gives the same result
/// as the interpreted model.
fn as_interpreted(folder: &Path, model: &Path, programs: &Programs) {
    let pipe = folder.join("pipe");
    let _ = fs::remove_file(&pipe);
    if !has("mkfifo", "--version") {
        return;
    }
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let path = pipe.to_str().expect("it is text").to_owned();
    let flags = ["--changes", &path, "--format", "json"];
    let written = |run: &dyn Fn() -> Vec<u8>| {
        let pipe = pipe.clone();
        let line = "{\"at_s\": 10, \"node\": \"*\", \"background\": 0.75}\n";
        let writer = thread::spawn(move || fs::write(pipe, line).expect("someone reads"));
        let result: Value = serde_json::from_slice(&run()).expect("it is JSON");
        writer.join().expect("it has written");
        assert_eq!(result["predicted_time_s"], 50.0);
    };
    let program = programs.path(model);
    written(&|| {
        let output = Command::new(&program).args(flags).output();
        output.expect("the program was built").stdout
    });
    written(&|| {
        interpreted::run(model, "blocks", &flags)
            .stdout
            .into_bytes()
    });
}

/// Checks that a program doesn't need more memory for more lines.
fn flat(model: &Path, programs: &Programs) {
    let peak = |lines: u64| {
        let mut child = start(&programs.path(model));
        let mut pipe = child.stdin.take().expect("it is piped");
        let writer = thread::spawn(move || {
            let line =
                |number| format!("{{\"at_s\":{number}e-5,\"node\":\"node0\",\"speed\":0.5}}\n");
            for first in (0..lines).step_by(1000) {
                let some: String = (first..first + 1000).map(line).collect();
                pipe.write_all(some.as_bytes()).expect("the program reads");
            }
        });
        let output = child.wait_with_output().expect("it ends");
        writer.join().expect("it has written all");
        let result = result(&output);
        assert_eq!(result["predicted_time_s"], 40.0);
        result["evaluation"]["peak_memory_bytes"]
            .as_f64()
            .expect("it is measured")
    };
    let (few, many) = (peak(10_000), peak(300_000));
    assert!(many < 1.1 * few, "{few} bytes, then {many} bytes");
}
