//! Bandwidths and times of loops, on one CPU and on several.

use std::sync::Barrier;
use std::thread;

use super::loops::{Chase, Gather, Triad, VECTOR, vector};
use crate::cpu::stopwatch::now;

/// Shortest time of a round, in seconds: in one as short, other programs rarely get the CPU.
const ROUND_S: f64 = 1e-3;
/// Number of rounds, of which the fastest counts: other programs disturbed it least.
const ROUNDS: usize = 15;

/// Bandwidth of a triad over `bytes` bytes, in bytes per second.
#[expect(clippy::cast_precision_loss, reason = "they are far below 2^53")]
pub(crate) fn bandwidth(bytes: u64) -> f64 {
    let mut triad = Triad::new(bytes);
    let moved = triad.bytes() as f64;
    moved / fastest_s(|turns| triad.run(turns))
}

/// Bandwidth of several threads together, each with a triad over `bytes` bytes of its own.
#[expect(clippy::cast_precision_loss, reason = "they are far below 2^53")]
pub(crate) fn shared_bandwidth(bytes: u64, threads: u32) -> f64 {
    let mut triads: Vec<Triad> = (0..threads).map(|_| Triad::new(bytes)).collect();
    let moved: u64 = triads.iter().map(Triad::bytes).sum();
    let fastest = fastest_s(|turns| {
        let start = Barrier::new(triads.len());
        thread::scope(|scope| {
            for triad in &mut triads {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    triad.run(turns);
                });
            }
        });
    });
    moved as f64 / fastest
}

/// Time of a load that waits for the previous load, in seconds, in a cycle of `bytes` bytes.
pub(crate) fn latency_s(bytes: u64) -> f64 {
    let mut chase = Chase::new(bytes);
    fastest_s(|turns| chase.run(turns))
}

/// Time of a load from random places, in seconds, in arrays of `bytes` bytes.
#[expect(clippy::cast_precision_loss, reason = "they are far below 2^53")]
pub(crate) fn scattered_s(bytes: u64) -> f64 {
    let mut gather = Gather::new(bytes);
    fastest_s(|turns| gather.run(turns)) / gather.elements() as f64
}

/// Time of an operation of a vector that waits for nothing, in seconds.
pub(crate) fn operation_s() -> f64 {
    fastest_s(vector) / f64::from(VECTOR)
}

/// Time of a turn of a loop, whose argument is the number of turns, in its fastest round.
#[expect(clippy::cast_precision_loss, reason = "they are far below 2^53")]
fn fastest_s(mut run: impl FnMut(u64)) -> f64 {
    let mut taken_s = |turns: u64| {
        let start = now();
        run(turns);
        start.elapsed().as_secs_f64()
    };
    let mut turns = 1;
    while turns < 1 << 40 && taken_s(turns) < ROUND_S {
        turns *= 2;
    }
    let rounds = (0..ROUNDS).map(|_| taken_s(turns));
    let fastest = rounds.fold(f64::INFINITY, f64::min);
    (fastest / turns as f64).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::{fastest_s, now};

    #[test]
    fn the_turns_of_a_round_take_long_enough() {
        let mut most = 0;
        let one_s = fastest_s(|turns| {
            most = most.max(turns);
            let start = now();
            while start.elapsed().as_micros() < u128::from(100 * turns) {}
        });
        assert!(
            most >= 8 && (100e-6..2e-3).contains(&one_s),
            "{most} {one_s}"
        );
    }
}
