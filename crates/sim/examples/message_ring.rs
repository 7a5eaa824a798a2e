//! Message ring: a token travels around a ring of processes.
//!
//! Shows: mailboxes, receives with a deadline, events, waiting until processes end, the status of
//! all processes, an event log.
//!
//! Scenario: eight stations form a ring. A token travels from station to station. It arrives after
//! a propagation delay, and is passed on after a short service. After some rounds, the first
//! station keeps it. The next station waits for the token until it loses patience, and then tells
//! all stations to stop. How long does a round take?

use std::cell::Cell;
use std::io::{self, Write};

use prophet_sim::resources::Status;
use prophet_sim::study::Logged;
use prophet_sim::{Event, Mailbox, Process, Stopped, Study};

const STATIONS: usize = 8;
const ROUNDS: u32 = 1_000;
const DELAY_S: f64 = 2e-6; // Seconds from a station to the next
const SERVICE_S: f64 = 1e-6; // Seconds that a station keeps the token
const PATIENCE_S: f64 = 1e-3; // Seconds until the token counts as lost
const LOGGED_MAX: usize = 12; // Number of log lines shown

struct Ring {
    boxes: Vec<Mailbox<u32>>,
    lost: Event,
    /// When the token was kept, in seconds.
    kept_s: Cell<f64>,
}

async fn station(me: Process<'_>, ring: &Ring, place: usize) -> Result<(), Stopped> {
    let next = &ring.boxes[(place + 1) % STATIONS];
    loop {
        let receive = ring.boxes[place].receive(&me);
        let Some(round) = me.timeout(PATIENCE_S, receive).await? else {
            me.log(|| "misses the token");
            ring.lost.set(&me);
            return Ok(());
        };
        let round = if place == 0 { round + 1 } else { round };
        if round > ROUNDS {
            me.log(|| "keeps the token");
            ring.kept_s.set(me.now_s());
            return Ok(());
        }
        me.hold(SERVICE_S).await?;
        me.hold(DELAY_S).await?;
        next.send(&me, round);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = Ring {
        boxes: (0..STATIONS)
            .map(|place| Mailbox::new(format!("box {place}")))
            .collect(),
        lost: Event::new("token lost"),
        kept_s: Cell::new(0.0),
    };
    let (mut lines, mut entries) = (Vec::new(), 0_u32);
    let log = Logged::to(|entry| {
        entries += 1;
        if lines.len() < LOGGED_MAX || entry.what.ends_with("the token") {
            lines.push(entry.to_string());
        }
    });
    let mut status = String::new();
    Study::new().run_logged(&ring, log, async |sim, ring| {
        for place in 0..STATIONS {
            let station = sim.spawn(move |me| station(me, ring, place));
            station.named(format!("station {place}"));
        }
        ring.boxes[0].send(&sim, 0);
        ring.lost.wait(&sim).await?;
        let mut resources: Vec<&dyn Status> = vec![&ring.lost];
        resources.extend(ring.boxes.iter().take(2).map(|one| one as &dyn Status));
        status = sim.status(&resources).await?;
        sim.stop();
        Ok(())
    })?;

    let mut out = io::stdout().lock();
    let round_us = ring.kept_s.get() / f64::from(ROUNDS) * 1e6;
    writeln!(
        out,
        "{ROUNDS} rounds of {STATIONS} stations, {round_us:.3} us each"
    )?;
    writeln!(out, "{entries} log entries, such as")?;
    for line in &lines {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "When the token is lost:")?;
    for line in status.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}
