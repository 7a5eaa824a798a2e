//! Tests that a machine in XML means the same as in TOML.

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
                // 1 GB in the first second, and then half a GB per second.
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
    let toml = "name = \"7\"\nsource = \"8\"\nnodes = 4\nmemory-bandwidth = \"30000000\"\n\
                core-bandwidth = \"1e7\"\n[operations]\nunit = \"us\"\nLONG = 1e300\n\
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

/// A machine in PTI's hardware model configuration format, without a source and with a `ccmod`
/// network.
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
        "<ccmod bandwidth=\"1.28Gbit/s\" latency=\"100ns\" topology=\"star\"/>",
        "<connect><computer name=\"pc\" node=\"0\"/>\
         <network name=\"myrinet\" port=\"0\"/></connect>",
    ] {
        assert!(xml.contains(part), "{part} is not in {xml}");
    }
    let again = Machine::parse_xml(&xml, "again.xml").expect(&xml);
    assert_eq!(again.to_xml().expect("it has one"), xml);
}

/// The machine in PTI's paper (section 3.4), verbatim except that the two open tags have been
/// closed.
const PAPER: &str = include_str!("machines/paper.xml");

#[test]
fn the_machine_of_pti_s_paper_is_one_as_it_stands() {
    let machine = Machine::parse_xml(PAPER, "pti.xml").expect("it is a machine");
    let told: Vec<String> = machine.warnings().iter().map(ToString::to_string).collect();
    let expected = [
        "pti.xml:4: the operations have no unit: microseconds are assumed, as in PTI",
        "pti.xml:11: missing `bandwidth` of `ccmod`: PTI's Myrinet is assumed, 1.28 Gbit/s per \
         link",
        "pti.xml:11: missing `latency` of `ccmod`: PTI's Myrinet is assumed, 100 ns per link, as \
         for a switch with 8 ports",
    ];
    assert_eq!(told, expected);
    let toml = "name = \"pc_cluster\"\nsource = \"a test\"\nnodes = 16\n[operations]\n\
                unit = \"us\"\nDILG = 0.043\nIADD = 0.127\n[network]\nmodel = \"shared\"\n\
                topology = \"star\"\nbandwidth = \"1.28Gbit/s\"\nlatency = \"100ns\"\n";
    let same = Machine::parse(toml, "same.toml").expect("it is a machine");
    let xml = machine.to_xml().expect("it has one");
    let again = Machine::parse_xml(&xml, "again.xml").expect(&xml);
    let toml = machine.to_toml().expect("it has one");
    let from_toml = Machine::parse(&toml, "toml.toml").expect(&toml);
    for machine in [&machine, &again, &from_toml] {
        assert_eq!((machine.nodes, &machine.prices), (Some(16), &same.prices));
        assert_eq!(machine.network(), same.network());
    }
    for part in [
        "<computer name=\"pc_node\" count=\"16\">",
        "<cpu_clc unit=\"us\">",
        "<ccmod Nproc=\"16\" bandwidth=\"1.28Gbit/s\" latency=\"100ns\" topology=\"star\"/>",
        "<connect><computer name=\"pc_node\" node=\"1\"/>\
         <network name=\"myrinet\" port=\"1\"/></connect>",
    ] {
        assert!(xml.contains(part), "{part} is not in {xml}");
    }
    assert!(again.warnings().is_empty(), "{:?}", again.warnings());
    assert_eq!(again.to_xml().expect("it has one"), xml);
}

#[test]
fn connections_and_their_number_agree_with_the_machine() {
    for (old, new, expected) in [
        (
            "<Nproc>16<",
            "<Nproc>8<",
            "12: Nproc: the network connects 8 processes, but the machine has 16 nodes",
        ),
        (
            "<Nproc>16<",
            "<Nproc>x<",
            "12: Nproc: expected a number of processes, 1 or more",
        ),
        (
            "port=\"1\"",
            "port=\"2\"",
            "17: the port of a node is the node's number; use the topology `graph` with cables for \
             other connections",
        ),
        (
            "node=\"1\"/>\n    <network name=\"myrinet\" port=\"1\"",
            "node=\"17\"/>\n    <network name=\"myrinet\" port=\"17\"",
            "18: node 17 is connected, but the machine has 16 nodes",
        ),
        (
            "<computer name=\"pc_node\" node",
            "<computer name=\"pc\" node",
            "17: a connect names the computer `pc`, but its name is `pc_node`",
        ),
        (
            "<computer name=\"pc_node\" node",
            "<computer name=\"pc_node\" port",
            "18: `computer` does not support `port` here (it supports name, node)",
        ),
        (
            "<connect>",
            "<connect><cable/>",
            "17: `connect` does not support `cable` (it supports computer, network)",
        ),
    ] {
        let text = PAPER.replacen(old, new, 1);
        assert_ne!(text, PAPER, "{old}");
        let error = Machine::parse_xml(&text, "pti.xml").unwrap_err();
        assert_eq!(error.to_string(), format!("pti.xml:{expected}"), "{new}");
    }
    let text = PAPER
        .replace(" count=\"16\"", "")
        .replace("<cpu_clc>", "<cpus>4</cpus><cpu_clc>");
    let machine = Machine::parse_xml(&text, "pti.xml").expect("it is a machine");
    assert_eq!(machine.nodes, Some(4));
}

#[test]
fn deep_xml_is_refused() {
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    let error = Machine::parse_xml(&deep, "m.xml").unwrap_err();
    assert_eq!(
        error.to_string(),
        "m.xml:1: elements are nested more than 8 deep"
    );
}
