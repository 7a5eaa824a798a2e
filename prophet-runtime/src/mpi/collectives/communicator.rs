//! Defines communicators: the processes that take part in a collective, and how their calls are
//! matched.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use prophet_map::Map;

use super::{Calls, Meeting, Meetings};
use crate::kernel::local::Abroad;
use crate::language::fault::Fault;
use crate::language::number::Int;

/// The color of a process, which determines its communicator. It can also be the fault that
/// computing the color caused.
///
/// Processes with the same color form a communicator.
pub trait Color {
    /// Returns the color.
    ///
    /// # Errors
    ///
    /// Returns the fault that computing the color caused.
    fn color(self) -> Result<Int, Fault>;
}

impl Color for Int {
    fn color(self) -> Result<Int, Fault> {
        Ok(self)
    }
}

impl Color for Result<Int, Fault> {
    fn color(self) -> Result<Int, Fault> {
        self
    }
}

/// The ranks of a run, and the ranks of one of its threads.
#[derive(Debug)]
pub(crate) struct Ranks<'r> {
    pub(crate) mapping: &'r [u32],
    pub(crate) here: Range<u32>,
    /// State for the ranks of other threads, if there are any.
    pub(crate) elsewhere: Option<(&'r Meetings, &'r Abroad)>,
}

/// A set of processes, ranked by their numbers, and the collectives that they call.
#[derive(Debug)]
pub(crate) struct Communicator {
    /// The number of the communicator. 0 is the communicator of all processes.
    id: u32,
    pub(crate) ranks: u32,
    /// The processes in order, or empty for all processes.
    members: Box<[u32]>,
    made: Box<[Cell<u64>]>,
    pub(crate) calls: RefCell<Calls>,
    /// Number of its processes that this thread simulates.
    pub(crate) here: u32,
    /// Where threads match their calls, if several threads have processes in this communicator.
    pub(crate) meeting: Option<Arc<Meeting>>,
    pub(crate) spans_nodes: bool,
    /// Number of nodes that its processes are on. Computed when a formula first needs it.
    nodes: OnceCell<u32>,
}

impl Communicator {
    pub(crate) fn world(ranks: &Ranks<'_>) -> Self {
        let mapping = ranks.mapping;
        let spans_nodes = mapping.iter().any(|nid| Some(nid) != mapping.first());
        Self {
            here: ranks.here.end - ranks.here.start,
            meeting: ranks
                .elsewhere
                .map(|(meetings, _)| Arc::clone(&meetings.all)),
            made: vec![Cell::new(0); ranks.here.end as usize].into(),
            ..Self::new(0, mapping.len(), Box::default(), spans_nodes)
        }
    }

    fn new(id: u32, ranks: usize, members: Box<[u32]>, spans_nodes: bool) -> Self {
        // Process numbers have 32 bits.
        let count = u32::try_from(ranks).unwrap_or(u32::MAX);
        Self {
            id,
            ranks: count,
            members,
            made: Box::default(),
            calls: RefCell::default(),
            here: count,
            meeting: None,
            spans_nodes,
            nodes: OnceCell::new(),
        }
    }

    /// Returns the number of nodes that its processes are on. `mapping` contains the node of each
    /// process in the run.
    pub(crate) fn nodes(&self, mapping: &[u32]) -> u32 {
        let count = || {
            let nid = |process: &u32| mapping.get(*process as usize).copied();
            let mut nodes = match &*self.members {
                [] => mapping.to_vec(),
                members => members.iter().filter_map(nid).collect(),
            };
            nodes.sort_unstable();
            nodes.dedup();
            u32::try_from(nodes.len()).unwrap_or(u32::MAX)
        };
        if self.spans_nodes {
            *self.nodes.get_or_init(count)
        } else {
            1
        }
    }

    /// Returns the communicator's number. 0 is the communicator of all processes.
    pub(crate) fn number(&self) -> u32 {
        self.id
    }

    /// Returns the processes in order, or nothing for all processes.
    pub(crate) fn members(&self) -> &[u32] {
        &self.members
    }

    #[inline]
    pub(crate) fn process(&self, rank: u32) -> u32 {
        if self.id == 0 {
            return rank;
        }
        self.members[rank as usize]
    }

    /// Returns the first process, which identifies the communicator at an element, or `None` for
    /// the communicator of all processes.
    pub(crate) fn first(&self) -> Option<u32> {
        self.members.first().copied()
    }

    #[inline]
    pub(crate) fn rank(&self, process: u32) -> u32 {
        if self.id == 0 {
            return process;
        }
        let place = self.members.binary_search(&process);
        u32::try_from(place.unwrap_or_default()).unwrap_or(0)
    }

    /// Counts a rank's call of a collective. Returns the number of its calls before this one.
    #[inline]
    pub(crate) fn count_call(&self, rank: u32) -> u64 {
        let made = &self.made[rank as usize];
        made.replace(made.get() + 1)
    }

    /// Returns the first process that has made at most `calls` calls.
    pub(crate) fn first_behind(&self, calls: u64) -> Option<u32> {
        let rank = self.made.iter().position(|made| made.get() <= calls)?;
        Some(self.process(u32::try_from(rank).ok()?))
    }

    /// Returns the tag for the messages of a call. No other call uses that tag between the same
    /// processes at the same time.
    #[inline]
    pub(crate) fn tag(&self, call: u64) -> i64 {
        tag(self.id, call)
    }
}

#[inline]
pub(crate) fn tag(id: u32, call: u64) -> i64 {
    ((u64::from(id) << 32) | (call & u64::from(u32::MAX))).cast_signed()
}

/// Maximum number of processes that the text about a communicator names.
const NAMED_MAX: usize = 8;

/// Writes the processes as text that continues "a collective", or nothing for all processes.
impl fmt::Display for Communicator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = " of the processes ";
        for process in self.members.iter().take(NAMED_MAX) {
            write!(f, "{gap}{process}")?;
            gap = ", ";
        }
        if self.members.len() > NAMED_MAX {
            write!(f, ", … ({} in all)", self.members.len())?;
        }
        Ok(())
    }
}

#[derive(Debug)]
pub(crate) struct Communicators {
    all: Rc<Communicator>,
    first: u32,
    /// The communicators of some processes, by their members. There is only one communicator for
    /// each set.
    known: Map<Box<[u32]>, Rc<Communicator>>,
    splits: Vec<Rc<Split>>,
    of_elements: Map<u32, Rc<Split>>,
}

/// The communicator of each process that this thread simulates.
type Split = [Rc<Communicator>];

impl Communicators {
    /// Creates a list that contains only the communicator of all processes.
    pub(crate) const fn new(all: Rc<Communicator>, first: u32) -> Self {
        Self {
            all,
            first,
            known: Map::new(),
            splits: Vec::new(),
            of_elements: Map::new(),
        }
    }

    /// Returns a process's communicator at an element, if the element has already split the
    /// processes.
    pub(crate) fn of(&self, element: u32, process: u32) -> Option<Rc<Communicator>> {
        let split = self.of_elements.get(&element)?;
        split
            .get(process.wrapping_sub(self.first) as usize)
            .cloned()
    }

    /// Returns the communicator with a number other than 0, if processes of this thread belong to
    /// it.
    pub(crate) fn numbered(&self, number: u32) -> Option<Rc<Communicator>> {
        let mut known = self.known.values();
        known.find(|it| it.id == number).cloned()
    }

    pub(crate) fn split(&mut self, element: u32, colors: &[i64], ranks: &Ranks<'_>) {
        let is_here = |process: &u32| ranks.here.contains(process);
        let mut sets: Map<i64, Vec<u32>> = Map::new();
        for (process, color) in (0..).zip(colors) {
            sets.get_or_default(*color).push(process);
        }
        let communicators: Map<i64, Rc<Communicator>> = sets
            .into_iter()
            .filter(|(_, members)| members.iter().any(is_here))
            .map(|(color, members)| (color, self.communicator(members, ranks)))
            .collect();
        let split: Rc<Split> = colors[ranks.here.start as usize..ranks.here.end as usize]
            .iter()
            .map(|color| Rc::clone(&communicators[color]))
            .collect();
        let same = |known: &&Rc<Split>| {
            let mut pairs = known.iter().zip(&*split);
            pairs.all(|(known, new)| Rc::ptr_eq(known, new))
        };
        let known = self.splits.iter().find(same).cloned();
        let split = known.unwrap_or_else(|| {
            self.splits.push(Rc::clone(&split));
            split
        });
        self.of_elements.insert(element, split);
    }

    /// Finds or creates the communicator of these processes, which must be in order.
    fn communicator(&mut self, members: Vec<u32>, ranks: &Ranks<'_>) -> Rc<Communicator> {
        let mapping = ranks.mapping;
        if members.len() == mapping.len() {
            return Rc::clone(&self.all);
        }
        if let Some(known) = self.known.get(&*members) {
            return Rc::clone(known);
        }
        let members: Box<[u32]> = members.into();
        let nid = |process: &u32| mapping.get(*process as usize);
        let first = members.first().and_then(nid);
        let spans_nodes = members.iter().any(|process| nid(process) != first);
        let here = members.iter().filter(|it| ranks.here.contains(it)).count();
        let (id, meeting) = match ranks.elsewhere {
            None => (
                u32::try_from(self.known.len() + 1).unwrap_or(u32::MAX),
                None,
            ),
            Some((meetings, abroad)) => {
                let threads = abroad.threads_of(&members);
                let (id, meeting) = meetings.of(&members, threads);
                (id, (threads > 1).then_some(meeting))
            }
        };
        let communicator = Rc::new(Communicator {
            here: u32::try_from(here).unwrap_or(u32::MAX),
            made: vec![Cell::new(0); members.len()].into(),
            meeting,
            ..Communicator::new(id, members.len(), members.clone(), spans_nodes)
        });
        self.known.insert(members, Rc::clone(&communicator));
        communicator
    }
}
