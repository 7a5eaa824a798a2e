//! Simulates teams: regions, what their threads share, and what each thread gets.

use super::open::Open;
use super::program::{Loop, Op, Phase, Schedule};
use super::run::Run;
use super::units::{Lock, State, Step, Unit, Wish};

#[derive(Debug)]
pub(crate) struct Team {
    threads: usize,
    phases: Vec<Phase>,
    /// Whether phases end with barriers. A region that is only a loop ends with the loop.
    barriers: bool,
    /// The unit that reached the region.
    first: usize,
    /// Number of other threads that have ended.
    ended: usize,
    /// How many threads have reached the barrier, by phase.
    came: Vec<usize>,
    /// How many iterations or singles have been taken, by phase.
    taken: Vec<usize>,
}

/// Turns sections into iterations of a dynamic loop.
fn as_loop(sections: &[Vec<Op>]) -> Loop {
    Loop {
        schedule: Schedule::Dynamic,
        chunk: None,
        iterations: sections.to_vec(),
    }
}

fn iterations(shared: &Loop, numbers: impl Iterator<Item = usize>) -> Vec<Step> {
    let mut steps = Vec::new();
    for number in numbers {
        steps.push(Step::Iteration(number));
        steps.extend(shared.iterations[number].iter().cloned().map(Step::Do));
    }
    steps
}

/// Returns the steps of a thread in a static loop.
fn settled(shared: &Loop, threads: usize, tid: usize) -> Vec<Step> {
    let count = shared.iterations.len();
    if let Some(chunk) = shared.chunk {
        let own = (0..count).filter(|number| number / chunk % threads == tid);
        return iterations(shared, own);
    }
    let length = |tid: usize| count / threads + usize::from(tid < count % threads);
    let start: usize = (0..tid).map(length).sum();
    iterations(shared, start..start + length(tid))
}

impl Run<'_> {
    /// Handles a unit that reaches an operation with threads of its own.
    pub(crate) fn meet_region(&mut self, unit: usize, op: &Op) -> bool {
        let (threads, phases, barriers) = match op {
            Op::Team(threads, phases) => (*threads, phases.clone(), true),
            Op::Loop(threads, shared) => (*threads, vec![Phase::Loop(shared.clone())], false),
            Op::Sections(threads, sections) => {
                (*threads, vec![Phase::Loop(as_loop(sections))], false)
            }
            Op::Fork(branches) => (branches.len(), vec![Phase::Each(branches.clone())], false),
            _ => return false,
        };
        let index = self.teams.len();
        let count = phases.len();
        self.teams.push(Team {
            threads,
            phases,
            barriers,
            first: unit,
            ended: 0,
            came: vec![0; count],
            taken: vec![0; count],
        });
        let steps = || (0..count).map(move |phase| Step::Phase(index, phase));
        let outer = self.units[unit].path.clone();
        self.units[unit].path.push(0);
        self.units[unit].first(steps().chain([Step::Join(index)]));
        let others = (1..threads).map(|tid| {
            let mut path = outer.clone();
            path.push(tid);
            let mut thread = Unit::new(path, Some(index));
            thread.first(steps());
            thread
        });
        self.begin(others.collect());
        true
    }

    /// Handles a unit that reaches a phase.
    pub(crate) fn come_to(&mut self, unit: usize, team: usize, phase: usize) {
        let tid = self.units[unit].who(unit).tid;
        let of = &self.teams[team];
        let barrier = of.barriers.then_some(Step::Barrier(team, phase));
        match of.phases[phase].clone() {
            Phase::Each(lists) => {
                if let Some(ops) = lists.get(tid) {
                    self.units[unit].first_ops(ops);
                }
            }
            Phase::Loop(shared) if shared.schedule == Schedule::Static => {
                let steps = settled(&shared, of.threads, tid);
                self.units[unit].first(steps.into_iter().chain(barrier));
            }
            Phase::Loop(_) | Phase::Sections(_) => {
                self.units[unit].first([Step::Take(team, phase)].into_iter().chain(barrier));
            }
            Phase::Single(_) => {
                self.wish(unit, Wish::Single(team, phase));
            }
            Phase::Master(ops) => {
                if tid == 0 {
                    self.units[unit].first_ops(&ops);
                }
            }
            Phase::Barrier(cost_s) => {
                let pay = cost_s.map(|cost_s| Step::Do(Op::Compute(cost_s)));
                let steps = [Step::Barrier(team, phase), Step::Note].into_iter();
                self.units[unit].first(steps.chain(pay));
            }
        }
    }

    pub(crate) fn wish(&mut self, unit: usize, wish: Wish) {
        self.units[unit].state = State::Wishes(self.now_s, wish);
    }

    pub(crate) fn come_to_barrier(&mut self, unit: usize, team: usize, phase: usize) {
        self.units[unit].state = State::AtBarrier(team, phase);
        self.teams[team].came[phase] += 1;
        if self.teams[team].came[phase] == self.teams[team].threads {
            for unit in 0..self.units.len() {
                if self.units[unit].state == State::AtBarrier(team, phase) {
                    self.wake(unit);
                }
            }
        }
    }

    /// Handles the unit that reached a region when it comes to the region's end.
    pub(crate) fn join(&mut self, unit: usize, team: usize) {
        if self.teams[team].ended + 1 == self.teams[team].threads {
            self.disband(unit, team);
        } else {
            self.units[unit].state = State::Joins(team);
        }
    }

    /// Continues the unit that reached the region, once all threads of the team have ended.
    fn disband(&mut self, first: usize, team: usize) {
        self.units[first].path.pop();
        let node = self.machine.mapping[self.units[first].pid];
        let others = self.teams[team].threads - 1;
        self.cpus.disband(node, others, self.now_s);
    }

    pub(crate) fn leave_team(&mut self, team: usize) {
        let of = &mut self.teams[team];
        of.ended += 1;
        let first = of.first;
        if of.ended + 1 == of.threads && self.units[first].state == State::Joins(team) {
            self.disband(first, team);
            self.wake(first);
        }
    }

    /// Assigns locks, iterations, and singles. Returns `true` if there were any to assign.
    pub(crate) fn grant(&mut self) -> bool {
        let mut wishes: Vec<(f64, usize, usize, usize, Wish)> = Vec::new();
        for (index, unit) in self.units.iter().enumerate() {
            if let State::Wishes(since_s, wish) = unit.state {
                let who = unit.who(index);
                wishes.push((since_s, who.pid, who.tid, index, wish));
            }
        }
        wishes.sort_by(|a, b| {
            let key = |wish: &(f64, usize, usize, usize, Wish)| (wish.1, wish.2, wish.3);
            a.0.total_cmp(&b.0).then(key(a).cmp(&key(b)))
        });
        // A unit that gets iterations could then request a lock.
        let is_lock = |wish: &Wish| matches!(wish, Wish::Lock(_));
        let (locks, others): (Vec<_>, Vec<_>) =
            wishes.into_iter().partition(|wish| is_lock(&wish.4));
        for (_, _, _, unit, wish) in &others {
            match *wish {
                Wish::Iterations(team, phase) => self.deal(*unit, team, phase),
                Wish::Single(team, phase) => self.let_in(*unit, team, phase),
                Wish::Lock(_) => {}
            }
        }
        if !others.is_empty() {
            return true;
        }
        let mut any = false;
        for (index, (since_s, pid, tid, unit, wish)) in locks.iter().enumerate() {
            let Wish::Lock(lock) = *wish else { continue };
            if !self.lend(*unit, *pid, lock) {
                continue;
            }
            any = true;
            let ties = locks[index + 1..].iter();
            let mut ties =
                ties.filter(|other| (other.0, other.1, other.4) == (*since_s, *pid, *wish));
            if ties.any(|other| other.2 == *tid) {
                self.open.get_or_insert(Open::Numbers);
            }
        }
        any
    }

    fn lend(&mut self, unit: usize, pid: usize, lock: Lock) -> bool {
        let free = !self.lent.contains(&(pid, lock));
        if free {
            self.lent.push((pid, lock));
            self.wake(unit);
        }
        free
    }

    pub(crate) fn give_back(&mut self, unit: usize, lock: Lock) {
        let own = (self.units[unit].pid, lock);
        self.lent.retain(|lent| *lent != own);
    }

    /// Returns the loop of a phase, and how many of its iterations have been taken.
    fn shared(&self, team: usize, phase: usize) -> (Loop, usize) {
        let of = &self.teams[team];
        let shared = match &of.phases[phase] {
            Phase::Loop(shared) => shared.clone(),
            Phase::Sections(sections) => as_loop(sections),
            _ => unreachable!("only loops have iterations"),
        };
        (shared, of.taken[phase])
    }

    /// Records that a unit wants iterations. If none are left, it doesn't wait.
    pub(crate) fn take(&mut self, unit: usize, team: usize, phase: usize) {
        let (shared, taken) = self.shared(team, phase);
        if taken < shared.iterations.len() {
            self.wish(unit, Wish::Iterations(team, phase));
        }
    }

    fn deal(&mut self, unit: usize, team: usize, phase: usize) {
        let (shared, taken) = self.shared(team, phase);
        let of = &mut self.teams[team];
        let rest = shared.iterations.len() - taken;
        let least = shared.chunk.unwrap_or(1);
        let length = match shared.schedule {
            Schedule::Guided => least.max(rest.div_ceil(of.threads)),
            Schedule::Dynamic | Schedule::Static => least,
        };
        let length = length.min(rest);
        of.taken[phase] += length;
        if length > 0 {
            let steps = iterations(&shared, taken..taken + length);
            let again = [Step::Take(team, phase)];
            self.units[unit].first(steps.into_iter().chain(again));
        }
        self.wake(unit);
    }

    fn let_in(&mut self, unit: usize, team: usize, phase: usize) {
        let of = &mut self.teams[team];
        of.taken[phase] += 1;
        let content = match &of.phases[phase] {
            Phase::Single(ops) if of.taken[phase] == 1 => ops.clone(),
            _ => Vec::new(),
        };
        let content = content.into_iter().map(Step::Do);
        self.units[unit].first(content.chain([Step::Barrier(team, phase)]));
        self.wake(unit);
    }
}
