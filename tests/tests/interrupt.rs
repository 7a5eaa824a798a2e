//! Tests how users can stop a run that takes too long, and what the terminal shows meanwhile.
#![cfg(unix)]

use std::io::Read as _;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use prophet_testing::{assert_says, has};

const ENDLESS: &str = env!("CARGO_BIN_EXE_endless");
const INSTANT: &str = env!("CARGO_BIN_EXE_instant");
const INTERRUPTED: &str = "interrupted: the result is partial\n";

/// Starts the endless program, and waits until it can catch signals.
fn start(flags: &[&str]) -> Child {
    start_program(ENDLESS, flags)
}

fn start_program(program: &str, flags: &[&str]) -> Child {
    let child = Command::new(program)
        .args(["--nodes", "3"])
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built");
    let pause = Duration::from_millis(100);
    for _ in 0..100 {
        wait(pause);
        if catches_signals(&child) {
            break;
        }
    }
    child
}

#[expect(clippy::disallowed_methods, reason = "a user waits, too")]
fn wait(time: Duration) {
    thread::sleep(time);
}

/// Returns `true` if Linux reports that the process catches signals. On other systems, waits a
/// little and assumes it.
fn catches_signals(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let Ok(status) = status else {
        wait(Duration::from_secs(1));
        return true;
    };
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // SIGINT is signal 2 and SIGTERM is 15. Signal 1 is the lowest bit.
    caught.is_some_and(|mask| mask & 0x4002 == 0x4002)
}

fn signal(child: &Child, name: &str) {
    assert!(prophet_testing::send_signal(child.id(), name));
}

fn end(child: Child) -> (Output, String, String) {
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output, out, err)
}

/// Runs 20,000 processes, so that the limit on steps isn't reached for a long time.
#[test]
fn a_signal_ends_a_run_whose_time_does_not_pass() {
    let child = start_program(INSTANT, &["--processes", "20000", "--engine", "event"]);
    signal(&child, "TERM");
    let (output, _, err) = end(child);
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert_eq!(err, INTERRUPTED, "that, and not that its time stands still");
}

#[test]
fn a_signal_ends_a_run_with_what_is_known() {
    for (engine, name) in [("event", "INT"), ("local", "INT"), ("auto", "TERM")] {
        let child = start(&["--engine", engine, "--format", "json"]);
        signal(&child, name);
        let (output, out, err) = end(child);
        assert_eq!(output.status.code(), Some(3), "{engine}: {err}");
        assert_eq!(err, INTERRUPTED, "nothing else, since it is not a terminal");
        let json: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
        assert_eq!(json["partial"], true);
        assert!(json["predicted_time_s"].as_f64() > Some(0.0), "{out}");
        assert!(json["evaluation"]["events"].as_u64() > Some(0), "{out}");
        assert_eq!(json["elements"].as_array().map(Vec::len), Some(3));
    }
}

#[test]
fn the_table_says_that_it_is_partial() {
    let child = start(&[]);
    signal(&child, "INT");
    let (output, out, err) = end(child);
    assert_eq!((output.status.code(), err.as_str()), (Some(3), INTERRUPTED));
    assert!(out.starts_with("Predicted time  at least "), "{out}");
    assert_says(&out, &["\nPartial         the run was interrupted"]);
}

#[test]
fn a_second_signal_ends_the_program() {
    // A stopped program gets both signals before it continues.
    let child = start(&[]);
    signal(&child, "STOP");
    signal(&child, "INT");
    signal(&child, "TERM");
    signal(&child, "CONT");
    let (output, out, _) = end(child);
    let by = output.status.signal();
    assert!(by.is_some(), "{:?}", output.status);
    assert_eq!(out, "");
}

/// Runs a program in a terminal that `script` makes.
#[test]
fn a_terminal_shows_how_far_a_run_has_come() {
    // `script` makes the terminal.
    if !has("script", "--version") {
        return;
    }
    let command = format!("timeout --foreground -s INT 3 {ENDLESS}");
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    let out = String::from_utf8_lossy(&output.stdout);
    let shown: Vec<&str> = out
        .split('\r')
        .filter(|line| line.contains("simulated"))
        .collect();
    assert!((2..12).contains(&shown.len()), "{out:?}");
    assert!(shown[0].contains(" events ("), "{out:?}");
    // A shorter line erases the rest of the longer line before it.
    let last = shown[shown.len() - 1];
    let (_, end) = out.rsplit_once(last).expect("it is there");
    let blank = end.trim_start_matches('\r').split('\r').next();
    assert!(
        blank.is_some_and(|blank| blank.len() >= last.trim_end().len() && blank.trim().is_empty()),
        "it is taken away: {out:?}"
    );
    assert!(end.contains("Predicted time  at least "), "{out:?}");
}

/// Interrupts a report that can't be finished, because nobody reads the pipe.
#[test]
fn a_signal_ends_the_making_of_a_report_and_nothing_is_left() {
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().expect("there is room");
        let pipe = folder.path().join("pipe");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("there is mkfifo").success());
        let mut child = Command::new(env!("CARGO_BIN_EXE_explained"))
            .arg("--report")
            .arg(&pipe)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program was built");
        // The result is printed before the report.
        let mut first = [0];
        let out = child.stdout.as_mut().expect("it is piped");
        out.read_exact(&mut first).expect("it tells");
        self::signal(&child, signal);
        let (output, _, err) = end(child);
        assert_eq!(output.status.code(), Some(3), "{signal}: {err}");
        assert_eq!(err, "interrupted: the report was not written\n");
        let names = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(names, 1, "only the pipe is there");
    }
}

/// Kills a program, so that it can't remove files. Until they are complete, they have no names.
#[test]
#[cfg(target_os = "linux")]
fn nothing_is_left_of_a_program_that_is_killed() {
    let folder = tempfile::tempdir().expect("there is room");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (trace, report) = (place("trace"), place("report.html"));
    for flags in [
        &["--trace", &trace][..],
        &["--report", &report],
        &["--trace", &trace, "--report", &report, "--engine", "event"],
    ] {
        let child = start(flags);
        wait(Duration::from_millis(300));
        signal(&child, "KILL");
        let (output, ..) = end(child);
        assert_eq!(output.status.signal(), Some(9));
        let names = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(names, 0, "{flags:?}");
    }
}

#[test]
fn memory_that_runs_out_ends_a_run_with_a_word() {
    let folder = tempfile::tempdir().expect("there is room");
    let report = folder.path().join("report.html");
    let output = Command::new(env!("CARGO_BIN_EXE_hungry"))
        .arg("--report")
        .arg(report)
        .output()
        .expect("the program was built");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(message.contains("memory allocation of "), "{message}");
    let names = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(names, 0, "nothing is left over");
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_cannot_fit_is_refused_before_it_begins() {
    for engine in ["event", "local", "auto"] {
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 700000; exec \"$0\" \"$@\"", ENDLESS])
            .args(["--nodes", "4000000", "--engine", engine])
            .output()
            .expect("there is a shell");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(message.starts_with("error: "), "{message}");
        for word in [
            "4000000 processes need at least ",
            " MiB of memory, but the address space has only ",
            " MiB more; use fewer processes",
        ] {
            assert!(message.contains(word), "{message}");
        }
    }
}
