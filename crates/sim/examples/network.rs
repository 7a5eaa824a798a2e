//! Network: packets cross a chain of links, each with a queue of limited length.
//!
//! Shows: mailboxes between processes, a facility as a link, dropped messages, an acknowledgment
//! with a deadline and retransmission, replications with different seeds.
//!
//! Scenario: two hosts are connected by three links and two routers. A sender sends a packet and
//! waits for its acknowledgment. If that doesn't arrive in time, it sends the packet again. Other
//! traffic fills the middle link. What throughput does the sender get, and how often does it resend
//! packets?

use std::cell::Cell;
use std::io::{self, Write};

use prophet_sim::{Facility, Failure, Mailbox, Process, Stopped, Study};

const LINK_MBIT_S: f64 = 10.0;
const DELAY_S: f64 = 0.002; // Propagation delay of a link
const PACKET_BIT: f64 = 12_000.0;
const QUEUE_MAX: usize = 5; // Packets that a router keeps
const DEADLINE_S: f64 = 0.05; // Patience of the sender
const END_S: f64 = 60.0;
const SEEDS: u64 = 3;

struct Network {
    links: [Facility; 3],
    acknowledgments: Mailbox<u64>,
    delivered: Cell<u64>,
    repeated: Cell<u64>,
    dropped: Cell<u64>,
}

/// Sends a packet over a link, unless the link's queue is full.
async fn cross(me: &Process<'_>, network: &Network, link: usize) -> Result<bool, Stopped> {
    let facility = &network.links[link];
    if facility.queue_len() >= QUEUE_MAX {
        network.dropped.set(network.dropped.get() + 1);
        return Ok(false);
    }
    facility
        .use_for(me, PACKET_BIT / (LINK_MBIT_S * 1e6))
        .await?;
    me.hold(DELAY_S).await?;
    Ok(true)
}

/// Carries a packet to the other end, and the acknowledgment back.
async fn packet(me: Process<'_>, network: &Network, number: u64) -> Result<(), Stopped> {
    for link in 0..network.links.len() {
        if !cross(&me, network, link).await? {
            return Ok(());
        }
    }
    // An acknowledgment is so short that only its delays matter.
    me.hold(DELAY_S * 3.0).await?;
    network.acknowledgments.send(&me, number);
    Ok(())
}

/// Sends packets one after another, and each one until it has been acknowledged.
async fn sender<'a>(me: Process<'a>, network: &'a Network) -> Result<(), Stopped> {
    for number in 0.. {
        loop {
            me.spawn(move |it| packet(it, network, number));
            let answer = network
                .acknowledgments
                .receive_where(&me, move |it| *it == number);
            if me.timeout(DEADLINE_S, answer).await?.is_some() {
                break;
            }
            network.repeated.set(network.repeated.get() + 1);
        }
        network.delivered.set(network.delivered.get() + 1);
    }
    Ok(())
}

/// Fills the fraction `share` of the middle link's capacity, in bursts.
async fn traffic<'a>(me: Process<'a>, network: &'a Network, share: f64) -> Result<(), Stopped> {
    let mut times = me.generator("traffic");
    let burst = 8;
    let between_s = f64::from(burst) * PACKET_BIT / (LINK_MBIT_S * 1e6 * share);
    loop {
        me.hold(times.exponential(between_s)?).await?;
        for _ in 0..burst {
            me.spawn(move |it| async move { cross(&it, network, 1).await.map(drop) });
        }
    }
}

fn run(seed: u64, share: f64) -> Result<Network, Failure> {
    let network = Network {
        links: ["first", "middle", "last"].map(|name| Facility::new(name, 1)),
        acknowledgments: Mailbox::new("acknowledgments"),
        delivered: Cell::new(0),
        repeated: Cell::new(0),
        dropped: Cell::new(0),
    };
    let study = Study::new().seed(seed).until(END_S);
    study.run(&network, async |sim, network| {
        sim.spawn(|me| sender(me, network)).named("sender");
        sim.spawn(move |me| traffic(me, network, share))
            .named("traffic");
        Ok(())
    })?;
    Ok(network)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "traffic  seed  delivered  repeated  dropped  middle link"
    )?;
    for share in [0.2, 0.5, 0.8] {
        for seed in 1..=SEEDS {
            let network = run(seed, share)?;
            let busy = 100.0 * network.links[1].statistics().utilization;
            writeln!(
                out,
                "{:6.0} %  {seed:4}  {:9}  {:8}  {:7}  {busy:9.1} %",
                100.0 * share,
                network.delivered.get(),
                network.repeated.get(),
                network.dropped.get(),
            )?;
        }
    }
    Ok(())
}
