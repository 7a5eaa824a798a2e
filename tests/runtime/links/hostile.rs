//! Machines that cannot be, in TOML and in XML: the place, and what to do.

use std::fmt::Write;

use expect_test::expect_file;
use prophet_runtime::Machine;

/// Networks, each after `[network]`; the entries before a `|` stand above that. The model, the
/// latency and the bandwidth come from [`network_of`] unless they are given.
const NETWORKS: &[&str] = &[
    r#"model = "shred""#,
    r#"latency = "1us"; bandwith = "1GB/s""#,
    r#"latency = "1us"; bandwidth = "0""#,
    r#"latency = "-1us"; bandwidth = "1GB/s""#,
    r#"latency = "1us"; bandwidth = "1GB/s"; background = 1"#,
    r#"latency = "1us"; bandwidth = "1GB/s"; background = "nan""#,
    r#"topology = "fattree""#,
    r#"nodes = 1000000000 | model = "shared""#,
    r#"nodes = 60000000 | model = "shared""#,
    r#"topology = "torus"; dimensions = "1000x1000x1000""#,
    r#"topology = "torus"; dimensions = "0""#,
    r#"topology = "fat-tree"; children = "1000x1000x1000"; parents = "1x1x1"; links = "1x1x1""#,
    r#"topology = "fat-tree"; children = "2x2"; parents = "1x1000000000"; links = "1x1""#,
    r#"topology = "dragonfly"; groups = "9999"; chassis = "9"; routers = "9"; router-nodes = "9""#,
    r#"topology = "graph""#,
    r#"nodes = 5000 | topology = "graph""#,
    r#"nodes = 2 | model = "packet"; packet = "0""#,
];

/// Parts of a graph of two nodes and the switch `s`, joined by the cables `a` and `b`.
const PARTS: &[(&str, &str)] = &[
    ("cable", r#"name = "a"; between = "node0 s""#),
    ("cable", r#"name = "c"; between = "node0 t""#),
    ("cable", r#"name = "c"; between = "s s""#),
    ("cable", r#"name = "c"; between = "node0 node1 s""#),
    (
        "cable",
        r#"name = "c"; between = "node0 node1"; bandwidth = "0""#,
    ),
    (
        "cable",
        r#"name = "c"; between = "node0 node1"; latency = "-1s""#,
    ),
    (
        "cable",
        r#"name = "c"; between = "node0 node1"; background = 1"#,
    ),
    (
        "cable",
        r#"name = "c"; between = "node0 node1"; background = -0.5"#,
    ),
    (
        "cable",
        r#"name = "c"; between = "node0 node1"; color = "red""#,
    ),
    (
        "route",
        r#"from = "node0"; to = "node2"; links = "a.up b.down""#,
    ),
    (
        "route",
        r#"from = "node0"; to = "node0"; links = "a.up a.down""#,
    ),
    ("route", r#"from = "node0"; to = "node1"; links = "a.up d""#),
    ("route", r#"from = "node0"; to = "node1"; links = "b.down""#),
    ("route", r#"from = "node0"; to = "node1"; links = "a.up""#),
    (
        "route",
        r#"from = "node0"; to = "node1"; links = "a.up a.down a.up b.down""#,
    ),
    ("route", r#"from = "node0"; to = "node1"; links = """#),
    ("change", r#"at = "1s"; link = "c"; background = 0.5"#),
    ("change", r#"at = "-1s"; link = "a.up"; background = 0.5"#),
    ("change", r#"at = "1s"; link = "a.up"; background = 1"#),
    ("change", r#"at = "1s"; link = "a.up"; bandwidth = "0""#),
    ("change", r#"at = "1s"; node = "node2"; speed = 0.5"#),
    ("change", r#"at = "1s"; operation = "IADD"; cost = "1us""#),
    ("change", r#"link = "a.up"; background = 0.5"#),
];

/// Entries on a line each, in TOML.
fn toml_of(entries: &str) -> String {
    let lines = entries.split("; ").map(|entry| {
        let lists = ["between = ", "links = "];
        let list = lists
            .iter()
            .find_map(|key| Some((*key, entry.strip_prefix(key)?)));
        match list {
            Some((key, names)) if !names.contains('x') => {
                let names = names.trim_matches('"').split_whitespace();
                let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
                format!("{key}[{}]", names.join(", "))
            }
            _ => entry.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Entries as attributes in XML.
fn xml_of(entries: &str) -> String {
    let attributes = entries.split("; ").filter(|entry| !entry.is_empty());
    let attributes = attributes.map(|entry| {
        let (key, value) = entry.split_once(" = ").expect("it has a value");
        format!(" {key}=\"{}\"", value.trim_matches('"'))
    });
    attributes.collect()
}

fn message<T>(read: Result<T, String>) -> String {
    read.err().unwrap_or_else(|| "no error".to_owned())
}

/// All entries of a network.
fn network_of(entries: &str) -> String {
    let has = |key: &str| entries.split("; ").any(|entry| entry.starts_with(key));
    let model = if has("model") {
        ""
    } else {
        "model = \"shared\"; "
    };
    let latency = if has("latency") {
        ""
    } else {
        "; latency = \"1us\""
    };
    let bandwidth = if has("band") {
        ""
    } else {
        "; bandwidth = \"1GB/s\""
    };
    format!("{model}{entries}{latency}{bandwidth}")
}

fn of_network(entries: &str) -> [String; 2] {
    let (above, network) = entries.split_once(" | ").unwrap_or(("", entries));
    let network = &network_of(network);
    let toml = format!(
        "name = \"m\"\nsource = \"x\"\n{above}\n[network]\n{}\n",
        toml_of(network)
    );
    let (model, rest) = network.split_once("; ").expect("it has parameters");
    let model = model.trim_start_matches("model = ").trim_matches('"');
    let count = xml_of(above).replace("nodes", "count");
    let xml = format!(
        "<system name='m' source='x'>\n<computer{count}/>\n<network>\n<{model}{}/>\n</network>\n\
         </system>",
        xml_of(rest)
    );
    [
        message(Machine::parse(&toml, "m.toml")),
        message(Machine::parse_xml(&xml, "m.xml")),
    ]
}

fn of_part((part, entries): (&str, &str)) -> [String; 2] {
    let cables = [
        r#"name = "a"; between = "node0 s""#,
        r#"name = "b"; between = "node1 s""#,
    ];
    let mut toml = "name = \"m\"\nsource = \"x\"\nnodes = 2\n[network]\nmodel = \"shared\"\n\
                    topology = \"graph\"\nswitches = [\"s\"]\nlatency = \"1us\"\n\
                    bandwidth = \"1GB/s\"\n"
        .to_owned();
    let mut xml = "<system name='m' source='x'>\n<computer count='2'/>\n<network><shared \
                   topology='graph' switches='s' latency='1us' bandwidth='1GB/s'/></network>\n"
        .to_owned();
    for (part, entries) in cables
        .map(|cable| ("cable", cable))
        .into_iter()
        .chain([(part, entries)])
    {
        let _ = writeln!(toml, "[[{part}]]\n{}", toml_of(entries));
        let _ = writeln!(xml, "<{part}{}/>", xml_of(entries));
    }
    xml.push_str("</system>");
    [
        message(Machine::parse(&toml, "m.toml")),
        message(Machine::parse_xml(&xml, "m.xml")),
    ]
}

#[test]
fn machines_that_cannot_be_are_told_in_both_forms() {
    let mut seen = String::new();
    let networks = NETWORKS
        .iter()
        .map(|entries| ((*entries).to_owned(), of_network(entries)));
    let parts = PARTS
        .iter()
        .map(|part| (format!("{}: {}", part.0, part.1), of_part(*part)));
    for (entries, [toml, xml]) in networks.chain(parts) {
        let _ = writeln!(seen, "{entries}\n  {toml}\n  {xml}");
    }
    expect_file!["hostile.txt"].assert_eq(&seen);
}
