//! Collects the communication matrix: the traffic between processes.

use std::collections::BTreeMap;

use prophet_trace::{Record, Role, UnitState};

/// The messages between two groups of processes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    pub messages: u64,
    /// Total size of the messages in bytes.
    pub bytes: u64,
}

/// The communication matrix of a run, without empty entries.
///
/// Each row or column is a group of processes with consecutive pids. A group is a single process
/// unless more than [`Matrix::PAIRS_MAX`] pairs communicate. In that case, groups double in size
/// until the pairs fit.
///
/// ```
/// use prophet_report::analysis::matrix::Matrix;
/// use prophet_trace::{Record, Role, UnitState};
///
/// let mut matrix = Matrix::default();
/// let send = Record::new(2, 0, UnitState::Send, 0.0, 1.0).message(Role::Send, 0, 5, 8);
/// matrix.add(&send);
/// let (pair, traffic) = matrix.pairs().next().unwrap();
/// assert_eq!((pair, traffic.bytes), ((2, 5), 8));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// A process's group is its pid divided by 2^`shift`.
    shift: u32,
    pairs: BTreeMap<(u32, u32), Traffic>,
}

impl Matrix {
    /// Maximum number of pairs of groups in a matrix.
    pub const PAIRS_MAX: usize = 1 << 18;

    /// Counts the message of a row on the sender's side, including messages of collectives. Ignores
    /// all other rows.
    pub fn add(&mut self, row: &Record) {
        let waits = matches!(row.state, UnitState::Wait | UnitState::Synchronize);
        let (Some(Role::Send), Some(partner), false) = (row.role(), row.partner_pid(), waits)
        else {
            return;
        };
        let pair = (row.pid >> self.shift, partner >> self.shift);
        let traffic = self.pairs.entry(pair).or_default();
        traffic.messages += 1;
        traffic.bytes = traffic.bytes.saturating_add(row.size_bytes().unwrap_or(0));
        while self.pairs.len() > Self::PAIRS_MAX {
            self.coarsen();
        }
    }

    /// Doubles the size of the groups by joining neighboring groups.
    pub fn coarsen(&mut self) {
        self.shift += 1;
        for ((from, to), traffic) in std::mem::take(&mut self.pairs) {
            let sum = self.pairs.entry((from >> 1, to >> 1)).or_default();
            sum.messages += traffic.messages;
            sum.bytes = sum.bytes.saturating_add(traffic.bytes);
        }
    }

    /// Returns the number of processes per group.
    pub fn group(&self) -> u32 {
        1 << self.shift
    }

    /// Returns the traffic of each pair of groups that communicate: the sending group, the
    /// receiving group, and their messages.
    pub fn pairs(&self) -> impl Iterator<Item = ((u32, u32), Traffic)> {
        self.pairs.iter().map(|(pair, traffic)| (*pair, *traffic))
    }

    pub fn total(&self) -> Traffic {
        let mut total = Traffic::default();
        for traffic in self.pairs.values() {
            total.messages += traffic.messages;
            total.bytes = total.bytes.saturating_add(traffic.bytes);
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(pid: u32, partner: u32) -> Record {
        Record::new(pid, 0, UnitState::Send, 0.0, 0.0).message(Role::Send, 0, partner, 10)
    }

    #[test]
    fn only_senders_count() {
        let in_state = |state| {
            let mut row = send(0, 1);
            row.state = state;
            row
        };
        let mut matrix = Matrix::default();
        matrix.add(&send(0, 1));
        // A message of a collective.
        matrix.add(&in_state(UnitState::Collective));
        matrix.add(&send(1, 0));
        // A wait before the receive.
        matrix.add(&in_state(UnitState::Wait));
        matrix.add(&send(0, 1).message(Role::Receive, 0, 1, 10));
        matrix.add(
            &Record::new(0, 0, UnitState::Collective, 0.0, 0.0)
                .partner(1)
                .bytes(10),
        );
        let twice = Traffic {
            messages: 2,
            bytes: 20,
        };
        let once = Traffic {
            messages: 1,
            bytes: 10,
        };
        let pairs: Vec<_> = matrix.pairs().collect();
        assert_eq!(pairs, [((0, 1), twice), ((1, 0), once)]);
        assert_eq!((matrix.group(), matrix.total().bytes), (1, 30));
    }

    #[test]
    fn very_many_pairs_are_joined() {
        let mut matrix = Matrix::default();
        let side = 600;
        for (from, to) in (0..side).flat_map(|from| (0..side).map(move |to| (from, to))) {
            matrix.add(&send(from, to));
        }
        assert_eq!(matrix.group(), 2);
        assert_eq!(matrix.pairs().count(), 300 * 300);
        assert_eq!(matrix.total().messages, u64::from(side * side));
    }
}
