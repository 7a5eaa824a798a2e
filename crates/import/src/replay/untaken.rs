//! Counts the messages that no rank receives, because a trace that has them is incomplete.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::RankEvent;

/// Maximum number of ranks to name.
const TOLD: usize = 3;

/// The messages of a rank.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// Number of messages that the rank sends, by receiver.
    sent: BTreeMap<u32, u64>,
    received: u64,
}

impl Messages {
    pub(super) fn count(&mut self, event: &RankEvent) {
        let (sent, received) = match event {
            RankEvent::Send(message) | RankEvent::BeginSend(message, _) => (message.peer, 0),
            RankEvent::Receive(_) | RankEvent::BeginReceive(..) => (None, 1),
            RankEvent::Exchange { to, .. } => (to.peer, 1),
            RankEvent::Compute(_)
            | RankEvent::Wait(_)
            | RankEvent::WaitAll
            | RankEvent::Collective(_) => return,
        };
        if let Some(receiver) = sent {
            *self.sent.entry(receiver).or_default() += 1;
        }
        self.received += received;
    }
}

/// The messages of all ranks. An engine can run a rank again after another engine; the last run
/// counts.
#[derive(Debug, Default)]
pub(super) struct Untaken(Mutex<BTreeMap<u32, Messages>>);

impl Untaken {
    pub(super) fn add(&self, rank: u32, messages: Messages) {
        let mut ranks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ranks.insert(rank, messages);
    }

    /// Warns of messages that are never received. If ranks are missing, because others stood for
    /// them, nothing is known.
    pub(super) fn tell(self, path: &Path, ranks: u32) {
        let found = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        for line in lines(&found, ranks) {
            prophet_text::tell!("warning: {}: {line}", path.display());
        }
    }
}

fn lines(found: &BTreeMap<u32, Messages>, ranks: u32) -> Vec<String> {
    if found.len() < ranks as usize {
        return Vec::new();
    }
    let mut waiting: BTreeMap<u32, u64> = BTreeMap::new();
    for (receiver, count) in found.values().flat_map(|it| &it.sent) {
        *waiting.entry(*receiver).or_default() += count;
    }
    let received = |rank| found.get(rank).map_or(0, |it: &Messages| it.received);
    let left = waiting
        .iter()
        .map(|(rank, sent)| (rank, sent.saturating_sub(received(rank))));
    let left = left.filter(|(_, left)| *left > 0);
    let line = |(rank, left): (&u32, u64)| {
        let (messages, are) = if left == 1 {
            ("message", "is")
        } else {
            ("messages", "are")
        };
        format!("{left} {messages} to rank {rank} {are} never received; is the trace complete?")
    };
    left.take(TOLD).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Message;

    #[test]
    fn messages_without_a_receive_are_told() {
        let to = |rank| Message {
            peer: Some(rank),
            bytes: Some(8),
            tag: None,
        };
        let of = |events: &[RankEvent]| {
            let mut messages = Messages::default();
            for event in events {
                messages.count(event);
            }
            messages
        };
        let sends = [RankEvent::Send(to(1)), RankEvent::BeginSend(to(1), 0)];
        let told = "1 message to rank 1 is never received; is the trace complete?";
        for (second, expected) in [
            (vec![RankEvent::Receive(to(0))], vec![told]),
            (
                vec![RankEvent::Receive(to(0)), RankEvent::BeginReceive(to(0), 0)],
                vec![],
            ),
        ] {
            let mut found = BTreeMap::from([(0, of(&sends))]);
            assert_eq!(lines(&found, 2), Vec::<String>::new());
            found.insert(1, of(&second));
            assert_eq!(lines(&found, 2), expected);
        }
    }
}
