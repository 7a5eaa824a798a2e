//! What ranks share, and what becomes of their messages.

pub(crate) mod collectives;
pub(crate) mod contents;
pub(crate) mod lane;
pub(crate) mod scaled;
pub(crate) mod transfer;
mod untaken;

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Deref;
use std::rc::Rc;

use crate::messages::matching::Matching;
use crate::messages::requests::Requests;
use crate::nodes::Nodes;
use collectives::{Communicator, Communicators};
use contents::Contents;
pub(crate) use lane::Lane;
use scaled::Scaled;
use transfer::{Between, Charges, Nics};

/// What ranks share that communicate.
#[derive(Debug)]
pub(crate) struct Communication {
    pub(crate) matching: RefCell<Matching>,
    /// The communicator of all processes.
    pub(crate) all: Rc<Communicator>,
    pub(crate) communicators: RefCell<Communicators>,
    /// Made when the first of them is opened.
    pub(crate) requests: OnceCell<RefCell<Requests>>,
    /// How many messages have been sent.
    pub(crate) messages: Cell<u64>,
}

/// A run of ranks that communicate.
#[derive(Debug)]
pub(crate) struct Mpi<'s> {
    nodes: Nodes<'s>,
    /// Whether sends that are over at once are kept for waits for any of several requests.
    pub(crate) keeps_sends: bool,
    /// The element that a what-if changes, if it is one.
    pub(crate) scaled: Option<Scaled>,
    /// Which network two ranks have between them.
    between: Between,
    /// Whether the ends of messages take time on any network.
    charges_ends: bool,
    /// Messages of so many bytes never wait for their receives.
    eager_bytes_min: u64,
    /// The network interfaces, where several units use one.
    pub(crate) nics: Nics,
    /// Waits for requests whose network interface others use.
    charges: Charges,
    /// What is kept beside the messages, once a program wants to know.
    contents: OnceCell<Contents>,
    /// Whether messages are numbered and what is received is noted: for the records, or for the
    /// program.
    watches: Cell<bool>,
    communication: OnceCell<Communication>,
}

impl<'s> Mpi<'s> {
    pub(crate) fn new(nodes: Nodes<'s>) -> Self {
        let system = nodes.system;
        let mpi = Self {
            keeps_sends: false,
            scaled: None,
            between: Between::of(system),
            charges_ends: system.network.charges_ends() || system.intranode.charges_ends(),
            eager_bytes_min: system.protocol.eager_bytes_min(),
            nics: Nics::of(system),
            charges: Charges::default(),
            contents: OnceCell::new(),
            watches: Cell::new(false),
            communication: OnceCell::new(),
            nodes,
        };
        if mpi.tracer.is_some() {
            mpi.watch_messages();
        }
        mpi
    }

    /// Numbers messages from now on, and notes what is received.
    pub(crate) fn watch_messages(&self) {
        self.watches.set(true);
        self.local.keep_numbers();
    }

    /// Whether messages are numbered and what is received is noted.
    #[inline]
    pub(crate) fn watches_messages(&self) -> bool {
        self.watches.get()
    }

    /// What the ranks share, made when the first of them communicates.
    #[inline]
    pub(crate) fn communication(&self) -> &Communication {
        self.communication.get_or_init(|| {
            let all = Rc::new(Communicator::world(&self.system.mapping));
            Communication {
                matching: RefCell::new(Matching::new(match self.local() {
                    None => self.system.processes as usize,
                    Some(_) => 0,
                })),
                communicators: RefCell::new(Communicators::new(Rc::clone(&all))),
                all,
                requests: OnceCell::new(),
                messages: Cell::new(0),
            }
        })
    }

    /// How many messages have been sent.
    pub(crate) fn messages(&self) -> u64 {
        if let Some(local) = self.local() {
            return local.messages();
        }
        self.communication
            .get()
            .map_or(0, |communication| communication.messages.get())
    }
}

/// A layer has what is below it.
impl<'s> Deref for Mpi<'s> {
    type Target = Nodes<'s>;

    #[inline]
    fn deref(&self) -> &Nodes<'s> {
        &self.nodes
    }
}
