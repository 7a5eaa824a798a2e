//! Compares how fast this crate and `SimGrid` simulate the same flows on shared links, in the same
//! run. `cargo xtask bench flows` writes the rows into `prophet-runtime/benches/figures.md`.
//!
//! If there are words on the command line, only rows that contain one of them are measured.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "../tests/scenario.rs"]
mod scenario;
#[path = "../tests/simgrid.rs"]
mod simgrid;

use std::fmt::Write as _;
use std::path::Path;

use prophet_contention::{Capacity, Contention, FlowId, Fluid};
use prophet_testing::{Stopwatch, is_asked_for, verdict};
use scenario::Flow;
use simgrid::{Mode, Sending, Simulated, program, run};

/// Minimum speedup over `SimGrid` in rows with a target.
const TARGET: f64 = 20.0;
/// Number of runs of this crate. The fastest run counts.
const TURNS: usize = 5;

fn main() {
    println!("| work | target | seen | met |");
    println!("|---|---|---|---|");
    let Some(program) = program(Path::new(env!("CARGO_TARGET_TMPDIR"))) else {
        return;
    };
    let (target, none) = (Some(TARGET), None);
    let work = "pairwise all-to-all on a star of 256 nodes";
    row(&program, work, target, &star(256), Mode::Rounds, || {
        all_to_all(256)
    });
    let work = "100 random permutations of 1,024 nodes of a fat tree";
    row(&program, work, target, FAT_TREE, Mode::Rounds, || {
        permutations(1024, 100)
    });
    let work = "the same, each node on its own";
    row(&program, work, none, FAT_TREE, Mode::Chains, || {
        let mut flows = permutations(1024, 100);
        for flow in &mut flows {
            flow.group = flow.source[1..].parse().expect("names end in numbers");
        }
        flows
    });
    let work = "all to all at the same time on a star of 64 nodes, random sizes";
    row(&program, work, none, &star(64), Mode::Rounds, || {
        let mut flows = all_to_all(64);
        let mut state = 1;
        for flow in &mut flows {
            flow.group = 0;
            flow.bytes = random_bytes(&mut state);
        }
        flows
    });
    let work = "100,000 flows on disjoint links, 1,000 at a time";
    row(&program, work, target, &pairs(1000), Mode::Chains, || {
        disjoint(1000, 100)
    });
    growth();
}

/// Measures the same work in `SimGrid` and in this crate, and prints a row of the table.
fn row(
    program: &Path,
    work: &str,
    target: Option<f64>,
    platform: &str,
    mode: Mode,
    flows: impl FnOnce() -> Vec<Sending>,
) {
    if !is_asked_for(work) {
        return;
    }
    let sendings = flows();
    let theirs = run(program, &[], platform, mode, &sendings);
    let (ours_s, ends_s) = ours(&sendings, &theirs, mode);
    let ratio = theirs.cpu_s / ours_s;
    let met = target.map_or("", |it| verdict(ratio >= it));
    let target = target.map_or(String::new(), |it| format!("≥ {it} × SimGrid"));
    let flow_ns = 1e9 / f64::from(u32::try_from(sendings.len()).expect("it is small"));
    let (ours_ns, theirs_ns) = (ours_s * flow_ns, theirs.cpu_s * flow_ns);
    let seen = format!("{ratio:.1} × ({ours_ns:.0} ns a flow against {theirs_ns:.0} ns)");
    println!("| {work} | {target} | {seen} | {met} |");
    // By default, `SimGrid` can be wrong. With the flags `simgrid::EXACT`, all ends agree.
    let ends_s = ends_s.iter().zip(&theirs.ends_s);
    let apart = ends_s.filter(|(left, right)| (**left - **right).abs() > 1e-6 * **right);
    eprintln!("{work}: {} ends differ", apart.count());
}

/// Returns this crate's shortest CPU time, and when the flows end.
fn ours(sendings: &[Sending], described: &Simulated, mode: Mode) -> (f64, Vec<f64>) {
    let groups = groups(sendings);
    let links = &described.links;
    let flows = described.flows(sendings, |latency_s| 1.0 / latency_s);
    let mut least_s = f64::INFINITY;
    let mut ends_s = Vec::new();
    for _ in 0..TURNS {
        ends_s = vec![0.0; sendings.len()];
        let watch = Stopwatch::start();
        match mode {
            Mode::Chains => chains(links, &flows, &groups, &mut ends_s),
            _ => rounds(links, &flows, &groups, &mut ends_s),
        }
        least_s = least_s.min(watch.seconds());
    }
    (least_s, ends_s)
}

fn groups(sendings: &[Sending]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, sending) in sendings.iter().enumerate() {
        if groups.len() <= sending.group {
            groups.resize(sending.group + 1, Vec::new());
        }
        groups[sending.group].push(index);
    }
    groups
}

fn start(network: &mut Fluid, now_s: f64, it: &Flow) -> FlowId {
    network.start(now_s, &it.route, it.latency_s, it.weight, it.bytes)
}

/// Starts each group of flows when all flows of the group before it have ended.
fn rounds(links: &[Capacity], flows: &[Flow], groups: &[Vec<usize>], ends_s: &mut [f64]) {
    let mut network = Fluid::new(links.iter().copied());
    let mut ended = Vec::new();
    let mut now_s = 0.0;
    for group in groups {
        for &index in group {
            start(&mut network, now_s, &flows[index]);
        }
        ended.clear();
        while ended.len() < group.len() {
            now_s = network.next_s();
            network.advance(now_s, &mut ended);
        }
        for &index in group {
            ends_s[index] = now_s;
        }
    }
}

/// Starts each flow of a group when the flow before it has ended.
fn chains(links: &[Capacity], flows: &[Flow], groups: &[Vec<usize>], ends_s: &mut [f64]) {
    let mut network = Fluid::new(links.iter().copied());
    // For each slot, its chain, and how many of the chain's flows have ended.
    let mut chain_of = vec![0; 2 * groups.len()];
    let mut done = vec![0; groups.len()];
    for (chain, group) in groups.iter().enumerate() {
        let id = start(&mut network, 0.0, &flows[group[0]]);
        chain_of[id.slot()] = chain;
    }
    let mut ended = Vec::new();
    loop {
        let now_s = network.next_s();
        if now_s == f64::INFINITY {
            return;
        }
        network.advance(now_s, &mut ended);
        for id in ended.drain(..) {
            let chain = chain_of[id.slot()];
            ends_s[groups[chain][done[chain]]] = now_s;
            done[chain] += 1;
            if let Some(&next) = groups[chain].get(done[chain]) {
                let id = start(&mut network, now_s, &flows[next]);
                chain_of[id.slot()] = chain;
            }
        }
    }
}

/// Prints how the time to simulate flows on disjoint links grows with their number.
fn growth() {
    let work = "growth of disjoint flows, 100,000 to 1,600,000";
    if !is_asked_for(work) {
        return;
    }
    let mut points = Vec::new();
    for factor in [1_u32, 2, 4, 8, 16] {
        let chains = 1000;
        let sendings = disjoint(chains, 100 * factor as usize);
        let described = Simulated {
            links: vec![Capacity::shared(1e9); chains],
            routes: sendings
                .iter()
                .map(|it| vec![u32::try_from(it.group).expect("few")])
                .collect(),
            latencies_s: vec![1e-5; sendings.len()],
            ..Simulated::default()
        };
        let (took_s, _) = ours(&sendings, &described, Mode::Chains);
        points.push((f64::from(factor).ln(), took_s.ln()));
    }
    let exponent = slope(&points);
    let met = verdict(exponent <= 1.15);
    println!("| {work} | exponent ≤ 1.15 (n log n) | {exponent:.2} | {met} |");
}

/// Returns the slope of the least-squares line through the points.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = f64::from(u32::try_from(points.len()).expect("few points"));
    let mean_x = points.iter().map(|it| it.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|it| it.1).sum::<f64>() / count;
    let over = |it: &(f64, f64)| (it.0 - mean_x) * (it.1 - mean_y);
    let under = |it: &(f64, f64)| (it.0 - mean_x).powi(2);
    points.iter().map(over).sum::<f64>() / points.iter().map(under).sum::<f64>()
}

/// A fat tree of 1,024 nodes with 32 switches above them, and half as many links up as down.
const FAT_TREE: &str = r#"<cluster id="c" prefix="h" suffix="" radical="0-1023" speed="1Gf"
    bw="1.25GBps" lat="1us" sharing_policy="SPLITDUPLEX"
    topology="FAT_TREE" topo_parameters="2;32,32;1,16;1,1"/>"#;

fn star(nodes: usize) -> String {
    format!(
        r#"<cluster id="c" prefix="h" suffix="" radical="0-{}" speed="1Gf" bw="1.25GBps" lat="1us"
        sharing_policy="SPLITDUPLEX"/>"#,
        nodes - 1
    )
}

/// Pairs of hosts, each with a private link.
fn pairs(count: usize) -> String {
    let mut text = String::from("<zone id=\"z\" routing=\"Full\">\n");
    for index in 0..count {
        writeln!(
            text,
            "<host id=\"a{index}\" speed=\"1Gf\"/><host id=\"b{index}\" speed=\"1Gf\"/>\n\
            <link id=\"l{index}\" bandwidth=\"1GBps\" latency=\"10us\"/>"
        )
        .expect("it is text");
    }
    for index in 0..count {
        writeln!(
            text,
            "<route src=\"a{index}\" dst=\"b{index}\"><link_ctn id=\"l{index}\"/></route>"
        )
        .expect("it is text");
    }
    text + "</zone>"
}

fn sending(group: usize, source: String, destination: String, bytes: f64) -> Sending {
    Sending {
        group,
        start_s: 0.0,
        source,
        destination,
        bytes,
    }
}

/// In each round, each node sends to a node at the same distance.
fn all_to_all(nodes: usize) -> Vec<Sending> {
    let rounds = (1..nodes).flat_map(|round| (0..nodes).map(move |node| (round, node)));
    let flow = |(round, node): (usize, usize)| {
        let other = (node + round) % nodes;
        sending(round - 1, format!("h{node}"), format!("h{other}"), 1e6)
    };
    rounds.map(flow).collect()
}

/// Returns a random number below `bound`, from a linear congruential generator with the constants
/// of Knuth's MMIX.
fn below(state: &mut u64, bound: usize) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*state >> 33).expect("31 bits") % bound
}

/// Returns a random size of at most a megabyte.
fn random_bytes(state: &mut u64) -> f64 {
    f64::from(u32::try_from(1 + below(state, 1_000_000)).expect("it is small"))
}

fn permutations(nodes: usize, rounds: usize) -> Vec<Sending> {
    let mut state = 1;
    let mut flows = Vec::new();
    for round in 0..rounds {
        let mut others: Vec<usize> = (0..nodes).collect();
        for index in (1..nodes).rev() {
            others.swap(index, below(&mut state, index + 1));
        }
        for (node, other) in others.into_iter().enumerate().filter(|it| it.0 != it.1) {
            flows.push(sending(round, format!("h{node}"), format!("h{other}"), 1e6));
        }
    }
    flows
}

/// Chains of flows of random sizes, each on a private link.
fn disjoint(chains: usize, length: usize) -> Vec<Sending> {
    let mut state = 1;
    let places = (0..length).flat_map(|_| 0..chains);
    let flow = |chain| {
        let bytes = random_bytes(&mut state);
        sending(chain, format!("a{chain}"), format!("b{chain}"), bytes)
    };
    places.map(flow).collect()
}
