//! Tests that written traffic tables can be read, and that all other tables are rejected.

use std::io::Cursor;

use prophet_trace::{
    BATCH_ROWS, Flow, FlowMetric, Header, Hop, LinkLoad, NetworkLink, Operation, ReadError, Record,
    Results, Sorter, TraceReader, TraceWriter, TracedNetwork, Traffic, UnitState,
};

const LINKS: u32 = 7;
const ROUTES: u32 = 5;

fn network() -> TracedNetwork {
    let link = |number: u32| NetworkLink {
        name: format!("link \"{number}\" <é>"),
        number: 2 * number,
        bytes_per_s: 1e10 / f64::from(number + 1),
        latency_s: 1e-6,
        background: 0.1 * f64::from(number),
        is_fatpipe: number == 3,
    };
    TracedNetwork {
        packet_bytes: Some(1500.0),
        links: (0..LINKS).map(link).collect(),
        routes: ROUTES,
        metrics: vec!["waited".to_owned(), "lost".to_owned()],
        picture: Some("<svg/>".to_owned()),
    }
}

/// Links on the routes. The third route has none.
fn routes() -> Vec<Vec<u32>> {
    let links = |route| match route {
        2 => Vec::new(),
        _ => vec![route, (route + 3) % LINKS, route],
    };
    (0..ROUTES).map(links).collect()
}

/// Creates traffic with `count` flows, and twice as many loads.
fn traffic(count: u32) -> Traffic {
    let time_s = |number: u32| f64::from(number) / 3.0;
    let mut traffic = Traffic::default();
    for (route, links) in (0..).zip(routes()) {
        let hops = links.into_iter().map(|link| Hop { route, link });
        traffic.hops.extend(hops);
    }
    for number in 0..count {
        traffic.flows.push(Flow {
            sender: number.wrapping_mul(2_654_435_761),
            message: number,
            receiver: number % 9,
            route: number % ROUTES,
            bytes: u64::from(number) << 30,
            start_s: time_s(number) / 2.0,
            end_s: time_s(number),
        });
    }
    for number in 0..count {
        traffic.metrics.push(FlowMetric {
            sender: number,
            message: number % 5,
            name: number % 2,
            value: -time_s(number),
        });
    }
    for number in 0..2 * count {
        traffic.loads.push(LinkLoad {
            time_s: time_s(number),
            link: number % LINKS,
            flows: number % 11,
            bytes_per_s: 1e9 / f64::from(number + 1),
            capacity_bytes_per_s: f64::MAX,
            bandwidth_bytes_per_s: f64::MAX,
        });
    }
    traffic
}

fn results(network: Option<TracedNetwork>) -> Results {
    Results {
        network,
        ..Results::default()
    }
}

fn file(traffic: &Traffic, network: TracedNetwork) -> Vec<u8> {
    let mut writer = TraceWriter::new(Vec::new(), Header::default()).unwrap();
    let record = Record::new(1, 0, UnitState::Compute, 0.0, 1.0);
    writer.write(&[record]).unwrap();
    writer.write_traffic(traffic).unwrap();
    writer.finish(results(Some(network))).unwrap()
}

type Tables = (Vec<Vec<u32>>, Vec<Flow>, Vec<LinkLoad>, Vec<FlowMetric>);

fn read(bytes: &[u8]) -> Result<Tables, ReadError> {
    let mut reader = TraceReader::new(Cursor::new(bytes.to_vec()))?;
    let routes = reader.routes()?;
    let (mut flows, mut batch) = (Vec::new(), Vec::new());
    let mut rows = reader.flows();
    while rows.next_batch(&mut batch)? {
        flows.append(&mut batch);
    }
    let (mut loads, mut batch) = (Vec::new(), Vec::new());
    let mut rows = reader.loads();
    while rows.next_batch(&mut batch)? {
        loads.append(&mut batch);
    }
    let (mut metrics, mut batch) = (Vec::new(), Vec::new());
    let mut rows = reader.metrics();
    while rows.next_batch(&mut batch)? {
        metrics.append(&mut batch);
    }
    Ok((routes, flows, loads, metrics))
}

#[test]
fn what_is_written_is_read_to_the_last_bit() {
    let batch = u32::try_from(BATCH_ROWS).unwrap();
    for count in [0, 1, batch / 2, 2 * batch + 1] {
        let traffic = traffic(count);
        let bytes = file(&traffic, network());
        let reader = TraceReader::new(Cursor::new(bytes.clone())).unwrap();
        assert_eq!(reader.results(), &results(Some(network())));
        assert_eq!(reader.rows(), 1);
        let (read_routes, flows, loads, metrics) = read(&bytes).unwrap();
        assert_eq!(read_routes, routes());
        assert!(flows == traffic.flows && loads == traffic.loads, "{count}");
        assert!(metrics == traffic.metrics, "{count}");
    }
}

#[test]
fn what_waits_in_a_file_is_the_same() {
    let traffic = traffic(150_000);
    let folder = tempfile::tempdir().unwrap();
    let writer = TraceWriter::new(Vec::new(), Header::default()).unwrap();
    let mut sorter = Sorter::new(writer, folder.path().join("aside"));
    let record = Record::new(1, 0, UnitState::Compute, 0.0, 1.0);
    sorter.add(&mut vec![record], 0.0).unwrap();
    sorter.add_traffic(&traffic).unwrap();
    let bytes = sorter.finish(results(Some(network()))).unwrap();
    assert!(bytes == file(&traffic, network()));
    assert_eq!(
        folder.path().read_dir().unwrap().count(),
        0,
        "it has no name"
    );

    let writer = TraceWriter::new(Vec::new(), Header::default()).unwrap();
    let mut sorter = Sorter::new(writer, "no/such/folder/aside".into());
    let error = sorter.add_traffic(&traffic).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}

#[test]
fn operations_of_accelerators_need_no_network() {
    let operation = |number: u32| Operation {
        node: number / 5,
        device: number % 5,
        engine: number % 3,
        pid: number,
        stream: 65_535,
        element: 7,
        start_s: 0.0,
        end_s: f64::from(number),
    };
    let read = |operations: Vec<Operation>| {
        let mut writer = TraceWriter::new(Vec::new(), Header::default()).unwrap();
        let traffic = Traffic {
            operations,
            ..Traffic::default()
        };
        writer.write_traffic(&traffic).unwrap();
        let bytes = writer.finish(results(None)).unwrap();
        let mut reader = TraceReader::new(Cursor::new(bytes)).unwrap();
        let (mut all, mut batch) = (Vec::new(), Vec::new());
        let mut rows = reader.operations();
        while rows.next_batch(&mut batch)? {
            all.append(&mut batch);
        }
        Ok::<_, ReadError>(all)
    };
    for count in [0, 1, u32::try_from(BATCH_ROWS).unwrap()] {
        let operations: Vec<Operation> = (0..count).map(operation).collect();
        assert!(read(operations.clone()).unwrap() == operations, "{count}");
    }
    let late = Operation {
        start_s: 9.0,
        ..operation(1)
    };
    let message = read(vec![late]).unwrap_err().to_string();
    assert!(
        message.ends_with("table `operations`: row 0 of a batch is invalid"),
        "{message}"
    );
}

#[test]
fn a_trace_without_traffic_has_no_tables() {
    let writer = TraceWriter::new(Vec::new(), Header::default()).unwrap();
    let bytes = writer.finish(results(None)).unwrap();
    let has = |text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    assert!(!has("tables") && !has("network"));
    assert_eq!(read(&bytes).unwrap(), (vec![], vec![], vec![], vec![]));
}

#[test]
fn rows_that_make_no_sense_are_refused() {
    let refused = |change: fn(&mut Traffic, &mut TracedNetwork)| {
        let (mut traffic, mut network) = (traffic(3), network());
        change(&mut traffic, &mut network);
        let message = read(&file(&traffic, network)).unwrap_err().to_string();
        message.replace("the trace is damaged: ", "")
    };
    let flow = "table `flows`: row 1 of a batch is invalid";
    assert_eq!(refused(|it, _| it.flows[1].route = ROUTES), flow);
    assert_eq!(refused(|it, _| it.flows[1].end_s = -1.0), flow);
    assert_eq!(refused(|it, _| it.flows[1].start_s = 9.0), flow);
    assert_eq!(refused(|it, _| it.flows[1].bytes = u64::MAX), flow);
    let load = "table `loads`: row 0 of a batch is invalid";
    assert_eq!(refused(|it, _| it.loads[0].link = LINKS), load);
    assert_eq!(refused(|it, _| it.loads[0].bytes_per_s = f64::NAN), load);
    let metric = "table `metrics`: row 2 of a batch is invalid";
    assert_eq!(refused(|it, _| it.metrics[2].name = 2), metric);
    assert_eq!(refused(|it, _| it.metrics[2].value = f64::NAN), metric);
    let order = "table `routes`: its routes are out of order";
    assert_eq!(refused(|it, _| it.hops[0].route = 1), order);
    assert_eq!(refused(|it, _| it.hops.swap(0, 8)), order);
    let missing = "table `routes`: routes are missing";
    assert_eq!(refused(|_, it| it.routes = u32::MAX), missing);
    let link = "its description of the run: link `link \"2\" <é>` is invalid";
    assert_eq!(refused(|_, it| it.links[2].latency_s = -1.0), link);
    assert_eq!(refused(|_, it| it.links[2].background = 1.0), link);
}

#[test]
fn tables_outside_of_the_file_are_refused() {
    let bytes = file(&traffic(3), network());
    let text = "\"flows\":{\"offset\":";
    let place = bytes
        .windows(text.len())
        .position(|it| it == text.as_bytes());
    let place = place.expect("it is told") + text.len();
    let mut changed = bytes.clone();
    changed[place] = b'9';
    let error = read(&changed).unwrap_err().to_string();
    let outside = "the trace is damaged: table `flows`: it extends past the end of the file";
    assert_eq!(error, outside);
}

/// Tests that a change of any single byte causes neither a panic nor a read beyond the file.
#[test]
fn no_byte_is_trusted() {
    let bytes = file(&traffic(40), network());
    let mut refused = 0;
    for place in 0..bytes.len() {
        for value in [0, 0x7f, 0xff, bytes[place] ^ 1] {
            let mut bytes = bytes.clone();
            bytes[place] = value;
            refused += u32::from(read(&bytes).is_err());
        }
    }
    assert!(refused > 1000, "{refused}");
}
