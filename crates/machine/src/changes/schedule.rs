//! Sorts the changes known before the run by time.

use std::collections::BTreeSet;

use prophet_platform::{Quantity, Target};

use crate::parts::{Due, Parts};

/// Changes, sorted by time. Changes at the same time stay in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    changes: Vec<Known>,
    /// The bits of each change's next time, its number, and how often it has occurred.
    next: BTreeSet<(u64, usize, u32)>,
}

#[derive(Debug)]
struct Known {
    at_s: f64,
    /// Period in seconds after which the change is repeated; `None` if it occurs once.
    repeat_s: Option<f64>,
    due: Due,
}

impl Schedule {
    pub(super) fn add(&mut self, at_s: f64, due: Due) {
        self.push(Known {
            at_s,
            repeat_s: None,
            due,
        });
    }

    /// Adds a change from a platform's profile, unless it affects a host that isn't in use.
    pub(super) fn add_profile(&mut self, change: &prophet_platform::Change, parts: &Parts) {
        let due = match (change.target, change.quantity) {
            (Target::Link(link), quantity) => Due::Link(link, quantity),
            (Target::Host(host), Quantity::Speed(speed)) if parts.is_used(host) => {
                Due::Node(host, speed)
            }
            (Target::Host(_), _) => return,
        };
        self.push(Known {
            at_s: change.at_s,
            repeat_s: change.repeat_s,
            due,
        });
    }

    fn push(&mut self, known: Known) {
        self.next
            .insert((known.at_s.to_bits(), self.changes.len(), 0));
        self.changes.push(known);
    }

    /// Returns the time of the next change, in simulated seconds; infinite if there are no more
    /// changes.
    pub(super) fn next_s(&self) -> f64 {
        let first = self.next.first();
        first.map_or(f64::INFINITY, |(bits, ..)| f64::from_bits(*bits))
    }

    pub(super) fn take(&mut self) -> Option<Due> {
        let (_, number, times) = self.next.pop_first()?;
        let known = &self.changes[number];
        if let Some(repeat_s) = known.repeat_s {
            // Multiplying avoids accumulated rounding errors.
            let at_s = known.at_s + (f64::from(times) + 1.0) * repeat_s;
            self.next.insert((at_s.to_bits(), number, times + 1));
        }
        Some(known.due.clone())
    }
}
