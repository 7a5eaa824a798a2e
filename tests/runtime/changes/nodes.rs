//! Tests changes of the speeds of nodes.

use super::*;

/// Changes are events, so a run that waits forever for its node can be interrupted between events.
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
fn a_change_of_nothing_changes_no_bit() {
    let none = run_block(system(&machine(3, ""), 5), 0.3);
    let changes = change("0.1s", "node*", "speed = 1");
    let same = run_block(system(&machine(3, &changes), 5), 0.3);
    assert_eq!(ends(&none), ends(&same));
    let computed = |outcome: &Outcome| outcome.processes[0].compute_s.to_bits();
    assert_eq!(computed(&none), computed(&same));
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
    // Half the speed in every other second.
    std::fs::write(folder.path().join("a.speed"), "0 1\n1 0.5\nLOOPAFTER 1\n").expect("likewise");
    let machine = Machine::read(path.to_str().expect("it is text")).expect("it is a machine");
    assert!(machine.warnings().is_empty(), "{:?}", machine.warnings());
    let outcome = run_block(System::on(machine, 2, 1, 2, 1), 3.0);
    assert_eq!(ends(&outcome), [4.0, 3.0]);
}
