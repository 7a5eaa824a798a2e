//! Tests locks against a simple simulation: first come, first served, and in a tie, the lower
//! thread.

use std::cell::RefCell;

use prophet_runtime::{Critical, Parallel, Threads};
use proptest::prelude::*;

use crate::threads::{quarters, run};

const TEAM: Parallel = Parallel::new(0, "Team", 1);
const LOCKS: [Critical; 3] = [
    Critical::new(1, "A", 2),
    Critical::new(2, "B", 3).named(1),
    Critical::new(3, "C", 4).named(2),
];

/// A turn of a thread. It computes, and then takes a lock and keeps it.
#[derive(Debug, Clone, Copy)]
struct Turn {
    before_s: f64,
    lock: usize,
    keeps_s: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    Computes(f64),
    Waits(f64),
    Keeps(f64),
    Done,
}

/// Returns when each thread got its locks, in its order.
fn reference(threads: &[Vec<Turn>]) -> Vec<Vec<f64>> {
    let mut turn = vec![0; threads.len()];
    let mut got: Vec<Vec<f64>> = vec![Vec::new(); threads.len()];
    let begin = |now_s: f64, turns: &[Turn], turn: usize| {
        let next = turns.get(turn);
        next.map_or(State::Done, |next| State::Computes(now_s + next.before_s))
    };
    let mut states: Vec<State> = threads.iter().map(|turns| begin(0.0, turns, 0)).collect();
    let mut holder = [None; LOCKS.len()];
    let mut now_s = 0.0;
    loop {
        loop {
            let before = states.clone();
            for tid in 0..threads.len() {
                if states[tid] == State::Keeps(now_s) {
                    holder[threads[tid][turn[tid]].lock] = None;
                    turn[tid] += 1;
                    states[tid] = begin(now_s, &threads[tid], turn[tid]);
                }
                if states[tid] == State::Computes(now_s) {
                    states[tid] = State::Waits(now_s);
                }
            }
            for (lock, holder) in holder.iter_mut().enumerate() {
                let wants = |tid: &usize| {
                    matches!(states[*tid], State::Waits(_))
                        && threads[*tid][turn[*tid]].lock == lock
                };
                let since_s = |tid: usize| match states[tid] {
                    State::Waits(since_s) => since_s,
                    _ => f64::INFINITY,
                };
                let first = (0..threads.len())
                    .filter(wants)
                    .min_by(|a, b| since_s(*a).total_cmp(&since_s(*b)).then(a.cmp(b)));
                if let (None, Some(tid)) = (*holder, first) {
                    *holder = Some(tid);
                    got[tid].push(now_s);
                    states[tid] = State::Keeps(now_s + threads[tid][turn[tid]].keeps_s);
                }
            }
            if states == before {
                break;
            }
        }
        let ends = states.iter().filter_map(|state| match state {
            State::Computes(end_s) | State::Keeps(end_s) => Some(*end_s),
            _ => None,
        });
        match ends.reduce(f64::min) {
            Some(next_s) => now_s = next_s,
            None => return got,
        }
    }
}

fn ours(threads: &[Vec<Turn>]) -> Vec<Vec<f64>> {
    let got = RefCell::new(vec![Vec::new(); threads.len()]);
    let size = u32::try_from(threads.len()).expect("few");
    let outcome = run(size, size, async |ctx| {
        TEAM.execute(ctx, Threads::Default, async |ctx| {
            let tid = usize::try_from(ctx.tid().0).expect("few");
            for turn in &threads[tid] {
                ctx.hold(turn.before_s).await?;
                let lock = &LOCKS[turn.lock];
                let content = async {
                    got.borrow_mut()[tid].push(ctx.now_s());
                    lock.compute(ctx, turn.keeps_s).await
                };
                lock.execute(ctx, content).await?;
            }
            Ok(())
        })
        .await
    });
    assert!(outcome.is_ok(), "{outcome:?}");
    got.into_inner()
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = (0_u8..4, 0..LOCKS.len(), 1_u8..4);
    let turn = turn.prop_map(|(before, lock, keeps)| Turn {
        before_s: quarters(before),
        lock,
        keeps_s: quarters(keeps),
    });
    prop::collection::vec(turn, 0..12)
}

proptest! {
    #[test]
    fn locks_are_given_as_the_reference_gives_them(
        threads in prop::collection::vec(turns(), 1..7),
    ) {
        prop_assert_eq!(ours(&threads), reference(&threads));
    }
}
