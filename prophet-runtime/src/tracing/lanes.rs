//! Numbers the threads of each process for the trace.

use std::collections::BTreeSet;

use prophet_map::Map;

/// The thread numbers in use in each process. 0 is the process's first thread.
#[derive(Debug, Default)]
pub(super) struct Lanes(Map<u32, Process>);

#[derive(Debug)]
struct Process {
    free: BTreeSet<u32>,
    /// The lowest number that has never been used.
    next: u32,
}

impl Lanes {
    /// Takes the lowest number that no thread of the process uses.
    pub(super) fn take(&mut self, pid: u32) -> u32 {
        let process = self.0.get_or_insert_with(pid, || Process {
            free: BTreeSet::new(),
            next: 1,
        });
        process.free.pop_first().unwrap_or_else(|| {
            process.next += 1;
            process.next - 1
        })
    }

    pub(super) fn give(&mut self, pid: u32, tid: u32) {
        if let Some(process) = self.0.get_mut(&pid) {
            process.free.insert(tid);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_the_lowest_number_that_is_free() {
        let mut lanes = Lanes::default();
        assert_eq!([1, 1, 2, 1].map(|pid| lanes.take(pid)), [1, 2, 1, 3]);
        lanes.give(1, 3);
        lanes.give(1, 1);
        assert_eq!([1, 1, 1].map(|pid| lanes.take(pid)), [1, 3, 4]);
    }
}
