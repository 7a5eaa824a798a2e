//! Fills in the lines that represent messages in the space-time diagram.

use super::number::uid;
use crate::analysis::messages::Message;
use crate::page::{MESSAGES_MAX, MessageData};
use crate::thinned::Thinned;

/// The messages on a page, as many as fit.
#[derive(Debug)]
pub(super) struct Lines(Thinned<Message>);

impl Default for Lines {
    fn default() -> Self {
        Self(Thinned::new(MESSAGES_MAX))
    }
}

impl Lines {
    pub(super) fn add(&mut self, message: Message) {
        self.0.add(message);
    }

    /// Returns the lines, sorted by start time; `None` if there are no messages.
    pub(super) fn columns(&mut self, threads: u32) -> Option<MessageData> {
        self.0.kept().sort_by(|a, b| {
            let ends = |message: &Message| (message.from.pid, message.to.pid);
            a.sent_s.total_cmp(&b.sent_s).then(ends(a).cmp(&ends(b)))
        });
        let mut columns = MessageData {
            count: self.0.count(),
            ..MessageData::default()
        };
        for message in self.0.kept() {
            columns.from.push(uid(message.from, threads));
            columns.to.push(uid(message.to, threads));
            columns.sent_s.push(message.sent_s);
            columns.received_s.push(message.arrived_s);
            #[expect(clippy::cast_precision_loss, reason = "a page shows four digits")]
            columns.bytes.push(message.bytes as f64);
        }
        (self.0.count() > 0).then_some(columns)
    }
}

#[cfg(test)]
mod tests {
    use prophet_trace::UnitId;

    use super::*;

    #[test]
    fn lines_begin_one_after_another() {
        let mut lines = Lines::default();
        for (pid, sent_s) in [(0, 2.0), (1, 1.0), (0, 1.0)] {
            let unit = UnitId { pid, tid: 0 };
            lines.add(Message {
                from: unit,
                to: unit,
                sent_s,
                arrived_s: 3.0,
                bytes: 1,
            });
        }
        let columns = lines.columns(1).unwrap();
        assert_eq!(columns.sent_s, [1.0, 1.0, 2.0]);
        assert_eq!(columns.from, [0, 1, 0]);
        assert_eq!(columns.count, 3);
        assert_eq!(Lines::default().columns(1), None);
    }
}
