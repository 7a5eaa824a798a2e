use std::fmt::Write;

use expect_test::expect_file;

use super::{Entry, Machine};
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

/// Wrong entries of the parts of a node.
const WRONG_NODES: &[&str] = &[
    "nodes = 4\n[[node]]\ncount = 3\nspeed = 2",
    "[[node]]\nspeed = 2",
    "[[node]]\ncount = 0",
    "[[node]]\ncount = 1\nspeed = -1",
    "[[node]]\ncount = 1\nspeed = \"fast\"",
    "[[node]]\ncount = 60000000\n[[node]]\ncount = 60000000",
    "cpus-per-node = 8\nnuma-domains = 3",
    "sockets = 2\nnuma-domains = 3",
    "memory-bandwidth = []",
    "memory-bandwidth = [\"1GB/s\", \"fast\"]",
    "memory-bandwidth = 3",
    "memory-bandwidth = [\"1GB/s\"]\nsaturation = \"queueing\"",
    "memory-bandwidth = [\"1GB/s\"]\ncore-bandwidth = \"1GB/s\"",
    "saturation = \"queueing\"",
    "saturation = \"queuing\"",
    "bind = \"compct\"",
    "cpus-per-node = 8\nbind = \"0,9\"",
    "[[cache]]\nlevel = 1\nsize = \"32KiB\"\ncpus = 1",
    "[[cache]]\nlevel = 0\nsize = \"32KiB\"\ncpus = 1\ncore-bandwidth = \"1GB/s\"",
    "[[cache]]\nlevel = 1\nsize = \"0\"\ncpus = 1\ncore-bandwidth = \"1GB/s\"",
    "[[cache]]\nlevel = 1\nsize = \"big\"\ncpus = 1\ncore-bandwidth = \"1GB/s\"",
    "[[cache]]\nlevel = 1\nsize = \"1kB\"\ncpus = 1\ncore-bandwidth = \"fast\"",
    "[[cache]]\nlevel = 1\nsize = \"1kB\"\ncpus = 1\ncore-bandwidth = \"1GB/s\"\n\
     saturation = \"queueing\"",
    "cpus-per-node = 8\n[[cache]]\nlevel = 1\nsize = \"1kB\"\ncpus = 3\n\
     core-bandwidth = \"1GB/s\"",
    "cpus-per-node = 8\nsockets = 2\n[[cache]]\nlevel = 3\nsize = \"1kB\"\ncpus = 8\n\
     core-bandwidth = \"1GB/s\"",
    "[[cache]]\nlevel = 2\nsize = \"1kB\"\ncpus = 4\ncore-bandwidth = \"1GB/s\"\n\
     [[cache]]\nlevel = 3\nsize = \"2kB\"\ncpus = 6\ncore-bandwidth = \"1GB/s\"",
    "[[cache]]\nlevel = 2\nsize = \"1kB\"\ncpus = 1\ncore-bandwidth = \"1GB/s\"\n\
     [[cache]]\nlevel = 2\nsize = \"2kB\"\ncpus = 1\ncore-bandwidth = \"1GB/s\"",
    "[[cache]]\nlevel = 1\nsize = \"2kB\"\ncpus = 1\ncore-bandwidth = \"1GB/s\"\n\
     [[cache]]\nlevel = 2\nsize = \"1kB\"\ncpus = 1\ncore-bandwidth = \"1GB/s\"",
    "[power]\nidle = \"100W\"",
    "[power]\nidle = \"-1W\"\nall-cpus = \"200W\"",
    "[power]\nidle = \"NaN\"\nall-cpus = \"200W\"",
    "[power]\nidle = nan\nall-cpus = \"200W\"",
    "[power]\nidle = \"100J\"\nall-cpus = \"200W\"",
    "[power]\nidle = \"1e400W\"\nall-cpus = \"200W\"",
    "[power]\nidle = \"100W\"\nall-cpus = \"90W\"",
    "[power]\nidle = \"100W\"\none-cpu = \"90W\"\nall-cpus = \"200W\"",
    "[power]\nidle = \"100W\"\none-cpu = \"150W\"\nall-cpus = \"120W\"",
    "[power]\nidle = \"100W\"\nall-cpus = \"200W\"\nmemory = \"6pJ\"",
    "[power]\nidle = \"100W\"\nall-cpus = \"200W\"\n[[node]]\ncount = 1\nidle = \"300W\"",
    "[[node]]\ncount = 1\nidle = \"300W\"",
    "[[accelerator]]\nname = \"g\"\nmemory-bandwidth = \"1B/s\"\nlink-bandwidth = \"1B/s\"\n\
     idle = \"30W\"",
    "[power]\nidle = \"100W\"\nall-cpus = \"200W\"\n[[accelerator]]\nname = \"g\"\n\
     memory-bandwidth = \"1B/s\"\nlink-bandwidth = \"1B/s\"\nidle = \"30W\"\nbusy = \"20W\"",
    "[[accelerator]]\nname = \"gpu\"\nmemory-bandwidth = \"1B/s\"\nlink-bandwidth = \"1B/s\"\n\
     [[node]]\ncount = 1\naccelerators = \"gpu, cpu\"",
    "[[node]]\ncount = 1\naccelerators = \"nine\"",
    "overlap = \"some\"",
];

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let mut seen = String::new();
    let others = [
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
    ];
    for line in others.iter().chain(WRONG_NODES) {
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

/// A machine whose network is a table with these lines.
fn with_network(lines: &str) -> Result<Machine, String> {
    let head = "name = \"m\"\nsource = \"a test\"\nnodes = 4\n[network]\n";
    Machine::parse(&format!("{head}{lines}"), "m.toml")
}

#[test]
fn a_wrong_value_of_a_network_is_told_with_its_line() {
    let told = |lines: &str| with_network(lines).unwrap_err();
    let shared = "model = \"shared\"\ntopology = \"star\"\n";
    assert_eq!(
        told(&format!(
            "{shared}bandwidth = \"1GB/s\"\nlatency = \"5 parsecs\"\n"
        )),
        "m.toml:8: latency: `5 parsecs`: `parsecs` is not a unit of time; use ns, us, ms or s"
    );
    assert_eq!(
        told(&format!("{shared}latency = [1.5]\nbandwidth = \"1GB/s\"\n")),
        "m.toml:7: `latency` is neither a number, a text nor a list of numbers"
    );
    let stra = shared.replace("star", "stra");
    let message = told(&format!("{stra}latency = \"1us\"\nbandwidth = \"1GB/s\"\n"));
    assert!(
        message.starts_with("m.toml:6: topology: `stra`"),
        "{message}"
    );
    assert_eq!(
        Machine::parse("name = \"m\"\nsource = \"a test\"\nnics = 2\n", "m.toml").unwrap_err(),
        "m.toml:3: `nics` is a key of the network: write it in `[network]`"
    );
    let message = told(shared);
    assert!(
        message.starts_with("m.toml:4: `shared` misses"),
        "{message}"
    );
}

#[test]
fn numbers_without_a_unit_are_doubted_if_they_are_unlikely() {
    let machine = with_network("model = \"hockney\"\nlatency = 1\nbandwidth = 10\n").unwrap();
    assert_eq!(
        machine.warnings(),
        [
            "m.toml:7: `bandwidth=10` has no unit and is 10 B/s: write a unit, such as \
             `bandwidth=10GB/s`, or `bandwidth=10B/s`",
            "m.toml:6: `latency=1` has no unit and is 1 s: write a unit, such as `latency=1us`, \
             or `latency=1s`",
        ]
    );
    for lines in [
        "model = \"hockney\"\nlatency = 1e-6\nbandwidth = 1e9\n",
        "model = \"hockney\"\nlatency = \"1s\"\nbandwidth = \"8B/s\"\n",
        "model = \"loggp\"\nL = 2e-6\no = 0\ng = 0\nG = 1e-10\n",
        "model = \"shared\"\ntopology = \"graph\"\nlatency = \"1us\"\nbandwidth = 1e9\n",
    ] {
        let machine = with_network(lines).unwrap_or_else(|error| panic!("{error}"));
        assert!(machine.warnings().is_empty(), "{:?}", machine.warnings());
    }
}

#[test]
fn a_machine_without_links_is_drawn_as_a_node() {
    let text = |more: &str| format!("name = \"m\"\nsource = \"a test\"\n{more}");
    let draw = |more: &str| Machine::parse(&text(more), "m.toml").expect(more).draw();
    let svg = draw(
        "cpus-per-node = 8\nsockets = 2\nnuma-domains = 4\nmemory-bandwidth = \"30GB/s\"\n\
         [[cache]]\nlevel = 1\nsize = \"32kB\"\ncpus = 1\ncore-bandwidth = \"100GB/s\"\n",
    );
    let svg = svg.expect("it can be drawn");
    // The ground, 2 sockets, 4 domains, 8 caches, 8 CPUs.
    assert_eq!(svg.matches("<rect").count(), 1 + 2 + 4 + 8 + 8);
    assert!(svg.contains(">memory 30GB/s</text>"), "{svg}");
    assert!(svg.contains("<title>L1 32kB (7)</title>"), "{svg}");
    // Many boxes are one.
    let many = draw("cpus-per-node = 60000000\n").expect("it can be drawn");
    assert!(
        many.len() < 2000 && many.contains(">60000000 x CPU</text>"),
        "{many}"
    );
    let nothing = "there is nothing to draw: neither links that messages share nor CPUs of a node";
    assert_eq!(draw(""), Err(nothing.to_owned()));
}

#[test]
fn all_that_was_read_is_shown() {
    let text = "name = \"m\"\nsource = \"a test\"\nnodes = 2\ncpus-per-node = 8\nsockets = 2\n\
                core-bandwidth = \"15GB/s\"\n\
                intranode = \"loggp:L=1us,o=1us,g=0,G=1ns,eager=8KiB\"\n\
                discipline = \"round-robin\"\nwait-policy = \"release\"\nmapping = [0, 1, 1]\n\
                [operations]\nunit = \"us\"\nIADD = 0.127\n[[change]]\nat = \"10s\"\n\
                node = \"node1\"\nspeed = 0.5\n";
    let machine = Machine::parse(text, "m.toml").unwrap_or_else(|error| panic!("{error}"));
    let entries = machine.entries();
    let of = |key: &str| {
        let entry = entries.iter().find(|it| it.0 == key);
        entry.map(|it| it.1.clone()).expect("it is listed")
    };
    assert_eq!(of("sockets"), Entry::Count(2));
    assert_eq!(of("memory-bandwidth"), Entry::Missing);
    assert_eq!(
        of("core-bandwidth"),
        Entry::Quantity(15e9, "15GB/s".to_owned())
    );
    assert_eq!(of("network"), Entry::Missing);
    let intranode = "loggp:L=1us,o=1us,g=0s,G=1ns,eager=8192B";
    assert_eq!(of("intranode"), Entry::Text(intranode.to_owned()));
    assert_eq!(of("discipline"), Entry::Text("round-robin".to_owned()));
    assert_eq!(of("quantum"), Entry::Quantity(0.01, "10ms".to_owned()));
    assert_eq!(
        of("mapping"),
        Entry::List([0, 1, 1].map(Entry::Count).into())
    );
    let price = ("IADD".to_owned(), 0.127e-6, "127ns".to_owned());
    assert_eq!(of("operations"), Entry::Prices(vec![price]));
    let change = Entry::Text("at 10s: node node1, speed 0.5".to_owned());
    assert_eq!(of("change"), Entry::List(vec![change]));
}
