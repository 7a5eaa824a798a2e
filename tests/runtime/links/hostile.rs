//! Tests messages about impossible machines in TOML and XML: where the mistake is, and what to do.

use std::fmt::Write;

use prophet_runtime::{Machine, Problem};
use prophet_testing::assert_cases;

use super::xml::CLUSTER;

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

fn xml_of(entries: &str) -> String {
    let attributes = entries.split("; ").filter(|entry| !entry.is_empty());
    let attributes = attributes.map(|entry| {
        let (key, value) = entry.split_once(" = ").expect("it has a value");
        format!(" {key}=\"{}\"", value.trim_matches('"'))
    });
    attributes.collect()
}

fn message<T>(read: Result<T, Problem>) -> String {
    read.err()
        .map_or_else(|| "no error".to_owned(), String::from)
}

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

/// Returns the message about a cluster after a change to its text.
fn of_cluster(change: &str) -> [String; 1] {
    let (from, to) = change.split_once(" => ").expect("two texts");
    assert!(CLUSTER.contains(from), "{from}");
    let text = CLUSTER.replace(from, &to.replace("\\n", "\n"));
    [message(Machine::parse_xml(&text, "m.xml"))]
}

#[test]
fn machines_that_cannot_be_are_told_in_both_forms() {
    assert_cases("links/hostile.txt", |case| {
        let told = |line: &str| {
            let told = match line.split_once(": ") {
                _ if case.title.starts_with("networks") => of_network(line).to_vec(),
                Some(part) if case.title.starts_with("parts") => of_part(part).to_vec(),
                _ => of_cluster(line).to_vec(),
            };
            format!("{line}\n  {}\n", told.join("\n  "))
        };
        case.input.lines().map(told).collect()
    });
}
