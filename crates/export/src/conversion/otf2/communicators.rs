//! Finds the communicators of a trace's collectives.

use std::collections::{BTreeMap, BTreeSet};

use prophet_trace::{Record, UnitState};

/// Number of the communicator that contains all processes.
pub(super) const WORLD: usize = 0;

/// Identifies a communicator at an element: the index of the element, and the first process in the
/// communicator.
type Name = (Option<u32>, u32);

/// The communicators of a trace's collectives. Equal sets of processes are stored once.
#[derive(Debug, Default)]
pub(super) struct Communicators {
    /// Processes in each communicator, in order; empty if it contains all processes.
    members: Vec<Vec<u32>>,
    numbers: BTreeMap<Name, usize>,
}

impl Communicators {
    pub(super) fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut sets: BTreeMap<Name, BTreeSet<u32>> = BTreeMap::new();
        for record in records {
            if record.state == UnitState::Content
                && let Some(first) = record.comm_pid()
            {
                let set = sets.entry((record.element_index(), first)).or_default();
                set.insert(record.pid);
            }
        }
        let mut communicators = Self {
            members: vec![Vec::new()],
            numbers: BTreeMap::new(),
        };
        let mut known: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
        for (name, set) in sets {
            let set: Vec<u32> = set.into_iter().collect();
            let next = communicators.members.len();
            let number = *known.entry(set).or_insert_with_key(|set| {
                communicators.members.push(set.clone());
                next
            });
            communicators.numbers.insert(name, number);
        }
        communicators
    }

    /// Iterates over the communicators that don't contain all processes: their numbers and
    /// processes.
    pub(super) fn others(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let members = self.members.iter().enumerate().skip(WORLD + 1);
        members.map(|(number, members)| (number, &**members))
    }

    /// Returns the number of a collective's communicator, and its processes unless it contains all
    /// of them.
    pub(super) fn of_call(&self, call: &Record) -> (usize, Option<&[u32]>) {
        let name = call.comm_pid().map(|first| (call.element_index(), first));
        let number = name.and_then(|name| self.numbers.get(&name));
        number.map_or((WORLD, None), |number| {
            (*number, Some(&*self.members[*number]))
        })
    }
}
