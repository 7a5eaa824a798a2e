//! Collects measured times of messages between two processes.

use std::collections::BTreeMap;

use prophet_sim::statistics::median;

/// Values by message size in bytes. There is a value for each repetition.
pub(crate) type BySize = BTreeMap<u64, Vec<f64>>;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// Where the values come from.
    pub(crate) origins: Vec<String>,
    /// Half the time of a round trip, in seconds.
    pub(crate) one_way_s: BySize,
    /// How long a message keeps its sender busy, in seconds.
    pub(crate) send_s: BySize,
    /// How long a sender is blocked until a late receive is posted, in seconds; 0 for an eager
    /// message.
    pub(crate) held_s: BySize,
    /// Time between consecutive messages in a stream, in seconds.
    pub(crate) interval_s: BySize,
}

impl Measured {
    pub(crate) fn add(&mut self, other: Self) {
        self.origins.extend(other.origins);
        for (all, new) in [
            (&mut self.one_way_s, other.one_way_s),
            (&mut self.send_s, other.send_s),
            (&mut self.held_s, other.held_s),
            (&mut self.interval_s, other.interval_s),
        ] {
            for (bytes, values) in new {
                all.entry(bytes).or_default().extend(values);
            }
        }
    }
}

pub(crate) fn medians(values: &BySize) -> Vec<(u64, f64)> {
    let median = |(bytes, values): (&u64, &Vec<f64>)| Some((*bytes, median(values)?));
    values.iter().filter_map(median).collect()
}
