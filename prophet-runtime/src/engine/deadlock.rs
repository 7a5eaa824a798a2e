//! Finds out who waits for whom when nothing is left to happen.

use std::collections::BTreeMap;

use super::arena::Arena;
use super::unit::Phase;
use super::world::{Wanted, World};
use crate::failure::{Cause, Deadlock, Failure, WaitingProcess};
use crate::stopped::Stopped;

/// Processes that a report names.
const NAMED_MAX: usize = 10;

/// Describes a deadlock: all units that have not ended wait.
#[cold]
pub(crate) fn report<F>(world: &World<'_>, arena: &mut Arena<F>) -> Failure
where
    F: Future<Output = Result<(), Stopped>>,
{
    let waiting: Vec<u32> = (0..world.system.processes)
        .filter(|unit| world.unit(*unit).phase.get() != Phase::Ended)
        .collect();
    let mut inquiry = Inquiry {
        world,
        arena,
        answers: BTreeMap::new(),
    };
    let named = &waiting[..waiting.len().min(NAMED_MAX)];
    let cycle = named.iter().find_map(|unit| inquiry.cycle_from(*unit));
    let deadlock = Deadlock {
        waiting: named.iter().map(|unit| inquiry.describe(*unit)).collect(),
        more: u32::try_from(waiting.len() - named.len()).unwrap_or(u32::MAX),
        processes: world.system.processes,
        cycle: cycle.unwrap_or_default(),
    };
    let time_s = world.now_s();
    Failure {
        time_s,
        process: None,
        element: None,
        cause: Box::new(Cause::Deadlock(deadlock)),
    }
}

/// What has been found out so far: each unit is asked once.
struct Inquiry<'e, 's, F> {
    world: &'e World<'s>,
    arena: &'e mut Arena<F>,
    answers: BTreeMap<u32, Wanted>,
}

impl<F> Inquiry<'_, '_, F>
where
    F: Future<Output = Result<(), Stopped>>,
{
    fn ask(&mut self, unit: u32) -> &Wanted {
        let (world, arena) = (self.world, &mut *self.arena);
        self.answers.entry(unit).or_insert_with(|| {
            world.ask(|| {
                let _ = arena.poll(unit as usize);
            })
        })
    }

    fn has_ended(&self, unit: u32) -> bool {
        self.world.unit(unit).phase.get() == Phase::Ended
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
        WaitingProcess {
            process: unit,
            element: self.world.site(self.world.unit(unit).element.get()),
            wanted: if ended {
                text + ", which has ended"
            } else {
                text
            },
        }
    }
}
