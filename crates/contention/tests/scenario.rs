//! Runs scenarios, which are flows and changes, on a network, and returns when the flows end.
#![allow(dead_code, reason = "no test needs all of it")]
#![expect(clippy::float_cmp, reason = "times are compared with themselves")]

use prophet_contention::{Contention, FlowId};

#[derive(Debug, Clone, Default)]
pub(crate) struct Flow {
    pub(crate) start_s: f64,
    pub(crate) route: Vec<u32>,
    pub(crate) latency_s: f64,
    pub(crate) weight: f64,
    pub(crate) bytes: f64,
}

#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) at_s: f64,
    pub(crate) link: u32,
    pub(crate) bytes_per_s: f64,
}

/// Running flows, by their index in the scenario.
pub(crate) type Running = Vec<(usize, FlowId)>;

/// Compares times with a relative tolerance.
#[track_caller]
pub(crate) fn assert_close(found_s: &[f64], expected_s: &[f64], tolerance: f64) {
    assert_eq!(found_s.len(), expected_s.len());
    for (found, expected) in found_s.iter().zip(expected_s) {
        assert!(
            (found - expected).abs() <= tolerance * expected,
            "{found_s:?} instead of {expected_s:?}"
        );
    }
}

/// Runs flows and changes to the end. Returns when the flows end.
pub(crate) fn ends_s(
    network: &mut impl Contention,
    flows: &[Flow],
    changes: &[Change],
) -> Vec<f64> {
    watched_ends_s(network, flows, changes, |_, _, _| ())
}

/// Like [`ends_s`], but calls `look` after each event with the network, the running flows, and the
/// number of changes so far.
pub(crate) fn watched_ends_s<N: Contention>(
    network: &mut N,
    flows: &[Flow],
    changes: &[Change],
    mut look: impl FnMut(&mut N, &Running, usize),
) -> Vec<f64> {
    let mut ends_s = vec![f64::INFINITY; flows.len()];
    let mut running = Running::new();
    let mut order: Vec<usize> = (0..flows.len()).collect();
    order.sort_by(|left, right| flows[*left].start_s.total_cmp(&flows[*right].start_s));
    let mut order = order.into_iter().peekable();
    let mut changed = 0;
    let mut ended = Vec::new();
    loop {
        let start_s = order.peek().map_or(f64::INFINITY, |it| flows[*it].start_s);
        let change_s = changes.get(changed).map_or(f64::INFINITY, |it| it.at_s);
        let now_s = network.next_s().min(start_s).min(change_s);
        look(network, &running, changed);
        if now_s == f64::INFINITY {
            return ends_s;
        }
        network.advance(now_s, &mut ended);
        assert!(ended.is_sorted());
        for id in ended.drain(..) {
            let place = running.iter().position(|it| it.1 == id).expect("it runs");
            ends_s[running.remove(place).0] = now_s;
        }
        while let Some(index) = order.next_if(|it| flows[*it].start_s == now_s) {
            let it = &flows[index];
            let id = network.start(now_s, &it.route, it.latency_s, it.weight, it.bytes);
            running.push((index, id));
        }
        while let Some(it) = changes.get(changed).filter(|it| it.at_s == now_s) {
            network.set_capacity(now_s, it.link, it.bytes_per_s);
            changed += 1;
        }
    }
}
