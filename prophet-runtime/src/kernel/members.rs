//! Manages the members of teams, which are threads of a process with units of their own.
//!
//! A thread that reaches a region continues as the region's thread 0. The other threads of the
//! region are *members*. Their units come after the units of processes, and are reused. A member is
//! polled through its process: each region on the way asks which of its threads leads to the unit
//! that resumes ([`Members::route`]).

use std::cell::{Cell, RefCell};

use super::UNITS_MAX;
use crate::language::threads::MEMBERS_MAX;
use crate::results::failure::Who;

/// The value of [`Member::encountering`] for a member that has left.
const NOBODY: u32 = u32::MAX;

/// A thread of a team, apart from the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub(crate) pid: u32,
    /// The unit of the thread that reached the region.
    pub(crate) encountering: u32,
    /// The number of the region in the run.
    pub(crate) region: u32,
    /// The thread's number in the region.
    pub(crate) place: u32,
    /// The thread's number in its innermost team. It is 0 in a team whose region the thread itself
    /// has reached.
    pub(crate) tid: u32,
}

#[derive(Debug)]
pub(crate) struct Members {
    /// The unit of the first member. All units before it belong to processes.
    first: u32,
    all: RefCell<Vec<Member>>,
    vacant: RefCell<Vec<u32>>,
    /// Number of members of each process, up to the last process that has ever had any.
    of_process: RefCell<Vec<u32>>,
    regions: Cell<u32>,
    resumed: Cell<u32>,
}

impl Members {
    /// Creates the members of a run with `processes` processes, or with 0 for a study, which has
    /// none.
    pub(crate) fn new(processes: u32) -> Self {
        Self {
            first: if processes == 0 { u32::MAX } else { processes },
            all: RefCell::default(),
            vacant: RefCell::default(),
            of_process: RefCell::default(),
            regions: Cell::new(0),
            resumed: Cell::new(0),
        }
    }

    #[inline]
    pub(crate) fn process_of(&self, unit: u32) -> u32 {
        if unit < self.first {
            unit
        } else {
            self.all.borrow()[(unit - self.first) as usize].pid
        }
    }

    /// Returns a unit's process and thread numbers, which order units that request something at the
    /// same time.
    #[inline]
    pub(crate) fn pid_and_tid(&self, unit: u32) -> (u32, u32) {
        if unit < self.first {
            return (unit, 0);
        }
        let member = self.all.borrow()[(unit - self.first) as usize];
        (member.pid, member.tid)
    }

    /// Returns a unit's process, and its thread number if the process has several threads right
    /// now.
    pub(crate) fn who(&self, unit: u32) -> Who {
        let (process, tid) = self.pid_and_tid(unit);
        let all = self.all.borrow();
        let has_threads =
            unit >= self.first || all.iter().any(|member| member.encountering == unit);
        Who {
            process,
            thread: has_threads.then_some(tid),
        }
    }

    /// Records which unit resumes, and returns its process.
    #[inline]
    pub(crate) fn resume(&self, unit: u32) -> u32 {
        self.resumed.set(unit);
        self.process_of(unit)
    }

    /// Returns the thread of a region that leads to the unit which resumes. `encountering` is the
    /// unit that reached the region.
    #[inline]
    pub(crate) fn route(&self, region: u32, encountering: u32) -> u32 {
        let mut unit = self.resumed.get();
        if unit == encountering {
            return 0;
        }
        let members = self.all.borrow();
        // A unit that leads nowhere has already left. This can happen if a program drops regions.
        while let Some(place) = unit.checked_sub(self.first)
            && let Some(member) = members.get(place as usize)
            && unit != encountering
        {
            if member.region == region {
                return member.place;
            }
            unit = member.encountering;
        }
        0
    }

    /// Gives a member a unit. Returns `None` if there are too many.
    pub(crate) fn join(&self, member: Member) -> Option<u32> {
        let unit = self.take_unit(member)?;
        let (mut of_process, pid) = (self.of_process.borrow_mut(), member.pid as usize);
        if of_process.len() <= pid {
            of_process.resize(pid + 1, 0);
        }
        of_process[pid] += 1;
        Some(unit)
    }

    fn take_unit(&self, member: Member) -> Option<u32> {
        let mut members = self.all.borrow_mut();
        if let Some(unit) = self.vacant.borrow_mut().pop() {
            members[(unit - self.first) as usize] = member;
            return Some(unit);
        }
        let unit = u32::try_from(members.len())
            .ok()
            .filter(|number| *number < MEMBERS_MAX)
            .and_then(|number| self.first.checked_add(number))
            .filter(|unit| *unit < UNITS_MAX)?;
        members.push(member);
        Some(unit)
    }

    /// Frees the unit of a member for reuse.
    pub(crate) fn leave(&self, unit: u32) {
        let member = &mut self.all.borrow_mut()[(unit - self.first) as usize];
        member.encountering = NOBODY;
        self.of_process.borrow_mut()[member.pid as usize] -= 1;
        self.vacant.borrow_mut().push(unit);
    }

    pub(crate) fn has_team(&self, process: u32) -> bool {
        let of_process = self.of_process.borrow();
        of_process
            .get(process as usize)
            .is_some_and(|count| *count > 0)
    }

    /// Sets a thread's number in its current team, and returns its previous number.
    pub(crate) fn renumber(&self, unit: u32, tid: u32) -> u32 {
        if unit < self.first {
            return 0;
        }
        let mut members = self.all.borrow_mut();
        std::mem::replace(&mut members[(unit - self.first) as usize].tid, tid)
    }

    pub(crate) fn number_region(&self) -> u32 {
        self.regions.replace(self.regions.get().wrapping_add(1))
    }

    pub(crate) fn units(&self) -> Vec<u32> {
        let all = self.all.borrow();
        let present = all
            .iter()
            .zip(self.first..)
            .filter(|(member, _)| member.encountering != NOBODY);
        present.map(|(_, unit)| unit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_only_so_many_members_and_their_units_are_used_again() {
        let members = Members::new(3);
        let member = Member {
            pid: 1,
            encountering: 1,
            region: 0,
            place: 1,
            tid: 1,
        };
        for number in 0..MEMBERS_MAX {
            assert_eq!(members.join(member), Some(3 + number));
        }
        assert_eq!(members.join(member), None);
        members.leave(7);
        assert_eq!(members.units().len(), MEMBERS_MAX as usize - 1);
        assert_eq!(members.join(member), Some(7));
    }
}
