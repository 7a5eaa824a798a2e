//! Finds both ends of each message.

use std::collections::BTreeMap;

use prophet_trace::{Record, Role, UnitId, UnitState};

/// A message, from its sender to its receiver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Message {
    pub from: UnitId,
    pub to: UnitId,
    /// When the sender started to send, in simulated seconds.
    pub sent_s: f64,
    /// When the message had arrived and the receiver was ready for it, in simulated seconds.
    pub arrived_s: f64,
    /// Size in bytes.
    pub bytes: u64,
}

/// Matches rows of senders with rows of receivers, in trace order.
///
/// ```
/// use prophet_report::analysis::messages::Messages;
/// use prophet_trace::{Record, Role, UnitState};
///
/// let mut messages = Messages::default();
/// let send = Record::new(0, 0, UnitState::Send, 1.0, 1.5).message(Role::Send, 7, 1, 8);
/// let wait = Record::new(1, 0, UnitState::Wait, 0.0, 3.0).message(Role::Receive, 7, 0, 8);
/// assert!(messages.add(&send).is_none());
/// let message = messages.add(&wait).unwrap();
/// assert_eq!((message.sent_s, message.arrived_s), (1.0, 3.0));
/// ```
#[derive(Debug, Default)]
pub struct Messages {
    /// Messages of which only one end has been seen, by sender and number.
    open: BTreeMap<(u32, u32), Record>,
    lost: u64,
}

impl Messages {
    /// Maximum number of messages that are tracked at the same time.
    pub const OPEN_MAX: usize = 1 << 20;

    /// Adds a row. Rows must be added in trace order. Returns a message when both of its ends are
    /// known.
    pub fn add(&mut self, row: &Record) -> Option<Message> {
        let (role, name) = (row.role()?, row.sender()?);
        if role == Role::Send && waits(row) {
            // The sender waits for the receive, or for the end of the transfer.
            return None;
        }
        let Some(other) = self.open.get(&name).copied() else {
            // The receiver may wait until the very end of the sender's row. A receiver that doesn't
            // wait, or has waited, has already found the sender's row.
            if role == Role::Send || waits(row) {
                self.keep(name, row);
            }
            return None;
        };
        if other.role() == Some(role) {
            return None;
        }
        self.open.remove(&name);
        let (send, receive) = match role {
            Role::Send => (row, &other),
            Role::Receive => (&other, row),
        };
        Some(Message {
            from: send.unit(),
            to: receive.unit(),
            sent_s: send.start_s,
            arrived_s: if waits(receive) {
                receive.end_s
            } else {
                receive.start_s
            },
            bytes: row.size_bytes().unwrap_or(0),
        })
    }

    fn keep(&mut self, name: (u32, u32), row: &Record) {
        if self.open.len() < Self::OPEN_MAX {
            self.open.insert(name, *row);
        } else {
            self.lost += 1;
        }
    }

    /// Returns how many messages weren't tracked because too many were in flight.
    pub fn lost(&self) -> u64 {
        self.lost
    }
}

fn waits(row: &Record) -> bool {
    matches!(row.state, UnitState::Wait | UnitState::Synchronize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(number: u32, [start_s, end_s]: [f64; 2]) -> Record {
        Record::new(2, 0, UnitState::Send, start_s, end_s).message(Role::Send, number, 1, 8)
    }

    fn receive(number: u32, state: UnitState, [start_s, end_s]: [f64; 2]) -> Record {
        Record::new(1, 0, state, start_s, end_s).message(Role::Receive, number, 2, 8)
    }

    fn found(rows: &[Record]) -> Vec<[f64; 2]> {
        let mut messages = Messages::default();
        let found = rows.iter().filter_map(|row| messages.add(row));
        let found = found.map(|message| [message.sent_s, message.arrived_s]);
        let found = found.collect();
        assert!(messages.open.is_empty());
        found
    }

    #[test]
    fn a_message_arrives_once() {
        let rows = [
            send(0, [0.0, 1.0]),
            receive(0, UnitState::Wait, [0.5, 2.0]),
            receive(0, UnitState::Receive, [2.0, 3.0]),
        ];
        assert_eq!(found(&rows), [[0.0, 2.0]]);
    }

    #[test]
    fn who_waits_to_send_has_not_begun() {
        let mut wait = send(0, [0.0, 1.0]);
        wait.state = UnitState::Wait;
        let rows = [
            wait,
            // At equal times, the process with the lower pid comes first.
            receive(0, UnitState::Wait, [1.0, 2.0]),
            send(0, [1.0, 2.0]),
        ];
        assert_eq!(found(&rows), [[1.0, 2.0]]);
    }

    #[test]
    fn a_message_that_was_there_is_received_at_once() {
        let rows = [
            send(4, [0.0, 0.0]),
            send(5, [0.0, 0.0]),
            receive(5, UnitState::Collective, [3.0, 3.5]),
            receive(4, UnitState::Receive, [4.0, 4.0]),
        ];
        assert_eq!(found(&rows), [[0.0, 3.0], [0.0, 4.0]]);
    }
}
