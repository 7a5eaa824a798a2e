//! Tests that no command panics if standard streams are full, closed, or unread.

use std::process::{Command, Output};

use prophet_testing::stderr;

use crate::home::Home;
use crate::installed::{CALLS, columns};

/// Runs the program in a shell with these streams. No other programs can be found.
fn shell(home: &Home, call: &str, streams: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_performance-prophet");
    let line = format!("20 bash -c 'exec /usr/bin/env PATH=/nowhere {program} {call} {streams}'");
    let mut command: Command = home.command_of("timeout", &line);
    command.output().expect("it is here")
}

fn assert_no_panic(output: &Output, what: &str) {
    let message = stderr(output);
    // 101 is a panic, 124 is a command that hangs, and 134 is an abort.
    let is_well = output.status.code().is_some_and(|it| it < 100);
    assert!(
        is_well && !message.contains("panicked"),
        "{what}: {:?} {message}",
        output.status
    );
}

#[test]
fn no_command_needs_its_streams() {
    let home = Home::new();
    home.write("costs.csv", "n,time_s\n1,1\n2,2\n4,4\n8,8\n");
    home.write("a.ti", "0 init\n0 compute 1e6\n0 finalize\n");
    // Later calls use what these calls write.
    let slow = ["studio --help", "lsp --help", "doctor"];
    let calls = CALLS
        .lines()
        .map(columns)
        .filter(|[_, call, _]| !slow.contains(call));
    for [_, call, _] in calls {
        let made = shell(&home, call, "");
        for streams in ["2>/dev/full", "2>&-", "1>&2 2>/dev/full"] {
            let output = shell(&home, call, streams);
            assert_no_panic(&output, &format!("{call} {streams}"));
        }
        // The exit code reports the work, whether or not anyone reads the output. Losing a result
        // is an error.
        let (quiet, full) = (
            shell(&home, call, "2>/dev/full"),
            shell(&home, call, ">/dev/full"),
        );
        let again = shell(&home, call, "");
        assert_eq!(quiet.status.code(), again.status.code(), "{call}");
        assert_no_panic(&full, call);
        // Help isn't a result.
        if again.status.success() && !again.stdout.is_empty() && !call.contains("help") {
            assert_eq!(full.status.code(), Some(1), "{call}: {}", stderr(&full));
            assert!(
                stderr(&full).contains("cannot write"),
                "{call}: {}",
                stderr(&full)
            );
        }
        assert_no_panic(&shell(&home, call, ">&-"), &format!("{call} >&-"));
        assert_no_panic(
            &shell(&home, call, "> >(true) 2> >(true)"),
            &format!("{call} | true"),
        );
        drop(made);
    }
    assert_no_panic(&shell(&home, "check none.uml", "2>/dev/full"), "check");
}

#[test]
fn names_of_any_length_are_shown() {
    let home = Home::new();
    let long = "r".repeat(70_000);
    let model = home
        .read("sample.uml")
        .replace("name=\"A1\"", &format!("name=\"{long}\""));
    home.write("long.uml", model);
    home.write(
        "long.csv",
        format!("region,n,time_s\n{long},1,1\n{long},2,2\n{long},4,4\n"),
    );
    home.write("long.toml", format!("name = \"{long}\"\nsource = \"s\"\n"));
    home.write("long.ti", format!("0 init\n0 {long} 1\n0 finalize\n"));
    for call in [
        "check long.uml",
        "check long.uml --summary",
        "run long.uml",
        "run long.uml --trace long.arrow",
        "report long.arrow",
        "trace long.arrow --summary",
        "run long.uml --save long.sqlite",
        "runs --repository long.sqlite show 1",
        "runs --repository long.sqlite compare 1 1",
        "gen long.uml --target svg",
        "fit long.csv",
        "fit distribution long.csv",
        "sweep long.uml --vary nodes=1,2",
        "sweep long.uml --vary nodes=1..3 --sensitivity all",
        "machine long.toml",
        "run sample.uml --machine long.toml",
        "import long.ti --out long.puml",
        "validate long.uml",
    ] {
        let output = shell(&home, call, "");
        assert_no_panic(&output, call);
    }
    for flag in ["--vary", "--nodes", "--machine", "--trace", "--main"] {
        let output = shell(&home, &format!("run sample.uml {flag} {long}"), "");
        assert_no_panic(&output, flag);
    }
}
