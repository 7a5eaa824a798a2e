//! Checks flows whose ends are known from theory, and laws that must hold.

#![expect(clippy::float_cmp, reason = "what is exact is compared exactly")]

use crate::scenario;

use prophet_contention::{Capacity, Contention, Fluid};
use scenario::{Change, Flow, assert_close, ends_s};

const GB: f64 = 1e9;

fn flow(route: &[u32], bytes: f64) -> Flow {
    Flow {
        route: route.to_vec(),
        weight: 1.0,
        bytes,
        ..Flow::default()
    }
}

fn run(links: &[Capacity], flows: &[Flow]) -> Vec<f64> {
    ends_s(&mut Fluid::new(links.iter().copied()), flows, &[])
}

#[track_caller]
fn check(links: &[f64], flows: &[Flow], expected_s: &[f64]) {
    let links: Vec<Capacity> = links.iter().copied().map(Capacity::shared).collect();
    assert_close(&run(&links, flows), expected_s, 1e-12);
}

#[test]
fn two_flows_share_a_link() {
    check(&[GB], &[flow(&[0], GB), flow(&[0], GB)], &[2.0, 2.0]);
}

#[test]
fn a_flow_that_comes_later_slows_the_first() {
    let late = Flow {
        start_s: 0.25,
        ..flow(&[0], 0.5 * GB)
    };
    check(&[GB], &[flow(&[0], GB), late], &[1.5, 1.25]);
}

#[test]
fn a_long_flow_meets_two_short_ones() {
    let flows = [flow(&[0, 1], GB), flow(&[0], GB), flow(&[1], GB)];
    check(&[GB, GB], &flows, &[2.0, 2.0, 2.0]);
}

#[test]
fn what_one_flow_cannot_use_goes_to_the_others() {
    let flows = [
        flow(&[0, 1], GB),
        flow(&[0], GB),
        flow(&[1], GB),
        flow(&[1], 2.0 * GB),
    ];
    check(&[GB, 2.0 * GB], &flows, &[2.0, 2.0, 4.0 / 3.0, 2.0]);
}

#[test]
fn a_latency_takes_no_bandwidth() {
    let late = Flow {
        latency_s: 1e-3,
        ..flow(&[0], 1e6)
    };
    check(&[GB], &[late.clone(), late], &[0.003, 0.003]);
}

#[test]
fn nothing_to_carry_takes_the_latency_alone() {
    let empty = Flow {
        latency_s: 1e-3,
        ..flow(&[0], 0.0)
    };
    let nowhere = Flow {
        latency_s: 2e-3,
        ..flow(&[], GB)
    };
    check(&[GB], &[empty, nowhere, flow(&[], 0.0)], &[1e-3, 2e-3, 0.0]);
}

#[test]
fn weights_share_in_proportion() {
    let heavy = Flow {
        weight: 3.0,
        ..flow(&[0], 3.0 * GB)
    };
    check(&[GB], &[heavy, flow(&[0], 2.0 * GB)], &[4.0, 5.0]);
}

#[test]
fn a_link_that_is_crossed_twice_carries_all_twice() {
    check(&[GB], &[flow(&[0, 0], GB)], &[2.0]);
    // 2 x + y = 1, with x = y.
    check(&[GB], &[flow(&[0, 0], GB), flow(&[0], GB)], &[3.0, 3.0]);
}

#[test]
fn a_fatpipe_limits_each_flow_alone() {
    let links = [Capacity::fatpipe(GB), Capacity::shared(1.5 * GB)];
    let flows = [flow(&[0], GB), flow(&[0], 2.0 * GB), flow(&[0, 1], GB)];
    assert_close(&run(&links, &flows), &[1.0, 2.0, 1.0], 1e-12);
    let flows = [flow(&[0, 1], GB), flow(&[1, 0], GB)];
    assert_close(&run(&links, &flows), &[4.0 / 3.0, 4.0 / 3.0], 1e-12);
}

#[test]
fn flows_stand_still_without_capacity() {
    let mut network = Fluid::new([Capacity::shared(GB)]);
    let id = network.start(0.0, &[0], 0.0, 1.0, GB);
    network.set_capacity(0.5, 0, 0.0);
    assert_eq!(network.next_s(), f64::INFINITY);
    assert_eq!(network.load(0), 0.0);
    network.set_capacity(10.0, 0, 2.0 * GB);
    assert_eq!(network.next_s(), 10.25);
    assert_eq!(network.load(0), 2.0 * GB);
    let mut ended = Vec::new();
    network.advance(10.25, &mut ended);
    assert_eq!(ended, [id]);
}

#[test]
fn ends_that_coincide_are_one_event() {
    // A third of a link can't be represented exactly, and the flows have had different neighbors.
    let mut network = Fluid::new([Capacity::shared(0.1), Capacity::shared(0.3)]);
    let mut ended = Vec::new();
    for route in [&[0, 1][..], &[1], &[0], &[0]] {
        network.start(0.1, route, 0.2, 1.0, 0.7);
    }
    let mut times = 0;
    while network.next_s() < f64::INFINITY {
        let now_s = network.next_s();
        network.advance(now_s, &mut ended);
        times += 1;
    }
    // There are three times: after the latencies, for the flow that is alone on link 1 at the end,
    // and for the three flows on link 0.
    assert_eq!((times, ended.len()), (3, 4));
}

#[test]
fn late_times_and_great_rates_end() {
    let late_s = 1e9;
    let mut network = Fluid::new((0..3).map(|_| Capacity::shared(1e12)));
    let mut ended = Vec::new();
    for index in 0..1000_u32 {
        let bytes = f64::from(index % 7 + 1) * 1e3;
        network.start(late_s, &[index % 3, (index + 1) % 3], 1e-7, 1.0, bytes);
    }
    let mut steps = 0;
    while network.next_s() < f64::INFINITY {
        let now_s = network.next_s();
        network.advance(now_s, &mut ended);
        steps += 1;
        assert!(steps <= 1001, "the clock does not get on");
    }
    assert_eq!(ended.len(), 1000);
}

/// A flow that fills a FATPIPE and another link limits the other flows on the FATPIPE, no matter in
/// which order it crosses the two links, and which of them had less capacity before.
#[test]
fn links_that_fill_together_stop_flows_in_any_order() {
    let links = [
        Capacity::shared(1e8),
        Capacity::fatpipe(1e8),
        Capacity::shared(1e8),
    ];
    let flow = |route: &[u32], latency_s: f64, bytes| Flow {
        start_s: 0.0,
        route: route.to_vec(),
        latency_s,
        weight: 1.0 / latency_s,
        bytes,
    };
    let slow_s = 1e-6 * 1e8 * 6e-6 / 1.005e-3;
    let expected_s = 1.006e-3 + (1e4 - slow_s) / 1e8;
    for route in [[1, 2], [2, 1]] {
        let flows = [flow(&[1, 0], 1.005e-3, 1e4), flow(&route, 6e-6, 1e5)];
        let found_s = ends_s(&mut Fluid::new(links), &flows, &[]);
        assert!((found_s[0] - expected_s).abs() < 1e-12, "{found_s:?}");
        let mut wider = links;
        wider[1] = Capacity::fatpipe(1e9);
        let change = Change {
            at_s: 5e-4,
            link: 1,
            bytes_per_s: 1e8,
        };
        let found_s = ends_s(&mut Fluid::new(wider), &flows, &[change]);
        assert!((found_s[0] - expected_s).abs() < 1e-12, "{found_s:?}");
    }
}
