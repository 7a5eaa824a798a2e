use expect_test::expect_file;

use super::Machine;
use crate::system::System;

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
fn what_is_wrong_or_doubted_is_told_with_its_line() {
    prophet_testing::assert_cases("tests/cases/machines.txt", |case| {
        let told = |line: &str| {
            let head = if line.starts_with("name") {
                ""
            } else {
                "name = \"m\"\nsource = \"measured\"\n"
            };
            let text = format!("{head}{}\n", line.replace("; ", "\n"));
            let told = match Machine::parse(&text, "m.toml") {
                // Flags can resolve a contradiction.
                Ok(machine) => match machine.contradiction {
                    Some(contradiction) => vec![contradiction],
                    None => machine.warnings().to_vec(),
                },
                Err(error) => vec![error],
            };
            let told = told.iter().map(|it| format!("\n  {it}"));
            format!("{line}{}\n", told.collect::<String>())
        };
        case.input.lines().map(told).collect()
    });
}

#[test]
fn what_is_wrong_in_xml_is_told_in_its_words() {
    let told = |text: &str| Machine::parse_xml(text, "m.xml").expect_err(text).message;
    let system = |computer: &str| format!("<system name='m' source='x'>\n{computer}");
    let cut = told(&system("<computer count='4'>"));
    assert_eq!(cut, "the file ends before `</computer>`; is it cut off?");
    let open = told(&system("<computer count='4'>\n</computer\n</system>"));
    assert_eq!(open, "`</computer` needs a `>` at its end");
    let unknown = told(&system(
        "<computer count='4'><cpu>2</cpu></computer></system>",
    ));
    assert!(unknown.ends_with("did you mean `cpus`?"), "{unknown}");
    let count = told(&system("<computer count='four'/></system>"));
    assert_eq!(count, "`count`: expected a whole number, found \"four\"");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("m.xml");
    std::fs::write(&path, "\n").expect("a file can be written");
    let empty = Machine::read(path.to_str().expect("it is text")).expect_err("it is empty");
    assert_eq!(
        empty.message,
        "it is empty; start from `machine gescher --to toml` (or `--to xml`)"
    );
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
fn a_file_that_is_no_machine_is_no_trouble() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.toml");
    let file = path.to_str().unwrap();
    let error = || {
        Machine::read(file)
            .expect_err("no machine")
            .to_string()
            .replace(file, "m.toml")
    };
    assert!(error().starts_with("cannot read m.toml: "));
    std::fs::write(&path, "#".repeat(1_100_000)).unwrap();
    assert_eq!(
        error(),
        "the machine file `m.toml` is longer than 1048576 bytes"
    );
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(error().starts_with("m.toml: it is UTF-16 text; save it as UTF-8"));
    std::fs::write(&path, [0x80]).unwrap();
    assert_eq!(
        error(),
        "cannot read m.toml: it is not UTF-8 text; save it as UTF-8"
    );
    std::fs::write(&path, "[".repeat(60_000)).unwrap();
    assert!(error().starts_with("m.toml:1: "), "{}", error());
    std::fs::write(&path, format!("name = {}", "[".repeat(60_000))).unwrap();
    assert!(error().starts_with("m.toml:1: "), "{}", error());
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
    // The background, 2 sockets, 4 domains, 8 caches and 8 CPUs.
    assert_eq!(svg.matches("<rect").count(), 1 + 2 + 4 + 8 + 8);
    assert!(svg.contains(">memory 30GB/s</text>"), "{svg}");
    assert!(svg.contains("<title>L1 32kB (7)</title>"), "{svg}");
    // Many boxes become one.
    let many = draw("cpus-per-node = 60000000\n").expect("it can be drawn");
    assert!(
        many.len() < 2000 && many.contains(">60000000 x CPU</text>"),
        "{many}"
    );
    let nothing =
        "the machine has nothing to draw: it describes neither shared links nor the CPUs of a node";
    assert_eq!(draw(""), Err(nothing.into()));
}

#[test]
fn all_that_was_read_is_shown() {
    let text = "name = \"m\"\nsource = \"a test\"\nnodes = 2\ncpus-per-node = 8\nsockets = 2\n\
                core-bandwidth = \"15GB/s\"\n\
                intranode = \"loggp:L=1us,o=1us,g=0,G=1ns,eager=8KiB\"\n\
                discipline = \"round-robin\"\nwait-policy = \"release\"\n\
                collectives = \"nccl-hopper\"\nmapping = [0, 1, 1]\n\
                [operations]\nunit = \"us\"\nIADD = 0.127\n[[change]]\nat = \"10s\"\n\
                node = \"node1\"\nspeed = 0.5\n";
    let machine = Machine::parse(text, "m.toml").unwrap_or_else(|error| panic!("{error}"));
    let entries = machine.entries().into_iter();
    let lines: Vec<String> = entries
        .map(|it| format!("{}: {:?}\n", it.0, it.1))
        .collect();
    let shown = lines.concat();
    expect_file!["shown.txt"].assert_eq(&shown);
}

#[test]
fn nodes_are_called_as_their_groups_or_by_number() {
    let text = "name = \"m\"\nsource = \"a test\"\n[[node]]\ncount = 1\nname = \"login\"\n\
                [[node]]\ncount = 2\n[[node]]\ncount = 2\nname = \"fat\"\nspeed = 2.0\n";
    let machine = Machine::parse(text, "m.toml").unwrap_or_else(|error| panic!("{error}"));
    let system = System::on(machine, 5, 1, 5, 1);
    let names: Vec<String> = (0..5).map(|nid| system.node_name(nid)).collect();
    assert_eq!(names, ["login", "1", "2", "fat-0", "fat-1"]);
}

#[test]
fn all_of_an_accelerator_is_shown() {
    let shown = |keys: &str| {
        let text = format!(
            "name = \"m\"\nsource = \"x\"\ncpus-per-node = 8\n[power]\nidle = \"400W\"\n\
             all-cpus = \"900W\"\n[[accelerator]]\nname = \"gpu\"\n\
             memory-bandwidth = \"3350GB/s\"\nlink-bandwidth = \"50GB/s\"\n{keys}"
        );
        let machine = Machine::parse(&text, "m.toml").unwrap_or_else(|error| panic!("{error}"));
        machine.accelerators[0].to_string()
    };
    assert_eq!(shown(""), "1 x gpu, memory 3.35TB/s, link 50GB/s");
    let all = "count = 4\nlaunch = \"4us\"\nfp64 = \"34TFLOP/s\"\nmemory = \"80GB\"\n\
               link-latency = \"2us\"\npeer-bandwidth = \"450GB/s\"\ncopy-engines = 3\n\
               queues = \"engine\"\nidle = \"90W\"\nbusy = \"650W\"\n";
    assert_eq!(
        shown(all),
        "4 x gpu, fp64 34TFLOP/s, memory 80GB at 3.35TB/s, link 50GB/s after 2us, \
         to other accelerators 450GB/s, copy engines 3, queues engine, launch 4us, idle 90W, \
         busy 650W"
    );
}
