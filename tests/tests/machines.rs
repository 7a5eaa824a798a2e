//! Tests all forms of machines with generated programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_runtime::Machine;
use prophet_testing::has;
use prophet_tests::programs::{Programs, json};
use prophet_tests::root;

/// Each even process sends messages to the next odd one.
const MODEL: &str = include_str!("machines/pairs.xml");

/// A machine with the links `l0` and `l1` in a row. Node 0 is before both, nodes 1 and 2 are
/// between them, and node 3 is after them.
fn toml(bandwidth_of_l1: &str, latency_of_l0: &str) -> String {
    let text = include_str!("machines/row.toml").replace("2GB/s", bandwidth_of_l1);
    text.replace("0s", latency_of_l0)
}

/// Returns a `SimGrid` platform file that describes the same machine.
fn platform(bandwidth_of_l1: &str, latency_of_l0: &str) -> String {
    let text = include_str!("machines/platform.xml");
    let text = text.replace("2GBps", &bandwidth_of_l1.replace("GB/s", "GBps"));
    text.replace("0ms", &format!("{latency_of_l0}s").replace("ss", "s"))
}

fn machines(folder: &Path, bandwidth_of_l1: &str, latency_of_l0: &str) -> [PathBuf; 3] {
    let toml = toml(bandwidth_of_l1, latency_of_l0);
    let machine = Machine::parse(&toml, "row.toml").expect("it is a machine");
    let xml = machine.to_xml().expect("it has one");
    let platform = platform(bandwidth_of_l1, latency_of_l0);
    let forms = [
        ("row.toml", toml),
        ("row.xml", xml),
        ("platform.xml", platform),
    ];
    forms.map(|(name, text)| {
        let path = folder.join(name);
        fs::write(&path, text).expect("a file can be written");
        path
    })
}

/// A row of the table of known results: from which node to which node messages go, their sizes in
/// MB, and when they arrive.
struct Row {
    name: &'static str,
    ways: &'static [[u32; 2]],
    megabytes: &'static [u32],
    ends_s: &'static [f64],
    flags: &'static [&'static str],
    l1: &'static str,
    latency: &'static str,
}

const L0: [u32; 2] = [0, 1];
const L1: [u32; 2] = [2, 3];
const BOTH: [u32; 2] = [0, 3];

const TWO: Row = Row {
    name: "two over one link",
    ways: &[L0, L0],
    megabytes: &[1000, 1000],
    ends_s: &[2.0, 2.0],
    flags: &[],
    l1: "1GB/s",
    latency: "0",
};

const ROWS: [Row; 5] = [
    TWO,
    Row {
        name: "one later",
        megabytes: &[1000, 500],
        ends_s: &[1.5, 1.25],
        flags: &["--start1", "0.25"],
        ..TWO
    },
    Row {
        name: "one over both",
        ways: &[BOTH, L0, L1],
        megabytes: &[1000, 1000, 1000],
        ends_s: &[2.0, 2.0, 2.0],
        ..TWO
    },
    Row {
        name: "links of two speeds",
        ways: &[BOTH, L0, L1, L1],
        megabytes: &[1000, 1000, 1000, 2000],
        ends_s: &[2.0, 2.0, 4.0 / 3.0, 2.0],
        l1: "2GB/s",
        ..TWO
    },
    Row {
        name: "latency",
        megabytes: &[1, 1],
        ends_s: &[0.003, 0.003],
        latency: "1ms",
        ..TWO
    },
];

impl Row {
    fn flags(&self, machine: &Path) -> Vec<String> {
        let mapping = self.ways.iter().flatten().map(u32::to_string);
        let mapping = mapping.collect::<Vec<_>>().join(",");
        let processes = (2 * self.ways.len()).to_string();
        let machine = machine.to_str().expect("it is text").to_owned();
        let mut flags: Vec<String> = ["--machine", &machine, "--format", "json", "--processes"]
            .map(str::to_owned)
            .into();
        flags.extend([processes, "--mapping".to_owned(), mapping]);
        for (number, megabytes) in self.megabytes.iter().enumerate() {
            flags.extend([format!("--bytes{number}"), format!("{megabytes}000000")]);
        }
        flags.extend(self.flags.iter().map(|flag| (*flag).to_owned()));
        flags
    }
}

#[test]
fn messages_share_links_as_known_in_all_forms_of_the_machine() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machines");
    fs::create_dir_all(&folder).expect("a folder can be made");
    let model = folder.join("pairs.xml");
    fs::write(&model, MODEL).expect("a file can be written");
    let programs = Programs::build(&folder, std::slice::from_ref(&model));
    for row in &ROWS {
        for machine in machines(&folder, row.l1, row.latency) {
            let what = format!("{} on {}", row.name, machine.display());
            let flags = row.flags(&machine);
            let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
            let output = programs.run(&model, &flags);
            let result = json(&output);
            let processes = result["processes"].as_array().expect("they are listed");
            for (number, end_s) in row.ends_s.iter().enumerate() {
                let seen_s = processes[2 * number + 1]["end_s"]
                    .as_f64()
                    .expect("it ends");
                let error = (seen_s - end_s).abs() / end_s;
                assert!(
                    error <= 1e-6,
                    "{what}: message {number} at {seen_s} s, not {end_s}"
                );
            }
        }
    }
}

#[test]
fn machines_in_xml_keep_to_their_schema() {
    if !has("xmllint", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("machine.xml");
    let presets = Machine::presets().filter_map(Machine::preset);
    let row = Machine::parse(&toml("2GB/s", "1ms"), "row.toml").expect("it is a machine");
    let texts = presets
        .chain([row])
        .map(|it| it.to_xml().expect("it has one"));
    let paper = root().join("tests/runtime/links/machines/paper.xml");
    let paper = fs::read_to_string(paper).expect("PTI's own script is there");
    for xml in texts.chain([paper]) {
        fs::write(&file, &xml).expect("a file can be written");
        let output = Command::new("xmllint")
            .args(["--noout", "--nonet", "--schema"])
            .args([&root().join("templates/xml/machine.xsd"), &file])
            .output()
            .expect("xmllint runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{message}\n{xml}");
    }
}
