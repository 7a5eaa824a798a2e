use std::fmt::Write;

use expect_test::expect_file;

use super::Machine;
use crate::machine::system::System;

#[test]
fn all_presets_are_sound_and_say_where_they_are_from() {
    for name in Machine::presets() {
        let machine = Machine::preset(name).unwrap_or_else(|| panic!("{name} can be read"));
        assert_eq!(machine.name, name);
        assert!(machine.source.len() > 80, "{name}");
    }
    expect_file!["list.txt"].assert_eq(&Machine::list());
}

#[test]
fn the_default_file_is_the_default_machine() {
    let machine = Machine::preset("default").expect("there is one");
    let mut system = System::on(machine, 2, 3, 6, 1);
    system.base = None;
    assert_eq!(system, System::new(2, 3, 6, 1));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let mut seen = String::new();
    for line in [
        "nodes = 0",
        "nodes = -1",
        "nodes = 99999999",
        "nodes = \"four\"",
        "cpus = 4",
        "cpus-per-node = 2\nsockets = 4",
        "memory-bandwidth = \"0B/s\"",
        "memory-bandwidth = \"fast\"",
        "network = \"hockny:latency=1us,bandwidth=1GB/s\"",
        "intranode = \"loggp:L=1us,o=1us,g=0,G=1ns,nic=rank\"",
        "discipline = \"round robin\"",
        "quantum = \"1ms\"",
        "discipline = \"round-robin\"\nquantum = \"0s\"",
        "discipline = \"round-robin\"\nwait-policy = \"hold\"",
        "wait-policy = \"keep\"",
        "mapping = \"nodes.txt\"",
        "mapping = \"0,x\"",
        "mapping = \"\"",
        "mapping = [0, -1]",
        "mapping = 3",
        "nodes = 4\nnodes = 4",
        "nodes 4",
        "name = \"x y\"",
        "[operations]\nCMLL = 1",
        "[operations]\nunit = \"parsec\"\nCMLL = 1",
        "[operations]\nunit = \"1us\"",
        "[operations]\nunit = 3",
        "[operations]\nunit = \"us\"\nCMLL = -0.5",
        "[operations]\nunit = \"us\"\nCMLL = nan",
        "[operations]\nunit = \"s\"\nCMLL = 1e999",
        "[operations]\nunit = \"us\"\nCMLL = \"0.5\"",
        "[operations]\nunit = \"us\"\nCMLL = 1\nCMLL = 2",
        "[operations]\nunit = \"us\"\n\"A B\" = 1",
        "[operations]\nunit = \"us\"\n2A = 1",
        "operations = 3",
    ] {
        let name = if line.starts_with("name") {
            ""
        } else {
            "name = \"m\"\n"
        };
        let text = format!("{name}source = \"measured\"\n{line}\n");
        // Flags may resolve a contradiction.
        let error = match Machine::parse(&text, "m.toml") {
            Ok(machine) => machine.contradiction.expect(line),
            Err(error) => error,
        };
        let _ = writeln!(seen, "{}\n  {error}", line.replace('\n', "; "));
    }
    expect_file!["wrong.txt"].assert_eq(&seen);
}

#[test]
fn a_mapping_is_a_text_or_a_list() {
    let mapping = |mapping| {
        let text = format!("name = \"m\"\nsource = \"x\"\nmapping = {mapping}");
        Machine::parse(&text, "m.toml").expect(mapping).mapping
    };
    assert_eq!(mapping("[0, 1, 1]"), mapping("\"0,1,1\""));
    assert_ne!(mapping("\"block\""), mapping("\"cyclic\""));
}

#[test]
fn operations_have_prices_in_their_unit() {
    let text = "name = \"m\"\nsource = \"x\"\n[operations]\nunit = \"us\"\nDILG = 0.043\n\
                IADD = 3\n_b1 = 2e-2\nNONE = 0\n";
    let prices = Machine::parse(text, "m.toml").expect("it is right").prices;
    let all: Vec<(&str, f64)> = prices.iter().collect();
    let expected = [
        ("DILG", 0.043e-6),
        ("IADD", 3e-6),
        ("NONE", 0.0),
        ("_b1", 2e-8),
    ];
    assert_eq!(all, expected);
    let machine = Machine::preset("pti-cluster").expect("there is one");
    assert_eq!(machine.prices.get("IADD"), Some(0.127e-6));
    assert_eq!(
        System::on(machine.clone(), 1, 1, 1, 1).prices,
        machine.prices
    );
}

#[test]
fn name_and_source_are_needed() {
    let error = |text| Machine::parse(text, "m.toml").expect_err(text);
    assert_eq!(error("name = \"m\""), "m.toml:1: missing field `source`");
    assert_eq!(
        error("name = \"m\"\nsource = \" \""),
        "m.toml:2: name the source of the numbers"
    );
    assert_eq!(
        error("name = \"\"\nsource = \"x\""),
        "m.toml:1: the name of a machine is a word"
    );
}

#[test]
fn a_file_that_is_no_machine_is_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.toml");
    let file = path.to_str().unwrap();
    let error = || {
        Machine::read(file)
            .expect_err("no machine")
            .replace(file, "m.toml")
    };
    assert!(error().starts_with("the machine file `m.toml` cannot be read: "));
    std::fs::write(&path, "#".repeat(1_100_000)).unwrap();
    assert_eq!(
        error(),
        "the machine file `m.toml` is longer than 1048576 bytes"
    );
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(error().starts_with("the machine file `m.toml` cannot be read: "));
    std::fs::write(&path, "[".repeat(60_000)).unwrap();
    assert!(error().starts_with("m.toml:1: "), "{}", error());
    std::fs::write(&path, format!("name = {}", "[".repeat(60_000))).unwrap();
    assert!(error().starts_with("m.toml:1: "), "{}", error());
}
