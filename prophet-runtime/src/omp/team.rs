//! Implements teams: threads that run a region together, and the constructs that they share.

use std::cell::Cell;
use std::ops::Range;

use super::flows::Flows;
use super::schedule::Work;
use crate::kernel::{Account, Activity, Member, Spending as _, TURNS_MAX};
use crate::language::Stopped;
use crate::mpi::Mpi;
use crate::results::failure::{Cause, Construct, Livelock, Misuse};

/// A construct that all threads of a team reach together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shared {
    Loop(Work),
    Sections(Work),
    Single,
    Barrier,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In no construct that the team shares.
    Region,
    Construct,
    Barrier,
    End,
}

#[derive(Debug)]
struct Thread {
    unit: u32,
    place: Cell<Place>,
    /// The generation of the thread's wait at the barrier.
    generation: Cell<u32>,
    since_s: Cell<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Current {
    element: u32,
    shared: Shared,
    first: u32,
}

/// The threads of a region, and what they share while they run it.
#[derive(Debug)]
pub(crate) struct Team<'w> {
    mpi: &'w Mpi<'w>,
    region: u32,
    element: u32,
    /// The threads by number. The first one is the thread that reached the region.
    threads: Vec<Thread>,
    /// The account of the thread that reached the region, from before the region.
    before: Account,
    /// Number of units that the region adds to its node.
    more_units: u32,
    /// The number that the region's first thread has in the enclosing team.
    outer_tid: u32,
    ended: Cell<u32>,
    last: Cell<u32>,
    /// The current construct. It stays until the last thread has left it.
    current: Cell<Option<Current>>,
    at_barrier: Cell<u32>,
    /// How much of the current construct's work has been taken.
    taken: Cell<u64>,
    /// How much of the work will have been taken when all threads with a turn have run.
    given: Cell<u64>,
    /// The last round of turns in which threads asked for work, and how many did.
    asked: Cell<(u64, u32)>,
    /// The flows between the threads' parts, if parts wait for each other.
    flows: Option<Flows>,
}

impl<'w> Team<'w> {
    /// Creates a team of `size` threads for a region that `unit` has reached, which is a thread of
    /// process `pid`.
    pub(crate) fn new(
        mpi: &'w Mpi<'w>,
        (pid, unit): (u32, u32),
        element: u32,
        size: u32,
    ) -> Result<Self, Stopped> {
        let mut team = Self {
            mpi,
            region: mpi.members.number_region(),
            element,
            threads: Vec::with_capacity(size as usize),
            before: mpi.unit(unit).account(),
            more_units: 0,
            outer_tid: mpi.members.renumber(unit, 0),
            ended: Cell::new(0),
            last: Cell::new(0),
            current: Cell::new(None),
            at_barrier: Cell::new(0),
            taken: Cell::new(0),
            given: Cell::new(0),
            asked: Cell::new((0, 0)),
            flows: None,
        };
        team.threads.push(Thread::new(unit));
        for tid in 1..size {
            let member = Member {
                pid,
                encountering: unit,
                region: team.region,
                place: tid,
                tid,
            };
            let Some(joined) = mpi.members.join(member) else {
                return Err(mpi.fail(Some(unit), Cause::Threads(Misuse::TooMany)));
            };
            mpi.trace_member(joined, pid);
            team.threads.push(Thread::new(joined));
        }
        let nid = mpi.nid(unit);
        mpi.cpus.add_units(mpi, nid, size - 1);
        team.more_units = size - 1;
        if size > 1 {
            mpi.share_nics();
        }
        Ok(team)
    }

    pub(crate) fn region(&self) -> u32 {
        self.region
    }

    #[expect(clippy::cast_possible_truncation, reason = "at most `TEAM_MAX`")]
    pub(crate) fn size(&self) -> u32 {
        self.threads.len() as u32
    }

    pub(crate) fn unit(&self, tid: u32) -> u32 {
        self.threads[tid as usize].unit
    }

    /// Starts all threads at this instant, except the first, which is already running.
    pub(crate) fn start(&self) {
        // Another thread may have been resumed, if its region was given up.
        self.mpi.members.resume(self.threads[0].unit);
        for thread in &self.threads[1..] {
            self.mpi.clear(thread.unit);
            let encountering = self.threads[0].unit;
            self.mpi
                .trace_started(thread.unit, self.element, encountering);
            if self.mpi.cpus.enter(self.mpi, thread.unit) {
                self.mpi.start(thread.unit);
            } else {
                self.mpi.arm(thread.unit);
            }
        }
    }

    /// Records that a thread has reached the end of the region. Returns `true` if all threads have.
    pub(crate) fn end(&self, tid: u32, shares: bool) -> Result<bool, Stopped> {
        let thread = &self.threads[tid as usize];
        if shares
            && let Some(current) = self.current.get()
            && current.element != self.element
        {
            let unit = self.mpi.unit(thread.unit);
            unit.site.set(self.element);
            return Err(self.fail(tid, Construct::End, current.known()));
        }
        thread.place.set(Place::End);
        thread.since_s.set(self.mpi.now_s());
        if tid > 0 {
            self.mpi.end(thread.unit);
            self.mpi.cpus.leave(self.mpi, thread.unit);
        }
        self.ended.set(self.ended.get() + 1);
        self.last.set(tid);
        Ok(self.ended.get() == self.size())
    }

    /// Returns the first thread that isn't at place `at`, and the number of such threads.
    fn missing_from(&self, at: Place) -> (u32, u32) {
        let missing = (0..).zip(&self.threads);
        let mut missing = missing.filter(|(_, thread)| thread.place.get() != at);
        let first = missing.next().map_or(0, |(tid, _)| tid);
        (first, 1 + u32::try_from(missing.count()).unwrap_or(0))
    }

    /// Returns the first thread that hasn't ended, and the number of such threads.
    pub(crate) fn running(&self) -> (u32, u32) {
        self.missing_from(Place::End)
    }

    /// Returns the first thread that hasn't reached the barrier, and the number of such threads.
    pub(crate) fn missing(&self) -> (u32, u32) {
        self.missing_from(Place::Barrier)
    }

    /// Makes each thread account for the time it waited until the last one ended. All threads must
    /// have ended.
    pub(crate) fn settle(&self) {
        let now_s = self.mpi.now_s();
        let last = self.unit(self.last.get());
        for thread in &self.threads {
            let since_s = thread.since_s.get();
            self.mpi
                .unit(thread.unit)
                .spend(Activity::Wait, now_s - since_s);
            self.mpi
                .trace_joined(thread.unit, self.element, since_s, last);
        }
    }

    // For parts that wait for each other.

    /// Makes each thread run a part. `targets` contains the part that each flow leads to.
    pub(crate) fn flowing(mut self, targets: &[u32]) -> Self {
        self.flows = Some(Flows::new(targets, self.size()));
        self
    }

    /// Returns `true` if the threads run parts that wait for each other.
    pub(crate) fn flows(&self) -> bool {
        self.flows.is_some()
    }

    pub(crate) fn element(&self) -> u32 {
        self.element
    }

    /// Makes all threads, except the first, which is running, rest until tokens reach their parts.
    pub(crate) fn rest(&self) {
        // Another thread may have been resumed, if its region was given up.
        self.mpi.members.resume(self.threads[0].unit);
        for thread in &self.threads[1..] {
            self.mpi.clear(thread.unit);
            let encountering = self.threads[0].unit;
            self.mpi
                .trace_started(thread.unit, self.element, encountering);
            self.mpi.end(thread.unit);
            thread.place.set(Place::End);
            thread.since_s.set(self.mpi.now_s());
        }
        self.ended.set(self.size() - 1);
    }

    pub(crate) fn is_at_rest(&self) -> bool {
        self.ended.get() == self.size()
    }

    pub(crate) fn add_token(&self, flow: u32) -> Option<u32> {
        self.flows.as_ref()?.add(flow)
    }

    /// Starts the thread of a part that has got a token from `giver`, if the thread rests and all
    /// flows to the part now have tokens.
    pub(crate) fn offer(&self, part: u32, giver: u32) -> Result<(), Stopped> {
        let thread = &self.threads[part as usize];
        if thread.place.get() != Place::End || !self.go_on(part)? {
            return Ok(());
        }
        thread.place.set(Place::Region);
        self.ended.set(self.ended.get() - 1);
        let (unit, since_s) = (thread.unit, thread.since_s.get());
        let wait_s = self.mpi.now_s() - since_s;
        self.mpi.unit(unit).spend(Activity::Wait, wait_s);
        self.mpi.trace_joined(unit, self.element, since_s, giver);
        if part == 0 {
            self.mpi.wake(unit, thread.generation.replace(0));
        } else if self.mpi.cpus.enter(self.mpi, unit) {
            self.mpi.start(unit);
        } else {
            self.mpi.arm(unit);
        }
        Ok(())
    }

    /// Takes the tokens that a part needs to begin. Returns `false` if it must wait for more.
    pub(crate) fn go_on(&self, part: u32) -> Result<bool, Stopped> {
        let Some(flows) = self.flows.as_ref().filter(|flows| flows.take(part)) else {
            return Ok(false);
        };
        if flows.count(self.mpi.now_s()) {
            return Ok(true);
        }
        let unit = self.mpi.unit(self.unit(part));
        unit.site.set(self.element);
        let cause = Cause::Livelock(Livelock::Turns(TURNS_MAX));
        Err(self.mpi.fail(Some(self.unit(part)), cause))
    }

    pub(crate) fn end_part(&self, part: u32) {
        if let Some(flows) = &self.flows {
            flows.end(part);
        }
    }

    pub(crate) fn part_is_over(&self, part: u32) -> bool {
        self.flows.as_ref().is_some_and(|flows| flows.is_over(part))
    }

    // For shared constructs.

    /// Records that a thread has reached a construct that the team shares.
    ///
    /// # Errors
    ///
    /// Returns an error if the team is in a different construct, or if the thread is already in
    /// one.
    pub(crate) fn enter(&self, tid: u32, element: u32, shared: Shared) -> Result<(), Stopped> {
        let thread = &self.threads[tid as usize];
        let here = Construct::new(&shared);
        match self.current.get() {
            Some(current) if thread.place.get() == Place::Construct => {
                let outer = self.mpi.site(current.element);
                let cause = Cause::Threads(Misuse::Nested { here, outer });
                return Err(self.mpi.fail(Some(thread.unit), cause));
            }
            Some(current) if (current.element, current.shared) != (element, shared) => {
                return Err(self.fail(tid, here, current.known()));
            }
            None if self.ended.get() > 0 && element != self.element => {
                let ended = |thread: &Thread| thread.place.get() == Place::End;
                let other = self.threads.iter().position(ended);
                let other = other.map_or(0, |tid| u32::try_from(tid).unwrap_or(0));
                return Err(self.fail(tid, here, (other, self.element, Construct::End)));
            }
            Some(_) => {}
            None => self.current.set(Some(Current {
                element,
                shared,
                first: tid,
            })),
        }
        thread.place.set(Place::Construct);
        Ok(())
    }

    /// Records that a thread has done its share of the construct that ends the region.
    pub(crate) fn leave(&self, tid: u32) {
        self.threads[tid as usize].place.set(Place::Region);
    }

    /// Reports that threads `tid` and `other` are in different constructs.
    #[cold]
    fn fail(
        &self,
        tid: u32,
        here: Construct,
        (other, element, there): (u32, u32, Construct),
    ) -> Stopped {
        let misuse = Misuse::Constructs {
            here,
            other,
            other_element: self.mpi.site(element),
            there,
        };
        self.mpi.fail(Some(self.unit(tid)), Cause::Threads(misuse))
    }

    /// Takes the next part of the current work. It is empty if nothing is left.
    pub(crate) fn take(&self, work: &Work) -> Range<u64> {
        let part = self.next(work, self.taken.get());
        self.taken.set(part.end);
        part
    }

    fn next(&self, work: &Work, taken: u64) -> Range<u64> {
        work.take(u64::from(self.size()), taken)
    }

    /// Lets a thread ask for a part of the current work in a round of turns. Returns `false` if the
    /// threads before it in that round will take all that is left, even if they haven't run yet.
    pub(crate) fn ask(&self, work: &Work, round: u64) -> bool {
        let (last, mut threads) = self.asked.get();
        if last != round {
            let give = |taken, _| self.next(work, taken).end;
            self.given.set((0..threads).fold(self.given.get(), give));
            threads = 0;
        }
        let is_left = self.given.get() < work.count;
        self.asked.set((round, threads + u32::from(is_left)));
        is_left
    }

    /// Forgets which threads have asked. Otherwise, after a thread has given up, others could ask
    /// in vain.
    pub(crate) fn forget_asked(&self) {
        self.given.set(self.taken.get());
        self.asked.set((0, 0));
    }

    /// Records that a thread has reached the barrier that ends the current construct. If it is the
    /// last one, returns `true`, and all others continue.
    pub(crate) fn arrive(&self, tid: u32) -> bool {
        let thread = &self.threads[tid as usize];
        thread.place.set(Place::Barrier);
        thread.since_s.set(self.mpi.now_s());
        self.at_barrier.set(self.at_barrier.get() + 1);
        if self.at_barrier.get() < self.size() {
            return false;
        }
        self.at_barrier.set(0);
        self.taken.set(0);
        self.forget_asked();
        self.current.set(None);
        let now_s = self.mpi.now_s();
        for thread in &self.threads {
            thread.place.set(Place::Region);
            let since_s = thread.since_s.get();
            self.mpi
                .unit(thread.unit)
                .spend(Activity::Wait, now_s - since_s);
            self.mpi
                .trace_synchronized(thread.unit, since_s, self.unit(tid));
            self.mpi.wake(thread.unit, thread.generation.replace(0));
        }
        true
    }

    pub(crate) fn wait(&self, tid: u32, generation: u32) {
        self.threads[tid as usize].generation.set(generation);
    }

    /// Removes a thread from the barrier because its wait was dropped.
    pub(crate) fn withdraw(&self, tid: u32) {
        let thread = &self.threads[tid as usize];
        if thread.place.get() == Place::Barrier {
            thread.place.set(Place::Construct);
            thread.generation.set(0);
            self.at_barrier.set(self.at_barrier.get() - 1);
        }
    }
}

impl Thread {
    fn new(unit: u32) -> Self {
        Self {
            unit,
            place: Cell::new(Place::Region),
            generation: Cell::new(0),
            since_s: Cell::new(0.0),
        }
    }
}

impl Current {
    /// Returns the first thread that reached the construct, its element, and its construct.
    fn known(&self) -> (u32, u32, Construct) {
        let there = Construct::new(&self.shared);
        (self.first, self.element, there)
    }
}

impl Construct {
    fn new(shared: &Shared) -> Self {
        match shared {
            Shared::Loop(work) => Self::Loop {
                iterations: work.count,
                schedule: work.schedule,
            },
            Shared::Sections(work) => Self::Sections(work.count),
            Shared::Single => Self::Single,
            Shared::Barrier => Self::Barrier,
        }
    }
}

impl Team<'_> {
    /// Adds the average of the threads' accounts to the account of the thread that reached the
    /// region. Its time is the region's time, and each thread accounts for an equal part of that
    /// time.
    fn account(&self) {
        let all = self.threads.iter();
        let sum = all.fold(Account::default(), |sum, thread| {
            sum.with(self.mpi.unit(thread.unit).account(), |a, b| a + b)
        });
        let threads = f64::from(self.size());
        let mean = |sum_s: f64, before_s: f64| before_s + (sum_s - before_s) / threads;
        let first = self.mpi.unit(self.threads[0].unit);
        first.set_account(sum.with(self.before, mean));
    }
}

impl Drop for Team<'_> {
    /// Frees the members' units, and adds the threads' accounts to the account of the thread that
    /// reached the region.
    fn drop(&mut self) {
        let mpi = self.mpi;
        if mpi.closes() {
            return;
        }
        let first = self.threads[0].unit;
        if self.size() > 1 {
            self.account();
        }
        for thread in &self.threads[1..] {
            mpi.end(thread.unit);
            if thread.place.get() != Place::End {
                mpi.cpus.leave(mpi, thread.unit);
            }
            mpi.drop_priority(thread.unit);
            mpi.trace_member_left(thread.unit);
            mpi.members.leave(thread.unit);
        }
        mpi.cpus.remove_units(mpi.nid(first), self.more_units);
        mpi.members.renumber(first, self.outer_tid);
    }
}
