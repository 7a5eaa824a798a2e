//! Computes iterations of loops, instead of simulating them, if they only repeat earlier ones.
//!
//! In the local engine, each new clock value is either the sum of a clock value and a duration, or
//! the maximum of several clock values. So a loop body that is the same in every iteration maps one
//! state to the next, and shifting all times shifts the result by the same amount. Once a state
//! equals an earlier one except that all times are later by the same amount, the same is true of
//! all the states that follow. (The clocks of such systems become periodic: F. Baccelli, G. Cohen,
//! G. J. Olsder, J.-P. Quadrat: Synchronization and Linearity, Wiley, 1992.) Such a map never moves
//! two states further apart, so rounding errors grow no faster than the number of periods.

mod courses;
mod cut;

use std::collections::{BTreeSet, VecDeque};

use prophet_map::Map;

use super::World;
use crate::kernel::local::{Head, Local, least_common_multiple};
use crate::results::outcome::{Repeated, Repetition};
use cut::{Cut, Period};

/// Maximum length of a period, in iterations.
const PERIOD_MAX: usize = 32;
/// Memory for states to compare with, in bytes. The larger the states, the fewer fit.
const MEMORY_MAX: usize = 64 << 20;
/// Maximum memory that comparisons of states can read in a run, in bytes, which takes a second or
/// two. Loops that haven't become periodic by then are simulated.
const READ_MAX: u64 = 4 << 30;
/// Ranks no longer stop at loop heads if some of them have stopped there without the others more
/// often than this.
const APART_MAX: u32 = 8;

/// If this many states show no period, the ranks may not depend on each other. From then on, their
/// dependencies are recorded, which takes time.
const COUPLED_MAX: usize = 4;

/// Why a loop is simulated even though it could be computed.
const AT_REST: &str = "no time passes in its iterations";
/// Why a loop is simulated if no period was found in its states.
const NOT_PERIODIC: &str = "its iterations have not become periodic";

/// The latest states at loop heads, and what comparing them has shown.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    states: VecDeque<Cut>,
    /// Memory that comparisons of states have read, in bytes.
    read: u64,
    /// How often some ranks have stopped without the others.
    apart: u32,
    /// The loops whose heads ranks have stopped at, by element index.
    loops: Map<u32, Seen>,
}

/// A loop whose head ranks have stopped at.
#[derive(Debug)]
struct Seen {
    name: &'static str,
    /// Number of iterations that each process has skipped because they were computed.
    computed: u64,
    /// The latest period, in iterations.
    period: u64,
    /// Why all iterations were simulated; meaningless if some were computed.
    why: &'static str,
}

impl Seen {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            computed: 0,
            period: 0,
            why: NOT_PERIODIC,
        }
    }
}

/// Lets ranks pass loop heads without stopping from now on.
fn stop(local: &Local) {
    local.heads.watch(false);
    local.influences.note(false);
}

/// Returns the number of iterations after which everything that depends on iteration numbers
/// repeats, at all of these heads. Returns `None` if it never does.
fn stride(heads: &[Head]) -> Option<u64> {
    let moduli = heads.iter().map(|head| head.modulus);
    let mut moduli: Vec<u64> = moduli.collect();
    moduli.dedup();
    moduli.into_iter().try_fold(1, least_common_multiple)
}

impl Watch {
    /// Starts watching the loops of a run in the local engine.
    pub(crate) fn over(local: &Local) -> Self {
        local.heads.watch(true);
        Self::default()
    }

    /// Lets ranks that have stopped at loop heads continue, because no other rank can. Returns
    /// `false` if none has stopped.
    pub(crate) fn go_on(&mut self, world: &World<'_>, local: &Local) -> bool {
        let heads = local.heads.take();
        let ranks: Vec<u32> = heads.iter().map(|head| head.rank).collect();
        for head in &heads {
            let seen = || Seen::new(head.name);
            self.loops.get_or_insert_with(head.element, seen);
        }
        local.heads.compute(0);
        if ranks.len() == world.system.processes as usize {
            self.compare(heads, world, local);
        } else if !ranks.is_empty() {
            self.part(&heads, local);
        }
        for rank in &ranks {
            local.ready.push(*rank);
        }
        !ranks.is_empty()
    }

    /// Compares the state of a run whose ranks are all at loop heads with earlier states. If it
    /// matches one, computes the remaining iterations.
    fn compare(&mut self, heads: Vec<Head>, world: &World<'_>, local: &Local) {
        let loops: BTreeSet<u32> = heads.iter().map(|head| head.element).collect();
        let fresh = heads.iter().any(|head| head.done == 0);
        if fresh {
            self.states.clear();
            local.influences.note(false);
        }
        match stride(&heads) {
            Some(stride) if !heads[0].done.is_multiple_of(stride) => return,
            Some(_) => {}
            None => {
                let why = "its iterations depend on the loop variable in too many ways";
                return self.note(loops, |seen| seen.why = why);
            }
        }
        let now = match Cut::of(world, local, heads) {
            Ok(now) => now,
            Err(why) => {
                self.states.clear();
                return self.note(loops, |seen| seen.why = why);
            }
        };
        let Some((then, period)) = self.period_until(&now) else {
            if self.states.iter().rev().any(|then| now.rests_since(then)) {
                // The run returns to this state forever, so ranks no longer have to stop there.
                local.heads.pass(&loops);
                local.influences.note(false);
                self.states.clear();
                return self.note(loops, |seen| seen.why = AT_REST);
            }
            return self.keep(now, local);
        };
        let computed = now.compute(then, &period, (world, local));
        local.heads.compute(computed);
        self.note(loops, |seen| {
            seen.computed += computed;
            seen.period = period.iterations;
        });
        // The times in the earlier states no longer fit this run.
        self.states.clear();
    }

    /// Finds the latest state that differs from the state `now` only by time. Returns it with the
    /// period in between.
    fn period_until(&self, now: &Cut) -> Option<(&Cut, Period)> {
        let mut influence = now.influence().cloned();
        self.states.iter().rev().find_map(|then| {
            let period = now.period_since(then, influence.as_ref());
            influence = influence
                .take()
                .zip(then.influence())
                .map(|(mut all, more)| {
                    all.add(more);
                    all
                });
            Some((then, period?))
        })
    }

    fn keep(&mut self, state: Cut, local: &Local) {
        let bytes = state.bytes().max(1);
        self.read += (bytes * (self.states.len() + 1)) as u64;
        if self.read > READ_MAX {
            self.states.clear();
            return stop(local);
        }
        let kept = (MEMORY_MAX / bytes).clamp(1, PERIOD_MAX);
        while self.states.len() >= kept {
            self.states.pop_front();
        }
        self.states.push_back(state);
        if self.states.len() == COUPLED_MAX {
            local.influences.note(true);
        }
    }

    /// Records that some ranks have stopped without the others.
    fn part(&mut self, heads: &[Head], local: &Local) {
        self.states.clear();
        self.apart += 1;
        if self.apart == APART_MAX {
            stop(local);
            let why = "the processes do not run its iterations in step";
            let loops = heads.iter().map(|head| head.element);
            self.note(loops, |seen| seen.why = why);
        }
    }

    fn note(&mut self, loops: impl IntoIterator<Item = u32>, change: impl Fn(&mut Seen)) {
        for element in loops {
            self.loops.get_mut(&element).into_iter().for_each(&change);
        }
    }

    pub(crate) fn told(&self) -> Repetition {
        let mut told = Repetition::default();
        for seen in self.loops.values() {
            let name = seen.name.to_owned();
            if seen.computed > 0 {
                let (iterations, period) = (seen.computed, seen.period);
                told.computed.push(Repeated {
                    name,
                    iterations,
                    period,
                });
            } else {
                told.add_simulated(Some(name), seen.why);
            }
        }
        told
    }
}
