//! Speeds of nodes.

use super::*;

#[test]
fn the_rest_of_a_block_goes_on_at_the_new_speed() {
    // A second at full speed, four at half of it, and the last second at twice the speed.
    let changes = change("1s", "node0", "background = 0.5") + &change("5s", "node*", "speed = 2");
    let outcome = run_block(system(&machine(2, &changes), 2), 5.0);
    assert_eq!(ends(&outcome), [6.0, 5.0]);
    let why = outcome.evaluation.why_not_local.as_deref();
    assert_eq!(why, Some("the machine changes during the run"));
    let [slow, full] = &outcome.processes[..] else {
        panic!("there are two processes");
    };
    assert_eq!((slow.compute_s, slow.wait_s), (6.0, 0.0));
    assert_eq!((full.compute_s, full.wait_s), (5.0, 0.0));
}

#[test]
fn a_change_at_the_start_counts_from_the_start() {
    let changes = change("0s", "node1", "speed = 0.25");
    assert_eq!(
        ends(&run_block(system(&machine(2, &changes), 2), 1.0)),
        [1.0, 4.0]
    );
}

#[test]
fn a_block_that_begins_as_its_node_changes_has_the_new_speed() {
    let changes = change("1s", "node0", "speed = 0.5");
    let outcome = run_on(&MODEL, system(&machine(1, &changes), 1), async |ctx| {
        WORK.execute(ctx, 1.0).await?;
        WORK.execute(ctx, 1.0).await
    });
    assert_eq!(ends(&outcome), [3.0]);
}

#[test]
fn units_that_queue_get_the_speed_of_their_time() {
    // The second block waits for the first, which takes 1 + 2 s.
    let changes = change("1s", "node0", "speed = 0.5") + &change("3s", "node0", "speed = 1");
    let outcome = run_block(system(&machine(1, &changes), 2), 2.0);
    assert_eq!(ends(&outcome), [3.0, 5.0]);
    let second = &outcome.processes[1];
    assert_eq!((second.compute_s, second.wait_s), (2.0, 3.0));
}

#[test]
fn units_that_share_cpus_share_their_speed() {
    // Two at half a CPU each: 2 s of 4 at full speed, and the rest at a quarter.
    let changes = change("4s", "node0", "speed = 0.5");
    let mut shared = system(&machine(1, &changes), 2);
    shared.discipline = CpuDiscipline::ProcessorSharing;
    let outcome = run_block(shared, 4.0);
    assert_eq!(ends(&outcome), [12.0, 12.0]);
    let first = &outcome.processes[0];
    assert_eq!((first.compute_s, first.wait_s), (6.0, 6.0));
}

#[test]
fn a_node_that_stands_still_goes_on_when_it_may() {
    let changes = change("1s", "node0", "speed = 0") + &change("10s", "node0", "speed = 1");
    assert_eq!(
        ends(&run_block(system(&machine(1, &changes), 1), 2.0)),
        [11.0]
    );
    let stopped = system(&machine(1, &change("1s", "node0", "speed = 0")), 1);
    let run = Simulation::new(&MODEL, stopped).run(async |ctx| WORK.execute(ctx, 2.0).await);
    let message = run.expect_err("it never ends").to_string();
    assert!(message.contains("waits for a CPU"), "{message}");
}

/// A run that waits for its node for ever can be interrupted, as that is looked at between events.
#[test]
fn changes_are_events() {
    let events = |changes: &str| {
        let outcome = run_block(system(&machine(1, changes), 1), 3.0);
        outcome.evaluation.events
    };
    let changes = change("1s", "node0", "speed = 1") + &change("2s", "node0", "speed = 1");
    assert_eq!(events(&changes), events("") + 2);
}

#[test]
fn changes_after_the_end_do_not_last() {
    let changes = change("1s", "node0", "speed = 0.5") + &change("100s", "node0", "speed = 1");
    let outcome = run_block(system(&machine(1, &changes), 1), 1.5);
    assert_eq!(outcome.predicted_time_s.to_bits(), 2.0_f64.to_bits());
}

#[test]
fn a_change_of_nothing_changes_no_bit() {
    let none = run_block(system(&machine(3, ""), 5), 0.3);
    let changes = change("0.1s", "node*", "speed = 1");
    let same = run_block(system(&machine(3, &changes), 5), 0.3);
    assert_eq!(ends(&none), ends(&same));
    let computed = |outcome: &Outcome| outcome.processes[0].compute_s.to_bits();
    assert_eq!(computed(&none), computed(&same));
}

#[test]
fn nodes_that_are_not_used_may_change() {
    let machine = Machine::parse(
        &machine(4, &change("1s", "node3", "speed = 0.5")),
        "machine.toml",
    );
    let system = System::on(machine.expect("it is a machine"), 2, 1, 2, 1);
    assert_eq!(ends(&run_block(system, 2.0)), [2.0, 2.0]);
}

#[test]
fn hosts_follow_the_profiles_of_their_speeds() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("hosts.xml");
    let text = r#"<?xml version="1.0"?>
<platform version="4.1">
  <zone id="world" routing="Full">
    <host id="a" speed="1Gf" speed_file="a.speed"/>
    <host id="b" speed="1Gf"/>
    <link id="wire" bandwidth="1GBps" latency="10us"/>
    <route src="a" dst="b"><link_ctn id="wire"/></route>
  </zone>
</platform>
"#;
    std::fs::write(&path, text).expect("a file can be written");
    // Half the speed in each second second.
    std::fs::write(folder.path().join("a.speed"), "0 1\n1 0.5\nLOOPAFTER 1\n").expect("likewise");
    let machine = Machine::read(path.to_str().expect("it is text")).expect("it is a machine");
    assert_eq!(machine.warnings(), [""; 0]);
    let outcome = run_block(System::on(machine, 2, 1, 2, 1), 3.0);
    assert_eq!(ends(&outcome), [4.0, 3.0]);
}
