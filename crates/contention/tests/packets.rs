//! Checks packets against closed forms and, for long messages, against the rates of a fluid.

use crate::scenario;

use prophet_contention::{Capacity, Contention, Fluid, Packets, Wire};
use proptest::prelude::*;
use scenario::{Change, Flow, assert_close, ends_s};

const PACKET: f64 = 1500.0;
const GB: f64 = 1e9;
const LATENCY_S: f64 = 1e-6;

fn wire(capacity: Capacity) -> Wire {
    Wire {
        capacity,
        latency_s: LATENCY_S,
    }
}

fn flow(route: &[u32], bytes: f64) -> Flow {
    let hops = u32::try_from(route.len()).expect("a short route");
    Flow {
        route: route.to_vec(),
        latency_s: f64::from(hops) * LATENCY_S,
        weight: 1.0,
        bytes,
        ..Flow::default()
    }
}

fn by_packets(links: &[Capacity], flows: &[Flow], changes: &[Change]) -> Vec<f64> {
    let mut network = Packets::new(PACKET, links.iter().copied().map(wire));
    ends_s(&mut network, flows, changes)
}

#[test]
fn a_message_is_a_pipeline() {
    let links = [Capacity::shared(GB); 3];
    let packet_s = PACKET / GB;
    // Ten and two thirds packets over three links. The smaller last packet waits for the packet
    // before it at the second and third link.
    let bytes = 10.0 * PACKET + 1000.0;
    let expected_s = 12.0 * packet_s + 1000.0 / GB + 3.0 * LATENCY_S;
    let found_s = by_packets(&links, &[flow(&[0, 1, 2], bytes)], &[]);
    assert_close(&found_s, &[expected_s], 1e-12);
}

#[test]
fn senders_take_turns() {
    let links = [Capacity::shared(GB)];
    let flows = [flow(&[0], 2.0 * PACKET), flow(&[0], 3.0 * PACKET)];
    // The order is first, second, first, second, second.
    let packet_s = PACKET / GB;
    let expected_s = [3.0 * packet_s + LATENCY_S, 5.0 * packet_s + LATENCY_S];
    assert_close(&by_packets(&links, &flows, &[]), &expected_s, 1e-12);
}

#[test]
fn each_message_has_a_fatpipe_for_itself() {
    let links = [Capacity::fatpipe(GB)];
    let flows = [flow(&[0], 2.0 * PACKET), flow(&[0, 0], 2.0 * PACKET)];
    let packet_s = PACKET / GB;
    let expected_s = [2.0 * packet_s + LATENCY_S, 3.0 * packet_s + 2.0 * LATENCY_S];
    assert_close(&by_packets(&links, &flows, &[]), &expected_s, 1e-12);
}

#[test]
fn nothing_to_send_takes_the_latency_alone() {
    let links = [Capacity::shared(GB)];
    let nowhere = Flow {
        latency_s: 0.5,
        ..flow(&[], GB)
    };
    let found_s = by_packets(&links, &[flow(&[0], 0.0), nowhere], &[]);
    assert_close(&found_s, &[LATENCY_S, 0.5], 1e-12);
}

#[test]
fn a_delay_comes_before_the_latencies_of_links() {
    let late = Flow {
        latency_s: 0.5 + LATENCY_S,
        ..flow(&[0], PACKET)
    };
    let found_s = by_packets(&[Capacity::shared(GB)], &[late], &[]);
    assert_close(&found_s, &[0.5 + PACKET / GB + LATENCY_S], 1e-12);
}

#[test]
fn a_change_meets_the_packet_that_enters() {
    let packet_s = PACKET / GB;
    let change = |at_s, bytes_per_s| Change {
        at_s,
        link: 0,
        bytes_per_s,
    };
    // Half a packet, a pause, and then one and a half packets at half the bandwidth.
    let changes = [
        change(0.5 * packet_s, 0.0),
        change(10.0 * packet_s, 0.5 * GB),
    ];
    let found_s = by_packets(
        &[Capacity::shared(GB)],
        &[flow(&[0], 2.0 * PACKET)],
        &changes,
    );
    assert_close(&found_s, &[13.0 * packet_s + LATENCY_S], 1e-12);
}

#[test]
fn a_window_holds_a_message_back() {
    let run = |window: Option<u64>| {
        let network = Packets::new(PACKET, [wire(Capacity::shared(GB))]);
        let mut network = match window {
            None => network,
            Some(window) => network.with_window(window),
        };
        ends_s(&mut network, &[flow(&[0], 10.0 * PACKET)], &[])
    };
    let packet_s = PACKET / GB;
    assert_close(&run(None), &[10.0 * packet_s + LATENCY_S], 1e-12);
    // Each packet waits until the packet before it has arrived.
    assert_close(&run(Some(1)), &[10.0 * (packet_s + LATENCY_S)], 1e-12);
    assert_close(&run(Some(10)), &run(None), 1e-12);
}

#[test]
fn a_busy_link_is_loaded() {
    let mut network = Packets::new(PACKET, [wire(Capacity::shared(GB))]);
    assert!(network.load(0) <= 0.0);
    network.take_loads(&mut Vec::new());
    for _ in 0..2 {
        network.start(0.0, &[0], LATENCY_S, 1.0, 2.0 * PACKET);
    }
    assert!((network.load(0) - GB).abs() <= 0.0);
    let mut told = Vec::new();
    let mut loads = Vec::new();
    while network.next_s() < f64::INFINITY {
        network.take_loads(&mut loads);
        told.extend(loads.drain(..).map(|it| (it.flows, it.bytes_per_s > 0.0)));
        let next_s = network.next_s();
        network.advance(next_s, &mut Vec::new());
    }
    // Packets of two messages take turns. The last packet is alone, and then none are left.
    let both = (2, true);
    assert_eq!(told, [both, both, both, (1, true), (0, false)]);
}

/// Returns the routes of messages between the nodes of a star. Each node has a link up and a link
/// down.
fn star(nodes: u32, messages: impl Iterator<Item = (u32, u32)>) -> (Vec<Capacity>, Vec<Flow>) {
    let links = vec![Capacity::shared(GB); 2 * nodes as usize];
    let flows = messages.map(|(from, to)| flow(&[2 * from, 2 * to + 1], 3000.0 * PACKET));
    (links, flows.collect())
}

/// Returns when long messages on a star end, as packets and as a fluid.
fn both_ends_s(messages: impl Iterator<Item = (u32, u32)>) -> (Vec<f64>, Vec<f64>) {
    let (links, flows) = star(8, messages);
    let mut fluid = Fluid::new(links.iter().copied());
    let expected_s = ends_s(&mut fluid, &flows, &[]);
    (by_packets(&links, &flows, &[]), expected_s)
}

#[track_caller]
fn assert_as_fluid(messages: impl Iterator<Item = (u32, u32)>) {
    let (found_s, expected_s) = both_ends_s(messages);
    assert_close(&found_s, &expected_s, 0.05);
}

#[test]
fn long_messages_on_a_star_end_as_those_of_a_fluid() {
    // An incast, a scatter, a shift, an all-to-all, and two incasts with a common sender.
    assert_as_fluid((1..8).map(|from| (from, 0)));
    assert_as_fluid((1..8).map(|to| (0, to)));
    assert_as_fluid((0..8).map(|from| (from, (from + 3) % 8)));
    assert_as_fluid((0..8).flat_map(|from| (1..8).map(move |far| (from, (from + far) % 8))));
    assert_as_fluid([(0, 1), (2, 1), (3, 1), (0, 4), (5, 4), (6, 4)].into_iter());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(20)))]

    #[test]
    fn random_long_messages_on_a_star_end_as_those_of_a_fluid(
        pairs in prop::collection::vec((0..8_u32, 1..8_u32), 1..20),
    ) {
        let messages = pairs.into_iter().map(|(from, far)| (from, (from + far) % 8));
        let (found_s, expected_s) = both_ends_s(messages);
        // Queues are first come, first served: in 2 of 3,000 cases, a message was off by 5.2 and
        // 6.3 %.
        assert_close(&found_s, &expected_s, 0.1);
        let last = |ends_s: &[f64]| ends_s.iter().copied().fold(0.0, f64::max);
        assert_close(&[last(&found_s)], &[last(&expected_s)], 0.05);
    }
}
