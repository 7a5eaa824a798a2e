#![expect(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes them so"
)]

use expect_test::expect;

use super::*;
use crate::outcome::{ElementOutcome, Evaluation, ProcessOutcome};

const MODEL: Model = Model {
    name: "SampleModel",
    parameters: &[],
    elements: 1,
};

fn outcome(system: &System) -> Outcome {
    Outcome {
        predicted_time_s: 112.0,
        processes: (0..system.processes)
            .map(|pid| ProcessOutcome {
                pid,
                nid: 0,
                end_s: 112.0,
                compute_s: 112.0,
                communication_s: 0.0,
                wait_s: 0.0,
            })
            .collect(),
        elements: vec![ElementOutcome {
            name: "A1".to_owned(),
            id: 1,
            kind: "action+",
            count: 1,
            total_s: 112.0,
            mean_s: 112.0,
            max_s: 112.0,
        }],
        evaluation: Evaluation {
            engine: "event",
            why_not_local: None,
            wall_s: 0.0,
            cpu_s: 0.0,
            events: 2,
            messages: 0,
            peak_memory_bytes: 0,
        },
    }
}

/// Exit code, stdout and stderr of a command line.
fn run(flags: &[&str]) -> (u8, String, String) {
    run_with(flags, |system, _| Ok(outcome(&system)))
}

fn run_with(
    flags: &[&str],
    evaluate: impl FnOnce(System, Engine) -> Result<Outcome, String>,
) -> (u8, String, String) {
    let mut terminal = Terminal {
        out: Vec::new(),
        err: Vec::new(),
        bold: false,
    };
    let arguments = std::iter::once("sample")
        .chain(flags.iter().copied())
        .map(OsString::from);
    let code = terminal.run(&MODEL, arguments, evaluate);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(terminal.out), text(terminal.err))
}

#[test]
fn a_result_goes_to_stdout_alone() {
    let (code, out, err) = run(&[]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("Predicted time  112 s\n"), "{out}");

    let (code, out, err) = run(&["--format", "json", "--processes", "2"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["predicted_time_s"], 112.0);
    assert_eq!(json["processes"].as_array().unwrap().len(), 2);
    assert!(json["evaluation"]["wall_s"].as_f64().unwrap() >= 0.0);
}

#[test]
fn the_engine_of_the_command_line_evaluates() {
    for (flags, expected) in [
        (&[][..], Engine::Auto),
        (&["--engine", "auto"], Engine::Auto),
        (&["--engine", "event"], Engine::Event),
        (&["--engine", "local"], Engine::Local),
    ] {
        let (code, ..) = run_with(flags, |system, engine| {
            assert_eq!(engine, expected);
            Ok(outcome(&system))
        });
        assert_eq!(code, 0, "{flags:?}");
    }
}

#[test]
fn help_and_version_are_results_too() {
    for flag in ["--help", "--version"] {
        let (code, out, err) = run_with(&[flag], |_, _| panic!("nothing to evaluate"));
        assert_eq!((code, err.as_str()), (0, ""), "{flag}");
        assert!(!out.is_empty(), "{flag}");
    }
}

#[test]
fn a_wrong_command_line_is_exit_code_2() {
    let (code, out, err) = run_with(&["--nodse", "4"], |_, _| panic!("nothing to evaluate"));
    assert_eq!((code, out.as_str()), (2, ""));
    expect![[r#"
        error: unexpected argument '--nodse' found

          tip: a similar argument exists: '--nodes'

        Usage: sample --nodes <N>

        For more information, try '--help'.
    "#]]
    .assert_eq(&err);
    let flags = ["--engine", "local", "--processes", "2"];
    let (code, out, err) = run_with(&flags, |_, _| panic!("nothing to evaluate"));
    assert_eq!((code, out.as_str()), (2, ""));
    let why = "error: --engine local cannot run this: node 0 has 2 processes on 1 CPU; ";
    assert!(err.starts_with(why), "{err}");
}

#[test]
fn a_wrong_file_is_exit_code_1() {
    let (code, out, err) = run_with(&["--mapping", "no/such"], |_, _| {
        panic!("nothing to evaluate")
    });
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(
        err.starts_with("error: the mapping file `no/such` cannot be read: "),
        "{err}"
    );
    assert_eq!(err.lines().count(), 1);
}

#[test]
fn a_run_that_stops_is_exit_code_3() {
    let (code, out, err) = run_with(&[], |_, _| Err("deadlock\n  process 0 waits".to_owned()));
    assert_eq!((code, out.as_str()), (3, ""));
    assert_eq!(err, "error: deadlock\n  process 0 waits\n");
}

/// Refuses every byte.
struct Closed(ErrorKind);

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(self.0.into())
    }
}

#[test]
fn a_closed_pipe_is_fine_and_a_full_disk_is_not() {
    let code_of = |kind, flags: &[&str]| {
        let mut terminal = Terminal {
            out: Closed(kind),
            err: Vec::new(),
            bold: false,
        };
        let arguments = std::iter::once("sample")
            .chain(flags.iter().copied())
            .map(OsString::from);
        let code = terminal.run(&MODEL, arguments, |system, _| Ok(outcome(&system)));
        (code, String::from_utf8(terminal.err).unwrap())
    };
    for flags in [&[][..], &["--format", "json"], &["--help"]] {
        assert_eq!(
            code_of(ErrorKind::BrokenPipe, flags),
            (0, String::new()),
            "{flags:?}"
        );
        let (code, err) = code_of(ErrorKind::StorageFull, flags);
        assert_eq!(code, 1, "{flags:?}");
        assert!(err.starts_with("error: cannot write the result: "), "{err}");
    }
    let mut deaf = Terminal {
        out: Vec::new(),
        err: Closed(ErrorKind::BrokenPipe),
        bold: false,
    };
    assert_eq!(
        deaf.run(&MODEL, ["sample".into(), "--x".into()], |_, _| Err(
            String::new()
        )),
        2
    );
}

#[test]
fn parsing_the_command_line_is_cheap() {
    let watch = Stopwatch::start();
    for _ in 0..100 {
        let _ = run(&["--nodes", "2", "--format", "json"]);
    }
    let each_s = watch.wall_s() / 100.0;
    // The promise is 5 ms in a release build; this is a debug build on a busy machine.
    assert!(each_s < 0.05, "{each_s} s");
}
