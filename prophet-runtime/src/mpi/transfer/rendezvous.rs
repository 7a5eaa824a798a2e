//! Implements messages that wait for their receives, in the event engine.
//!
//! The transfer of such a message begins when both sides are ready, which is known at the end of an
//! instant. Transfers that begin then, and sends, get the network interfaces in the order of their
//! senders. The order in which the engine runs the receivers doesn't matter.

use prophet_machine::network::{NicClocks, later};

use crate::language::Stopped;
use crate::messages::letter::Transfer;
use crate::messages::letter::{Arrived, Letter, Mode, Owner, Post, Sender};
use crate::messages::matching::Matching;
use crate::messages::message::Outgoing;
use crate::messages::requests::{Completion, Numbered, Progress};
use crate::mpi::Mpi;

impl Mpi<'_> {
    /// Sends a message that must wait for its receive.
    pub(crate) fn send_rendezvous(
        &self,
        (from, unit): (u32, u32),
        message: &Outgoing,
        owner: Owner,
    ) -> Result<(), Stopped> {
        let communication = self.communication();
        communication.messages.set(communication.messages.get() + 1);
        let mut matching = communication.matching.borrow_mut();
        let now_s = self.now_s();
        // The envelope goes ahead of messages that the network interface is still sending.
        let network = self.network(from, message.dest);
        let mut ahead = network.send(now_s, 0, &mut NicClocks::default());
        if self.flows(from, message) {
            ahead.envelope_s += self.route_latency_s(from, message.dest);
        }
        let letter = Letter {
            envelope: message.envelope(from),
            bytes: message.bytes,
            time_s: now_s,
            envelope_s: self
                .altered_envelope(message.element, now_s, ahead)
                .envelope_s,
            mode: Mode::Rendezvous,
            number: matching.rendezvous(Sender {
                rank: from,
                tid: self.pid_and_tid(unit).1,
                element: message.element,
                owner,
                message: self.number_message(from, message),
                number: self.hold_back_send(from),
            }),
        };
        if let Some(post) = matching.take_post(message.dest, &letter.envelope) {
            return self.meet(&mut matching, message.dest, &post, (&letter, now_s));
        }
        if matching.keep(message.dest, letter) {
            self.look_at_wildcards(message.dest);
        }
        Ok(())
    }

    /// Gives a message to its receive, which rank `dest` has posted. If the message had to wait for
    /// the receive, it is sent now, at `from_s` or later.
    pub(crate) fn meet(
        &self,
        matching: &mut Matching,
        dest: u32,
        post: &Post,
        (letter, from_s): (&Letter, f64),
    ) -> Result<(), Stopped> {
        match letter.mode {
            Mode::Eager | Mode::Priced => {
                let arrived = letter.arrived_at(letter.time_s);
                return self.hand_over(matching, dest, post, arrived);
            }
            Mode::Flowing => return self.await_flow(matching, dest, post, letter),
            Mode::Rendezvous => self.begin_transfer(Transfer {
                sender: matching.sender(letter.number),
                letter: *letter,
                dest,
                post: *post,
                from_s,
            }),
        }
        Ok(())
    }

    /// Sends a message at the end of the instant, after its receive has been posted.
    pub(crate) fn transfer(
        &self,
        matching: &mut Matching,
        transfer: &Transfer,
    ) -> Result<(), Stopped> {
        let Transfer {
            sender,
            ref letter,
            dest,
            from_s,
            ..
        } = *transfer;
        let start_s = later(letter.time_s, from_s);
        let network = self.network(sender.rank, dest);
        let sent = self.with_clocks(matching, (sender.rank, dest), |nic| {
            network.send(start_s, letter.bytes, nic)
        });
        let sent = self.altered_sent((sender.rank, dest), sender.element, start_s, sent);
        if self.share_links(sender.rank, dest) {
            return self.transfer_flow(transfer, (start_s, sent.arrival_s));
        }
        // The message may have arrived already, if an older receive kept it from this one and was
        // then given up.
        let end_s = later(sent.arrival_s, self.now_s());
        self.end_transfer(matching, transfer, (start_s, end_s))
    }

    /// Ends a message that had to wait for its receive, and was in transit from `start_s` to
    /// `end_s`.
    pub(crate) fn end_transfer(
        &self,
        matching: &mut Matching,
        transfer: &Transfer,
        (start_s, end_s): (f64, f64),
    ) -> Result<(), Stopped> {
        let Transfer {
            sender,
            ref letter,
            dest,
            ref post,
            from_s,
        } = *transfer;
        let number = Numbered {
            number: sender.message,
            element: sender.element,
        };
        let sent = Completion {
            end_s,
            start_s,
            cause: self.trace_id(self.unit_of(post)),
            message: Some(number),
        };
        let is_late = from_s > letter.time_s;
        if is_late && matches!(sender.owner, Owner::Request(_)) {
            self.trace_travels(self.unit_of(post), sender.rank, number, start_s);
        }
        match sender.owner {
            Owner::Unit { unit, generation } if self.waits(unit, generation) => {
                self.charge_send(unit, letter.time_s, sent);
                self.resume_at(unit, end_s)?;
            }
            // The wait has been dropped.
            Owner::Unit { .. } => {}
            Owner::Request(request) => {
                self.progress(matching, request, Progress::Sent(sent))?;
            }
        }
        if self.is_dropped(post) {
            // The wait has been dropped, and has taken the message.
            return Ok(());
        }
        let arrived = Arrived {
            is_late,
            number: sender.message,
            ..letter.arrived_at(end_s)
        };
        self.hand_over(matching, dest, post, arrived)
    }

    /// Returns `true` if the unit that posted a receive is no longer waiting.
    pub(crate) fn is_dropped(&self, post: &Post) -> bool {
        match post.owner {
            Owner::Unit { unit, generation } => !self.waits(unit, generation),
            Owner::Request(_) => false,
        }
    }

    fn unit_of(&self, post: &Post) -> u32 {
        match post.owner {
            Owner::Unit { unit, .. } => unit,
            Owner::Request(request) => self.requests().get(request).origin.unit,
        }
    }
}
