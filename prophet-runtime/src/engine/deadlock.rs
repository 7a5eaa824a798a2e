//! Finds out which units are waiting for each other when nothing is left to do.

use std::collections::BTreeSet;

use super::world::World;
use crate::kernel::{Stuck, Wanted};
use crate::results::failure::{Cause, Deadlock, Failure, HELD, WaitingProcess};

/// Maximum number of processes holding CPUs that a report names.
const NAMED_MAX: usize = 10;
/// Maximum number of untaken messages that a report names for each process.
const UNTAKEN_MAX: usize = 3;

/// Describes a deadlock: all units that haven't ended are waiting.
#[cold]
pub(crate) fn report(world: &World<'_>, stuck: Stuck) -> Failure {
    // A process's messages are reported only with its first thread.
    let mut told = BTreeSet::new();
    let waiting = stuck.waiting.into_iter().map(|(unit, wanted)| {
        let (pid, _) = world.pid_and_tid(unit);
        let untaken_max = if told.insert(pid) { UNTAKEN_MAX } else { 0 };
        describe(world, unit, wanted, untaken_max)
    });
    let cycle = stuck.cycle.into_iter().map(|unit| world.members.who(unit));
    let deadlock = Deadlock {
        waiting: waiting.collect(),
        more: stuck.more,
        processes: world.system.processes,
        cycle: cycle.collect(),
    };
    Failure {
        time_s: world.now_s(),
        process: None,
        thread: None,
        element: None,
        cause: Box::new(Cause::Deadlock(deadlock)),
    }
}

fn describe(world: &World<'_>, unit: u32, wanted: String, untaken_max: usize) -> WaitingProcess {
    let who = world.members.who(unit);
    let (pid, _) = world.pid_and_tid(unit);
    let (untaken, untaken_more) = match untaken_max {
        0 => (Vec::new(), 0),
        most => world.untaken(pid, most),
    };
    WaitingProcess {
        process: who.process,
        thread: who.thread,
        element: world.site(world.element_of(unit)),
        wanted,
        untaken,
        untaken_more,
    }
}

/// Returns what a unit must wait for before it can start, or `None` if it can start now or has
/// started.
pub(super) fn waits_to_start(world: &World<'_>, unit: u32) -> Option<Wanted> {
    let nid = world.nid(unit);
    let holders = world.cpus.holders_before(nid, unit)?;
    let named = holders.iter().take(NAMED_MAX);
    let mut named: Vec<String> = named
        .map(|unit| world.members.who(*unit).to_string())
        .collect();
    if holders.len() > NAMED_MAX {
        named.push(format!("{} more", holders.len() - NAMED_MAX));
    }
    Some(Wanted {
        text: format!("a CPU of node {nid}{HELD}{}", named.join("; ")),
        process: holders.first().copied(),
    })
}
