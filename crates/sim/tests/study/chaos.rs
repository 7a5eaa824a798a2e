//! Tests that nothing is lost or duplicated when processes do anything at any time, with many ties.

use std::cell::{Cell, RefCell};

use prophet_sim::study::{Logged, ProcessId};
use prophet_sim::variates::{Generator, OutOfRange};
use prophet_sim::{
    Buffer, Condition, Discipline, Event, Facility, Mailbox, Process, Run, SharedFacility, Stopped,
    Storage, Study,
};

use crate::study::sized;

const SERVERS: u32 = 2;
const UNITS: u64 = 5;
const TOKENS: u64 = 4;
const WORKERS: usize = 12;
const END_S: f64 = 60.0;

struct World {
    desks: Vec<Facility>,
    cpu: SharedFacility,
    memory: Storage,
    belt: Buffer,
    orders: Mailbox<u32>,
    bell: Event,
    changed: Condition,
    level: Cell<u32>,
    /// Number of servers and units that each process has, as it counts them.
    held: Vec<Cell<u32>>,
    units: Cell<u64>,
    sent: Cell<u32>,
    received: RefCell<Vec<u32>>,
    workers: RefCell<Vec<ProcessId>>,
}

fn world() -> World {
    let disciplines = [
        Discipline::Fcfs,
        Discipline::Priority,
        Discipline::Preemptive,
        Discipline::RoundRobin { quantum_s: 1.0 },
    ];
    World {
        desks: { disciplines.iter() }
            .map(|discipline| Facility::with_discipline("desk", SERVERS, *discipline))
            .collect(),
        cpu: SharedFacility::new("cpu", SERVERS),
        memory: Storage::new("memory", UNITS),
        belt: Buffer::with_tokens("belt", TOKENS, 2),
        orders: Mailbox::new("orders"),
        bell: Event::new("bell"),
        changed: Condition::new("changed"),
        level: Cell::new(0),
        held: (0..4).map(|_| Cell::new(0)).collect(),
        units: Cell::new(0),
        sent: Cell::new(0),
        received: RefCell::default(),
        workers: RefCell::default(),
    }
}

/// Counts one unit for as long as it exists.
struct Account<'a>(&'a Cell<u32>);

impl<'a> Account<'a> {
    fn open(held: &'a Cell<u32>) -> Self {
        held.set(held.get() + 1);
        assert!(held.get() <= SERVERS, "a server is had twice");
        Self(held)
    }
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

fn pick(random: &mut Generator, below: u32) -> Result<u32, OutOfRange> {
    let number = random.uniform(0.0, f64::from(below))?;
    Ok((0..below).rfind(|n| f64::from(*n) <= number).unwrap_or(0))
}

/// Does something that may wait for a whole number of seconds, so that there are many ties.
async fn act(me: &Process<'_>, world: &World, random: &mut Generator) -> Result<(), Stopped> {
    let seconds = f64::from(pick(random, 4)?);
    let desk = pick(random, 4)?;
    match pick(random, 12)? {
        0 => world.desks[desk as usize].use_for(me, seconds).await,
        1 => {
            let server = world.desks[desk as usize].reserve(me).await?;
            let account = Account::open(&world.held[desk as usize]);
            me.hold(seconds).await?;
            drop(account);
            server.release();
            Ok(())
        }
        2 => world.cpu.use_for(me, seconds).await,
        3 => {
            let units = 1 + u64::from(pick(random, 4)?);
            let _held = world.memory.allocate(me, units).await?;
            world.units.set(world.units.get() + units);
            assert!(world.units.get() <= UNITS, "units are had twice");
            world.units.set(world.units.get() - units);
            me.hold(seconds).await
        }
        4 => world.belt.put(me, u64::from(1 + desk)).await,
        5 => world.belt.get(me, u64::from(1 + desk)).await,
        6 => {
            let value = world.sent.replace(world.sent.get() + 1);
            world.orders.send(me, value);
            Ok(())
        }
        7 => {
            let value = if desk == 0 {
                world
                    .orders
                    .receive_where(me, |value| value % 2 == 0)
                    .await?
            } else {
                world.orders.receive(me).await?
            };
            world.received.borrow_mut().push(value);
            Ok(())
        }
        8 => world.bell.wait(me).await,
        9 => world.bell.queue(me).await,
        10 => Event::any(me, &[&world.bell]).await.map(drop),
        _ => {
            let level = world.level.get();
            world.changed.until(me, || world.level.get() > level).await
        }
    }
}

fn disturb(me: &Process<'_>, world: &World, random: &mut Generator) -> Result<(), Stopped> {
    let id = world.workers.borrow()[pick(random, 12)? as usize];
    let other = me.process(id);
    match pick(random, 6)? {
        0 => other.interrupt(),
        1 => other.terminate(),
        2 => world.bell.set(me),
        3 => world.bell.clear(),
        4 => {
            world.level.set(world.level.get() + 1);
            world.changed.signal(me);
        }
        _ => other.set_priority(2),
    }
    Ok(())
}

async fn worker<'w>(me: Process<'w>, world: &'w World) -> Result<(), Stopped> {
    let mut random = me.generator(&format!("worker {}", me.number()));
    loop {
        let patience_s = f64::from(pick(&mut random, 4)?);
        let act = act(&me, world, &mut random);
        let _ = me.interruptible(me.timeout(patience_s, act)).await?;
        disturb(&me, world, &mut random)?;
        me.hold(f64::from(pick(&mut random, 3)?)).await?;
    }
}

/// Replaces processes when they end.
async fn boss<'w>(me: Process<'w>, world: &'w World) -> Result<(), Stopped> {
    for _ in 0..WORKERS {
        let handle = me.spawn(move |next| worker(next, world));
        world.workers.borrow_mut().push(handle.id());
    }
    loop {
        me.hold(1.0).await?;
        for place in 0..WORKERS {
            let id = world.workers.borrow()[place];
            if me.process(id).has_ended() {
                let handle = me.spawn(move |next| worker(next, world));
                world.workers.borrow_mut()[place] = handle.id();
            }
        }
    }
}

fn simulate(seed: u64, log: Logged<'_>) -> (Run, Vec<u32>) {
    let world = world();
    let study = Study::new().seed(seed).until(END_S);
    let run = study.run_logged(&world, log, async |sim, world| boss(sim, world).await);
    for desk in &world.desks {
        assert_eq!((desk.free(), desk.queue_len()), (SERVERS, 0));
        let statistics = desk.statistics();
        assert!(statistics.utilization <= 1.0 && statistics.completions > 0);
    }
    assert_eq!(world.cpu.users(), 0);
    let memory = &world.memory;
    assert_eq!((memory.available(), memory.queue_len()), (UNITS, 0));
    assert_eq!((world.belt.queue_len(), world.bell.queue_len()), (0, 0));
    assert_eq!(world.changed.queue_len(), 0);
    assert_eq!(world.orders.queue_len(), 0);
    let received = world.received.into_inner();
    let mut sorted = received.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), received.len(), "a value is received twice");
    let all = received.len() + world.orders.len();
    let run = run.expect("it ends at its limit");
    // If a receive is dropped after it has ended, it has taken its value.
    assert!(all <= world.sent.get() as usize);
    (run, received)
}

#[test]
fn nothing_is_lost_and_nothing_is_had_twice() {
    let (mut processes, seeds) = (0, sized(100, 2));
    for seed in 0..seeds.into() {
        let (run, received) = simulate(seed, Logged::nothing());
        processes += run.processes;
        if seed < 20 {
            let mut entries = 0;
            let told = simulate(seed, Logged::to(|_| entries += 1));
            assert_eq!(told, (run, received), "a log changes nothing");
            assert!(entries > 1000);
        }
    }
    assert!(
        processes > 40 * seeds,
        "{processes}: hardly any is terminated"
    );
}
