//! Compares random networks with a solver that recomputes all rates at each event, and checks laws
//! that rates must follow.
#![expect(clippy::float_cmp, reason = "infinity and loads are exact")]

use crate::scenario;

use prophet_contention::{Capacity, Contention, Fluid, Load};
use proptest::prelude::*;
use scenario::{Change, Flow, Running, watched_ends_s};

/// Levels with a smaller ratio count as equal.
const SAME: f64 = 1.0 + 1e-12;

#[derive(Debug, Clone)]
struct Scenario {
    links: Vec<Capacity>,
    flows: Vec<Flow>,
    /// Ordered by time.
    changes: Vec<Change>,
}

/// Returns the level where a link is full if all flows without a rate grow; `None` if all flows on
/// it have a rate.
///
/// A FATPIPE stops all of its flows together, even if their weights differ, as in `SimGrid`.
fn level(link: Capacity, number: u32, flows: &[&Flow], rates: &[Option<f64>]) -> Option<f64> {
    let mut left = link.bytes_per_s;
    let (mut sum, mut greatest) = (0.0, 0.0_f64);
    for (flow, rate) in flows.iter().zip(rates) {
        for _ in flow.route.iter().filter(|it| **it == number) {
            left -= rate.unwrap_or(0.0);
            if rate.is_none() {
                sum += flow.weight;
                greatest = greatest.max(flow.weight);
            }
        }
    }
    let level = if link.is_fatpipe {
        link.bytes_per_s / greatest
    } else {
        left.max(0.0) / sum
    };
    (sum > 0.0).then_some(level)
}

/// Computes weighted max-min rates by progressive filling. All flows grow until links are full.
/// Each full link stops its flows, even if another link stops some of them at the same time.
fn fair_rates(links: &[Capacity], flows: &[&Flow]) -> Vec<f64> {
    let mut rates: Vec<Option<f64>> = vec![None; flows.len()];
    loop {
        let levels = (0..).zip(links).filter_map(|(number, link)| {
            level(*link, number, flows, &rates).map(|level| (level, number))
        });
        let levels: Vec<(f64, u32)> = levels.collect();
        let Some(least) = levels.iter().map(|it| it.0).reduce(f64::min) else {
            return rates.into_iter().map(|it| it.unwrap_or(0.0)).collect();
        };
        let full = |link: &u32| {
            levels
                .iter()
                .any(|it| it.1 == *link && it.0 <= least * SAME)
        };
        for (flow, rate) in flows.iter().zip(&mut rates) {
            if rate.is_none() && flow.route.iter().any(full) {
                *rate = Some(least * flow.weight);
            }
        }
    }
}

/// Computes when the flows end, recomputing the rates at each event.
fn reference_ends_s(scenario: &Scenario) -> Vec<f64> {
    let flows = &scenario.flows;
    let mut links = scenario.links.clone();
    let mut ends_s = vec![f64::INFINITY; flows.len()];
    let mut left: Vec<f64> = flows.iter().map(|it| it.bytes).collect();
    let begin_s = |flow: &Flow| flow.start_s + flow.latency_s;
    for (flow, end_s) in flows.iter().zip(&mut ends_s) {
        if flow.bytes == 0.0 || flow.route.is_empty() {
            *end_s = begin_s(flow);
        }
    }
    let mut now_s = 0.0;
    loop {
        let changed = scenario.changes.iter().take_while(|it| it.at_s <= now_s);
        for it in changed {
            links[it.link as usize].bytes_per_s = it.bytes_per_s;
        }
        let runs = |it: &usize| begin_s(&flows[*it]) <= now_s && ends_s[*it] == f64::INFINITY;
        let running: Vec<usize> = (0..flows.len()).filter(runs).collect();
        let rates = fair_rates(
            &links,
            &running.iter().map(|it| &flows[*it]).collect::<Vec<_>>(),
        );
        let others_s = flows
            .iter()
            .map(begin_s)
            .chain(scenario.changes.iter().map(|it| it.at_s));
        let other_s = others_s
            .filter(|it| *it > now_s)
            .fold(f64::INFINITY, f64::min);
        let ends = running
            .iter()
            .zip(&rates)
            .map(|(it, rate)| now_s + left[*it] / rate);
        let next_s = ends.clone().fold(other_s, f64::min);
        if next_s == f64::INFINITY {
            return ends_s;
        }
        let ends: Vec<f64> = ends.collect();
        for ((&index, rate), end_s) in running.iter().zip(&rates).zip(ends) {
            left[index] -= rate * (next_s - now_s);
            if end_s <= next_s || left[index] <= 1e-12 * flows[index].bytes {
                ends_s[index] = next_s;
            }
        }
        now_s = next_s;
    }
}

/// Mixes a few fixed values, so that some ends and levels coincide, with arbitrary values, so that
/// others don't.
fn amounts(few: &'static [f64], any: std::ops::Range<f64>) -> impl Strategy<Value = f64> {
    prop_oneof![prop::sample::select(few), any]
}

fn scenarios(links: usize, flows: usize) -> impl Strategy<Value = Scenario> {
    let amount = || amounts(&[1.0, 2.0, 3.0], 0.1..10.0);
    let capacity = prop_oneof![
        4 => amount().prop_map(Capacity::shared),
        2 => amount().prop_map(Capacity::fatpipe),
    ];
    prop::collection::vec(capacity, 1..=links).prop_flat_map(move |links| {
        let count = u32::try_from(links.len()).expect("few links");
        let flow = (
            amounts(&[0.0, 1.0, 2.0], 0.0..5.0),
            prop::collection::vec(0..count, 0..5),
            amounts(&[0.0, 0.5], 0.0..1.0),
            amounts(&[1.0, 1.0, 2.0], 0.01..100.0),
            amounts(&[0.0, 1.0, 2.0, 6.0], 0.1..10.0),
        );
        let flow = flow.prop_map(|(start_s, route, latency_s, weight, bytes)| Flow {
            start_s,
            route,
            latency_s,
            weight,
            bytes,
        });
        let change = (0.0..10.0, 0..count, amounts(&[0.0, 0.0], 0.1..10.0));
        let change = change.prop_map(|(at_s, link, bytes_per_s)| Change {
            at_s,
            link,
            bytes_per_s,
        });
        let flows = prop::collection::vec(flow, 1..=flows);
        let changes = prop::collection::vec(change, 0..4);
        (Just(links), flows, changes).prop_map(|(links, flows, mut changes)| {
            changes.sort_by(|left, right| left.at_s.total_cmp(&right.at_s));
            Scenario {
                links,
                flows,
                changes,
            }
        })
    })
}

fn are_close(left: f64, right: f64) -> bool {
    left == right || (left - right).abs() <= 1e-9 * left.abs().max(right.abs())
}

/// Checks that no link is overloaded, and that each flow has a bottleneck.
fn check_rates(
    network: &Fluid,
    links: &[Capacity],
    flows: &[Flow],
    running: &Running,
) -> Result<(), TestCaseError> {
    let flowing = running
        .iter()
        .map(|&(index, id)| (&flows[index], network.rate(id)));
    let flowing: Vec<(&Flow, f64)> = flowing.filter(|it| it.1 > 0.0).collect();
    let mut full = Vec::new();
    for (number, link) in (0..).zip(links) {
        let crossing = flowing.iter().filter(|it| it.0.route.contains(&number));
        let rates = crossing
            .clone()
            .flat_map(|(flow, rate)| flow.route.iter().filter(|it| **it == number).map(|_| *rate));
        let load = network.load(number);
        prop_assert!(are_close(load, rates.clone().sum()), "{load} on {number}");
        let most = if link.is_fatpipe {
            rates.fold(0.0, f64::max)
        } else {
            load
        };
        prop_assert!(
            most <= link.bytes_per_s * (1.0 + 1e-9),
            "{most} on {number}"
        );
        let level = crossing.map(|it| it.1 / it.0.weight).fold(0.0, f64::max);
        full.push((are_close(most, link.bytes_per_s), level * (1.0 - 1e-9)));
    }
    for (flow, rate) in &flowing {
        let mut route = flow.route.iter().map(|it| full[*it as usize]);
        let has_bottleneck = route.any(|(full, level)| full && rate / flow.weight >= level);
        prop_assert!(has_bottleneck, "{flow:?} at {rate} has no bottleneck");
    }
    Ok(())
}

fn idle(link: u32, capacity: Capacity) -> Load {
    Load {
        link,
        flows: 0,
        bytes_per_s: 0.0,
        capacity_bytes_per_s: capacity.bytes_per_s,
    }
}

/// Checks that the reported changes of loads match the loads of all links.
fn check_loads(
    network: &mut Fluid,
    links: &[Capacity],
    told: &mut [Load],
) -> Result<(), TestCaseError> {
    let mut changed = Vec::new();
    network.take_loads(&mut changed);
    for load in changed {
        told[load.link as usize] = load;
    }
    for (load, link) in told.iter().zip(links) {
        prop_assert_eq!(load.bytes_per_s, network.load(load.link));
        prop_assert_eq!(load.capacity_bytes_per_s, link.bytes_per_s);
        prop_assert!(load.flows > 0 || load.bytes_per_s == 0.0);
    }
    Ok(())
}

fn check(scenario: &Scenario) -> Result<(), TestCaseError> {
    let Scenario {
        links,
        flows,
        changes,
    } = scenario;
    let mut lawful = Ok(());
    let mut network = Fluid::new(links.iter().copied());
    let mut told: Vec<Load> = (0..).zip(links).map(|it| idle(it.0, *it.1)).collect();
    network.take_loads(&mut Vec::new());
    let found_s = watched_ends_s(&mut network, flows, changes, |network, running, changed| {
        let mut links = links.clone();
        for it in &changes[..changed] {
            links[it.link as usize].bytes_per_s = it.bytes_per_s;
        }
        if lawful.is_ok() {
            lawful = check_rates(network, &links, flows, running)
                .and_then(|()| check_loads(network, &links, &mut told));
        }
    });
    lawful?;
    let expected_s = reference_ends_s(scenario);
    for (index, (found, expected)) in found_s.iter().zip(&expected_s).enumerate() {
        prop_assert!(
            are_close(*found, *expected),
            "flow {index}: {found} instead of {expected}"
        );
    }
    Ok(())
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn small_networks_are_as_the_reference_says(scenario in scenarios(4, 8)) {
        check(&scenario)?;
    }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn networks_are_as_the_reference_says(scenario in scenarios(30, 60)) {
        check(&scenario)?;
    }
}
