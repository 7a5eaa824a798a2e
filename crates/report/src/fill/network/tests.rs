use std::io::Cursor;

use prophet_trace::{Header, Hop, Results, TraceWriter, Traffic};

use super::*;

const LATENCY_S: f64 = 1.0;

fn link(number: u32, background: f64) -> NetworkLink {
    NetworkLink {
        name: format!("link {number}"),
        number: 10 + number,
        bytes_per_s: 8.0,
        latency_s: LATENCY_S,
        background,
        is_fatpipe: false,
    }
}

/// A link's load from a given time on. The second link has half of its bandwidth left.
fn load(time_s: f64, link: u32, flows: u32, bytes_per_s: f64) -> LinkLoad {
    LinkLoad {
        time_s,
        link,
        flows,
        bytes_per_s,
        capacity_bytes_per_s: if link == 1 { 4.0 } else { 8.0 },
        bandwidth_bytes_per_s: 8.0,
    }
}

fn flow(sender: u32, bytes: u64, [start_s, end_s]: [f64; 2]) -> Flow {
    Flow {
        sender,
        message: 0,
        receiver: 9,
        route: 0,
        bytes,
        start_s,
        end_s,
    }
}

/// Views of two messages over two links. The first message starts 4 seconds earlier.
fn views(packet_bytes: Option<f64>) -> page::Network {
    let traffic = Traffic {
        hops: [0, 1].map(|link| Hop { route: 0, link }).to_vec(),
        flows: vec![
            flow(5, 0, [0.0, 2.0]),
            flow(3, 24, [0.0, 10.0]),
            flow(4, 24, [4.0, 14.0]),
        ],
        loads: vec![
            load(2.0, 0, 1, 4.0),
            load(2.0, 1, 1, 4.0),
            load(6.0, 0, 2, 4.0),
            load(6.0, 1, 2, 4.0),
            load(10.0, 0, 1, 4.0),
            load(10.0, 1, 1, 4.0),
            load(14.0, 0, 0, 0.0),
            load(14.0, 1, 0, 0.0),
        ],
        metrics: Vec::new(),
        ..Traffic::default()
    };
    let results = Results {
        predicted_time_s: 16.0,
        network: Some(TracedNetwork {
            packet_bytes,
            links: vec![link(0, 0.0), link(1, 0.5)],
            routes: 1,
            picture: None,
            metrics: Vec::new(),
        }),
        ..Results::default()
    };
    let mut writer = TraceWriter::new(Vec::new(), Header::default()).unwrap();
    writer.write_traffic(&traffic).unwrap();
    let file = writer.finish(results).unwrap();
    let mut reader = TraceReader::new(Cursor::new(file)).unwrap();
    network(&mut reader, 16.0)
        .unwrap()
        .expect("links are shared")
}

#[test]
fn messages_find_what_others_leave_of_the_most_loaded_link() {
    let views = views(None);
    let flows = &views.flows;
    assert_eq!(flows.count, 2, "one has no bytes");
    assert_eq!(flows.from, [3, 4]);
    assert_eq!(flows.start_s, [0.0, 4.0]);
    // Each message is alone on the link for half of its time, and shares it for the other half.
    assert_eq!(flows.available_bytes_per_s, [3.0, 3.0]);
    assert_eq!(flows.clear_bytes_per_s, [6.0, 6.0]);
    let names = flows
        .link
        .iter()
        .map(|place| &views.links.name[*place as usize]);
    assert_eq!(names.collect::<Vec<_>>(), ["link 1", "link 1"]);
    assert!((views.packet_bytes - 1500.0).abs() < 1e-9);
}

#[test]
fn loads_are_shares_of_the_bandwidth() {
    let views = views(None);
    let links = &views.links;
    assert_eq!(links.number, [10, 11]);
    assert_eq!(links.background, [0.0, 0.5]);
    // Half of it is used for 12 of 16 seconds.
    assert_eq!(links.mean_load, [0.375, 0.375]);
    assert_eq!(links.most_load, [0.5, 0.5]);
    let steps = links.steps as usize;
    assert_eq!((steps, links.load.len()), (256, 512));
    let busy: Vec<usize> = (0..steps).filter(|step| links.load[*step] > 0.0).collect();
    assert_eq!((busy[0], busy.len()), (32, 192), "from 2 s to 14 s");
    assert!((links.load[100] - 0.5).abs() < 1e-6);
}

#[test]
fn a_time_without_messages_has_no_bandwidth() {
    let availability = views(None).availability;
    let means = &availability.mean_bytes_per_s;
    let known: Vec<bool> = means.iter().map(|mean| !mean.is_nan()).collect();
    let expected: Vec<bool> = (0..256).map(|step| (32..224).contains(&step)).collect();
    assert_eq!(known, expected);
    assert!((means[60] - 3.0).abs() < 1e-9);
    assert!((availability.clear_bytes_per_s[120] - 6.0).abs() < 1e-9);
    assert!((availability.least_bytes_per_s[200] - 3.0).abs() < 1e-9);
    assert!(availability.least_bytes_per_s[250].is_nan());
}

#[test]
fn packets_are_on_links_from_the_start() {
    let views = views(Some(2.0));
    assert!((views.packet_bytes - 2.0).abs() < 1e-9);
    // Before the first load of its links, the message would have been alone on them.
    let [first, _] = views.flows.available_bytes_per_s[..] else {
        panic!("there are two");
    };
    assert!(
        (first - (2.0 * 4.0 + 4.0 * 4.0 + 4.0 * 2.0) / 10.0).abs() < 1e-9,
        "{first}"
    );
}
