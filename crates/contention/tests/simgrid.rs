//! Runs flows in `SimGrid`, with a program that is compiled if `SimGrid` is installed.
#![allow(dead_code, reason = "no test or benchmark needs all of it")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use prophet_contention::Capacity;
use prophet_testing::compile_with_simgrid;

use crate::scenario::Flow;

#[derive(Debug, Clone)]
pub(crate) struct Sending {
    /// The round or chain of the flow.
    pub(crate) group: usize,
    pub(crate) start_s: f64,
    pub(crate) source: String,
    pub(crate) destination: String,
    pub(crate) bytes: f64,
}

/// When each flow starts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mode {
    /// At the given time.
    Starts,
    /// When the last flow of the previous round ends.
    Rounds,
    /// When the previous flow of its chain ends.
    Chains,
}

/// The platform, the routes, and the ends according to `SimGrid`.
#[derive(Debug, Default)]
pub(crate) struct Simulated {
    pub(crate) links: Vec<Capacity>,
    pub(crate) link_latencies_s: Vec<f64>,
    pub(crate) routes: Vec<Vec<u32>>,
    pub(crate) latencies_s: Vec<f64>,
    pub(crate) ends_s: Vec<f64>,
    /// CPU time in seconds, without reading the platform.
    pub(crate) cpu_s: f64,
}

/// Compiles the program in a folder; `None` if `SimGrid` isn't installed, so that the test is
/// skipped.
pub(crate) fn program(folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simgrid/flows.cpp");
    let program = folder.join("simgrid-flows");
    compile_with_simgrid(&source, &program, &["-O2"]).then_some(program)
}

/// Flags for exact rates. Without the first flag, `SimGrid` 3.32 forgets links if flows that share
/// a link start moving data at the same time: `System::update_modified_cnst_set` returns before it
/// reaches the other links of the second flow.
pub(crate) const EXACT: &[&str] = &[
    "--cfg=network/optim:Full",
    "--cfg=surf/precision:1e-13",
    "--cfg=maxmin/precision:1e-7",
];

/// Runs the program on a platform file with this content.
pub(crate) fn run(
    program: &Path,
    flags: &[&str],
    platform: &str,
    mode: Mode,
    flows: &[Sending],
) -> Simulated {
    let file = program.with_extension(format!("{}.xml", std::process::id()));
    let head = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \
        \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n";
    std::fs::write(&file, format!("{head}{platform}\n</platform>\n")).expect("it can be written");
    let mut input = String::new();
    for it in flows {
        let (source, destination) = (&it.source, &it.destination);
        writeln!(
            input,
            "{} {:?} {source} {destination} {:?}",
            it.group, it.start_s, it.bytes
        )
        .expect("it is text");
    }
    let mut child = Command::new(program)
        .arg(&file)
        .arg(format!("{mode:?}").to_lowercase())
        .args([
            "--cfg=network/model:CM02",
            "--cfg=network/TCP-gamma:0",
            "--cfg=network/crosstraffic:0",
            "--cfg=network/weight-S:0",
            "--log=root.thres:error",
        ])
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program was compiled");
    let mut stdin = child.stdin.take().expect("it is a pipe");
    // The program reads all of its input before it writes.
    stdin
        .write_all(input.as_bytes())
        .expect("it reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "SimGrid failed on\n{platform}");
    std::fs::remove_file(file).expect("it is there");
    parse(&String::from_utf8_lossy(&output.stdout))
}

impl Simulated {
    /// Returns the flows with their routes. `weight` returns the weight for a latency.
    pub(crate) fn flows(&self, sendings: &[Sending], weight: impl Fn(f64) -> f64) -> Vec<Flow> {
        let routes = self.routes.iter().zip(&self.latencies_s);
        let described = sendings.iter().zip(routes);
        let flow = described.map(|(sending, (route, latency_s))| Flow {
            start_s: sending.start_s,
            route: route.clone(),
            latency_s: *latency_s,
            weight: weight(*latency_s),
            bytes: sending.bytes,
        });
        flow.collect()
    }
}

fn parse(text: &str) -> Simulated {
    let mut simulated = Simulated::default();
    for line in text.lines() {
        let mut words = line.split(' ');
        let kind = words.next().expect("a line has a word");
        let mut numbers = words.map(|it| it.parse::<f64>().expect("it is a number"));
        let mut number = || numbers.next().expect("a line has all numbers");
        match kind {
            "link" => {
                simulated.links.push(Capacity {
                    bytes_per_s: number(),
                    is_fatpipe: number() > 0.0,
                });
                simulated.link_latencies_s.push(number());
            }
            "route" => {
                simulated.latencies_s.push(number());
                let links = line
                    .split(' ')
                    .skip(2)
                    .map(|it| it.parse().expect("a number"));
                simulated.routes.push(links.collect());
            }
            "end" => simulated.ends_s.push(number()),
            "cpu" => simulated.cpu_s = number(),
            other => panic!("{other} is no answer"),
        }
    }
    simulated
}
