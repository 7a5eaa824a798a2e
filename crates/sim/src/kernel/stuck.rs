//! Finds out which processes are waiting for each other when nothing is left to do.

use std::collections::BTreeMap;
use std::task::Poll;

use super::{Kernel, Phase, Program, Wanted};

const NAMED_MAX: usize = 10;

/// Units that wait forever.
#[derive(Debug)]
pub struct Stuck {
    /// The first waiting units, each with what it is waiting for, as text that follows "waits for".
    pub waiting: Vec<(u32, String)>,
    /// Number of further waiting units.
    pub more: u32,
    /// Units that wait for each other in a cycle: each waits for the next, and the last for the
    /// first. Empty if there is no cycle.
    pub cycle: Vec<u32>,
}

/// Finds out what a program's units are waiting for when none of them can continue.
#[cold]
pub(super) fn find<P: Program>(kernel: &Kernel<'_>, program: &mut P) -> Stuck {
    let waiting = program.waiting();
    let named = &waiting[..waiting.len().min(NAMED_MAX)];
    let mut inquiry = Inquiry {
        kernel,
        program,
        answers: BTreeMap::new(),
    };
    let cycle = named.iter().find_map(|unit| inquiry.cycle_from(*unit));
    Stuck {
        waiting: named
            .iter()
            .map(|unit| (*unit, inquiry.describe(*unit)))
            .collect(),
        more: u32::try_from(waiting.len() - named.len()).unwrap_or(u32::MAX),
        cycle: cycle.unwrap_or_default(),
    }
}

/// What is known so far; each unit is asked only once.
struct Inquiry<'e, 's, P> {
    kernel: &'e Kernel<'s>,
    program: &'e mut P,
    answers: BTreeMap<u32, Wanted>,
}

impl<P: Program> Inquiry<'_, '_, P> {
    fn ask(&mut self, unit: u32) -> &Wanted {
        let (kernel, program) = (self.kernel, &mut *self.program);
        self.answers.entry(unit).or_insert_with(|| {
            // A unit that hasn't started must not be started by the poll.
            program.waits_to_start(unit).unwrap_or_else(|| {
                kernel.ask(|| {
                    let process = program.resume(unit);
                    // A program that counts its polls may end here. Its other threads are still
                    // asked.
                    if let Some(Poll::Ready(_)) = program.poll(process) {
                        program.end(process);
                    }
                })
            })
        })
    }

    fn has_ended(&self, unit: u32) -> bool {
        self.kernel.unit(unit).phase.get() == Phase::Ended
    }

    /// Follows the waits from unit to unit, beginning with `start`, and returns the cycle that they
    /// lead to.
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

    fn describe(&mut self, unit: u32) -> String {
        let Wanted { text, process } = self.ask(unit).clone();
        if process.is_some_and(|process| self.has_ended(process)) {
            text + ", which has ended"
        } else {
            text
        }
    }
}
