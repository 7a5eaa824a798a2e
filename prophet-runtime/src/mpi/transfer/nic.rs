//! Assigns network interfaces that several users share, in the event engine. The users are ranks of
//! the same node, threads of the same rank, or sends of a rank that waited for their receives.
//!
//! Interfaces serve messages in the order of time. Messages at the same instant are served by rank,
//! then by thread, and then in the order of posting. A send needs the interface when it begins. A
//! receive needs it when its message has arrived and the receive can be charged. So both are priced
//! at the end of that instant.

use std::cell::Cell;

use prophet_machine::network::{NicClocks, later};

use super::Ending;
use super::nics::Work;
use crate::kernel::{Activity, Spending as _, Task};
use crate::language::Stopped;
use crate::messages::letter::Arrived;
use crate::messages::letter::Transfer;
use crate::messages::matching::Matching;
use crate::messages::message::Outgoing;
use crate::messages::requests::Completion;
use crate::mpi::Mpi;

impl Mpi<'_> {
    /// Records that a process has several threads from now on.
    pub(crate) fn share_nics(&self) {
        self.nics
            .shared
            .set(self.nics.shared.get() || self.charges_ends);
    }

    /// Returns the clocks of the network interface through which `rank` communicates with `other`,
    /// if it shares that interface with other ranks of its node.
    #[inline]
    pub(crate) fn node_nic(&self, rank: u32, other: u32) -> Option<&Cell<NicClocks>> {
        if !self.nics.is_by_node() || self.are_neighbors(rank, other) {
            return None;
        }
        let (own, others) = (self.nid(rank), self.nid(other));
        let per_node = self.nics.per_node;
        let by_nodes = own.wrapping_add(others) % per_node;
        let nic = self
            .nics
            .nearest
            .get(rank as usize)
            .copied()
            .unwrap_or(by_nodes);
        self.nics.nodes.get((own * per_node + nic) as usize)
    }

    /// Returns `true` if other units may use the network interface through which `rank`
    /// communicates with `other`.
    fn has_shared_nic(&self, rank: u32, other: u32) -> bool {
        let has_threads = || self.members.has_team(rank);
        self.network(rank, other).charges_ends()
            && (self.node_nic(rank, other).is_some() || has_threads())
    }

    /// Returns `true` if a receive is charged at a network interface that other units may use.
    #[inline]
    pub(crate) fn is_shared(&self, ending: &Ending, letter: Arrived) -> bool {
        let priced = letter.priced || ending.cost_s.is_some();
        !priced && self.has_shared_nic(ending.rank, letter.source)
    }

    /// Returns `true` if a message is sent through a network interface that other units may need at
    /// this instant.
    #[inline]
    pub(crate) fn sends_shared(&self, from: u32, message: &Outgoing) -> bool {
        let holds_back = || {
            let held_back = self.nics.held_back.borrow().contains_key(&from);
            held_back && self.network(from, message.dest).charges_ends()
        };
        message.cost_s.is_none() && (self.has_shared_nic(from, message.dest) || holds_back())
    }

    /// Records that a send of a rank is waiting for its receive. Returns the send's number.
    pub(crate) fn hold_back_send(&self, rank: u32) -> u64 {
        self.share_nics();
        let mut held_back = self.nics.held_back.borrow_mut();
        *held_back.get_or_default(rank) += 1;
        self.nics.number()
    }

    /// Schedules the start of a transfer for the end of this instant.
    pub(crate) fn begin_transfer(&self, transfer: Transfer) {
        let sender = transfer.sender;
        let task = Task::Nic(sender.rank, sender.tid, sender.number);
        self.give_work(task, self.now_s(), Work::Transfer(transfer));
    }

    fn release_send(&self, rank: u32) {
        let mut held_back = self.nics.held_back.borrow_mut();
        if let Some(count) = held_back.get_mut(&rank) {
            *count -= 1;
            if *count == 0 {
                held_back.remove(&rank);
            }
        }
    }

    /// Schedules work of a unit for the end of the instant `time_s`, or of the current instant if
    /// that is later.
    pub(crate) fn give_work_of(&self, unit: u32, time_s: f64, work: Work) {
        let (pid, tid) = self.pid_and_tid(unit);
        let task = Task::Nic(pid, tid, self.nics.number());
        self.give_work(task, time_s, work);
    }

    fn give_work(&self, task: Task, time_s: f64, work: Work) {
        if let Task::Nic(_, _, number) = task {
            self.nics.works.borrow_mut().insert(number, work);
        }
        self.alarms.at(task, time_s, self.now_s());
        self.set_attention();
    }

    /// Ends a receive that a unit is waiting for.
    #[inline]
    pub(crate) fn end_of_unit(
        &self,
        matching: &mut Matching,
        ending: Ending,
        letter: Arrived,
        generation: u32,
    ) -> Result<(), Stopped> {
        if self.nics.are_shared() && self.is_shared(&ending, letter) {
            let there_s = later(letter.arrival_s, ending.from_s);
            let work = Work::Receive {
                ending,
                letter,
                generation,
                wait: None,
            };
            self.give_work_of(ending.unit, there_s, work);
            return Ok(());
        }
        let end_s = self.end_receive(ending, letter, matching.clocks(ending.rank));
        self.resume_at(ending.unit, end_s)
    }

    /// Does the work given by rank, thread, and number at the end of the instant.
    pub(crate) fn settle_nics(
        &self,
        works: impl IntoIterator<Item = (u32, u32, u64)>,
    ) -> Result<(), Stopped> {
        works.into_iter().try_for_each(|(rank, _, number)| {
            self.count_step(rank)?;
            self.work_nic(number)
        })
    }

    fn work_nic(&self, number: u64) -> Result<(), Stopped> {
        let work = self.nics.works.borrow_mut().remove(&number);
        let mut matching = self.communication().matching.borrow_mut();
        match work {
            None => Ok(()),
            Some(Work::Transfer(transfer)) => {
                self.release_send(transfer.sender.rank);
                self.transfer(&mut matching, &transfer)
            }
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
                        message: self.last_message(from, &message),
                    };
                    self.note_sent(origin, message.dest, sent);
                }
                if !self.waits(unit, generation) {
                    return Ok(());
                }
                self.unit(unit).spend(Activity::Communicate, end_s - now_s);
                self.resume_at(unit, end_s)
            }
            Some(Work::Receive {
                ending,
                letter,
                generation,
                wait,
            }) => {
                if !self.waits(ending.unit, generation) {
                    return Ok(());
                }
                let ends = (ending.rank, letter.source);
                let end_s = self.with_clocks(&mut matching, ends, |nic| {
                    self.end_receive(ending, letter, nic)
                });
                match wait {
                    None => self.resume_at(ending.unit, end_s),
                    Some(wait) => self.go_on_charging(&mut matching, wait, end_s),
                }
            }
        }
    }
}
