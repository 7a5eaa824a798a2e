//! Makes up runs of any size. Processes in a ring compute, exchange messages with both neighbors
//! and reduce, again and again.

use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::io::Cursor;

use prophet_report::page::{Data, Diagram, ElementPlace, Evaluation, Fact};
use prophet_report::{Extras, of_trace};
use prophet_trace::{
    ElementTotals, Header, Record, Results, Role, TraceReader, TraceWriter, UnitId, UnitState,
};
use serde_json::{Map, json};

const SWEEP: u32 = 0;
const SEND: u32 = 1;
const RECEIVE: u32 = 2;
const REDUCE: u32 = 3;
const KINDS: [(&str, &str); 4] = [
    ("Sweep", "action+"),
    ("SendHalo", "nbsend"),
    ("ReceiveHalo", "brecv"),
    ("Residual", "allreduce"),
];
const SEND_S: f64 = 2e-6;
const FLIGHT_S: f64 = 9e-6;
const REDUCE_S: f64 = 12e-6;
const HALO_BYTES: u64 = 8192;
/// Sweep, send, wait, receive, wait, reduce.
const RECORDS_EACH: u32 = 6;

/// Returns how long process `pid` computes in an iteration. The times are uneven, but reproducible.
fn sweep_s(pid: u32, processes: u32, iteration: u32) -> f64 {
    let mixed = (pid.wrapping_mul(2_654_435_761) ^ iteration.wrapping_mul(40_503)) >> 8 & 0xff;
    let along = f64::from(pid) / f64::from(processes);
    3.2e-3 / f64::from(processes) * (1.0 + 0.25 * (along * TAU).sin() + f64::from(mixed) / 1020.0)
}

pub(crate) fn data(processes: u32, records: u32) -> Data {
    let iterations = (records / processes / RECORDS_EACH).max(1);
    let header = header(processes, iterations);
    let mut writer = TraceWriter::new(Vec::new(), header).expect("memory has room");
    let mut elements: Vec<ElementTotals> = (0..).zip(KINDS).map(element).collect();
    let mut end_s = 0.0;
    for iteration in 0..iterations {
        let rows = iterate(processes, iteration, end_s);
        end_s = rows.last().expect("there are processes").end_s;
        for row in &rows {
            let element = &mut elements[row.element_index().expect("all have one") as usize];
            element.count += u64::from(row.began_s().is_some());
            element.total_s += row.seconds();
            element.max_s = element.max_s.max(row.seconds());
            element.share = element.total_s / end_s / f64::from(processes);
        }
        writer.write(&rows).expect("memory has room");
    }
    let results = Results {
        predicted_time_s: end_s,
        complete: true,
        elements,
        ..Results::default()
    };
    let file = writer.finish(results).expect("memory has room");
    let mut reader = TraceReader::new(Cursor::new(file)).expect("it was written");
    let mut data = of_trace(&mut reader, extras(processes, iterations)).expect("it was written");
    for (element, line) in data.elements.iter_mut().zip(11..) {
        element.place = Some(ElementPlace {
            line: format!("models/ring.uml:{line}"),
            path: format!("Ring::Program::Main::{}", element.name),
        });
    }
    let mut rows = { data.what_if.iter_mut() }.flat_map(|it| &mut it.elements);
    let sweep = rows.find(|it| it.element == SWEEP);
    sweep.expect("it is on the path").exact = true;
    data
}

/// Returns the records of an iteration that starts at `now_s`, sorted by end.
fn iterate(processes: u32, iteration: u32, now_s: f64) -> Vec<Record> {
    let before = |pid: u32| (pid + processes - 1) % processes;
    let sent = |pid: u32| now_s + sweep_s(pid, processes, iteration);
    let arrival = |pid: u32| (sent(before(pid)) + FLIGHT_S).max(sent(pid)) + SEND_S;
    let slowest = { 0..processes }.max_by(|a, b| arrival(*a).total_cmp(&arrival(*b)));
    let last = UnitId {
        pid: slowest.expect("there are processes"),
        tid: 0,
    };
    let last_s = arrival(last.pid) + SEND_S;
    let rows_of = |pid| {
        let row = |element, state, start_s, end_s| {
            Record::new(pid, 0, state, start_s, end_s).element(element)
        };
        let halo = |row: Record| row.message(Role::Receive, iteration, before(pid), HALO_BYTES);
        let (sent_s, arrival_s) = (sent(pid), arrival(pid));
        let (posted_s, received_s) = (sent_s + SEND_S, arrival_s + SEND_S);
        let send = row(SEND, UnitState::Send, sent_s, posted_s).began(sent_s);
        [
            row(SWEEP, UnitState::Compute, now_s, sent_s).began(now_s),
            send.message(Role::Send, iteration, (pid + 1) % processes, HALO_BYTES),
            halo(row(RECEIVE, UnitState::Wait, posted_s, arrival_s)),
            halo(row(RECEIVE, UnitState::Receive, arrival_s, received_s)).began(posted_s),
            row(REDUCE, UnitState::Wait, received_s, last_s).cause(last),
            row(REDUCE, UnitState::Collective, last_s, last_s + REDUCE_S).began(received_s),
        ]
    };
    let mut rows: Vec<Record> = (0..processes).flat_map(rows_of).collect();
    rows.sort_by(|a, b| a.end_s.total_cmp(&b.end_s));
    rows
}

fn header(processes: u32, iterations: u32) -> Header {
    let parameters = [
        ("ITERATIONS".to_owned(), json!(iterations)),
        ("HALO".to_owned(), json!(HALO_BYTES)),
    ];
    Header {
        model: "Ring".to_owned(),
        system: json!({
            "nodes": processes.div_ceil(16), "cpus_per_node": 16, "processes": processes,
        }),
        parameters: Map::from_iter(parameters),
        machine: "hockney: 1 us, 10 GB/s".to_owned(),
        seed: u64::MAX,
        version: "0.1.0".to_owned(),
        ..Header::default()
    }
}

fn element((index, (name, kind)): (u32, (&str, &str))) -> ElementTotals {
    ElementTotals {
        index,
        name: name.to_owned(),
        id: i64::from(index) + 1,
        kind: kind.to_owned(),
        count: 0,
        total_s: 0.0,
        mean_s: 0.0,
        max_s: 0.0,
        share: 0.0,
    }
}

fn extras(processes: u32, iterations: u32) -> Extras {
    Extras {
        evaluation: Some(Evaluation {
            engine: "local".to_owned(),
            wall_s: 0.0123,
            cpu_s: 0.0119,
            events: u64::from(processes) * 100,
            messages: u64::from(processes) * u64::from(iterations),
            peak_memory_bytes: 12 << 20,
        }),
        energy: vec![Fact {
            name: "Energy".to_owned(),
            value: "1.5 kJ".to_owned(),
        }],
        diagrams: diagrams(),
        ..Extras::default()
    }
}

/// A chain of the elements, and an element that no run executes.
fn diagrams() -> Vec<Diagram> {
    let mut svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"prophet-diagram\" \
                   viewBox=\"0 0 220 420\" width=\"220\" height=\"420\">"
        .to_owned();
    let names = KINDS.iter().map(|(name, _)| *name).chain(["Never"]);
    for (name, index) in names.zip(0..) {
        let y = 20 + index * 80;
        let _ = write!(
            svg,
            "<g class=\"element\" data-element=\"{}\">\
             <rect class=\"shape\" x=\"30\" y=\"{y}\" width=\"160\" height=\"50\" rx=\"10\"/>\
             <text class=\"name\" x=\"110\" y=\"{}\" text-anchor=\"middle\">{name}</text></g>",
            index + 1,
            y + 30,
        );
        if index < 4 {
            let _ = write!(
                svg,
                "<path class=\"line\" d=\"M110 {}V{}\"/>",
                y + 50,
                y + 80,
            );
        }
    }
    svg.push_str("</svg>");
    vec![Diagram {
        name: "Main".to_owned(),
        svg,
    }]
}
