//! Finds out who waits for whom when nothing is left to happen.

use std::collections::{BTreeMap, BTreeSet};
use std::task::Poll;

use super::processes::Processes;
use super::world::World;
use crate::kernel::{Phase, Wanted};
use crate::results::failure::{Cause, Deadlock, Failure, WaitingProcess, Who};

/// Processes that a report names.
const NAMED_MAX: usize = 10;
/// Messages that it names of those that nobody takes, for each process.
const UNTAKEN_MAX: usize = 3;

/// Describes a deadlock: all units that have not ended wait.
#[cold]
pub(crate) fn report(world: &World<'_>, processes: &mut dyn Processes) -> Failure {
    let mut waiting = processes.waiting(world);
    let mut threads = world.members.units();
    threads.retain(|unit| world.unit(*unit).phase.get() != Phase::Ended);
    if !threads.is_empty() {
        // Those of a process together, its threads in their order.
        waiting.append(&mut threads);
        waiting.sort_by_key(|unit| world.pid_and_tid(*unit));
    }
    let count = processes.count(world);
    let mut inquiry = Inquiry {
        world,
        processes,
        answers: BTreeMap::new(),
        told: BTreeSet::new(),
    };
    let named = &waiting[..waiting.len().min(NAMED_MAX)];
    let cycle = named.iter().find_map(|unit| inquiry.cycle_from(*unit));
    let deadlock = Deadlock {
        waiting: named.iter().map(|unit| inquiry.describe(*unit)).collect(),
        more: u32::try_from(waiting.len() - named.len()).unwrap_or(u32::MAX),
        processes: count,
        cycle: cycle
            .unwrap_or_default()
            .into_iter()
            .map(|unit| inquiry.who(unit))
            .collect(),
    };
    let time_s = world.now_s();
    Failure {
        time_s,
        process: None,
        thread: None,
        element: None,
        cause: Box::new(Cause::Deadlock(deadlock)),
    }
}

/// What has been found out so far: each unit is asked once.
struct Inquiry<'e, 's> {
    world: &'e World<'s>,
    processes: &'e mut dyn Processes,
    answers: BTreeMap<u32, Wanted>,
    /// The processes whose messages have been told.
    told: BTreeSet<u32>,
}

impl Inquiry<'_, '_> {
    fn ask(&mut self, unit: u32) -> &Wanted {
        let (world, processes) = (self.world, &mut *self.processes);
        self.answers.entry(unit).or_insert_with(|| {
            // One that has not started must not do so now.
            waits_to_start(world, unit).unwrap_or_else(|| {
                world.ask(|| {
                    let process = world.members.resume(unit);
                    // A program that counts its polls may end now; its other threads ask, too.
                    if let Some(Poll::Ready(_)) = processes.poll(process) {
                        processes.end(world, process);
                    }
                })
            })
        })
    }

    fn has_ended(&self, unit: u32) -> bool {
        self.world.unit(unit).phase.get() == Phase::Ended
    }

    /// Who a unit is to the user.
    fn who(&self, unit: u32) -> Who {
        let Who { process, thread } = self.world.members.who(unit);
        Who {
            process: self.processes.number(process),
            thread,
        }
    }

    /// Follows who waits for whom from a unit, and returns the cycle that this leads into.
    fn cycle_from(&mut self, start: u32) -> Option<Vec<u32>> {
        let mut path = vec![start];
        let mut places = BTreeMap::from([(start, 0)]);
        let mut unit = start;
        loop {
            unit = self.ask(unit).process?;
            if self.has_ended(unit) {
                return None;
            }
            if let Some(place) = places.insert(unit, path.len()) {
                return Some(path.split_off(place));
            }
            path.push(unit);
        }
    }

    fn describe(&mut self, unit: u32) -> WaitingProcess {
        let Wanted { text, process } = self.ask(unit).clone();
        let ended = process.is_some_and(|process| self.has_ended(process));
        let who = self.who(unit);
        let (pid, _) = self.world.pid_and_tid(unit);
        let (untaken, untaken_more) = if self.told.insert(pid) {
            self.world.untaken(pid, UNTAKEN_MAX)
        } else {
            (Vec::new(), 0)
        };
        WaitingProcess {
            process: who.process,
            thread: who.thread,
            name: self.processes.name(unit),
            element: self.world.site(self.world.unit(unit).element.get()),
            wanted: if ended {
                text + ", which has ended"
            } else {
                text
            },
            untaken,
            untaken_more,
        }
    }
}

/// What a unit waits for that has not started, if it is one.
fn waits_to_start(world: &World<'_>, unit: u32) -> Option<Wanted> {
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
        text: format!("a CPU of node {nid}; they are held by {}", named.join("; ")),
        process: holders.first().copied(),
    })
}
