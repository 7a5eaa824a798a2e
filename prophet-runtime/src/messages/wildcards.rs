//! Receives from whoever sends, in the event engine: they are decided at the end of an instant.

use std::cell::Cell;

use super::later;
use crate::engine::{Task, World};
use crate::matching::{Letter, Matching, Mode, Owner, Post, Sender};
use crate::stopped::Stopped;

impl World<'_> {
    /// Has the receives of a rank from whoever sends looked at when this instant ends.
    pub(super) fn look_at_wildcards(&self, rank: u32) {
        self.alarms.look_at(rank);
        self.set_attention();
    }

    /// Does what is to be done now that the instant ends.
    pub(crate) fn settle(&self) -> Result<(), Stopped> {
        for task in self.alarms.take_due() {
            match task {
                Task::Nic(_, work) => self.work_nic(work)?,
                Task::Wildcards(rank) => self.settle_wildcards(rank)?,
            }
        }
        Ok(())
    }

    /// Gives receives of a rank from whoever sends what is there for them.
    fn settle_wildcards(&self, rank: u32) -> Result<(), Stopped> {
        let communication = self.communication();
        let now_s = self.now_s();
        let mut matching = communication.matching.borrow_mut();
        loop {
            let arrival_s = |matching: &Matching, letter: &Letter, post: &Post| {
                self.would_arrive_s(matching, rank, letter, post)
            };
            let (pairs, again_s) = matching.settle(rank, now_s, arrival_s);
            if pairs.is_empty() {
                self.alarms.set(rank, again_s);
                break;
            }
            for (post, letter) in pairs {
                // A receive that names its source has waited for older ones until now.
                let wild = post.envelope.is_wild();
                let from_s = if wild { post.posted_s } else { now_s };
                let receiver = self.unit_of(&post);
                let mut arrived = self.fetch(&mut matching, (rank, receiver), &letter, from_s)?;
                if !wild {
                    arrived.arrival_s = later(arrived.arrival_s, now_s);
                }
                self.hand_over(&mut matching, rank, &post, arrived)?;
            }
        }
        Ok(())
    }

    /// The unit that has posted a receive.
    fn unit_of(&self, post: &Post) -> u32 {
        match post.owner {
            Owner::Unit { unit, .. } => unit,
            Owner::Request(request) => self.requests().get(request).origin.unit,
        }
    }

    /// When a message that waits for its receive would be there if it were for this one.
    fn would_arrive_s(&self, matching: &Matching, dest: u32, letter: &Letter, post: &Post) -> f64 {
        if letter.mode != Mode::Rendezvous {
            return letter.time_s;
        }
        let Sender { rank, element, .. } = matching.peek_sender(letter.number);
        let shared = self.shared_nic(rank, dest).map(Cell::get);
        let mut clocks = shared.unwrap_or_else(|| matching.peek_clocks(rank));
        let start_s = later(letter.time_s, post.posted_s);
        let network = self.network(rank, dest);
        let sent = network.send(start_s, letter.bytes, &mut clocks);
        self.scaled_sent(element, start_s, sent).arrival_s
    }
}
