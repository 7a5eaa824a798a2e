//! Port: ships need a berth, tugs, and the tide.
//!
//! Shows: a storage from which a process takes several units, a condition on the model's state,
//! holding several resources at the same time, tallies with confidence intervals.
//!
//! Scenario: ships arrive at a port with three berths. A large ship needs two tugs to enter and to
//! leave, and can enter only at high water. A small ship needs one tug and doesn't depend on the
//! tide. The tide turns every six hours. How long do ships wait outside, and would a third tug
//! help?

use std::cell::{Cell, RefCell};
use std::io::{self, Write};

use prophet_sim::statistics::Tally;
use prophet_sim::{Condition, Facility, Failure, Process, Stopped, Storage, Study};

const SEED: u64 = 11;
const BERTHS: u32 = 3;
const TIDE_H: f64 = 6.0; // Hours between two turns of the tide
const ARRIVALS_H: f64 = 5.0; // Mean hours between two ships
const MOORING_H: f64 = 0.75; // Hours needed to moor or unmoor a ship
const LARGE: f64 = 0.4; // Share of large ships
const END_H: f64 = 365.0 * 24.0;

struct Port {
    berths: Facility,
    tugs: Storage,
    is_high: Cell<bool>,
    tide: Condition,
    /// Time from arrival to mooring in hours, for small and large ships.
    waits_h: [RefCell<Tally>; 2],
}

/// Turns the tide, and signals ships that are waiting for it.
async fn moon(me: Process<'_>, port: &Port) -> Result<(), Stopped> {
    loop {
        port.is_high.set(!port.is_high.get());
        port.tide.signal(&me);
        me.hold(TIDE_H).await?;
    }
}

/// Makes a ship arrive, moor, unload, and leave.
async fn ship(me: Process<'_>, port: &Port, is_large: bool, unload_h: f64) -> Result<(), Stopped> {
    let arrived_h = me.now_s();
    let berth = port.berths.reserve(&me).await?;
    if is_large {
        port.tide.until(&me, || port.is_high.get()).await?;
    }
    let needed = if is_large { 2 } else { 1 };
    let tugs = port.tugs.allocate(&me, needed).await?;
    let waited_h = me.now_s() - arrived_h;
    port.waits_h[usize::from(is_large)]
        .borrow_mut()
        .record(waited_h);
    me.hold(MOORING_H).await?;
    tugs.release();
    me.hold(unload_h).await?;
    let tugs = port.tugs.allocate(&me, needed).await?;
    me.hold(MOORING_H).await?;
    tugs.release();
    berth.release();
    Ok(())
}

/// Simulates a year of a port with `tugs` tugs.
fn year(tugs: u64) -> Result<Port, Failure> {
    let port = Port {
        berths: Facility::new("berths", BERTHS),
        tugs: Storage::new("tugs", tugs),
        is_high: Cell::new(false),
        tide: Condition::new("tide"),
        waits_h: Default::default(),
    };
    // In this study, the clock counts hours.
    let study = Study::new().seed(SEED).until(END_H);
    study.run(&port, async |sim, port| {
        sim.spawn(|me| moon(me, port)).named("moon").background();
        let mut ships = sim.generator("ships");
        loop {
            sim.hold(ships.exponential(ARRIVALS_H)?).await?;
            let is_large = ships.bernoulli(LARGE)?;
            let unload_h = ships.uniform(4.0, if is_large { 16.0 } else { 8.0 })?;
            sim.spawn(move |me| ship(me, port, is_large, unload_h));
        }
    })?;
    Ok(port)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = io::stdout().lock();
    for tugs in 2..=3 {
        let port = year(tugs)?;
        writeln!(out, "A year with {tugs} tugs")?;
        for (kind, waits_h) in ["small", "large"].iter().zip(&port.waits_h) {
            writeln!(out, "  {kind} ships wait, hours: {}", waits_h.borrow())?;
        }
        let berths = 100.0 * port.berths.statistics().utilization;
        writeln!(out, "  berths are taken {berths:.1} % of the time")?;
    }
    Ok(())
}
