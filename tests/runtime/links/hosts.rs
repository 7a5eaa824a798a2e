//! Tests the hosts in platform files: their loopbacks and speeds.

use std::fs;
use std::path::Path;

use prophet_runtime::Engine;

use super::*;

fn platform(name: &str, inside: &str) -> Machine {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hosts");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join(format!("{name}.xml"));
    let text = format!(
        r#"<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="w" routing="Full">{inside}</zone></platform>"#
    );
    fs::write(&path, text).expect("it can be written");
    Machine::read(path.to_str().expect("it is text")).expect("it is a machine")
}

fn cluster(name: &str, attributes: &str) -> Machine {
    let cluster = format!(
        r#"<cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" core="2" bw="1e9Bps"
 lat="1e-5s" {attributes}/>"#
    );
    platform(name, &cluster)
}

/// Returns when a message of 1 MB between two processes on one node ends, in seconds.
fn within_a_node_s(machine: Machine) -> f64 {
    let outcome = run_on(
        System::on(machine, 1, 2, 2, 1),
        async |ctx| match i64::from(ctx.pid()) {
            0 => {
                SEND.execute(ctx, 1, Message::bytes(1_000_000), ByMachine)
                    .await
            }
            _ => RECV.execute(ctx, 0, Message::any_size(), ByMachine).await,
        },
    );
    outcome.predicted_time_s
}

#[test]
fn loopbacks_of_clusters_carry_messages_within_a_node() {
    // 0.1 ms + 1 MB / (100 MB/s), as in SimGrid.
    for topology in ["", r#"topology="TORUS" topo_parameters="2,1""#] {
        let attributes = format!(r#"loopback_bw="1e8Bps" loopback_lat="1e-4s" {topology}"#);
        let machine = cluster("loopback", &attributes);
        assert!(machine.warnings().is_empty(), "{:?}", machine.warnings());
        let toml = machine.to_toml().expect("it has one").into_owned();
        let turned = Machine::parse(&toml, "turned.toml").expect(&toml);
        for machine in [machine, turned] {
            let end_s = within_a_node_s(machine);
            assert!((end_s - 0.0101).abs() < 1e-12, "{end_s}");
        }
    }
}

#[test]
fn clusters_without_loopbacks_have_the_network_within_a_node_of_all_machines() {
    let machine = cluster("plain", "");
    let without = Machine::parse("name = \"m\"\nsource = \"s\"\n", "m.toml").expect("it is one");
    assert_eq!(
        within_a_node_s(machine).to_bits(),
        within_a_node_s(without).to_bits()
    );
}

/// Returns when two processes with costs of 2 s end. Each is on a node of its own.
fn ends_of_costs(machine: Machine, engine: Engine) -> Vec<f64> {
    let system = System::on(machine, 2, 1, 2, 1);
    let simulation = Simulation::new(&MODEL, system).with_engine(engine);
    let run = simulation.run(async |ctx| WORK.execute(ctx, 2.0).await);
    ends(&run.expect("it ends"))
}

#[test]
fn costs_are_those_on_the_first_host() {
    let machine = platform(
        "unequal",
        r#"<host id="a" speed="2Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="l"/></route>"#,
    );
    assert!(machine.warnings().is_empty(), "{:?}", machine.warnings());
    let toml = machine.to_toml().expect("it has one").into_owned();
    let turned = Machine::parse(&toml, "turned.toml").expect(&toml);
    for machine in [machine, turned] {
        for engine in [Engine::Event, Engine::Auto] {
            assert_eq!(ends_of_costs(machine.clone(), engine), [2.0, 4.0]);
        }
    }
}

#[test]
fn groups_of_nodes_have_speeds_in_both_forms_of_a_file() {
    let text = "name = \"m\"\nsource = \"a test\"\n[[node]]\ncount = 1\nspeed = 0.5\n\
                [[node]]\ncount = 3\n";
    let machine = Machine::parse(text, "m.toml").expect("a machine");
    assert_eq!(machine.nodes, Some(4));
    let xml = machine.to_xml().expect("it has one");
    let again = Machine::parse_xml(&xml, "m.xml").expect(&xml);
    assert_eq!(again.entries(), machine.entries());
    assert_eq!(ends_of_costs(again, Engine::Event), [4.0, 2.0]);
}
