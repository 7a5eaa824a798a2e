//! Checks that random flows on random platforms end at the same times as in `SimGrid`.

use crate::scenario;
use crate::simgrid;

use std::fmt::Write as _;
use std::path::Path;

use prophet_contention::Fluid;
use prophet_testing::Random;
use scenario::{Flow, ends_s};
use simgrid::{EXACT, Mode, Sending, Simulated, program, run};

/// The XML of a platform, and the names of its hosts.
type Platform = (String, Vec<String>);

/// Generates a cluster with a random kind of sharing on its links.
fn cluster(random: &mut Random, topology: &str, hosts: usize) -> Platform {
    let bandwidth = random.pick(&["125MBps", "1.25GBps", "10GBps"]);
    let latency = random.pick(&["50us", "10us", "1us"]);
    let sharing = random.pick(&["SHARED", "SPLITDUPLEX", "FATPIPE"]);
    let text = format!(
        "<cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" \
        bw=\"{bandwidth}\" \
        lat=\"{latency}\" sharing_policy=\"{sharing}\" {topology}/>",
        hosts - 1
    );
    (text, (0..hosts).map(|it| format!("h{it}")).collect())
}

fn star(random: &mut Random) -> Platform {
    let backbone = random.pick(&[
        "",
        "bb_bw=\"2.25GBps\" bb_lat=\"500us\"",
        "bb_bw=\"2.25GBps\" bb_lat=\"20us\" bb_sharing_policy=\"FATPIPE\"",
        "bb_bw=\"125MBps\" bb_lat=\"20us\" bb_sharing_policy=\"FATPIPE\"",
    ]);
    let hosts = 2 + random.below(30);
    cluster(random, backbone, hosts)
}

fn fat_tree(random: &mut Random) -> Platform {
    let (parameters, hosts) = *random.pick(&[
        ("2;4,4;1,2;1,2", 16),
        ("2;4,4;1,4;1,1", 16),
        ("3;2,3,4;1,2,1;1,1,2", 24),
        ("3;4,4,4;1,4,4;1,1,1", 64),
    ]);
    let text = format!("topology=\"FAT_TREE\" topo_parameters=\"{parameters}\"");
    cluster(random, &text, hosts)
}

fn torus(random: &mut Random) -> Platform {
    let (parameters, hosts) = *random.pick(&[("3,4", 12), ("3,2,4", 24), ("5", 5), ("4,4,4", 64)]);
    let text = format!("topology=\"TORUS\" topo_parameters=\"{parameters}\"");
    cluster(random, &text, hosts)
}

fn dragonfly(random: &mut Random) -> Platform {
    let (parameters, hosts) = *random.pick(&[
        ("3,4;4,3;5,1;2", 3 * 4 * 5 * 2),
        ("2,1;3,2;4,1;2", 2 * 3 * 4 * 2),
    ]);
    let text = format!("topology=\"DRAGONFLY\" topo_parameters=\"{parameters}\"");
    cluster(random, &text, hosts)
}

/// Generates a connected graph of hosts and links. Each link has its own bandwidth and latency.
fn graph(random: &mut Random) -> Platform {
    let hosts: Vec<String> = (0..3 + random.below(20))
        .map(|it| format!("h{it}"))
        .collect();
    let mut links = String::new();
    let mut routes = String::new();
    let mut text = String::from("<zone id=\"z\" routing=\"Dijkstra\">\n");
    for host in &hosts {
        writeln!(text, "<host id=\"{host}\" speed=\"1Gf\"/>").expect("it is text");
    }
    let mut join = |random: &mut Random, left: usize, right: usize| {
        let sharing = *random.pick(&["SHARED", "SHARED", "SPLITDUPLEX", "FATPIPE"]);
        // With few different values, some links fill at the same time.
        let mbps = match sharing {
            "FATPIPE" => 50 * (1 + random.below(2)),
            _ => 1 + random.below(1000),
        };
        let us = 1 + random.below(1000);
        let id = format!("l{left}-{right}");
        writeln!(
            links,
            "<link id=\"{id}\" bandwidth=\"{mbps}MBps\" latency=\"{us}us\" \
            sharing_policy=\"{sharing}\"/>"
        )
        .expect("it is text");
        for (source, destination, way) in [(left, right, "UP"), (right, left, "DOWN")] {
            let direction = if sharing == "SPLITDUPLEX" {
                way
            } else {
                "NONE"
            };
            writeln!(
                routes,
                "<route src=\"h{source}\" dst=\"h{destination}\" symmetrical=\"NO\">\
                <link_ctn id=\"{id}\" direction=\"{direction}\"/></route>"
            )
            .expect("it is text");
        }
    };
    for right in 1..hosts.len() {
        let left = random.below(right);
        join(random, left, right);
        let other = random.below(right);
        if other != left && random.below(2) == 0 {
            join(random, other, right);
        }
    }
    (format!("{text}{links}{routes}</zone>"), hosts)
}

fn sendings(random: &mut Random, hosts: &[String]) -> Vec<Sending> {
    let count = 1 + random.below(100);
    let mut sending = |_| {
        let source = random.below(hosts.len());
        let destination = (source + 1 + random.below(hosts.len() - 1)) % hosts.len();
        let start_s = [0.0, 0.01, 0.02][random.below(3)];
        let megabytes = [1, 2, 10, 1 + random.below(100)][random.below(4)];
        Sending {
            group: 0,
            start_s,
            source: hosts[source].clone(),
            destination: hosts[destination].clone(),
            bytes: f64::from(u32::try_from(megabytes * 1_000_000).expect("it is small")),
        }
    };
    (0..count).map(&mut sending).collect()
}

#[track_caller]
fn assert_as_simgrid(platform: &str, simulated: &Simulated, flows: &[Flow]) {
    let mut network = Fluid::new(simulated.links.iter().copied());
    let found_s = ends_s(&mut network, flows, &[]);
    for ((found, expected), flow) in found_s.iter().zip(&simulated.ends_s).zip(flows) {
        assert!(
            (found - expected).abs() <= 1e-6 * expected,
            "{found} instead of {expected} for {flow:?} on\n{platform}"
        );
    }
}

/// Two flows share a FATPIPE. The second flow also crosses another link that is equally narrow.
fn links_that_fill_together_may_stand_in_any_order(program: &Path) {
    let sending = |source: &str, destination: &str, bytes| Sending {
        group: 0,
        start_s: 0.001,
        source: source.to_owned(),
        destination: destination.to_owned(),
        bytes,
    };
    let sendings = [sending("h5", "h1", 1e4), sending("h6", "h5", 1e5)];
    for route in ["l5 l6", "l6 l5"] {
        let crossed = { route.split(' ') }
            .map(|link| format!("<link_ctn id=\"{link}\"/>"))
            .collect::<Vec<_>>()
            .concat();
        let platform = format!(
            "<zone id=\"w\" routing=\"Full\"><host id=\"h1\" speed=\"1Gf\"/>\
             <host id=\"h5\" speed=\"1Gf\"/><host id=\"h6\" speed=\"1Gf\"/>\
             <link id=\"l1\" bandwidth=\"1e8Bps\" latency=\"1ms\"/>\
             <link id=\"l5\" bandwidth=\"1e8Bps\" latency=\"5us\" sharing_policy=\"FATPIPE\"/>\
             <link id=\"l6\" bandwidth=\"1e8Bps\" latency=\"1us\"/>\
             <route src=\"h5\" dst=\"h1\"><link_ctn id=\"l5\"/><link_ctn id=\"l1\"/></route>\
             <route src=\"h6\" dst=\"h5\">{crossed}</route></zone>"
        );
        let simulated = run(program, EXACT, &platform, Mode::Starts, &sendings);
        let flows = simulated.flows(&sendings, |latency_s| 1.0 / latency_s);
        assert_as_simgrid(&platform, &simulated, &flows);
    }
}

#[test]
fn flows_end_when_simgrid_says() {
    let Some(program) = program(Path::new(env!("CARGO_TARGET_TMPDIR"))) else {
        return;
    };
    links_that_fill_together_may_stand_in_any_order(&program);
    let kinds = [star, fat_tree, torus, dragonfly, graph];
    for number in 0..200 {
        let mut random = Random(number);
        let (platform, hosts) =
            kinds[usize::try_from(number).expect("few") % kinds.len()](&mut random);
        let sendings = sendings(&mut random, &hosts);
        let simulated = run(&program, EXACT, &platform, Mode::Starts, &sendings);
        let by_round_trip = simulated.flows(&sendings, |latency_s| 1.0 / latency_s);
        assert_as_simgrid(&platform, &simulated, &by_round_trip);
        let latencies_s = &simulated.latencies_s;
        if latencies_s
            .iter()
            .all(|it| (it - latencies_s[0]).abs() <= 1e-12 * it)
        {
            assert_as_simgrid(&platform, &simulated, &simulated.flows(&sendings, |_| 1.0));
        }
    }
}
