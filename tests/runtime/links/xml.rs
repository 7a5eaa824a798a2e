//! Machines in XML say what machines in TOML say.

use super::*;

pub(super) const CLUSTER: &str = include_str!("machines/cluster.xml");

#[test]
fn xml_and_toml_say_the_same_machines() {
    let gb = 1_000_000_000;
    let machine = Machine::parse_xml(CLUSTER, "cluster.xml").expect("it is a machine");
    assert_eq!((machine.nodes, machine.cpus_per_node), (Some(4), Some(1)));
    let toml = machine.to_toml().expect("it has one").into_owned();
    let again = Machine::parse(&toml, "cluster.toml").expect("it is one");
    let xml = again.to_xml().expect("it has one");
    let and_again = Machine::parse_xml(&xml, "cluster.xml").expect(&xml);
    for machine in [machine, again, and_again] {
        let outcome = run_on(System::on(machine, 2, 1, 2, 1), async |ctx| {
            match i64::from(ctx.pid()) {
                // 1 GB in the first second, then half a GB a second.
                0 => {
                    SEND.execute(ctx, 1, Message::bytes(2 * gb), ByMachine)
                        .await
                }
                _ => RECV.execute(ctx, 0, Message::any_size(), ByMachine).await,
            }
        });
        assert_eq!(outcome.predicted_time_s.to_bits(), 3.0_f64.to_bits());
    }
}

#[test]
fn texts_that_look_like_numbers_stay_texts_and_numbers_stay_numbers() {
    let toml = "name = \"7\"\nsource = \"8\"\nnodes = 4\nmemory-bandwidth = \"10\"\n\
                core-bandwidth = \"1e3\"\n[operations]\nunit = \"us\"\nLONG = 1e300\n\
                SHORT = 1e-300\nONE = 1\n";
    let machine = Machine::parse(toml, "m.toml").expect("it is a machine");
    let xml = machine.to_xml().expect("it has one");
    let again = Machine::parse_xml(&xml, "m.xml").expect(&xml);
    assert_eq!((&*again.name, &*again.source), ("7", "8"));
    assert_eq!(again.memory, machine.memory);
    assert_eq!(again.prices, machine.prices);
}

#[test]
fn all_presets_can_be_written_in_xml_and_read_back() {
    for name in Machine::presets() {
        let machine = Machine::preset(name).expect("there is one");
        let xml = machine.to_xml().expect("it has one");
        let again = Machine::parse_xml(&xml, "preset.xml").expect(&xml);
        assert_eq!(again.source.trim(), machine.source.trim());
        let [one, other] = [machine, again].map(|machine| {
            let nodes = machine.nodes.unwrap_or(2);
            let system = System::on(machine, nodes, 1, nodes, 1);
            (
                system.network,
                system.intranode,
                system.protocol,
                system.memory,
            )
        });
        assert_eq!(one, other, "{name}");
    }
}

/// A machine as PTI's hardware model configurations have it: without a source, its network with
/// the model `ccmod`.
const PTI: &str = include_str!("machines/pti.xml");

#[test]
fn a_machine_of_pti_is_one_with_a_shared_star_and_keeps_its_names() {
    let machine = Machine::parse_xml(PTI, "pti.xml").expect("it is a machine");
    let toml = "name = \"cluster\"\nsource = \"a test\"\nnodes = 4\ncpus-per-node = 1\n\
                [operations]\nunit = \"us\"\nDILG = 0.043\nIADD = 0.127\n[network]\n\
                model = \"shared\"\ntopology = \"star\"\nbandwidth = \"1.28Gbit/s\"\n\
                latency = \"100ns\"\n";
    let same = Machine::parse(toml, "same.toml").expect("it is a machine");
    assert_eq!(machine.prices, same.prices);
    let systems = [&machine, &same].map(|it| System::on(it.clone(), 4, 1, 4, 1));
    assert_eq!(systems[0].network, systems[1].network);

    let xml = machine.to_xml().expect("it has one");
    for part in [
        "<system name=\"cluster\">",
        "<computer name=\"pc\" count=\"4\">",
        "<network name=\"myrinet\">",
        "<shared bandwidth=\"1.28Gbit/s\" latency=\"100ns\" topology=\"star\"/>",
    ] {
        assert!(xml.contains(part), "{part} is not in {xml}");
    }
    let again = Machine::parse_xml(&xml, "again.xml").expect(&xml);
    assert_eq!(again.to_xml().expect("it has one"), xml);
}

#[test]
fn deep_xml_is_refused() {
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    let error = Machine::parse_xml(&deep, "m.xml").unwrap_err();
    assert_eq!(error.to_string(), "m.xml:1: elements lie more than 8 deep");
}
