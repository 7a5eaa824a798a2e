//! Tests that the intended tools can read exports. Tests say so if a tool is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;
use prophet_export::{TraceFormat, TraceSummary, export};
use prophet_testing::{assert_says, skip};
use prophet_trace::{
    ElementTotals, Header, Operation, Record, Results, Role, TraceWriter, Traffic, UnitId,
    UnitState,
};
use serde_json::Value;

/// Returns the records of two processes, one with two threads, and of a message between them.
fn records() -> Vec<Record> {
    let record = |pid, tid, state, start_s, end_s| Record::new(pid, tid, state, start_s, end_s);
    let main = UnitId { pid: 1, tid: 0 };
    vec![
        record(1, 1, UnitState::Synchronize, 0.0, 0.0)
            .element(3)
            .cause(main),
        record(0, 0, UnitState::Compute, 0.0, 1.0)
            .element(0)
            .began(0.0),
        record(0, 0, UnitState::Send, 1.0, 1.25)
            .element(1)
            .message(Role::Send, 0, 1, 1024)
            .tag(-7)
            .began(1.0),
        record(1, 1, UnitState::Compute, 0.0, 1.25)
            .element(0)
            .began(0.0),
        record(1, 0, UnitState::Synchronize, 0.0, 1.25)
            .element(3)
            .cause(UnitId { pid: 1, tid: 1 }),
        record(1, 0, UnitState::Content, 0.0, 1.25)
            .element(3)
            .began(0.0),
        record(1, 0, UnitState::Wait, 1.25, 2.0)
            .element(2)
            .message(Role::Receive, 0, 0, 1024),
        record(1, 0, UnitState::Receive, 2.0, 2.5)
            .element(2)
            .message(Role::Receive, 0, 0, 1024)
            .began(1.25),
    ]
}

/// Returns the totals of an element with this name and stereotype that was executed once.
pub(crate) fn element(index: u32, id: i64, (name, kind): (&str, &str)) -> ElementTotals {
    ElementTotals {
        index,
        name: name.to_owned(),
        id,
        kind: kind.to_owned(),
        count: 1,
        total_s: 1.0,
        mean_s: 1.0,
        max_s: 1.0,
        share: 0.0,
    }
}

pub(crate) fn results(predicted_time_s: f64, elements: Vec<ElementTotals>) -> Results {
    Results {
        predicted_time_s,
        complete: true,
        elements,
        processes: Vec::new(),
        network: None,
        operations: Vec::new(),
    }
}

/// Elements by name and stereotype.
const ELEMENTS: [(&str, &str); 4] = [
    ("Work", "action+"),
    ("Send, \"fast\"", "bsend"),
    ("Recv", "brecv"),
    ("Team", "parallel"),
];

fn trace(folder: &Path, elements: [(&str, &str); 4]) -> PathBuf {
    let path = folder.join("trace.arrow");
    let header = Header {
        model: "Two".to_owned(),
        machine: "default".to_owned(),
        ..Header::default()
    };
    let file = fs::File::create(&path).unwrap();
    let mut writer = TraceWriter::new(file, header).unwrap();
    writer.write(&records()).unwrap();
    let totals = (0..).zip(elements).map(|(index, it)| element(index, 1, it));
    writer.finish(results(2.5, totals.collect())).unwrap();
    path
}

fn exported(format: TraceFormat) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join(format.name());
    export(&trace(folder.path(), ELEMENTS), format, &to).unwrap();
    (folder, to)
}

#[test]
fn no_text_has_hidden_characters() {
    let folder = tempfile::tempdir().unwrap();
    let elements = ELEMENTS.map(|(_, kind)| ("t\u{202e}\u{9b}x", kind));
    let trace = trace(folder.path(), elements);
    for format in [
        TraceFormat::Chrome,
        TraceFormat::Csv,
        TraceFormat::Paje,
        TraceFormat::PtiXml,
    ] {
        let to = folder.path().join(format.name());
        export(&trace, format, &to).unwrap();
        let text = fs::read_to_string(to).unwrap();
        let hidden = |c: &char| prophet_text::plain::is_hidden(*c) && !"\n\r\t".contains(*c);
        assert_eq!(text.chars().find(hidden), None, "{}", format.name());
    }
}

/// Runs a tool, and returns its output. If it isn't installed, reports that and returns `None`.
fn output(command: &mut Command) -> Option<String> {
    let Ok(output) = command.output() else {
        skip(format_args!("{command:?} is not installed"));
        return None;
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}", text(&output.stderr));
    Some(text(&output.stdout))
}

#[test]
fn csv_has_a_line_for_each_record() {
    let (_folder, path) = exported(TraceFormat::Csv);
    expect_file!["golden/csv_has_a_line_for_each_record.txt"]
        .assert_eq(&fs::read_to_string(path).unwrap());
}

#[test]
fn trace_events_have_an_arrow_for_each_message() {
    for format in [TraceFormat::Perfetto, TraceFormat::Chrome] {
        let (_folder, path) = exported(format);
        let json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let events = json["traceEvents"].as_array().unwrap();
        let of = |kind: &str| -> Vec<&Value> {
            let events = events.iter();
            events.filter(|event| event["ph"] == kind).collect()
        };
        assert_eq!(of("X").len(), records().len());
        assert_eq!(
            of("M").len(),
            6,
            "the names of three threads and their processes"
        );
        let ([start], [end]) = (&of("s")[..], &of("f")[..]) else {
            panic!("{events:?}");
        };
        assert_eq!(
            (&start["id"], &start["ts"]),
            (&end["id"], &Value::from(1e6))
        );
        assert_eq!(
            (&end["pid"], &end["ts"]),
            (&Value::from(1), &Value::from(2e6))
        );
        assert_eq!(of("X")[2]["name"], "Send, \"fast\"");
        assert_eq!(of("X")[2]["dur"], 250_000.0);
    }
}

#[test]
fn accelerators_are_processes_whose_lanes_do_not_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("a.arrow"), folder.path().join("a.json"));
    let operation = |engine, stream, [start_s, end_s]: [f64; 2]| Operation {
        node: 1,
        device: 2,
        engine,
        pid: 3,
        stream,
        element: 9,
        start_s,
        end_s,
    };
    let operations = vec![
        operation(0, 7, [0.0, 1.0]),
        operation(0, 8, [0.0, 2.0]),
        operation(1, 7, [1.0, 1.5]),
        operation(1, 8, [2.0, 2.5]),
    ];
    let mut writer = TraceWriter::new(fs::File::create(&from).unwrap(), Header::default()).unwrap();
    let traffic = Traffic {
        operations,
        ..Traffic::default()
    };
    writer.write_traffic(&traffic).unwrap();
    writer.finish(Results::default()).unwrap();
    export(&from, TraceFormat::Chrome, &to).unwrap();
    let json: Value = serde_json::from_slice(&fs::read(&to).unwrap()).unwrap();
    let seen = json["traceEvents"].as_array().unwrap().iter().map(|event| {
        let (pid, tid) = (&event["pid"], &event["tid"]);
        match event["ph"].as_str() {
            Some("M") => format!("{pid} {tid}: {}", event["args"]["name"]),
            _ => format!("{pid} {tid}: from {} for {}", event["ts"], event["dur"]),
        }
    });
    let seen: Vec<String> = seen.collect();
    expect_file!["golden/accelerators_are_processes_whose_lanes_do_not_overlap.txt"]
        .assert_eq(&seen.join("\n"));
}

#[test]
fn pajeng_reads_paje() {
    let (_folder, path) = exported(TraceFormat::Paje);
    let Some(text) = output(Command::new("pj_dump").arg(path)) else {
        return;
    };
    let lines = |kind: &str| -> Vec<&str> {
        let lines = text.lines();
        lines.filter(|line| line.starts_with(kind)).collect()
    };
    expect_file!["golden/pajeng_reads_paje.txt"].assert_debug_eq(&lines("Link"));
    assert_eq!(lines("State").len(), 6, "those that take time\n{text}");
    let wait = "State, process 1, State, 1.250000, 2.000000, 0.750000, 0.000000, wait";
    assert!(text.contains(wait), "{text}");
    assert!(text.contains("Container, process 1, Thread, 0, 2.5, 2.5, process 1, thread 1"));
}

#[test]
fn pyarrow_reads_parquet_and_the_trace() {
    let (folder, path) = exported(TraceFormat::Parquet);
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let has_pyarrow = Command::new("python3")
        .args(["-c", "import pyarrow.parquet"])
        .output();
    if !has_pyarrow.is_ok_and(|output| output.status.success()) {
        skip("python3 has no pyarrow");
        return;
    }
    let program = r#"
import sys, pyarrow.parquet, pyarrow.ipc
trace = pyarrow.ipc.open_file(sys.argv[1]).read_all()
trace.validate(full=True)
parquet = pyarrow.parquet.read_table(sys.argv[2])
assert parquet.column_names == trace.column_names
for name in trace.column_names:
    assert parquet[name].to_pylist() == trace[name].to_pylist(), name
print(trace.num_rows)
"#;
    let mut command = Command::new("python3");
    let command = command
        .args(["-c", program])
        .arg(folder.path().join("trace.arrow"))
        .arg(path);
    assert_eq!(output(command).as_deref(), Some("8\n"));
}

#[test]
fn parquet_takes_less_room_than_the_trace() {
    let folder = tempfile::tempdir().unwrap();
    let (path, to) = (
        folder.path().join("a.arrow"),
        folder.path().join("a.parquet"),
    );
    let mut writer = TraceWriter::new(fs::File::create(&path).unwrap(), Header::default()).unwrap();
    for number in 0..20_000_u32 {
        let (pid, start_s) = (number % 64, f64::from(number / 64) / 3.0);
        let record = Record::new(pid, 0, UnitState::Send, start_s, start_s + 0.25);
        let record = record.message(Role::Send, number / 64, (pid + 1) % 64, 1024);
        writer
            .write(&[record.tag(i64::from(number % 3)).began(start_s)])
            .unwrap();
    }
    writer.finish(Results::default()).unwrap();
    export(&path, TraceFormat::Parquet, &to).unwrap();
    let length = |path: &Path| fs::metadata(path).unwrap().len();
    let (trace, parquet) = (length(&path), length(&to));
    assert!(parquet * 10 < trace, "{parquet} and {trace} bytes");
}

#[test]
fn a_summary_is_for_people_and_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let summary = TraceSummary::read(&trace(folder.path(), ELEMENTS)).unwrap();
    expect_file!["golden/a_summary_is_for_people_and_for_programs.txt"]
        .assert_eq(&summary.to_string());
    let json = summary.json();
    assert_eq!(json["states"][0]["seconds"], 2.25);
    assert_eq!(
        (&json["records"], &json["message_bytes"]),
        (&8.into(), &1024.into())
    );
}

#[test]
fn what_cannot_be_read_or_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = trace(folder.path(), ELEMENTS);
    let out = folder.path().join("out");
    let bytes = fs::read(&path).unwrap();
    let cut = folder.path().join("cut.arrow");
    fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let foreign = folder.path().join("foreign.arrow");
    fs::write(&foreign, "pid,tid").unwrap();
    let told = |from: &Path, to: &Path| export(from, TraceFormat::Csv, to).unwrap_err().to_string();
    assert!(told(&cut, &out).contains("cut.arrow: the trace is cut off: its end is missing"));
    assert_says(
        told(&foreign, &out),
        &["foreign.arrow: this is not a trace of Performance Prophet"],
    );
    assert!(told(&folder.path().join("none"), &out).contains("none: "));
    assert_says(
        TraceSummary::read(&cut).unwrap_err().to_string(),
        &["cut off"],
    );
    assert!(!out.exists(), "nothing is left of it");
    assert!(told(&path, &path).starts_with("`--out` would replace "));
    assert!(told(&path, folder.path()).contains("cannot write it: "));
    if Path::new("/dev/full").exists() {
        let full = told(&path, Path::new("/dev/full"));
        assert!(full.starts_with("/dev/full: cannot write it: "), "{full}");
    }
    let unknown = "unknown format `vampir`; choose one of perfetto, chrome, paje, otf2, csv, \
                   parquet, pti-xml";
    assert_eq!("vampir".parse::<TraceFormat>(), Err(unknown.to_owned()));
}
