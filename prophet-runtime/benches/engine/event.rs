//! Measures the rows for the engine `event`.

use std::cell::{Cell, RefCell};

use prophet_runtime::{
    Facility, Generator, Mailbox, Model, ProcessCtx, Simulation, Stopped, System,
};
use prophet_sim::{Process, Study};

use crate::measure::{Bench, Compared, Row, Stopwatch, compare, resident_bytes};
use crate::reference::{odem_mm1, the_loop};

/// Number of pairs of runs. Results are medians.
const PAIRS: usize = 7;
/// Number of turns in a short measurement.
const TURNS: u32 = 1_000_000;

const MODEL: Model = Model::new("Bench", &[], 0);

pub(crate) fn rows() -> Vec<Bench> {
    let using = || mm1(TURNS / 2, true);
    let reserving = || mm1(TURNS / 2, false);
    vec![
        hold_row("hold, 1,000 processes", 1000, 1.3),
        hold_row("hold, 1 process", 1, 0.5),
        hold_row("hold, 100,000 processes", 100_000, 0.6),
        hold_row("hold, 1,000,000 processes", 1_000_000, 0.8),
        Bench::new(
            "M/M/1 at 0.9, a process per customer, statistics on",
            move |work| {
                let seen = compare(PAIRS, || odem_mm1(TURNS / 2), using);
                Row::ratio(work, "odem-rs 0.3", 2.0, seen)
            },
        ),
        Bench::new(
            "M/M/1 at 0.9, customers who reserve and release",
            move |work| {
                let seen = compare(PAIRS, || odem_mm1(TURNS / 2), reserving);
                Row::ratio(work, "odem-rs 0.3", 2.0, seen)
            },
        ),
        Bench::new("M/M/1 again, against the loop", move |work| {
            Row::ratio(work, LOOP, 0.53, against_the_loop(using))
        }),
        Bench::new("mailbox ping-pong", |work| {
            Row::ratio(work, LOOP, 1.5, against_the_loop(|| ring(2)))
        }),
        Bench::new("a ring of 10,000 processes", |work| {
            Row::ratio(work, LOOP, 1.5, against_the_loop(|| ring(10_000)))
        }),
        Bench::new("memory beyond the process's own future", memory),
    ]
}

pub(crate) const LOOP: &str = "the loop at 1,000";

pub(crate) fn against_the_loop(ours: impl Fn() -> f64) -> Compared {
    compare(PAIRS, || the_loop(1000, TURNS), ours)
}

fn hold_row(work: &'static str, processes: u32, target: f64) -> Bench {
    Bench::new(work, move |work| {
        let seen = compare(
            PAIRS,
            || the_loop(u64::from(processes), TURNS),
            || hold(processes, TURNS),
        );
        Row::ratio(work, "the loop", target, seen)
    })
}

/// Runs `processes` instances of `program`, each on a CPU of its own.
fn run<P>(processes: u32, program: P)
where
    P: AsyncFn(&ProcessCtx<'_>) -> Result<(), Stopped>,
{
    let simulation = Simulation::new(&MODEL, System::new(1, processes, processes, 1));
    if let Err(failure) = simulation.run(program) {
        eprintln!("{failure}");
    }
}

/// Counts units of work, and measures the time from the end of the first round to the last unit.
struct Work {
    left: Cell<u32>,
    watch: RefCell<Option<Stopwatch>>,
    seconds: Cell<f64>,
}

impl Work {
    fn new(units: u32) -> Self {
        Self {
            left: Cell::new(units),
            watch: RefCell::new(None),
            seconds: Cell::new(0.0),
        }
    }

    fn start(&self) {
        if self.left.get() > 0 {
            self.watch.borrow_mut().get_or_insert_with(Stopwatch::start);
        }
    }

    /// Returns `true` if there is another unit of work.
    #[inline]
    fn go_on(&self) -> bool {
        let left = self.left.get();
        if left == 0 {
            self.stop();
            return false;
        }
        self.left.set(left - 1);
        true
    }

    #[cold]
    fn stop(&self) {
        if let Some(watch) = self.watch.take() {
            self.seconds.set(watch.seconds());
        }
    }
}

/// Returns the time per hold, in seconds.
fn hold(processes: u32, holds: u32) -> f64 {
    let generator = RefCell::new(Generator::new(1, 0, 1));
    let work = Work::new(holds);
    run(processes, async |ctx| {
        let mut time_s = generator.borrow_mut().exponential(1.0)?;
        ctx.hold(time_s).await?;
        work.start();
        while work.go_on() {
            time_s = generator.borrow_mut().exponential(1.0)?;
            ctx.hold(time_s).await?;
        }
        Ok(())
    });
    work.seconds.get() / f64::from(holds)
}

struct Queue {
    server: Facility,
    times: RefCell<Generator>,
    customers: u32,
}

/// A customer whose service the facility times.
async fn use_server(customer: Process<'_>, queue: &Queue) -> Result<(), Stopped> {
    let time_s = queue.times.borrow_mut().exponential(0.9)?;
    queue.server.use_for(&customer, time_s).await
}

/// A customer that times its own service.
async fn reserve_server(customer: Process<'_>, queue: &Queue) -> Result<(), Stopped> {
    let server = queue.server.reserve(&customer).await?;
    let time_s = queue.times.borrow_mut().exponential(0.9)?;
    customer.hold(time_s).await?;
    server.release();
    Ok(())
}

/// Returns the time per customer of M/M/1 at load 0.9, in seconds.
fn mm1(customers: u32, facility_times: bool) -> f64 {
    let queue = Queue {
        server: Facility::new("server", 1),
        times: RefCell::new(Generator::new(1, 0, 1)),
        customers,
    };
    let watch = Stopwatch::start();
    let run = Study::new().run(&queue, async |sim, queue| {
        for _ in 0..queue.customers {
            let time_s = queue.times.borrow_mut().exponential(1.0)?;
            sim.hold(time_s).await?;
            if facility_times {
                sim.spawn(move |customer| use_server(customer, queue));
            } else {
                sim.spawn(move |customer| reserve_server(customer, queue));
            }
        }
        Ok(())
    });
    let seconds = watch.seconds() / f64::from(customers);
    match run {
        Ok(run) => assert_eq!(run.processes, customers + 1, "all customers were served"),
        Err(failure) => eprintln!("{failure}"),
    }
    seconds
}

/// Returns the time per message when a token travels around a ring of mailboxes, in seconds.
fn ring(processes: u32) -> f64 {
    let mailboxes: Vec<Mailbox<u32>> = (0..processes).map(|_| Mailbox::new("box")).collect();
    let work = Work::new(TURNS);
    run(processes, async |ctx| {
        let place = usize::try_from(ctx.pid().0).unwrap_or(0);
        let next = &mailboxes[(place + 1) % mailboxes.len()];
        let own = &mailboxes[place];
        if place == 0 {
            work.start();
            next.send(ctx, 0);
        }
        loop {
            let token = own.receive(ctx).await?;
            next.send(ctx, token + 1);
            if !work.go_on() {
                return Ok(());
            }
        }
    });
    work.seconds.get() / f64::from(TURNS)
}

/// Holds for a different time in each process, so that the event list contains all processes.
async fn three_holds(ctx: &ProcessCtx<'_>) -> Result<(), Stopped> {
    for _ in 0..3 {
        ctx.hold(1.0 + ctx.pid().real() * 1e-7).await?;
    }
    Ok(())
}

/// Measures how many bytes a process that holds takes, apart from its future.
fn memory(work: &str) -> Row {
    const PROCESSES: u32 = 1_000_000;
    let future_bytes = Cell::new(0);
    run(1, async |ctx| {
        let future = three_holds(ctx);
        future_bytes.set(size_of_val(&future));
        future.await
    });
    let used_bytes = Cell::new(0);
    let before_bytes = resident_bytes();
    run(PROCESSES, async |ctx| {
        three_holds(ctx).await?;
        if ctx.pid() == i64::from(PROCESSES) / 2 {
            used_bytes.set(resident_bytes().saturating_sub(before_bytes));
        }
        Ok(())
    });
    let beyond =
        (used_bytes.get() / u64::from(PROCESSES)).saturating_sub(future_bytes.get() as u64);
    let seen = format!("{beyond} bytes, and {} in the future", future_bytes.get());
    Row::new(work, "≤ 160 bytes", seen, beyond <= 160)
}
