//! Lines of messages in the space-time diagram.

use super::uid;
use crate::analysis::messages::Message;
use crate::page::{MESSAGES_MAX, Messages};

/// Collection of messages, evenly thinned out if there are too many.
#[derive(Debug)]
pub(super) struct Lines {
    kept: Vec<Message>,
    /// Number of messages of which one is kept.
    stride: u64,
    count: u64,
}

impl Default for Lines {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            stride: 1,
            count: 0,
        }
    }
}

impl Lines {
    pub(super) fn add(&mut self, message: Message) {
        if self.count.is_multiple_of(self.stride) {
            if self.kept.len() == MESSAGES_MAX {
                let mut place = 0;
                self.kept.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.stride *= 2;
            }
            if self.count.is_multiple_of(self.stride) {
                self.kept.push(message);
            }
        }
        self.count += 1;
    }

    /// Builds the lines by the times at which they begin; `None` if there was no message.
    pub(super) fn columns(&mut self, threads: u32) -> Option<Messages> {
        self.kept.sort_by(|a, b| {
            let ends = |message: &Message| (message.from.pid, message.to.pid);
            a.sent_s.total_cmp(&b.sent_s).then(ends(a).cmp(&ends(b)))
        });
        let mut columns = Messages {
            count: self.count,
            ..Messages::default()
        };
        for message in &self.kept {
            columns.from.push(uid(message.from, threads));
            columns.to.push(uid(message.to, threads));
            columns.sent_s.push(message.sent_s);
            columns.received_s.push(message.arrived_s);
            #[expect(clippy::cast_precision_loss, reason = "a page shows four digits")]
            columns.bytes.push(message.bytes as f64);
        }
        (self.count > 0).then_some(columns)
    }
}

#[cfg(test)]
mod tests {
    use prophet_trace::UnitId;

    use super::*;

    #[test]
    fn very_many_are_thinned_out_evenly() {
        let unit = UnitId { pid: 0, tid: 0 };
        let mut lines = Lines::default();
        let count = 3 * u32::try_from(MESSAGES_MAX).unwrap();
        for number in 0..count {
            lines.add(Message {
                from: unit,
                to: unit,
                sent_s: f64::from(number),
                arrived_s: f64::from(number),
                bytes: 1,
            });
        }
        let columns = lines.columns(1).unwrap();
        assert_eq!(columns.count, u64::from(count));
        let steps = columns.sent_s.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(steps.into_iter().all(|step| (step - 4.0).abs() < 1e-9));
        assert!(columns.sent_s.len() > MESSAGES_MAX / 2);
        assert_eq!(Lines::default().columns(1), None);
    }
}
