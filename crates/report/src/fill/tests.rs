use std::io::Cursor;

use prophet_testing::assert_says;
use prophet_trace::{
    Header, Links, Operation, Record, Results, Role, TraceWriter, Traffic, UnitState,
};
use serde_json::json;

use super::*;

/// Process 0 computes and sends. Process 1 waits, receives and computes.
fn rows() -> Vec<Record> {
    let row = |pid, state, start_s, end_s| Record::new(pid, 0, state, start_s, end_s);
    let part = |state, start_s, end_s| {
        let row = row(1, state, start_s, end_s).element(5);
        row.message(Role::Receive, 0, 0, 800)
    };
    let send = row(0, UnitState::Send, 1.0, 1.5).element(4);
    vec![
        row(0, UnitState::Compute, 0.0, 1.0).element(2).began(0.0),
        send.message(Role::Send, 0, 1, 800).began(1.0),
        part(UnitState::Wait, 0.0, 2.0),
        part(UnitState::Receive, 2.0, 2.25).began(0.0),
        row(1, UnitState::Compute, 2.25, 4.0).element(2).began(2.25),
    ]
}

fn header() -> Header {
    Header {
        model: "Two".to_owned(),
        system: json!({"nodes": 2, "cpus_per_node": 1, "processes": 2, "threads": 1}),
        // A message of 800 bytes occupies a link for a second.
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
        share: total_s / 5.5,
    };
    let process = |pid, end_s, compute_s, communication_s, wait_s| ProcessOutcome {
        pid,
        nid: pid,
        end_s,
        compute_s,
        communication_s,
        wait_s,
        hold_s: 0.0,
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
        network: None,
        operations: Vec::new(),
    }
}

fn data(header: Header, results: Results) -> Data {
    data_of(&rows(), header, results)
}

fn data_of(rows: &[Record], header: Header, results: Results) -> Data {
    let mut writer = TraceWriter::new(Vec::new(), header).unwrap();
    writer.write(rows).unwrap();
    let file = writer.finish(results).unwrap();
    let mut reader = TraceReader::new(Cursor::new(file)).unwrap();
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
    // Elements that aren't on the path gain nothing.
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
    // Messages leave node 0 from 1 s to 2 s, of 4 s.
    let leaving = &data.utilization[1].values;
    assert_eq!(leaving[63..65], [0.0, 1.0]);
    assert!((leaving.iter().sum::<f32>() - 64.0).abs() < 1e-3);
}

#[test]
fn processes_that_are_not_listed_are_those_of_the_rows() {
    let data = |listed| data(header(), results(listed));
    assert_eq!(data(false), data(true));
}

#[test]
fn listed_processes_that_cannot_be_are_those_of_the_rows() {
    let wild = |change: &dyn Fn(&mut ProcessOutcome)| {
        let mut results = results(true);
        change(&mut results.processes[1]);
        data(header(), results)
    };
    let rows = data(header(), results(false));
    assert_eq!(wild(&|process| process.wait_s = 2.5), rows);
    assert_eq!(wild(&|process| process.compute_s = -1e300), rows);
    assert_eq!(wild(&|process| process.hold_s = f64::MAX), rows);
}

#[test]
fn threads_that_share_time_have_parts_of_it() {
    let cause = UnitId { pid: 0, tid: 0 };
    let row = |tid, state, from_s, to_s| Record::new(0, tid, state, from_s, to_s).element(2);
    let rows = [
        row(0, UnitState::Compute, 0.0, 1.0).began(0.0),
        row(1, UnitState::Synchronize, 1.0, 1.0)
            .element(4)
            .cause(cause),
        row(0, UnitState::Compute, 1.0, 2.0).began(1.0),
        row(1, UnitState::Compute, 1.0, 3.0).began(1.0),
        row(0, UnitState::Synchronize, 2.0, 3.0).element(4),
        row(0, UnitState::Content, 1.0, 3.0).element(4).began(1.0),
        row(0, UnitState::Hold, 3.0, 4.0).element(5),
    ];
    let data = data_of(&rows, header(), results(false));
    // One of two threads computes for all 2 s of the region, and the other one for half of them.
    let times = &data.processes;
    assert_eq!((times.compute_s[0], times.end_s[0]), (2.5, 4.0));
    assert_eq!((times.wait_s[0], times.hold_s[0]), (0.5, 1.0));
    assert_eq!(data.totals.total_s[..2], [4.0, 2.0]);
    assert_eq!(data.totals.taken_s[..2], [2.5, 2.0]);
    let balance = data.imbalance.unwrap();
    assert_eq!(
        balance.communication_efficiency.to_bits(),
        0.625_f64.to_bits()
    );
    // With the parts, the page adds up the records in a range in the same way as the whole run.
    assert_eq!(data.records.unwrap().parts, [1, 2, 2, 1, 2]);
    assert_eq!((data.run.threads, data.run.units_of_process), (1, 2));
}

#[test]
fn a_part_of_a_trace_says_so_and_has_no_critical_path() {
    let filter = Some("pid=0..1".to_owned());
    let header = Header { filter, ..header() };
    let data = data(header, results(true));
    assert_says(&data.notes[0], &["filtered (pid=0..1)"]);
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
    assert!(data.notes[0].contains("was interrupted"));
}

#[test]
fn processes_that_a_trace_only_claims_are_not_made_up() {
    let claimed = Header {
        system: json!({"nodes": 2, "cpus_per_node": 1, "processes": 1 << 24, "threads": 1}),
        ..header()
    };
    let data = data(claimed, results(false));
    assert_eq!(data.run.processes, 1 << 24, "what it says");
    assert_eq!(data.processes.pid.len(), 1 << 16);
    assert_eq!(
        data.notes,
        [
            "The trace says that the run had 16777216 processes, but contains too few records for \
             them: the first 65536 processes are shown."
        ]
    );
}

#[test]
fn threads_that_a_trace_only_claims_leave_all_processes_a_number() {
    let claimed = Header {
        system: json!({"nodes": 2, "cpus_per_node": 1, "processes": 1 << 16, "threads": 1 << 24}),
        ..header()
    };
    let data = data(claimed, results(false));
    assert_eq!(data.run.threads, 1 << 24, "what it says");
    assert_eq!(data.run.units_of_process, u32::MAX / (1 << 16));
}

#[test]
fn streams_and_copy_engines_are_rows_below_the_units() {
    let operation = |engine, stream, start_s| Operation {
        node: 1,
        device: 0,
        engine,
        pid: 1,
        stream,
        element: 5,
        start_s,
        end_s: start_s + 0.5,
    };
    let mut writer = TraceWriter::new(Vec::new(), header()).unwrap();
    writer.write(&rows()).unwrap();
    let traffic = Traffic {
        operations: vec![
            operation(2, 0, 1.0),
            operation(0, 3, 2.0),
            operation(2, 3, 0.5),
        ],
        ..Traffic::default()
    };
    writer.write_traffic(&traffic).unwrap();
    let file = writer.finish(results(true)).unwrap();
    let read = || TraceReader::new(Cursor::new(file.clone())).unwrap();
    let records = of_trace(&mut read(), Extras::default())
        .unwrap()
        .records
        .unwrap();
    assert_eq!(records.units, [0, 1, 2, 3]);
    assert_eq!(records.offsets, [0, 2, 5, 6, 8]);
    assert_eq!(records.state[5..], [0, 6, 6]);
    assert_eq!(records.start_s[5..], [2.0, 0.5, 1.0]);
    let lanes = { records.lanes.iter() }.map(|it| (&*it.label, &*it.name));
    let expected = [
        (
            "1.0 stream 1.3",
            "accelerator 0 of node 1, kernels of process 1, stream 3",
        ),
        ("1.0 copies 2", "accelerator 0 of node 1, copy engine 2"),
    ];
    assert!(lanes.eq(expected), "{:?}", records.lanes);
    let mut few = page::Records::default();
    let left_out = accelerators::add(&mut read(), &[5], &mut few, (1, 0)).unwrap();
    assert_eq!((left_out, few.lanes.len()), (2, 1));
}
