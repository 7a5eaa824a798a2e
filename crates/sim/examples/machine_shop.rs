//! Machine shop: machines break, and a repairman interrupts other work to fix them.
//!
//! Shows: interrupts, a preemptive facility with priorities, background processes, a process that
//! waits for others, a run until a certain time, tallies.
//!
//! Scenario: a workshop has ten identical machines. Each makes parts, one after another, and breaks
//! down now and then. This interrupts the current part, which is finished once the machine has been
//! repaired. There is one repairman. While no machine is broken, he works on less important jobs.
//! When a machine needs him, he leaves such a job immediately, and later continues where he left
//! off. How many parts does the workshop make in four weeks?

use std::cell::{Cell, RefCell};
use std::io::{self, Write};

use prophet_sim::statistics::Tally;
use prophet_sim::{Discipline, Facility, Handle, Process, Stopped, Study};

const SEED: u64 = 42;
const MACHINES: u32 = 10;
const PART_MEAN_MIN: f64 = 10.0; // Minutes to make a part
const PART_DEVIATION_MIN: f64 = 2.0;
const LIFE_MEAN_MIN: f64 = 300.0; // Mean minutes between two failures
const REPAIR_MIN: f64 = 20.0; // Minutes to repair a machine
const JOB_MIN: f64 = 30.0; // Minutes that a less important job takes
const WEEKS: f64 = 4.0;
const END_MIN: f64 = WEEKS * 7.0 * 24.0 * 60.0;

const URGENT: i32 = 1;

struct Shop {
    repairman: Facility,
    /// Number of parts that each machine has made.
    parts: Vec<Cell<u32>>,
    /// How long machines were down, in minutes.
    outages_min: RefCell<Tally>,
    jobs: Cell<u32>,
}

/// Makes parts. An interrupt means that the machine breaks down.
async fn machine(me: Process<'_>, shop: &Shop, number: u32) -> Result<(), Stopped> {
    let mut times = me.generator(&format!("machine {number}"));
    me.set_priority(URGENT);
    loop {
        let mut left_min = times.normal(PART_MEAN_MIN, PART_DEVIATION_MIN)?.max(0.0);
        loop {
            let start_min = me.now_s();
            if me.interruptible(me.hold(left_min)).await?.is_ok() {
                break;
            }
            left_min -= me.now_s() - start_min;
            let broken_min = me.now_s();
            shop.repairman.use_for(&me, REPAIR_MIN).await?;
            let outage_min = me.now_s() - broken_min;
            shop.outages_min.borrow_mut().record(outage_min);
        }
        let parts = &shop.parts[number as usize];
        parts.set(parts.get() + 1);
    }
}

/// Makes a machine break down from time to time.
async fn wear(me: Process<'_>, machine: Handle<'_>, number: u32) -> Result<(), Stopped> {
    let mut lives = me.generator(&format!("life {number}"));
    loop {
        me.hold(lives.exponential(LIFE_MEAN_MIN)?).await?;
        machine.interrupt();
    }
}

/// What the repairman does when no machine is broken.
async fn other_jobs(me: Process<'_>, shop: &Shop) -> Result<(), Stopped> {
    loop {
        shop.repairman.use_for(&me, JOB_MIN).await?;
        shop.jobs.set(shop.jobs.get() + 1);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shop = Shop {
        repairman: Facility::with_discipline("repairman", 1, Discipline::Preemptive),
        parts: (0..MACHINES).map(|_| Cell::new(0)).collect(),
        outages_min: RefCell::default(),
        jobs: Cell::new(0),
    };
    // In this study, the clock counts minutes.
    let study = Study::new().seed(SEED).until(END_MIN);
    study.run(&shop, async |sim, shop| {
        for number in 0..MACHINES {
            let made = sim.spawn(move |me| machine(me, shop, number));
            made.named(format!("machine {number}"));
            sim.spawn(move |me| wear(me, made, number));
        }
        sim.spawn(|me| other_jobs(me, shop)).named("other jobs");
        Ok(())
    })?;

    let mut out = io::stdout().lock();
    writeln!(out, "Machine shop after {WEEKS} weeks")?;
    for (number, parts) in shop.parts.iter().enumerate() {
        writeln!(out, "  machine {number} made {} parts", parts.get())?;
    }
    let made: u32 = shop.parts.iter().map(Cell::get).sum();
    writeln!(out, "  {made} parts in all, {} other jobs", shop.jobs.get())?;
    writeln!(out, "Outages, minutes: {}", shop.outages_min.borrow())?;
    let busy = shop.repairman.statistics().utilization;
    writeln!(
        out,
        "The repairman is busy {:.1} % of the time",
        100.0 * busy
    )?;
    Ok(())
}
