//! Stores the state that ranks share, and implements their messages.

pub(crate) mod altered;
pub(crate) mod collectives;
pub(crate) mod contents;
pub(crate) mod lane;
pub(crate) mod links;
mod message_values;
pub(crate) mod plain;
pub(crate) mod scaled;
pub(crate) mod transfer;
mod untaken;

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use crate::kernel::{Account, NO_ELEMENT, Phase, Spending as _};
use crate::messages::matching::Matching;
use crate::messages::requests::Requests;
use crate::nodes::Nodes;
use altered::Altered;
use collectives::{Communicator, Communicators, Meetings, Ranks};
use contents::Contents;
pub(crate) use lane::Lane;
use links::Links;

use transfer::{Between, Charges, Nics};

#[derive(Debug)]
pub(crate) struct Communication {
    pub(crate) matching: RefCell<Matching>,
    pub(crate) all: Rc<Communicator>,
    pub(crate) communicators: RefCell<Communicators>,
    /// The requests. Created when the first one is opened.
    pub(crate) requests: OnceCell<RefCell<Requests>>,
    pub(crate) messages: Cell<u64>,
}

impl Communication {
    /// Returns the communicator with this number, if processes of this thread belong to it.
    pub(crate) fn numbered(&self, number: u32) -> Option<Rc<Communicator>> {
        match number {
            0 => Some(Rc::clone(&self.all)),
            number => self.communicators.borrow().numbered(number),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Mpi<'s> {
    nodes: Nodes<'s>,
    /// Whether to keep sends that ended immediately, for later waits for any of several requests.
    pub(crate) keeps_sends: bool,
    /// Factors for costs and the times of messages, if there are any.
    pub(crate) altered: Option<Box<Altered>>,
    between: Between,
    /// Whether sending and receiving take time on any network.
    charges_ends: bool,
    /// Messages up to this size, in bytes, never wait for their receives.
    eager_bytes_min: u64,
    /// The network interfaces that several units share.
    pub(crate) nics: Nics,
    links: Option<Box<Links>>,
    /// The waits for requests at shared network interfaces.
    charges: Charges,
    /// Collectives of ranks in different threads, if the run has several threads.
    pub(crate) meetings: Option<Arc<Meetings>>,
    /// What is kept about messages beyond the messages themselves, once a program needs it.
    contents: OnceCell<Contents>,
    /// Whether messages are numbered and received ones are recorded, for the trace or the program.
    watches: Cell<bool>,
    communication: OnceCell<Communication>,
}

impl<'s> Mpi<'s> {
    pub(crate) fn new(nodes: Nodes<'s>) -> Self {
        let system = nodes.system;
        let mpi = Self {
            keeps_sends: false,
            altered: None,
            between: Between::of(system),
            charges_ends: system.network.charges_ends() || system.intranode.charges_ends(),
            // No program has larger messages.
            eager_bytes_min: system
                .protocol
                .eager_bytes_min()
                .min(i64::MAX.cast_unsigned()),
            nics: Nics::of(system),
            links: Links::of(&nodes).map(Box::new),
            charges: Charges::default(),
            meetings: None,
            contents: OnceCell::new(),
            watches: Cell::new(false),
            communication: OnceCell::new(),
            nodes,
        };
        if mpi.tracer.is_some() {
            mpi.watch_messages();
            if let Some(links) = mpi.links.as_ref().filter(|_| mpi.traces_links()) {
                links.watch_loads();
            }
        }
        mpi
    }

    /// Remembers phases of messages on links, and simulates repeated ones only once, if messages
    /// are sent as packets.
    pub(crate) fn memoize_links(&self) {
        if let (Some(links), Some(fabric)) = (&self.links, &self.system.fabric) {
            links.memoize(fabric);
        }
    }

    /// Returns the number of phases of messages on links, and how many of these didn't have to be
    /// simulated.
    pub(crate) fn phases_on_links(&self) -> Option<(u64, u64)> {
        self.links.as_ref()?.phases()
    }

    /// Numbers messages and records received ones from now on.
    pub(crate) fn watch_messages(&self) {
        self.watches.set(true);
        self.local.plain.set(false);
        self.local.keep_numbers();
    }

    /// Returns `true` if messages are numbered and received ones are recorded.
    #[inline]
    pub(crate) fn watches_messages(&self) -> bool {
        self.watches.get()
    }

    /// Returns the state that ranks share. It is created when they first communicate.
    #[inline]
    pub(crate) fn communication(&self) -> &Communication {
        self.communication.get_or_init(|| {
            let ranks = self.ranks();
            let all = Rc::new(Communicator::world(&ranks));
            Communication {
                matching: RefCell::new(Matching::new(match self.local() {
                    None => self.system.processes as usize,
                    Some(_) => 0,
                })),
                communicators: RefCell::new(Communicators::new(Rc::clone(&all), ranks.here.start)),
                all,
                requests: OnceCell::new(),
                messages: Cell::new(0),
            }
        })
    }

    /// Returns the ranks of the run, and those that this thread simulates.
    pub(crate) fn ranks(&self) -> Ranks<'_> {
        let mapping = &self.system.mapping;
        match (&self.meetings, self.local.abroad()) {
            (Some(meetings), Some(abroad)) => Ranks {
                mapping,
                here: abroad.block(),
                elsewhere: Some((meetings, abroad)),
            },
            _ => Ranks {
                mapping,
                here: match self.local.place_count() {
                    0 => 0..self.system.processes,
                    count => 0..count,
                },
                elsewhere: None,
            },
        }
    }

    /// Begins the run of a rank, in place of one that has ended.
    pub(crate) fn replace_alone(&self, rank: u32) {
        self.local.replace(rank);
        let unit = self.first_unit(0);
        unit.phase.set(Phase::Running);
        unit.site.set(NO_ELEMENT);
        unit.turns.set(0);
        unit.latest_s.set(0.0);
        unit.set_account(Account::default());
        let communication = self.communication.get();
        if let Some(requests) = communication.and_then(|it| it.requests.get()) {
            requests.replace(Requests::new(rank..rank + 1));
        }
    }

    pub(crate) fn messages(&self) -> u64 {
        if let Some(local) = self.local() {
            return local.messages();
        }
        self.communication
            .get()
            .map_or(0, |communication| communication.messages.get())
    }
}

/// Gives access to the layers below.
impl<'s> Deref for Mpi<'s> {
    type Target = Nodes<'s>;

    #[inline]
    fn deref(&self) -> &Nodes<'s> {
        &self.nodes
    }
}
