use std::io::Cursor;

use prophet_trace::{Header, Links, Record, Results, Role, Writer};
use serde_json::json;

use super::*;

/// Process 0 computes and sends, process 1 waits, receives and computes.
fn rows() -> Vec<Record> {
    let row = |pid, state, start_s, end_s| Record::new(pid, 0, state, start_s, end_s);
    let part = |state, start_s, end_s| {
        let row = row(1, state, start_s, end_s).element(5);
        row.message(Role::Receive, 0, 0, 800)
    };
    let send = row(0, State::Send, 1.0, 1.5).element(4);
    vec![
        row(0, State::Compute, 0.0, 1.0).element(2).began(0.0),
        send.message(Role::Send, 0, 1, 800).began(1.0),
        part(State::Wait, 0.0, 2.0),
        part(State::Receive, 2.0, 2.25).began(0.0),
        row(1, State::Compute, 2.25, 4.0).element(2).began(2.25),
    ]
}

fn header() -> Header {
    Header {
        model: "Two".to_owned(),
        system: json!({"nodes": 2, "cpus_per_node": 1, "processes": 2, "threads": 1}),
        // A message of 800 bytes takes a link for a second.
        links: Some(Links {
            interfaces: None,
            latency_s: 0.0,
            overhead_s: 0.0,
            gap_s: 0.0,
            byte_s: 1.0 / 800.0,
            eager_bytes: None,
        }),
        ..Header::default()
    }
}

fn results(listed: bool) -> Results {
    let element = |index, name: &str, count, total_s, max_s| ElementTotals {
        index,
        name: name.to_owned(),
        id: i64::from(index) + 100,
        kind: "element".to_owned(),
        count,
        total_s,
        mean_s: 0.0,
        max_s,
    };
    let process = |pid, end_s, compute_s, communication_s, wait_s| ProcessTotals {
        pid,
        nid: pid,
        end_s,
        compute_s,
        communication_s,
        wait_s,
    };
    let processes = [
        process(0, 1.5, 1.0, 0.5, 0.0),
        process(1, 4.0, 1.75, 0.25, 2.0),
    ];
    Results {
        predicted_time_s: 4.0,
        complete: true,
        elements: vec![
            element(2, "Work", 2, 2.75, 1.75),
            element(4, "Send", 1, 0.5, 0.5),
            element(5, "Recv", 1, 2.25, 2.25),
        ],
        processes: processes.into_iter().filter(|_| listed).collect(),
    }
}

fn data(header: Header, results: Results) -> Data {
    let mut writer = Writer::new(Vec::new(), header).unwrap();
    writer.write(&rows()).unwrap();
    let file = writer.finish(results).unwrap();
    let mut reader = Reader::new(Cursor::new(file)).unwrap();
    of_trace(&mut reader, Extras::default()).unwrap()
}

#[test]
fn all_that_a_page_shows_is_there() {
    let data = data(header(), results(true));
    assert_eq!(data.notes, [""; 0]);
    assert_eq!(data.totals.offsets, [0, 2, 4]);
    assert_eq!(data.totals.element, [0, 1, 0, 2]);
    assert_eq!(data.totals.total_s, [1.0, 0.5, 1.75, 2.25]);
    assert_eq!(data.totals.wait_s, [0.0, 0.0, 0.0, 2.0]);
    let records = data.records.unwrap();
    assert_eq!(records.units, [0, 1]);
    assert_eq!(records.offsets, [0, 2, 5]);
    assert_eq!(records.state, [0, 1, 3, 2, 0]);
    let messages = data.messages.unwrap();
    assert_eq!(messages.from, [0]);
    assert_eq!(messages.to, [1]);
    assert_eq!(messages.sent_s, [1.0]);
    assert_eq!(messages.received_s, [2.0]);
    let matrix = data.matrix.unwrap();
    assert_eq!((matrix.size, matrix.block), (2, 1));
    assert_eq!(matrix.bytes, [800.0]);
    let path = data.critical_path.unwrap();
    assert_eq!(path.end_s, [1.0, 2.0, 2.25, 4.0]);
    assert_eq!(path.element, [0, 1, 2, 0]);
    assert_eq!(path.state, [0, 6, 2, 0]);
    let longest = &path.parts[0];
    assert_eq!(
        (longest.element, longest.total_s, longest.count),
        (0, 2.75, 2)
    );
    let imbalance = data.imbalance.unwrap();
    assert_eq!(
        (imbalance.max_compute_pid, imbalance.mean_compute_s),
        (1, 1.375)
    );
    assert_eq!(imbalance.elements[0].element, 2);
    let what_if = data.what_if.unwrap();
    assert_eq!(what_if.elements[0].element, 0);
    assert!((what_if.elements[0].gain_s - 0.275).abs() < 1e-12);
    // Whatever is not on the path brings nothing.
    assert_eq!(what_if.elements.len(), 3);
    assert!(what_if.elements.iter().all(|row| !row.exact));
    let titles: Vec<_> = data
        .utilization
        .iter()
        .map(|series| &*series.title)
        .collect();
    let expected = ["CPUs", "Links out", "Links in", "Messages on their way"];
    assert_eq!(titles, expected);
    assert_eq!(data.utilization[0].names, ["node 0", "node 1"]);
    assert_eq!(data.utilization[0].values[..64], [1.0; 64]);
    // From node 0, from 1 s to 2 s of 4 s.
    let leaving = &data.utilization[1].values;
    assert_eq!(leaving[63..65], [0.0, 1.0]);
    assert!((leaving.iter().sum::<f32>() - 64.0).abs() < 1e-3);
}

#[test]
fn processes_that_are_not_listed_are_those_of_the_rows() {
    let data_of = |listed| data(header(), results(listed));
    assert_eq!(data_of(false), data_of(true));
}

#[test]
fn a_part_of_a_trace_says_so_and_has_no_critical_path() {
    let filter = Some("pid=0..1".to_owned());
    let header = Header { filter, ..header() };
    let data = data(header, results(true));
    assert!(
        data.notes[0].contains("filtered (pid=0..1)"),
        "{:?}",
        data.notes
    );
    assert_eq!((data.critical_path, data.what_if), (None, None));
}

#[test]
fn a_run_that_was_ended_says_so() {
    let results = Results {
        complete: false,
        ..results(true)
    };
    let data = data(header(), results);
    assert!(data.run.partial);
    assert!(data.notes[0].contains("did not come to its end"));
}
