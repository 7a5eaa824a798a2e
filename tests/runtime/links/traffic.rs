//! Tests that traces say which links each message took, and how loaded these were.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use prophet_runtime::{Trace, TraceFilter};
use prophet_trace::{Flow, LinkLoad, Role, TraceReader, TracedNetwork};

/// What a trace says about a network.
struct Traffic {
    network: TracedNetwork,
    routes: Vec<Vec<u32>>,
    flows: Vec<Flow>,
    loads: Vec<LinkLoad>,
    /// The receiver and size of each message, according to the rows about sends.
    sent: BTreeMap<(u32, u32), (u32, u64)>,
}

fn traced(
    name: &str,
    system: System,
    filter: &[&str],
    program: impl ProcessProgram,
) -> TraceReader {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("traffic-{name}.arrow"));
    let mut parts = TraceFilter::default();
    for part in filter {
        parts.add(part).expect("it is a filter");
    }
    let mut trace = Trace::new(&path).with_filter(parts);
    let simulation = Simulation::new(&MODEL, system);
    simulation.run_traced(program, &mut trace).expect("it ends");
    trace.written().expect("it is written");
    TraceReader::open(&path).expect("it is a trace")
}

fn traffic(mut reader: TraceReader) -> Traffic {
    let mut sent = BTreeMap::new();
    let mut batch = Vec::new();
    while reader.next_batch(&mut batch).expect("it is whole") {
        for record in batch.iter().filter(|it| it.role() == Some(Role::Send)) {
            let to = record.partner_pid().zip(record.size_bytes());
            sent.insert(
                record.sender().expect("it is one"),
                to.expect("it has both"),
            );
        }
    }
    let routes = reader.routes().expect("they are whole");
    let (mut flows, mut loads) = (Vec::new(), Vec::new());
    assert!(
        reader
            .flows()
            .next_batch(&mut flows)
            .expect("they are whole")
    );
    let _ = reader
        .loads()
        .next_batch(&mut loads)
        .expect("they are whole");
    let network = reader.results().network.clone();
    Traffic {
        network: network.expect("it is shared"),
        routes,
        flows,
        loads,
        sent,
    }
}

/// Returns how many bytes pass over a link, according to its loads.
fn passed(loads: &[LinkLoad], link: u32) -> f64 {
    let of_link: Vec<&LinkLoad> = loads.iter().filter(|it| it.link == link).collect();
    let last = of_link.last().expect("it is used");
    assert_eq!(
        (last.flows, last.bytes_per_s.to_bits()),
        (0, 0),
        "it is over"
    );
    let spans = of_link.windows(2);
    spans
        .map(|it| it[0].bytes_per_s * (it[1].time_s - it[0].time_s))
        .sum()
}

impl Traffic {
    fn link(&self, name: &str) -> u32 {
        let place = self.network.links.iter().position(|it| it.name == name);
        u32::try_from(place.expect("it is used")).expect("it is small")
    }

    fn loads_of(&self, name: &str) -> Vec<(f64, u32, f64, f64)> {
        let link = self.link(name);
        let loads = self.loads.iter().filter(|it| it.link == link);
        loads
            .map(|it| (it.time_s, it.flows, it.bytes_per_s, it.capacity_bytes_per_s))
            .collect()
    }

    /// Checks that each link carries exactly the bytes of its messages.
    fn check(&self) {
        for (number, link) in (0..).zip(&self.network.links) {
            let crosses = |flow: &&Flow| self.routes[flow.route as usize].contains(&number);
            let bytes = self.flows.iter().filter(crosses).map(|it| it.bytes);
            let bytes = f64::from(u32::try_from(bytes.sum::<u64>()).expect("they are few"));
            let passed = passed(&self.loads, number);
            assert!(
                (passed / bytes - 1.0).abs() < 1e-9,
                "{passed} of {bytes} on {}",
                link.name
            );
        }
        assert!(self.flows.is_sorted_by_key(|flow| flow.end_s.to_bits()));
        assert!(self.loads.is_sorted_by_key(|load| load.time_s.to_bits()));
        for flow in &self.flows {
            let sent = self.sent.get(&(flow.sender, flow.message));
            assert_eq!(sent, Some(&(flow.receiver, flow.bytes)));
        }
    }
}

/// All processes except the first one send it 10 bytes at the same time.
async fn incast(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    if ctx.pid() > 0 {
        return SEND.execute(ctx, 0, Message::bytes(10), ByMachine).await;
    }
    for other in 1..i64::from(ctx.num_processes()) {
        RECV.execute(ctx, other, Message::any_size(), ByMachine)
            .await?;
    }
    Ok(())
}

#[test]
fn an_incast_shares_the_last_link() {
    let network = "shared:topology=star,latency=1s,bandwidth=6B/s,background=0.5";
    let traffic = traffic(traced("incast", apart(4, network), &[], incast));
    traffic.check();
    assert_eq!(traffic.network.packet_bytes, None);
    assert_eq!(
        traffic.loads_of("node0.down"),
        [(2.0, 3, 3.0, 3.0), (12.0, 0, 0.0, 3.0)]
    );
    assert_eq!(
        traffic.loads_of("node2.up"),
        [(2.0, 1, 1.0, 3.0), (12.0, 0, 0.0, 3.0)]
    );
    let times = traffic.flows.iter().map(|it| (it.start_s, it.end_s));
    assert_eq!(times.collect::<Vec<_>>(), [(0.0, 12.0); 3]);
    let names = |route: &Vec<u32>| {
        let name = |link: &u32| traffic.network.links[*link as usize].name.clone();
        route.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&traffic.routes[1]), ["node2.up", "node0.down"]);
    let picture = traffic.network.picture.as_ref().expect("it is small");
    for link in &traffic.network.links {
        // A line stands for both directions of a cable.
        let numbers = [link.number & !1, link.number | 1];
        let line = format!("data-links=\"{} {}\"", numbers[0], numbers[1]);
        assert!(picture.contains(&line), "{line}: {picture}");
    }
}

#[test]
fn what_links_carry_is_what_messages_say() {
    for (name, network) in [
        (
            "star",
            "shared:topology=star,latency=1s,bandwidth=10B/s,o=0.25s,eager=10B",
        ),
        (
            "tree",
            "shared:topology=fat-tree,children=3x2,parents=1x2,links=1x1,latency=1s,\
          bandwidth=10B/s,fairness=rtt",
        ),
        (
            "packet",
            "packet:topology=star,latency=1s,bandwidth=10B/s,packet=2B,eager=10B",
        ),
    ] {
        let traffic = traffic(traced(
            name,
            apart(6, network),
            &[],
            super::protocol::exchange,
        ));
        assert_eq!(traffic.flows.len(), 30, "{name}");
        traffic.check();
    }
}

/// Four nodes on a star. One of the links changes after 4 s.
fn changing(network: &str, change: &str) -> System {
    let text = format!(
        "name = \"m\"\nsource = \"a test\"\n[network]\nmodel = \"shared\"\ntopology = \"star\"\n\
         latency = \"1s\"\nbandwidth = \"6B/s\"\n{network}\n[[change]]\nat = \"4s\"\n\
         link = \"node0.down\"\n{change}\n"
    );
    described(4, &text)
}

#[test]
fn changes_of_links_show() {
    let system = changing("", "background = 0.5");
    let traffic = traffic(traced("changes", system, &[], incast));
    traffic.check();
    let expected = [(2.0, 3, 6.0, 6.0), (4.0, 3, 3.0, 3.0), (10.0, 0, 0.0, 3.0)];
    assert_eq!(traffic.loads_of("node0.down"), expected);
    let mut bandwidths = traffic.loads.iter().map(|it| it.bandwidth_bytes_per_s);
    assert!(
        bandwidths.all(|it| it.to_bits() == 6_f64.to_bits()),
        "the background is no bandwidth"
    );
}

#[test]
fn a_bandwidth_changes_apart_from_the_background() {
    let system = changing("background = 0.5", "bandwidth = \"12B/s\"");
    let traffic = traffic(traced("bandwidth", system, &[], incast));
    let link = traffic.link("node0.down");
    let loads = traffic.loads.iter().filter(|it| it.link == link);
    let shares = loads.map(|it| (it.effective_bytes_per_s(false), it.clear_bytes_per_s(false)));
    let expected = [(1.0, 2.0), (2.0, 4.0), (6.0, 12.0)];
    assert_eq!(shares.collect::<Vec<_>>(), expected);
}

#[test]
fn a_filter_keeps_some_of_it() {
    let network = "shared:topology=star,latency=1s,bandwidth=6B/s";
    let kept = |name: &str, filter: &[&str]| {
        let reader = traced(name, apart(4, network), filter, incast);
        let traffic = traffic(reader);
        let senders: Vec<u32> = traffic.flows.iter().map(|flow| flow.sender).collect();
        (senders, traffic.loads.len())
    };
    assert_eq!(kept("all", &[]), (vec![1, 2, 3], 8));
    assert_eq!(kept("pid", &["pid=2"]), (vec![2], 8));
    assert_eq!(kept("receiver", &["pid=0"]).0, [1, 2, 3]);
    // Only what is within this time, and everything that overlaps it.
    assert_eq!(kept("time", &["time=1s..3s"]), (vec![1, 2, 3], 4));
    let mut without = traced("off", apart(4, network), &["network=off"], incast);
    assert_eq!(without.results().network, None);
    assert!(
        !without
            .flows()
            .next_batch(&mut Vec::new())
            .expect("there is none")
    );
    let hockney = traced(
        "none",
        apart(4, "hockney:latency=1s,bandwidth=1B/s"),
        &[],
        incast,
    );
    assert_eq!(hockney.results().network, None);
}
