//! A made-up run of any size: processes in a ring that compute, exchange with both neighbors and
//! reduce, again and again.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the numbers of a made-up run are small"
)]

use std::f64::consts::TAU;
use std::fmt::Write as _;

use prophet_report::page::{
    Column, CriticalPath, Data, Diagram, Element, ElementImbalance, ElementPlace, Evaluation, Fact,
    Imbalance, MESSAGES_MAX, Matrix, Messages, PathPart, Processes, Records, Run, RunSummary,
    SegmentState, Totals, Utilization, WhatIf, WhatIfElement,
};

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
const HALO_BYTES: f64 = 8192.0;
/// Sweep, send, wait, receive, wait, reduce.
const RECORDS_EACH: u32 = 6;

/// A record under construction.
struct Record {
    element: u32,
    state: SegmentState,
    start_s: f64,
    end_s: f64,
}

/// Duration of process `pid`'s computing in an iteration: uneven, but reproducible.
fn sweep_s(pid: u32, processes: u32, iteration: u32) -> f64 {
    let mixed = (pid.wrapping_mul(2_654_435_761) ^ iteration.wrapping_mul(40_503)) >> 8 & 0xff;
    let along = f64::from(pid) / f64::from(processes);
    3.2e-3 / f64::from(processes) * (1.0 + 0.25 * (along * TAU).sin() + f64::from(mixed) / 1020.0)
}

/// A run of `processes` with about `records` records.
pub(crate) fn data(processes: u32, records: u32) -> Data {
    let iterations = (records / processes / RECORDS_EACH).max(1);
    let mut lists: Vec<Vec<Record>> = (0..processes).map(|_| Vec::new()).collect();
    let mut messages = Messages::default();
    let mut path = CriticalPath::default();
    let mut now = 0.0;
    for iteration in 0..iterations {
        now = iterate(
            processes,
            iteration,
            now,
            &mut lists,
            &mut messages,
            &mut path,
        );
    }
    path.parts = parts(&path);
    let end_s = now;
    let mut data = Data {
        run: run(processes, iterations, end_s),
        records: Some(columns(&lists)),
        matrix: Some(matrix(processes, iterations)),
        critical_path: Some(path),
        utilization: utilization(&lists, end_s),
        diagrams: diagrams(),
        ..Data::default()
    };
    messages.count = u64::from(processes) * u64::from(iterations);
    data.messages = Some(messages);
    totals(&lists, end_s, &mut data);
    data.imbalance = Some(imbalance(&data));
    data.what_if = Some(what_if(&data));
    data
}

/// Adds one iteration that begins at `now`; returns its end.
fn iterate(
    processes: u32,
    iteration: u32,
    now: f64,
    lists: &mut [Vec<Record>],
    messages: &mut Messages,
    path: &mut CriticalPath,
) -> f64 {
    let sent = |pid: u32| now + sweep_s(pid, processes, iteration);
    let arrival = |pid: u32| sent((pid + processes - 1) % processes) + SEND_S + FLIGHT_S;
    let received = |pid: u32| (sent(pid) + SEND_S).max(arrival(pid)) + SEND_S;
    let mut last = (0, 0.0);
    let mut batch: Vec<u32> = (0..processes).collect();
    batch.sort_by(|&a, &b| sent(a).total_cmp(&sent(b)));
    for pid in batch {
        if messages.from.len() < MESSAGES_MAX {
            messages.from.push(pid);
            messages.to.push((pid + 1) % processes);
            messages.sent_s.push(sent(pid));
            messages.received_s.push(received((pid + 1) % processes));
            messages.bytes.push(HALO_BYTES);
        }
        if received(pid) > last.1 {
            last = (pid, received(pid));
        }
    }
    let end = last.1 + REDUCE_S;
    for (pid, list) in (0..processes).zip(lists) {
        let mut at = now;
        let mut add = |element, state, end_s: f64| {
            if end_s > at {
                list.push(Record {
                    element,
                    state,
                    start_s: at,
                    end_s,
                });
                at = end_s;
            }
        };
        add(SWEEP, SegmentState::Compute, sent(pid));
        add(SEND, SegmentState::Send, sent(pid) + SEND_S);
        add(RECEIVE, SegmentState::Wait, arrival(pid));
        add(RECEIVE, SegmentState::Receive, received(pid));
        add(REDUCE, SegmentState::Wait, last.1);
        add(REDUCE, SegmentState::Collective, end);
    }
    let sender = (last.0 + processes - 1) % processes;
    let critical = if sent(last.0) < sent(sender) + FLIGHT_S {
        Critical::Message(sent(sender))
    } else {
        Critical::Own(sent(last.0))
    };
    extend_path(path, &critical, (sender, last.0), [now, last.1, end]);
    end
}

/// Event that decides when the last process of an iteration gets its message.
enum Critical {
    /// The sender, who computed until this time.
    Message(f64),
    /// The receiver's own computing until this time.
    Own(f64),
}

/// Adds one iteration to the critical path, from `now` over the last message to the end.
fn extend_path(
    path: &mut CriticalPath,
    critical: &Critical,
    (sender, receiver): (u32, u32),
    [now, received, end]: [f64; 3],
) {
    let mut at = now;
    let mut segment = |unit, element, state: SegmentState, end_s| {
        path.unit.push(unit);
        path.element.push(element);
        path.state.push(state as u8);
        path.start_s.push(at);
        path.end_s.push(end_s);
        at = end_s;
    };
    match *critical {
        Critical::Message(sent) => {
            segment(sender, SWEEP, SegmentState::Compute, sent);
            segment(sender, SEND, SegmentState::Send, sent + SEND_S);
            segment(
                sender,
                SEND,
                SegmentState::Network,
                sent + SEND_S + FLIGHT_S,
            );
        }
        Critical::Own(sent) => {
            segment(receiver, SWEEP, SegmentState::Compute, sent);
            segment(receiver, SEND, SegmentState::Send, sent + SEND_S);
        }
    }
    segment(receiver, RECEIVE, SegmentState::Receive, received);
    segment(receiver, REDUCE, SegmentState::Collective, end);
}

fn parts(path: &CriticalPath) -> Vec<PathPart> {
    let mut parts: Vec<PathPart> = Vec::new();
    for (index, &element) in path.element.iter().enumerate() {
        let state = path.state[index];
        let length = path.end_s[index] - path.start_s[index];
        match parts
            .iter_mut()
            .find(|part| (part.element, part.state) == (element, state))
        {
            Some(part) => {
                part.count += 1;
                part.total_s += length;
            }
            None => parts.push(PathPart {
                element,
                state,
                count: 1,
                total_s: length,
            }),
        }
    }
    parts.sort_by(|a, b| b.total_s.total_cmp(&a.total_s));
    parts
}

fn run(processes: u32, iterations: u32, predicted_time_s: f64) -> Run {
    let fact = |name: &str, value: String| Fact {
        name: name.to_owned(),
        value,
    };
    Run {
        model: "Ring".to_owned(),
        nodes: processes.div_ceil(16),
        cpus_per_node: 16,
        processes,
        threads: 1,
        units_of_process: 1,
        parameters: vec![
            fact("ITERATIONS", iterations.to_string()),
            fact("HALO", HALO_BYTES.to_string()),
        ],
        machine: "hockney: 1 us, 10 GB/s".to_owned(),
        seed: "18446744073709551615".to_owned(),
        versions: vec![fact("prophet", "0.1.0".to_owned())],
        predicted_time_s,
        partial: false,
        evaluation: Some(Evaluation {
            engine: "local".to_owned(),
            wall_s: 0.0123,
            cpu_s: 0.0119,
            events: u64::from(processes) * 100,
            messages: u64::from(processes) * u64::from(iterations),
            peak_memory_bytes: 12 << 20,
        }),
        energy: vec![fact("Energy", "1.5 kJ".to_owned())],
    }
}

fn columns(lists: &[Vec<Record>]) -> Records {
    let mut records = Records::default();
    for (unit, list) in (0..).zip(lists) {
        records.units.push(unit);
        records.offsets.push(count(records.start_s.len()));
        for record in list {
            records.element.push(record.element);
            records.state.push(record.state as u8);
            records.start_s.push(record.start_s);
            records.end_s.push(record.end_s);
        }
    }
    records.offsets.push(count(records.start_s.len()));
    records
}

fn count(number: usize) -> u32 {
    u32::try_from(number).expect("a page has fewer")
}

/// Computes the processes, their elements, and the elements over all processes.
fn totals(lists: &[Vec<Record>], end_s: f64, data: &mut Data) {
    let mut elements: Vec<Element> = KINDS
        .iter()
        .zip(1..)
        .map(|(&(name, kind), id)| Element {
            name: name.to_owned(),
            id: id.to_string(),
            kind: kind.to_owned(),
            place: Some(ElementPlace {
                line: format!("models/ring.uml:{}", 10 + id),
                path: format!("Ring::Program::Main::{name}"),
            }),
            ..Element::default()
        })
        .collect();
    let mut processes = Processes::default();
    let mut totals = Totals::default();
    for (pid, list) in (0..).zip(lists) {
        let mut sums = [[0.0; 3]; KINDS.len()];
        let mut counts = [0.0; KINDS.len()];
        let mut longest = [0.0f64; KINDS.len()];
        for record in list {
            let part = match record.state {
                SegmentState::Compute => 0,
                SegmentState::Wait => 2,
                _ => 1,
            };
            let element = record.element as usize;
            let length = record.end_s - record.start_s;
            sums[element][part] += length;
            counts[element] += if part == 2 { 0.0 } else { 1.0 };
            longest[element] = longest[element].max(length);
        }
        totals.offsets.push(count(totals.element.len()));
        for (index, element) in elements.iter_mut().enumerate() {
            let total: f64 = sums[index].iter().sum();
            totals.element.push(count(index));
            totals.count.push(counts[index]);
            totals.total_s.push(total);
            totals.max_s.push(longest[index]);
            totals.taken_s.push(total);
            totals.compute_s.push(sums[index][0]);
            totals.communication_s.push(sums[index][1]);
            totals.wait_s.push(sums[index][2]);
            totals.hold_s.push(0.0);
            element.count += counts[index] as u64;
            element.total_s += total;
            element.max_s = element.max_s.max(longest[index]);
        }
        let part = |part: usize| sums.iter().map(|sums| sums[part]).sum::<f64>();
        processes.pid.push(pid);
        processes.nid.push(pid / 16);
        processes.end_s.push(end_s);
        processes.compute_s.push(part(0));
        processes.communication_s.push(part(1));
        processes.wait_s.push(part(2));
        processes.hold_s.push(0.0);
    }
    totals.offsets.push(count(totals.element.len()));
    let all_s: f64 = processes.end_s.iter().sum();
    for element in &mut elements {
        element.share = element.total_s / all_s;
    }
    data.elements = elements;
    data.processes = processes;
    data.totals = totals;
}

fn matrix(processes: u32, iterations: u32) -> Matrix {
    let from: Column<u32> = (0..processes).collect();
    Matrix {
        size: processes,
        block: 1,
        to: from.iter().map(|pid| (pid + 1) % processes).collect(),
        bytes: vec![HALO_BYTES * f64::from(iterations); from.len()].into(),
        messages: vec![f64::from(iterations); from.len()].into(),
        from,
    }
}

fn imbalance(data: &Data) -> Imbalance {
    let compute = &data.processes.compute_s;
    let mean = compute.iter().sum::<f64>() / compute.len() as f64;
    let (pid, most) = (0..)
        .zip(compute.iter())
        .fold((0, 0.0), |(pid, most), (other, &value)| {
            if value > most {
                (other, value)
            } else {
                (pid, most)
            }
        });
    let end = data.run.predicted_time_s;
    Imbalance {
        mean_compute_s: mean,
        max_compute_s: most,
        max_compute_pid: pid,
        load_balance: mean / most,
        communication_efficiency: most / end,
        parallel_efficiency: mean / end,
        elements: vec![ElementImbalance {
            element: SWEEP,
            mean_s: mean,
            max_s: most,
            max_pid: pid,
        }],
    }
}

fn what_if(data: &Data) -> WhatIf {
    let now = data.run.predicted_time_s;
    let path = data.critical_path.as_ref().expect("it was made");
    let row = |element| {
        let parts = path.parts.iter().filter(|part| part.element == element);
        let gain_s = 0.1 * parts.map(|part| part.total_s).sum::<f64>();
        WhatIfElement {
            element,
            predicted_time_s: now - gain_s,
            gain_s,
            exact: element == SWEEP,
        }
    };
    let elements: Vec<WhatIfElement> = (0..count(KINDS.len())).map(row).collect();
    WhatIf::new(0.1, &elements)
}

fn utilization(lists: &[Vec<Record>], end_s: f64) -> Vec<Utilization> {
    const STEPS: usize = 200;
    let step_s = end_s / STEPS as f64;
    let mut values = Column::default();
    for node in lists.chunks(16) {
        let mut busy = vec![0.0; STEPS];
        for record in node.iter().flatten() {
            if record.state != SegmentState::Compute {
                continue;
            }
            let first = (record.start_s / step_s) as usize;
            for (step, busy) in busy.iter_mut().enumerate().skip(first) {
                let (low, high) = (step as f64 * step_s, (step + 1) as f64 * step_s);
                if low >= record.end_s {
                    break;
                }
                *busy += (record.end_s.min(high) - record.start_s.max(low)) / step_s / 16.0;
            }
        }
        values.extend(busy.iter().map(|&busy| busy as f32));
    }
    vec![Utilization {
        title: "CPUs".to_owned(),
        meaning: "The share of a node's CPUs that computed.".to_owned(),
        unit: String::new(),
        step_s,
        steps: count(STEPS),
        names: (0..lists.len().div_ceil(16))
            .map(|node| format!("node {node}"))
            .collect(),
        values,
    }]
}

/// Summarizes the same run on fewer processes, for comparison.
pub(crate) fn summary(data: &Data) -> RunSummary {
    RunSummary {
        label: format!("{} processes", data.run.processes),
        run: data.run.clone(),
        compute_s: data.processes.compute_s.iter().sum(),
        communication_s: data.processes.communication_s.iter().sum(),
        wait_s: data.processes.wait_s.iter().sum(),
        hold_s: data.processes.hold_s.iter().sum(),
        elements: data.elements.clone(),
    }
}

/// A chain of the elements, with an element that no run has.
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
