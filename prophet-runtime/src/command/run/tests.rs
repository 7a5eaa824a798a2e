use std::ops::ControlFlow;

use prophet_testing::{assert_cases, assert_starts};

use super::*;
use crate::elements::ActionPlus;
use crate::engine::process::ProcessCtx;
use crate::kernel::{LOOK_EVERY, Observer, Progress};
use crate::language::model::Drawing;
use crate::results::outcome::{ElementOutcome, Evaluation, ProcessOutcome, Repeated, Repetition};
use crate::simulation::choice::Engine;

const MODEL: Model = Model::new("SampleModel", &[], 1);

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
                hold_s: 0.0,
            })
            .collect(),
        elements: vec![ElementOutcome {
            name: "A1".to_owned(),
            id: 1,
            kind: "action+".into(),
            count: 1,
            total_s: 112.0,
            mean_s: 112.0,
            max_s: 112.0,
            share: 1.0,
        }],
        evaluation: Evaluation {
            engine: "event".into(),
            threads: 1,
            evaluated: "native".into(),
            events: 2,
            ..Evaluation::default()
        },
        ..Outcome::default()
    }
}

fn failure(cause: Cause) -> Failure {
    Failure {
        time_s: 1.0,
        process: None,
        thread: None,
        element: None,
        cause: Box::new(cause),
    }
}

/// Returns the exit code, stdout, and stderr of a command line.
fn run(flags: &[&str]) -> (u8, String, String) {
    run_with(flags, |system, _, _| Ok(outcome(&system)))
}

#[test]
fn results_are_compared_with_what_is_expected() {
    let (code, out, err) = run(&["--expect", "predicted_time_s <= 112", "--format", "json"]);
    assert_eq!((code, &*err), (0, ""));
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept.json");
    let earlier = out.replace("112.0", "100.0");
    std::fs::write(&kept, earlier).unwrap();
    let kept = kept.to_str().unwrap();
    let failing = [
        "--expect",
        "elements.A1.max_s < 100",
        "--expect",
        "seed == 2",
    ];
    let (code, _, err) = run(&[&failing[..], &["--kept", kept]].concat());
    assert_eq!(code, 4);
    let expected = "\
error: expected elements.A1.max_s < 100, found 112
  expected seed == 2, found 1
  `A1` grew most since the earlier result: from 100 s to 112 s per process
";
    assert_eq!(err, expected);
    std::fs::write(kept, out).unwrap();
    let (_, _, err) = run(&[&failing[..2], &["--kept", kept]].concat());
    assert!(
        err.ends_with("\n  no element takes longer than in the earlier result\n"),
        "{err}"
    );
}

#[test]
fn branches_that_take_turns_are_told_unless_the_flags_ask_for_it() {
    let of = |flags: &[&str]| {
        run_with(flags, |system, _, _| {
            let cpus_wanted = 3;
            let outcome = outcome(&system);
            Ok(Outcome {
                cpus_wanted,
                ..outcome
            })
        })
    };
    let (_, _, err) = of(&["--cpus-per-node", "2"]);
    let expected = "note: up to 3 branches and threads needed a CPU at the same time on a node \
                    with 2 CPUs, so they took turns; to run them side by side, use \
                    --cpus-per-node 3\n";
    assert_eq!(err, expected);
    let (_, _, err) = of(&["--cpus-per-node", "2", "--processes", "3"]);
    assert_eq!(err, "");
}

/// The model has a drawing with its element.
#[test]
fn pictures_are_colored_by_where_time_goes() {
    const DRAWINGS: &[Drawing] = &[Drawing::new(
        "Main",
        "<!-- made --><svg width=\"500\" height=\"30\"><g data-element=\"1\"></g></svg>",
    )];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.svg");
    let options = |flags: &[&str]| {
        let words = std::iter::once("sample").chain(flags.iter().copied());
        cli::parse(&MODEL, &mut words.map(OsString::from)).unwrap()
    };
    let options = options(&["--nodes", "2", "--picture", path.to_str().unwrap()]);
    let mut outcome = outcome(&options.system);
    outcome.elements[0].name = "<A1>".to_owned();
    let report = Report {
        model: &MODEL.drawn(DRAWINGS),
        system: &options.system,
        outcome: &outcome,
        all_processes: false,
    };
    picture::write(&path, &report).unwrap();
    let found = std::fs::read_to_string(&path).unwrap();
    expect_test::expect_file!["picture.svg"].assert_eq(&found);
    let report = Report {
        model: &MODEL,
        ..report
    };
    let refused = picture::write(&path, &report).unwrap_err();
    assert_eq!(
        refused,
        "`--picture` colors a model's diagrams, but this model has none"
    );
}

#[test]
fn what_cannot_be_expected_is_told() {
    let (code, _, err) = run(&["--expect", "predicted_times < 2"]);
    let message = "the result does not contain the number `predicted_times`; did you mean \
                   `predicted_time_s`?";
    assert_eq!(code, 2);
    assert_starts(&err, &format!("error: {message}"));
    let (code, _, err) = run(&["--expect", "fast"]);
    let message = "error: invalid value 'fast' for '--expect <COMPARISON>': write a comparison";
    assert_eq!(code, 2);
    assert_starts(&err, message);
    let (code, _, err) = run(&["--expect", "seed > 2", "--kept", "/dev/null"]);
    assert_eq!(code, 1);
    assert_starts(&err, "error: /dev/null: this is not a JSON result");
    let (code, _, err) = run(&["--kept", "kept.json"]);
    assert_eq!(code, 2);
    assert_starts(&err, "error: --kept needs --expect");
}

/// Returns the exit code of a command line that prints to `out` and `err`.
fn run_on(
    (out, err): (&mut dyn Write, &mut dyn Write),
    flags: &[&str],
    evaluate: &Evaluate<'_>,
) -> u8 {
    let mut terminal = Terminal {
        out: Some(out),
        err,
        styled: false,
        shows_progress: false,
        interrupt: Interrupt::default(),
        handle: None,
        failed: None,
    };
    let words = std::iter::once("sample").chain(flags.iter().copied());
    terminal.run(&MODEL, &mut words.map(OsString::from), evaluate)
}

fn run_with(
    flags: &[&str],
    evaluate: impl Fn(System, Method, Watching<'_>) -> Result<Outcome, Failure>,
) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = run_on((&mut out, &mut err), flags, &evaluate);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(out), text(err))
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
fn a_result_is_written_to_a_file_besides() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    let flags = ["--record", path.to_str().unwrap()];
    std::fs::write(&path, "an old one").unwrap();
    let (code, out, err) = run(&flags);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("Predicted time  112 s\n"), "{out}");
    let text = std::fs::read_to_string(&path).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["predicted_time_s"], 112.0);
    assert_eq!(text.lines().count(), 1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_result_that_cannot_be_written_is_printed_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = run(&["--record", folder.path().to_str().unwrap()]);
    assert_eq!(code, 1);
    assert!(out.starts_with("Predicted time  112 s\n"), "{out}");
    assert_starts(&err, "error: cannot write the result to");

    // A folder already has the file's name. It stays, and no temporary file is left next to it.
    let taken = folder.path().join("run.json");
    std::fs::create_dir(&taken).unwrap();
    let (code, ..) = run(&["--record", taken.to_str().unwrap()]);
    assert_eq!(code, 1);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_engine_of_the_command_line_evaluates() {
    for (flags, expected) in [
        (&[][..], Engine::Auto),
        (&["--engine", "auto"], Engine::Auto),
        (&["--engine", "event"], Engine::Event),
        (&["--engine", "local"], Engine::Local),
    ] {
        let (code, ..) = run_with(flags, |system, method, _| {
            assert_eq!(method.engine, expected);
            Ok(outcome(&system))
        });
        assert_eq!(code, 0, "{flags:?}");
    }
}

#[test]
fn a_run_with_repetition_tells_what_it_simulates() {
    for (flags, asked) in [(&[][..], false), (&["--repetition", "auto"], true)] {
        let (code, out, err) = run_with(flags, |system, method, _| {
            assert_eq!(method.repetition, asked);
            let mut outcome = outcome(&system);
            outcome.evaluation.repetition = asked.then(|| {
                let mut told = Repetition::default();
                told.computed.push(Repeated {
                    name: "Iterate".to_owned(),
                    iterations: 999_997,
                    period: 1,
                });
                told.add_simulated(Some("Sweep".to_owned()), "its content draws");
                told
            });
            Ok(outcome)
        });
        assert_eq!(code, 0, "{flags:?}");
        let note = "note: Sweep is simulated: its content draws\n";
        assert_eq!(err, if asked { note } else { "" });
        let line = "Repetition      Iterate: 999,997 iterations computed (period 1)\n";
        assert_eq!(out.contains(line), asked, "{out}");
    }
}

#[test]
fn help_and_version_are_results_too() {
    for flag in ["--help", "--version"] {
        let (code, out, err) = run_with(&[flag], |_, _, _| panic!("nothing to evaluate"));
        assert_eq!((code, err.as_str()), (0, ""), "{flag}");
        assert!(!out.is_empty(), "{flag}");
    }
}

#[test]
fn what_goes_wrong_has_its_exit_code() {
    assert_cases("tests/cases/exits.txt", |case| {
        let told = |line: &str| {
            let flags: Vec<&str> = line.split_whitespace().collect();
            let (code, out, err) = run_with(&flags[1..], |_, _, _| match &*case.title {
                "a run that stops" => Err(failure(Cause::Stopped)),
                "a file that is found wrong during the run" => {
                    Err(failure(Cause::Changes("changes.jsonl:3: no".to_owned())))
                }
                _ => panic!("nothing to evaluate"),
            });
            format!("$ {line}\n{out}{err}exit code {code}\n")
        };
        case.input.lines().map(told).collect::<Vec<_>>().concat()
    });
}

#[test]
fn a_wrong_file_is_exit_code_1() {
    let (code, out, err) = run_with(&["--mapping", "no/such"], |_, _, _| {
        panic!("nothing to evaluate")
    });
    assert_eq!((code, out.as_str()), (1, ""));
    assert_starts(&err, "error: cannot read no/such: ");
    assert_eq!(err.lines().count(), 1);
}

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
        let (mut err, mut out) = (Vec::new(), Closed(kind));
        let done = |system: System, _, _: Watching<'_>| Ok(outcome(&system));
        let code = run_on((&mut out, &mut err), flags, &done);
        (code, String::from_utf8(err).unwrap())
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
    let streams: (&mut dyn Write, &mut dyn Write) =
        (&mut Vec::new(), &mut Closed(ErrorKind::BrokenPipe));
    let code = run_on(streams, &["--x"], &|_, _, _| Err(failure(Cause::Stopped)));
    assert_eq!(code, 2);
}

/// Ends a run when it is called for the second time.
#[derive(Default)]
struct Impatient {
    looks: Vec<Progress>,
}

impl Observer for Impatient {
    fn look(&mut self, progress: Progress) -> ControlFlow<()> {
        self.looks.push(progress);
        if self.looks.len() < 2 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

#[test]
fn a_run_that_is_ended_early_tells_what_it_knows() {
    const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
    let program = async |ctx: &ProcessCtx<'_>| {
        if ctx.pid() == 0 {
            return WORK.execute(ctx, 0.5).await;
        }
        loop {
            WORK.execute(ctx, 0.001).await?;
        }
    };
    for engine in [Engine::Event, Engine::Local, Engine::Auto] {
        let simulation = Simulation::new(&MODEL, System::new(3, 1, 3, 1)).with_engine(engine);
        let mut observer = Impatient::default();
        let mut watching = Watching::by(&mut observer, None);
        let outcome = simulation.run_observed(&program, &mut watching).unwrap();
        let [first, second] = observer.looks[..] else {
            panic!("{:?}", observer.looks);
        };
        assert_eq!((first.events, second.events), (LOOK_EVERY, 2 * LOOK_EVERY));
        assert_eq!(outcome.evaluation.events, 2 * LOOK_EVERY, "{engine}");
        assert!(outcome.partial && second.time_s > first.time_s);
        let ends: Vec<f64> = { outcome.processes.iter() }.map(|p| p.end_s).collect();
        assert_eq!(ends[0].to_bits(), 0.5_f64.to_bits(), "it had ended");
        assert!(ends[1] > 2.0 && ends[2] > 2.0, "{ends:?}");
        let latest_s = ends[1].max(ends[2]);
        assert_eq!(outcome.predicted_time_s.to_bits(), latest_s.to_bits());
        assert!(outcome.elements[0].count > LOOK_EVERY);
    }
}

#[test]
fn a_partial_result_is_printed_with_exit_code_3() {
    let flags = ["--format", "json"];
    let (code, out, err) = run_with(&flags, |system, _, _| {
        Ok(Outcome {
            partial: true,
            ..outcome(&system)
        })
    });
    assert_eq!(code, 3);
    assert_eq!(err, "interrupted: the result is partial\n");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["partial"], true);
}

fn run_program(flags: &[&str]) -> (u8, String, String) {
    const WORK: ActionPlus = ActionPlus::new(0, "Work", 1);
    run_with(flags, |system, method, mut watching| {
        let simulation = Simulation::new(&MODEL, system).with_engine(method.engine);
        let program = async |ctx: &ProcessCtx<'_>| WORK.execute(ctx, 1.5).await;
        simulation.run_observed(&program, &mut watching)
    })
}

#[test]
fn a_trace_is_written_beside_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a trace.arrow");
    let flags = ["--processes", "3", "--trace", path.to_str().unwrap()];
    let (code, out, err) = run_program(&flags);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("Predicted time  4.5 s\n"), "{out}");
    let mut reader = prophet_trace::TraceReader::open(&path).unwrap();
    assert_eq!(reader.header().model, "SampleModel");
    assert_eq!(reader.results().processes.len(), 3);
    let mut records = Vec::new();
    assert!(reader.next_batch(&mut records).unwrap());
    assert_eq!(records.len(), 5, "three compute, two of them wait before");

    let filtered = [
        &flags[..],
        &["--trace-filter", "pid=1..2"],
        &["--trace-filter", "time=2.."],
    ];
    assert_eq!(run_program(&filtered.concat()).0, 0);
    let mut reader = prophet_trace::TraceReader::open(&path).unwrap();
    assert_eq!(reader.header().filter.as_deref(), Some("pid=1..2 time=2.."));
    assert!(reader.next_batch(&mut records).unwrap());
    let seen: Vec<(u32, f64, f64)> = { records.iter() }
        .map(|record| (record.pid, record.start_s, record.end_s))
        .collect();
    assert_eq!(seen, [(1, 1.5, 3.0), (2, 0.0, 3.0), (2, 3.0, 4.5)]);
}

#[test]
fn a_trace_that_cannot_be_written_does_not_keep_the_result_from_being_printed() {
    let mut paths = vec!["."];
    if std::path::Path::new("/dev/full").exists() {
        paths.push("/dev/full");
    }
    for path in paths {
        let (code, out, err) = run_program(&["--trace", path]);
        assert_eq!(code, 1);
        assert!(out.starts_with("Predicted time  1.5 s\n"), "{out}");
        let problem = format!("error: cannot write the trace `{path}`: ");
        assert!(err.starts_with(&problem), "{err}");
    }
}

/// Returns the prediction or error of a command line, as a caller in the same program gets it.
fn kept(
    flags: &[&str],
    evaluate: impl Fn(System, Method, Watching<'_>) -> Result<Outcome, Failure>,
) -> Result<Ran, RunError> {
    let words = std::iter::once("sample").chain(flags.iter().copied());
    let handle = RunHandle::default();
    evaluate::kept(&handle, |terminal| {
        terminal.predict(&MODEL, &mut words.map(OsString::from), &evaluate)
    })
}

#[test]
fn a_caller_gets_predictions_and_errors_as_values() {
    let done = |system: System, _, _: Watching<'_>| Ok(outcome(&system));
    let ran = kept(&["--processes", "2"], done).unwrap();
    assert_eq!((ran.notes.as_str(), ran.failed), ("", None));
    let result = ran.prediction.result(&MODEL).to_value().unwrap();
    let (_, printed, _) = run(&["--format", "json", "--processes", "2"]);
    let mut printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
    printed["evaluation"] = result["evaluation"].clone();
    assert_eq!(result, printed);

    let error = kept(&["--nodse", "4"], done).unwrap_err();
    assert_eq!(error.code, 2);
    let (_, _, printed) = run(&["--nodse", "4"]);
    assert_eq!(printed, format!("error: {error}\n"));

    let stopped = |_, _, _: Watching<'_>| Err(failure(Cause::Stopped));
    let error = kept(&[], stopped).unwrap_err();
    let (code, _, printed) = run_with(&[], stopped);
    assert!(error.is_stopped() && code == error.code);
    assert_eq!(printed, format!("error: {error}\n"));

    let help = kept(&["--help"], done).unwrap_err();
    assert_eq!((help.code, help.message), (0, run(&["--help"]).1));

    let partial = |system: System, _, _: Watching<'_>| {
        let partial = true;
        Ok(Outcome {
            partial,
            ..outcome(&system)
        })
    };
    let failed = kept(&[], partial).unwrap().failed.unwrap();
    assert_eq!(failed.to_string(), "interrupted: the result is partial");
    assert!(failed.is_stopped());
}
