//! Implements messages on shared links, in the event engine.
//!
//! Such a message is matched like any other, in the order of sending. Its arrival time isn't known
//! then, because it depends on all messages that share its links until it arrives. So the message
//! is a flow in the network's model, and the receiver waits for the flow to end.

use prophet_contention::FlowId;
use prophet_machine::network::{Sent, later};

use crate::kernel::Task;
use crate::language::Stopped;
use crate::messages::letter::Transfer;
use crate::messages::letter::{Arrived, Letter, Mode, Post};
use crate::messages::matching::Matching;
use crate::messages::message::Outgoing;
use crate::mpi::Mpi;
use crate::mpi::links::{Flow, Links, State};
use crate::results::failure::Cause;
use crate::tracing::SetOut;

impl Mpi<'_> {
    /// Returns `true` if a message shares links with other messages.
    #[inline]
    pub(crate) fn flows(&self, from: u32, message: &Outgoing) -> bool {
        message.cost_s.is_none() && self.share_links(from, message.dest)
    }

    /// Returns `true` if messages between these ranks share links with other messages.
    #[inline]
    pub(crate) fn share_links(&self, from: u32, to: u32) -> bool {
        self.links.is_some() && !self.are_neighbors(from, to)
    }

    /// Returns the sum of the latencies on the route between two ranks, in seconds.
    pub(crate) fn route_latency_s(&self, from: u32, to: u32) -> f64 {
        let latency_s = |links: &Links| links.latency_s(self, self.nid(from), self.nid(to));
        self.links.as_deref().map_or(0.0, latency_s)
    }

    /// Puts a message on its way. `sent` contains the times at both ends.
    #[cold]
    #[inline(never)]
    pub(crate) fn depart(
        &self,
        matching: &mut Matching,
        from: u32,
        (message, sent): (&Outgoing, Sent),
    ) -> Result<(), Stopped> {
        let start_s = sent.arrival_s;
        let latency_s = self.route_latency_s(from, message.dest);
        let number = self.number_message(from, message);
        let flow = Flow {
            state: State::Travels,
            message: number,
        };
        let set_out = SetOut {
            sender: from,
            message: number,
            receiver: message.dest,
            element: message.element,
            bytes: message.bytes,
            start_s,
        };
        let letter = Letter {
            time_s: start_s,
            envelope_s: start_s + latency_s,
            mode: Mode::Flowing,
            number: self.start_flow(set_out, flow)?,
            ..message.letter(from, sent, number)
        };
        if let Some(post) = matching.take_post(message.dest, &letter.envelope) {
            self.await_flow(matching, message.dest, &post, &letter)?;
        } else if matching.keep(message.dest, letter) {
            self.look_at_wildcards(message.dest);
        }
        Ok(())
    }

    fn start_flow(&self, message: SetOut, flow: Flow) -> Result<u32, Stopped> {
        let Some(links) = &self.links else {
            return Ok(0);
        };
        let SetOut {
            sender, element, ..
        } = message;
        let factor = self.altered_flow(sender, element);
        self.set_attention();
        let ends = (self.nid(sender), self.nid(message.receiver));
        #[expect(clippy::cast_precision_loss, reason = "sizes above 2^53 are rounded")]
        let bytes = message.bytes as f64 * factor;
        let delay_s = message.start_s - self.now_s();
        let started = links
            .start(self, delay_s, ends, bytes, flow)
            .map_err(|error| {
                let cause = Cause::System(error.to_string());
                self.fail_at(Some(sender), element, cause)
            });
        let number = started?;
        links.look(ends, |way| self.trace_sets_out(number, message, way));
        Ok(number)
    }

    /// Puts a message on its way after it has been matched.
    pub(crate) fn transfer_flow(
        &self,
        transfer: &Transfer,
        (start_s, departs_s): (f64, f64),
    ) -> Result<(), Stopped> {
        let sender = transfer.sender;
        // The receive may have been posted earlier, but the envelope arrives only now.
        let start_s = later(start_s, self.now_s());
        let flow = Flow {
            state: State::Transfers {
                transfer: *transfer,
                start_s,
            },
            message: 0,
        };
        let set_out = SetOut {
            sender: sender.rank,
            message: sender.message,
            receiver: transfer.dest,
            element: sender.element,
            bytes: transfer.letter.bytes,
            start_s: later(departs_s, self.now_s()),
        };
        self.start_flow(set_out, flow).map(drop)
    }

    /// Converts a message for its receive, or returns `None` if it hasn't arrived yet.
    #[inline]
    pub(crate) fn arrived(&self, letter: &Letter) -> Option<Arrived> {
        match letter.mode {
            Mode::Eager | Mode::Priced => Some(letter.arrived_at(letter.time_s)),
            Mode::Rendezvous => None,
            Mode::Flowing => self.landed(letter),
        }
    }

    /// Takes a message from its links if it has arrived.
    #[cold]
    #[inline(never)]
    fn landed(&self, letter: &Letter) -> Option<Arrived> {
        let links = self.links.as_ref()?;
        let Flow { state, message } = links.get(letter.number);
        let State::There { arrival_s } = state else {
            return None;
        };
        links.forget(letter.number);
        Some(Arrived {
            number: message,
            ..letter.arrived_at(arrival_s)
        })
    }

    /// Makes sure that a message goes to the receive that rank `dest` has posted when it arrives.
    pub(crate) fn await_flow(
        &self,
        matching: &mut Matching,
        dest: u32,
        post: &Post,
        letter: &Letter,
    ) -> Result<(), Stopped> {
        if let Some(arrived) = self.landed(letter) {
            return self.hand_over(matching, dest, post, arrived);
        }
        if let Some(links) = &self.links {
            let (letter, post) = (*letter, *post);
            links.set(letter.number, State::Awaited { letter, dest, post });
        }
        Ok(())
    }

    /// Ends the flows that are over at this instant, once no unit can run anymore. Returns `true`
    /// if there were any.
    pub(crate) fn settle_flows(&self) -> Result<bool, Stopped> {
        let Some(links) = &self.links else {
            return Ok(false);
        };
        let is_due = self.alarms.take_flows();
        if !links.take_changed() && !is_due {
            return Ok(false);
        }
        let next_s = links.next_s(self);
        if next_s > self.now_s() {
            if self.traces_links() {
                self.trace_loads(links.loads(self));
            }
            self.alarms.set(Task::Flows, next_s);
            return Ok(false);
        }
        let ended = links.advance(self);
        let mut matching = self.communication().matching.borrow_mut();
        for flow in &ended {
            self.end_flow(&mut matching, *flow)?;
        }
        links.reuse(ended);
        Ok(true)
    }

    /// Ends a flow because its message has arrived.
    fn end_flow(&self, matching: &mut Matching, flow: FlowId) -> Result<(), Stopped> {
        let Some(links) = &self.links else {
            return Ok(());
        };
        let now_s = self.now_s();
        let number = links.message_of(flow);
        self.trace_there(number, || links.metrics(flow));
        let Flow { state, message } = links.get(number);
        match state {
            State::Travels | State::There { .. } => {
                links.set(number, State::There { arrival_s: now_s });
                Ok(())
            }
            State::Awaited { letter, dest, post } => {
                links.forget(number);
                self.count_step(dest)?;
                if self.is_dropped(&post) {
                    return Ok(());
                }
                let arrived = Arrived {
                    number: message,
                    ..letter.arrived_at(now_s)
                };
                self.hand_over(matching, dest, &post, arrived)
            }
            State::Transfers { transfer, start_s } => {
                links.forget(number);
                self.count_step(transfer.dest)?;
                self.end_transfer(matching, &transfer, (start_s, now_s))
            }
        }
    }
}
