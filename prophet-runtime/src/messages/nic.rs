//! Network interfaces that the ranks of a node share, in the event engine.
//!
//! They serve messages between nodes in the order of time, those of one instant by rank: a send
//! when it begins, a receive when its message is there and it can be charged. So both are priced
//! when the instant ends at which that is.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::vec::IntoIter;

use super::{Ending, Outgoing};
use crate::engine::{Task, World, add};
use crate::matching::{Arrived, Matching};
use crate::network::{Network, NicClocks, later};
use crate::process::Wait;
use crate::protocol::Nic;
use crate::requests::{Completion, Origin, Request, Waiting};
use crate::stopped::Stopped;
use crate::system::System;

/// The network interfaces of all nodes, and what waits for them.
#[derive(Debug)]
pub(crate) struct Nics {
    nodes: Vec<Cell<NicClocks>>,
    works: RefCell<BTreeMap<u64, Work>>,
    count: Cell<u64>,
}

impl Nics {
    /// Those of a system whose ranks share them.
    pub(crate) fn of(system: &System) -> Option<Self> {
        let shared = system.protocol.nic == Nic::Node;
        (shared && matches!(system.network, Network::LogGp { .. })).then(|| Self {
            nodes: vec![Cell::default(); system.nodes as usize],
            works: RefCell::default(),
            count: Cell::new(0),
        })
    }
}

/// Something that a network interface does.
#[derive(Debug)]
enum Work {
    Send {
        from: u32,
        message: Outgoing,
        unit: u32,
        generation: u32,
        /// The request that it is, if it is one.
        origin: Option<Origin>,
    },
    Receive {
        ending: Ending,
        letter: Arrived,
        generation: u32,
        then: Option<Chain>,
    },
}

/// Receives that a wait charges one after the other.
#[derive(Debug)]
pub(super) struct Chain {
    waiting: Waiting,
    rest: IntoIter<Request>,
}

impl World<'_> {
    /// The clocks of the network interface that `rank` shares with others when it communicates
    /// with `other`.
    #[inline]
    pub(super) fn shared_nic(&self, rank: u32, other: u32) -> Option<&Cell<NicClocks>> {
        let nics = self.nics.as_ref()?;
        if self.are_neighbors(rank, other) {
            return None;
        }
        nics.nodes.get(self.nid(rank) as usize)
    }

    /// Whether a receive is charged by a network interface that is shared.
    #[inline]
    fn is_shared(&self, ending: &Ending, letter: Arrived) -> bool {
        let priced = letter.priced || ending.cost_s.is_some();
        !priced && self.shared_nic(ending.rank, letter.source).is_some()
    }

    /// Whether a message is sent by a network interface that is shared.
    #[inline]
    pub(super) fn sends_shared(&self, from: u32, message: &Outgoing) -> bool {
        message.cost_s.is_none() && self.shared_nic(from, message.dest).is_some()
    }

    fn give_work(&self, rank: u32, time_s: f64, work: Work) {
        let Some(nics) = &self.nics else { return };
        let number = nics.count.replace(nics.count.get() + 1);
        nics.works.borrow_mut().insert(number, work);
        self.alarms
            .at(Task::Nic(rank, number), time_s, self.now_s());
        self.set_attention();
    }

    /// Ends a receive of a unit that waits for it.
    #[inline]
    pub(super) fn end_of_unit(
        &self,
        matching: &mut Matching,
        ending: Ending,
        letter: Arrived,
        generation: u32,
    ) -> Result<(), Stopped> {
        if self.nics.is_some() && self.is_shared(&ending, letter) {
            let there_s = later(letter.arrival_s, ending.from_s);
            let then = None;
            let work = Work::Receive {
                ending,
                letter,
                generation,
                then,
            };
            self.give_work(ending.rank, there_s, work);
            return Ok(());
        }
        let end_s = self.end_receive(ending, letter, matching.clocks(ending.rank));
        self.resume_at(ending.unit, end_s)
    }

    /// Charges requests for a unit that waits for them.
    pub(super) fn charge_waiting(
        &self,
        matching: &mut Matching,
        waiting: Waiting,
    ) -> Result<(), Stopped> {
        if self.nics.is_none() {
            let end_s = self.charge(&waiting, matching.clocks(waiting.rank));
            return self.resume_at(waiting.unit, end_s);
        }
        let rest = self.requests().empty(&waiting.batch).into_iter();
        let now_s = waiting.since_s;
        self.go_on_charging(matching, now_s, Chain { waiting, rest })
    }

    /// Charges what is left from `now_s` on, until a shared network interface is needed.
    fn go_on_charging(
        &self,
        matching: &mut Matching,
        mut now_s: f64,
        mut chain: Chain,
    ) -> Result<(), Stopped> {
        let waiting = chain.waiting;
        while let Some(request) = chain.rest.next() {
            if let Some((ending, letter)) = Ending::of_request(&waiting, &request, now_s)
                && self.is_shared(&ending, letter)
            {
                let work = Work::Receive {
                    ending,
                    letter,
                    generation: waiting.generation,
                    then: Some(chain),
                };
                self.give_work(waiting.rank, later(letter.arrival_s, now_s), work);
                return Ok(());
            }
            now_s = self.charge_one(&waiting, &request, now_s, matching.clocks(waiting.rank));
        }
        now_s = self.wait_for_send(waiting.unit, now_s, waiting.batch.sent);
        self.resume_at(waiting.unit, now_s)
    }

    /// Does a work whose instant ends.
    pub(super) fn work_nic(&self, number: u64) -> Result<(), Stopped> {
        let work = self
            .nics
            .as_ref()
            .and_then(|nics| nics.works.borrow_mut().remove(&number));
        let mut matching = self.communication().matching.borrow_mut();
        match work {
            None => Ok(()),
            Some(Work::Send {
                from,
                message,
                unit,
                generation,
                origin,
            }) => {
                let now_s = self.now_s();
                let end_s = self.send_now(&mut matching, from, &message)?;
                self.trace_sent(unit, &message, end_s);
                if let Some(origin) = origin {
                    let start_s = now_s;
                    let sent = Completion {
                        end_s,
                        start_s,
                        cause: None,
                    };
                    self.requests().note_sent(origin, sent);
                }
                if !self.waits(unit, generation) {
                    return Ok(());
                }
                add(&self.unit(unit).communication_s, end_s - now_s);
                self.resume_at(unit, end_s)
            }
            Some(Work::Receive {
                ending,
                letter,
                generation,
                then,
            }) => {
                if !self.waits(ending.unit, generation) {
                    return Ok(());
                }
                let nic = self.shared_nic(ending.rank, letter.source);
                let mut clocks = nic.map(Cell::get).unwrap_or_default();
                let end_s = self.end_receive(ending, letter, &mut clocks);
                nic.inspect(|nic| nic.set(clocks));
                match then {
                    None => self.resume_at(ending.unit, end_s),
                    Some(chain) => self.go_on_charging(&mut matching, end_s, chain),
                }
            }
        }
    }
}

impl Wait<'_> {
    /// Sends a message through a network interface that is shared; waits until the sender is free.
    #[cold]
    pub(super) fn send_shared(
        &mut self,
        message: &Outgoing,
        origin: Option<Origin>,
    ) -> Result<bool, Stopped> {
        let ctx = self.ctx();
        let (world, from, unit) = (ctx.world(), ctx.rank(), ctx.unit());
        let generation = self.register()?;
        let work = Work::Send {
            from,
            message: *message,
            unit,
            generation,
            origin,
        };
        world.give_work(from, world.now_s(), work);
        Ok(false)
    }
}
