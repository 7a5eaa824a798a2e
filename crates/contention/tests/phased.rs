//! Checks that phases of packets have the same ends whether repeated phases are simulated or not,
//! and almost the same as without phases.

use crate::scenario;

use prophet_contention::{Capacity, Contention, Packets, Phased, Wire};
use proptest::prelude::*;
use scenario::{Change, Flow, ends_s};

const PACKET: f64 = 1500.0;
const LATENCY_S: f64 = 1e-6;
/// Time between the starts of scripts. It is a multiple of `TICK_S`, the unit of times in scripts,
/// so that sums are exact.
const SCRIPT_S: f64 = 0.125;
const TICK_S: f64 = 1.0 / 268_435_456.0;
/// Maximum total effect of starting on the grid.
const GRIDS_S: f64 = 8.0 * PACKET / 1.3e9 / 65_536.0;
/// Maximum effect on an end if rounding changes the order of packets.
const TURNS_S: f64 = 8.0 * PACKET / 0.7e9;

fn packets() -> Packets {
    let capacities = [1e9, 1.3e9, 0.7e9, 1.1e9].map(Capacity::shared);
    let all = capacities.into_iter().chain([Capacity::fatpipe(0.9e9)]);
    Packets::new(
        PACKET,
        all.map(|capacity| Wire {
            capacity,
            latency_s: LATENCY_S,
        }),
    )
}

/// Creates a flow that starts `ticks` after the start of its script.
fn flow(ticks: u32, route: &[u32], packets: f64) -> Flow {
    let hops = u32::try_from(route.len()).expect("a short route");
    Flow {
        start_s: f64::from(ticks) * TICK_S,
        route: route.to_vec(),
        latency_s: f64::from(hops) * LATENCY_S,
        weight: 1.0,
        bytes: packets * PACKET,
    }
}

/// Concatenates scripts. They start far apart.
fn in_turn(scripts: &[Vec<Flow>]) -> Vec<Flow> {
    let mut all = Vec::new();
    for (number, script) in (0_u32..).zip(scripts) {
        all.extend(script.iter().cloned().map(|flow| Flow {
            start_s: flow.start_s + f64::from(number) * SCRIPT_S,
            ..flow
        }));
    }
    all
}

/// Checks that flows end at the same times with and without memory, and within `far_s` of a
/// simulation without phases. Returns the numbers of phases.
#[track_caller]
fn compared(flows: &[Flow], changes: &[Change], far_s: f64) -> (u64, u64) {
    let mut remembered = Phased::new(packets()).with_memory();
    let found_s = ends_s(&mut remembered, flows, changes);
    let simulated_s = ends_s(&mut Phased::new(packets()), flows, changes);
    assert_eq!(found_s, simulated_s);
    let expected_s = ends_s(&mut packets(), flows, changes);
    for (found, expected) in found_s.iter().zip(&expected_s) {
        let is_near = (found - expected).abs() <= far_s;
        assert!(is_near, "{found_s:?} instead of {expected_s:?}");
    }
    remembered.phases().expect("it counts them")
}

fn script() -> Vec<Flow> {
    vec![
        flow(0, &[0, 1], 19.5),
        flow(500, &[2, 1], 4.0),
        flow(1_250, &[3], 0.3),
        flow(1_250, &[4, 3], 7.0),
        flow(2_250, &[0], 2.0),
    ]
}

#[test]
fn phases_that_repeat_are_simulated_once() {
    let flows = in_turn(&vec![script(); 50]);
    assert_eq!(compared(&flows, &[], GRIDS_S), (50, 49));
}

#[test]
fn a_phase_that_goes_on_differently_is_simulated() {
    let mut more = script();
    more.push(flow(2_375, &[1], 3.0));
    let mut late = script();
    late[2].start_s += 250.0 * TICK_S;
    let less = script()[..3].to_vec();
    let other = vec![flow(0, &[0, 1], 9.0)];
    let phases = [script(), more, late, less, other];
    let twice: Vec<_> = [&phases[..], &phases[..]].concat();
    assert_eq!(compared(&in_turn(&twice), &[], GRIDS_S), (10, 5));
}

/// Flows share a link, and start together except for rounding.
#[test]
fn rounding_decides_about_no_turns() {
    let gather = |orders: &[u32; 4]| -> Vec<Flow> {
        let mut flows: Vec<Flow> = (0..4).map(|it| flow(1_000, &[it, 1], 6.5)).collect();
        for (flow, order) in flows.iter_mut().zip(orders) {
            flow.start_s += f64::from(*order) * 1e-16;
        }
        flows
    };
    let orders = [[0, 0, 0, 0], [1, 2, 0, 3], [3, 1, 2, 0], [2, 3, 1, 0]];
    let scripts = orders.map(|it| gather(&it));
    let flows = in_turn(&scripts);
    let found_s = ends_s(&mut Phased::new(packets()), &flows, &[]);
    for (script, ends_s) in found_s.chunks(4).enumerate() {
        let began_s = SCRIPT_S * f64::from(u32::try_from(script).expect("few"));
        for (end_s, first_s) in ends_s.iter().zip(&found_s) {
            assert!((end_s - began_s - first_s).abs() < 1e-15, "{found_s:?}");
        }
    }
    assert_eq!(compared(&flows, &[], TURNS_S), (4, 3));
}

#[test]
fn what_was_seen_is_forgotten_when_a_link_changes() {
    let change = |at_s, bytes_per_s| Change {
        at_s,
        link: 1,
        bytes_per_s,
    };
    let flows = in_turn(&vec![script(); 8]);
    // One change is between phases, and one is during a phase.
    let changes = [change(0.2, 0.2e9), change(3.0 * SCRIPT_S + 4e-6, 1.3e9)];
    assert_eq!(compared(&flows, &changes, GRIDS_S), (8, 4));
}

#[test]
fn a_start_at_the_time_of_an_end_loses_no_end() {
    let mut network = Phased::new(packets()).with_memory();
    for script in 0..3 {
        let began_s = f64::from(script) * SCRIPT_S;
        let (packet_s, mut ended) = (PACKET / 1e9, Vec::new());
        let first = network.start(began_s, &[0], LATENCY_S, 1.0, PACKET);
        while network.next_s() < began_s + packet_s + 0.9 * LATENCY_S {
            let now_s = network.next_s();
            network.advance(now_s, &mut ended);
        }
        // The end is due, but hasn't been reported.
        let now_s = network.next_s();
        let second = network.start(now_s, &[1], LATENCY_S, 1.0, PACKET);
        while network.next_s() < f64::INFINITY {
            let now_s = network.next_s();
            network.advance(now_s, &mut ended);
        }
        assert_eq!(ended, [first, second]);
    }
    assert_eq!(network.phases(), Some((3, 2)));
}

#[test]
fn flows_without_links_or_bytes_end_by_their_latency() {
    let mut flows = script();
    flows.push(flow(250, &[], 3.0));
    flows.push(flow(250, &[2], 0.0));
    assert_eq!(compared(&in_turn(&vec![flows; 3]), &[], GRIDS_S), (3, 2));
}

fn any_flow() -> impl Strategy<Value = Flow> {
    let route = prop::collection::vec(0..5_u32, 0..4);
    (0..12_000_u32, route, 0.0..12.0).prop_map(|(ticks, route, size)| flow(ticks, &route, size))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(500)))]

    #[test]
    fn random_phases_end_as_simulated(
        scripts in prop::collection::vec(prop::collection::vec(any_flow(), 1..12), 1..4),
        order in prop::collection::vec((0..4_usize, 1..12_usize), 1..12),
    ) {
        // Uses only the first flows of a script, so that phases begin in the same way.
        let of_order = |(script, count): &(usize, usize)| {
            let mut flows = scripts[script % scripts.len()].clone();
            flows.sort_by(|left, right| {
                let by_time = left.start_s.total_cmp(&right.start_s);
                let by_route = by_time.then_with(|| left.route.cmp(&right.route));
                by_route.then_with(|| left.bytes.total_cmp(&right.bytes))
            });
            flows.truncate(*count);
            flows
        };
        let flows = in_turn(&order.iter().map(of_order).collect::<Vec<_>>());
        let (all, remembered) = compared(&flows, &[], TURNS_S);
        prop_assert!(remembered < all);
    }
}
