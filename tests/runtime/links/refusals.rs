//! Networks that cannot be.

use super::*;

#[track_caller]
fn assert_refused(network: &str, expected: &str) {
    let error = System::new(2, 1, 2, 1).choose_network(network).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn wrong_words_are_told() {
    assert_refused(
        "shared:latency=1us",
        "`shared` misses `bandwidth=`: the bandwidth of a link, such as `bandwidth=1GB/s`",
    );
    assert_refused(
        "shared:topology=sar,latency=1us,bandwidth=1GB/s",
        "topology: `sar` is not known (star, fat-tree, torus, dragonfly); did you mean `star`?",
    );
    assert_refused(
        "shared:latency=1us,bandwidth=0",
        "bandwidth: `0`: a bandwidth is above 0",
    );
    assert_refused(
        "shared:latency=1us,bandwidth=1GB/s,background=1",
        "background: `1` is not a fraction from 0 to below 1: others cannot take all of a link",
    );
    assert_refused(
        "shared:topology=torus,latency=1us,bandwidth=1GB/s",
        "`shared` misses `dimensions=`: the nodes along each dimension, such as \
         `dimensions=4x4x2`",
    );
    assert_refused(
        "shared:topology=torus,dimensions=4x0,latency=1us,bandwidth=1GB/s",
        "dimensions: `4x0` is not a list of whole numbers above 0 with `x` between them, such as \
         4x4",
    );
    assert_refused(
        "shared:dimensions=4,latency=1us,bandwidth=1GB/s",
        "`dimensions=` is for the topology torus, not star",
    );
    assert_refused(
        "shared:latency=1us,bandwidth=1GB/s,fairnes=rtt",
        "`shared` has no `fairnes` (it has topology, latency, bandwidth, background, nics, o, \
         fairness, children, parents, links, dimensions, groups, chassis, routers, \
         router-nodes, eager); did you mean `fairness`?",
    );
    assert_refused(
        "shared:latency=1us,bandwidth=1GB/s,nic=node",
        "`shared` has no network interface to share: nodes share their links, and `nics=` gives \
         each several",
    );
    assert_refused(
        "shared:latency=1us,bandwidth=1GB/s,nics=0",
        "nics: `0` is not a number of interfaces from 1 to 64",
    );
    assert_refused(
        "shared:topology=torus,dimensions=2,latency=1us,bandwidth=1GB/s,nics=2",
        "`nics=` is for the topology star, not torus: there, give the links of a node",
    );
    assert_refused(
        "hockney:latency=1us,bandwidth=1GB/s,nics=2",
        "`hockney` has no network interface to share; `loggp` has `nic=`",
    );
    assert_refused(
        "loggp:L=1us,o=1us,g=0,G=1ns,nic=rank,nics=2",
        "`nics=` is for interfaces that the ranks of a node share, `nic=node`",
    );
    assert_refused(
        "packet:latency=1us,bandwidth=1GB/s,window=0",
        "window: `0` is not a number of packets above 0",
    );
}

#[test]
fn what_does_not_fit_the_system_is_told_before_the_run() {
    let told = |system: System| {
        let simulation = Simulation::new(&MODEL, system);
        let failure = simulation.run(async |_| Ok(())).unwrap_err();
        failure.to_string()
    };
    let torus = "shared:topology=torus,dimensions=2x2,latency=1us,bandwidth=1GB/s";
    let message = told(apart(5, torus));
    assert!(
        message.contains("the network has 4 nodes, and 5 are used"),
        "{message}"
    );
    let large = "shared:topology=torus,dimensions=100000x10000,latency=1us,bandwidth=1GB/s";
    let message = told(apart(2, large));
    assert!(
        message.contains("1000000000 hosts, of which at most"),
        "{message}"
    );
    let mut system = apart(2, torus);
    system
        .algorithms
        .choose("barrier=analytic")
        .expect("it is one");
    let message = told(system);
    assert!(
        message.contains("a formula knows no links that messages share"),
        "{message}"
    );
}
