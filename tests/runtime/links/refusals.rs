//! Networks that cannot be.

use prophet_testing::{assert_cases, assert_contains};

use super::*;

#[test]
fn wrong_words_are_told() {
    assert_cases("links/networks.txt", |case| {
        let mut system = System::new(2, 1, 2, 1);
        system.choose_network(case.input).unwrap_err().to_string()
    });
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
    assert_contains(&message, "the network has 4 nodes, and 5 are used");
    let large = "shared:topology=torus,dimensions=100000x10000,latency=1us,bandwidth=1GB/s";
    let message = told(apart(2, large));
    assert_contains(&message, "1000000000 hosts, of which at most");
    for (choice, formula) in [
        ("barrier=analytic", "barrier=analytic"),
        ("rule=nccl-hopper", "allgather=nccl-hopper"),
    ] {
        let mut system = apart(2, torus);
        system.algorithms.choose(choice).expect("it is one");
        let problem = "a formula knows no links that messages share: choose another algorithm than";
        let message = told(system);
        assert_contains(&message, &format!("{problem} {formula}"));
    }
}
