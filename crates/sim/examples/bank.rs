//! Bank: customers queue for tellers.
//!
//! Shows: a process for each customer, a facility with several servers, named random streams, a
//! time limit, warm-up, confidence intervals over independent replications, a histogram.
//!
//! Scenario: customers arrive at a bank at random, on average every 18 seconds, and wait in a
//! single queue until one of three tellers is free. A teller needs 45 seconds per customer on
//! average. Both times are exponentially distributed, so the answer is known from theory (Erlang
//! C). How long do customers wait, and how busy are the tellers?

use std::cell::RefCell;
use std::io::{self, Write};

use prophet_sim::statistics::{Histogram, Tally};
use prophet_sim::{Facility, Failure, Process, Stopped, Study};

const TELLERS: u32 = 3;
const ARRIVAL_MEAN_S: f64 = 18.0; // Mean seconds between two customers
const SERVICE_MEAN_S: f64 = 45.0; // Mean seconds per customer
const WARM_UP_S: f64 = 3_600.0; // Seconds not counted: the bank opens empty
const DAY_S: f64 = 30.0 * 3_600.0; // Seconds counted
const REPLICATIONS: u64 = 20;
const LEVEL: f64 = 0.95; // Confidence level

struct Bank {
    tellers: Facility,
    waits_s: RefCell<Tally>,
    responses_s: RefCell<Histogram>,
}

async fn customer(me: Process<'_>, bank: &Bank, needed_s: f64) -> Result<(), Stopped> {
    let start_s = me.now_s();
    let teller = bank.tellers.reserve(&me).await?;
    bank.waits_s.borrow_mut().record(me.now_s() - start_s);
    me.hold(needed_s).await?;
    teller.release();
    bank.responses_s.borrow_mut().record(me.now_s() - start_s);
    Ok(())
}

async fn open<'w>(me: Process<'w>, bank: &'w Bank) -> Result<(), Stopped> {
    let mut arrivals = me.generator("arrivals");
    let mut services = me.generator("services");
    loop {
        me.hold(arrivals.exponential(ARRIVAL_MEAN_S)?).await?;
        let needed_s = services.exponential(SERVICE_MEAN_S)?;
        me.spawn(move |next| customer(next, bank, needed_s));
    }
}

/// Creates the histogram of the times that customers spend in the bank, in seconds.
fn times() -> Histogram {
    Histogram::new(0.0, 300.0, 10)
}

/// Simulates a day at the bank.
fn day(seed: u64) -> Result<Bank, Failure> {
    let bank = Bank {
        tellers: Facility::new("tellers", TELLERS),
        waits_s: RefCell::default(),
        responses_s: RefCell::new(times()),
    };
    let study = Study::new().seed(seed).until(WARM_UP_S + DAY_S);
    study.run(&bank, async |sim, bank| {
        sim.spawn(|me| open(me, bank));
        sim.hold(WARM_UP_S).await?;
        bank.tellers.reset_statistics(&sim);
        bank.waits_s.replace(Tally::new());
        bank.responses_s.replace(times());
        Ok(())
    })?;
    Ok(bank)
}

/// Returns the mean wait in an M/M/c queue, in seconds.
fn theory_s() -> f64 {
    let load = SERVICE_MEAN_S / ARRIVAL_MEAN_S;
    let (mut term, mut sum) = (1.0, 0.0);
    for servers in 1..=TELLERS {
        sum += term;
        term *= load / f64::from(servers);
    }
    let free = 1.0 - load / f64::from(TELLERS);
    let waiting = term / free / (sum + term / free);
    waiting * SERVICE_MEAN_S / (f64::from(TELLERS) * free)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut waits_s, mut utilization) = (Tally::new(), Tally::new());
    let mut first = None;
    for seed in 0..REPLICATIONS {
        let bank = day(seed)?;
        waits_s.record(bank.waits_s.borrow().mean());
        let statistics = bank.tellers.statistics();
        utilization.record(statistics.utilization);
        first.get_or_insert((bank, statistics));
    }

    let mut out = io::stdout().lock();
    writeln!(out, "{REPLICATIONS} days of a bank with {TELLERS} tellers")?;
    for (what, tally) in [("wait, s", &waits_s), ("tellers busy", &utilization)] {
        let interval = tally.interval(LEVEL).ok_or("too few replications")?;
        writeln!(out, "  {what:<13}{interval}")?;
    }
    writeln!(out, "  in theory    {:.4}", theory_s())?;
    if let Some((bank, statistics)) = first {
        writeln!(out, "The first day: {statistics}")?;
        writeln!(out, "Times in the bank, s: {}", bank.responses_s.borrow())?;
    }
    Ok(())
}
