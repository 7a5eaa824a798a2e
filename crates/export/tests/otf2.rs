//! Tests OTF2 archives with OTF2's own reader. Tests say so if it is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;
use prophet_export::{TraceFormat, export};
use prophet_testing::skip;
use prophet_trace::{Header, Record, Role, TraceWriter, UnitId, UnitState};

use crate::exports::{element, results};

const ELEMENTS: [(&str, &str); 9] = [
    ("Work", "action+"),
    ("Phase", "activity+"),
    ("Send", "bsend"),
    ("Recv", "brecv"),
    ("Sum", "reduce"),
    ("Row", "allgather"),
    ("Team", "parallel"),
    ("Lock", "critical"),
    ("Save", "mine"),
];
const WORK: u32 = 0;
const PHASE: u32 = 1;
const SEND: u32 = 2;
const RECV: u32 = 3;
const SUM: u32 = 4;
const ROW: u32 = 5;
const TEAM: u32 = 6;
const LOCK: u32 = 7;
const SAVE: u32 = 8;

fn record(pid: u32, state: UnitState, element: u32, start_s: f64, end_s: f64) -> Record {
    Record::new(pid, 0, state, start_s, end_s).element(element)
}

/// Returns an execution that has its own record.
fn whole(pid: u32, element: u32, start_s: f64, end_s: f64) -> Record {
    record(pid, UnitState::Content, element, start_s, end_s).began(start_s)
}

fn records() -> Vec<Record> {
    let mut records = Vec::new();
    // A whole execution that takes no time.
    records.push(record(0, UnitState::Compute, WORK, 0.0, 0.0).began(0.0));
    records.push(whole(0, PHASE, 0.0, 0.0));
    records.push(record(0, UnitState::Compute, WORK, 0.0, 1.0).began(0.0));
    let send = record(0, UnitState::Send, SEND, 1.0, 1.5).began(1.0);
    records.push(send.message(Role::Send, 0, 1, 64).tag(7));
    let wait = record(1, UnitState::Wait, RECV, 0.0, 2.0).message(Role::Receive, 0, 0, 64);
    records.push(wait);
    records.push(wait.then(UnitState::Receive, 2.5).began(0.0));
    // A collective with a cost, in which all processes wait for the last one.
    for pid in 0..3 {
        let since_s = [1.5, 2.5, 0.0][pid as usize];
        let last = UnitId { pid: 1, tid: 0 };
        if since_s < 2.5 {
            let wait = record(pid, UnitState::Wait, SUM, since_s, 2.5)
                .partner(2)
                .bytes(8);
            records.push(wait.cause(last));
        }
        let sum = record(pid, UnitState::Collective, SUM, 2.5, 3.0).partner(2);
        records.push(sum.bytes(8).began(since_s));
    }
    // A collective of two processes, as messages.
    for (pid, partner, role, number) in [(0, 2, Role::Send, 1), (2, 0, Role::Receive, 1)] {
        let part = record(pid, UnitState::Collective, ROW, 3.0, 3.25);
        records.push(part.message(role, number, partner, 100));
        records.push(whole(pid, ROW, 3.0, 3.25).bytes(100).comm(0));
    }
    // Code that holds a lock in a region.
    records.push(record(1, UnitState::Compute, LOCK, 3.0, 3.5).began(3.0));
    records
        .push(record(1, UnitState::Synchronize, TEAM, 3.5, 3.75).cause(UnitId { pid: 1, tid: 1 }));
    records.push(whole(1, TEAM, 3.0, 3.75));
    records.push(record(1, UnitState::Hold, SAVE, 3.75, 4.0).began(3.75));
    records.sort_by(|a, b| a.end_s.total_cmp(&b.end_s).then(a.pid.cmp(&b.pid)));
    records
}

fn trace(folder: &Path) -> PathBuf {
    let path = folder.join("trace.arrow");
    let file = fs::File::create(&path).unwrap();
    let mut writer = TraceWriter::new(file, Header::default()).unwrap();
    writer.write(&records()).unwrap();
    let totals = (0..)
        .zip(ELEMENTS)
        .map(|(index, it)| element(index, index.into(), it));
    writer.finish(results(4.0, totals.collect())).unwrap();
    path
}

/// Prints the trace with `otf2-print` and these flags. If OTF2 isn't installed, reports that and
/// returns `None`.
fn printed(flags: &[&str]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("otf2");
    if let Err(error) = export(&trace(folder.path()), TraceFormat::Otf2, &to) {
        let needs = "libotf2-trace-dev (`apt-get install libotf2-trace-dev`)";
        assert!(error.to_string().ends_with(needs), "{error}");
        assert!(!to.exists());
        skip(error);
        return None;
    }
    // The library derives an archive's number from the clock, so it is different now.
    let other = folder.path().join("other");
    export(&trace(folder.path()), TraceFormat::Otf2, &other).unwrap();
    for file in ["traces.otf2", "traces.def", "traces/0.def", "traces/0.evt"] {
        let [one, same] = [&to, &other].map(|it| fs::read(it.join(file)).unwrap());
        assert!(one == same, "{file} differs");
    }
    let again = export(&trace(folder.path()), TraceFormat::Otf2, &to).unwrap_err();
    let again = again.to_string();
    assert!(
        again.ends_with("it already exists: OTF2 needs a new folder"),
        "{again}"
    );
    let mut command = Command::new("otf2-print");
    let Ok(output) = command.args(flags).arg(to.join("traces.otf2")).output() else {
        skip("otf2-print is not installed");
        return None;
    };
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

fn words(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn regions_say_whose_they_are_and_what_is_done_in_them() {
    let Some(text) = printed(&["-G"]) else { return };
    let regions = text.lines().filter(|line| line.starts_with("REGION"));
    let regions: Vec<String> = regions.map(words).collect();
    expect_file!["golden/regions_say_whose_they_are_and_what_is_done_in_them.txt"]
        .assert_eq(&regions.join("\n"));
    let communicators = text
        .lines()
        .filter(|line| line.starts_with("COMM") || line.starts_with("GROUP"));
    let communicators: Vec<String> = communicators.map(words).collect();
    expect_file!["golden/regions_say_whose_they_are_and_what_is_done_in_them_2.txt"]
        .assert_eq(&communicators.join("\n"));
}

fn events_of(pid: &str) -> Option<String> {
    let text = printed(&[])?;
    let events = text.lines().filter(|line| {
        let kinds = ["ENTER", "LEAVE", "MPI_"];
        kinds.iter().any(|kind| line.starts_with(kind))
    });
    let events = events.map(words);
    let events = events.filter(|event| event.split(' ').nth(1) == Some(pid));
    Some(events.collect::<Vec<_>>().join("\n"))
}

#[test]
fn executions_are_nested_messages_have_tags_and_collectives_are_whole() {
    let Some(events) = events_of("0") else { return };
    expect_file!["golden/executions_are_nested_messages_have_tags_and_collectives_are_whole.txt"]
        .assert_eq(&events);
}

#[test]
fn a_message_has_its_tag_where_it_arrives_and_regions_of_threads_are_nested() {
    let Some(events) = events_of("1") else { return };
    expect_file![
        "golden/a_message_has_its_tag_where_it_arrives_and_regions_of_threads_are_nested.txt"
    ]
    .assert_eq(&events);
}

#[test]
fn the_root_of_a_collective_gets_what_all_send() {
    let Some(events) = events_of("2") else { return };
    let ends = events
        .lines()
        .filter(|event| event.starts_with("MPI_COLLECTIVE_END"));
    expect_file!["golden/the_root_of_a_collective_gets_what_all_send.txt"]
        .assert_eq(&ends.collect::<Vec<_>>().join("\n"));
}
