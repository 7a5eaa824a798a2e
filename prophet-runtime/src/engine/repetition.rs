//! Repetition: iterations of loops that only repeat earlier ones are computed, not simulated.
//!
//! In the local engine, a clock only ever becomes the sum of a clock and a duration, or the latest
//! of several clocks. A body that is the same in each iteration is then a map of the state that
//! commutes with a shift of all times: if a state equals an earlier state with all times later by
//! some advance, then each following state does so, too. (The clocks of such systems become
//! periodic: F. Baccelli, G. Cohen, G. J. Olsder, J.-P. Quadrat: Synchronization and Linearity,
//! Wiley, 1992.) No such map takes two states further apart, so that a deviation by rounding grows
//! with the number of periods at most.

mod courses;
mod cut;

use std::collections::{BTreeSet, VecDeque};

use prophet_map::Map;

use super::World;
use crate::kernel::local::{Head, Local, least_common_multiple};
use crate::results::outcome::{Repeated, Repetition};
use cut::{Cut, Period};

/// The longest period that is looked for.
const PERIOD_MAX: usize = 32;
/// Memory for states to compare with, in bytes: of large ones there are fewer.
const MEMORY_MAX: usize = 64 << 20;
/// Memory that comparing states may read in a run, in bytes, which takes a second or two: loops
/// that have not become periodic by then are simulated.
const READ_MAX: u64 = 4 << 30;
/// Number of times that some ranks stop at heads without the others, after which ranks no longer
/// stop.
const APART_MAX: u32 = 8;

/// Number of states without a period after which ranks may not be coupled: it is noted then how
/// they influence each other, which takes time.
const COUPLED_MAX: usize = 4;

/// Why a loop is simulated although it could be computed: nothing would be gained.
const AT_REST: &str = "no time passes in its iterations";
/// Why a loop is simulated whose state is compared in vain.
const NOT_PERIODIC: &str = "its iterations have not become periodic";

/// The latest states at heads, and the results of comparing them.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    states: VecDeque<Cut>,
    /// Memory that comparing states has read, in bytes.
    read: u64,
    /// Number of times that ranks stopped without the others.
    apart: u32,
    /// The loops that ranks have stopped at, by the indices of their elements.
    loops: Map<u32, Seen>,
}

/// Loop that ranks have stopped at.
#[derive(Debug)]
struct Seen {
    name: &'static str,
    /// Number of iterations that each process has not simulated.
    computed: u64,
    /// The last period, in iterations.
    period: u64,
    /// Why all iterations were simulated, if that is so.
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

/// Lets the ranks pass the heads from now on.
fn stop(local: &Local) {
    local.heads.watch(false);
    local.influences.note(false);
}

/// Number of iterations after which what depends on their number is the same at all heads.
fn stride(heads: &[Head]) -> Option<u64> {
    let moduli = heads.iter().map(|head| head.modulus);
    let mut moduli: Vec<u64> = moduli.collect();
    moduli.dedup();
    moduli.into_iter().try_fold(1, least_common_multiple)
}

impl Watch {
    /// A watch over the loops of a run in the local engine.
    pub(crate) fn over(local: &Local) -> Self {
        local.heads.watch(true);
        Self::default()
    }

    /// Lets the ranks continue that have stopped at heads, now that no other rank can; returns
    /// false if no rank has stopped.
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

    /// Compares the state of all ranks at heads with earlier states, and computes the remaining
    /// iterations if it equals one of them.
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
                let why = "its iterations depend on its variable in too many ways";
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
                // It comes to this state for ever: ranks need not stop there.
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
        // The times in these states no longer fit this run.
        self.states.clear();
    }

    /// The latest state from which a period leads to the state `now`, and the period.
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

    /// Keeps a state for comparison with later states.
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

    /// Notes that ranks have stopped without the others.
    fn part(&mut self, heads: &[Head], local: &Local) {
        self.states.clear();
        self.apart += 1;
        if self.apart == APART_MAX {
            stop(local);
            let why = "the processes do not pass through its iterations together";
            let loops = heads.iter().map(|head| head.element);
            self.note(loops, |seen| seen.why = why);
        }
    }

    fn note(&mut self, loops: impl IntoIterator<Item = u32>, change: impl Fn(&mut Seen)) {
        for element in loops {
            self.loops.get_mut(&element).into_iter().for_each(&change);
        }
    }

    /// Iterations that were computed, and the loops that were simulated.
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
