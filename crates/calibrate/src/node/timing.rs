//! Measures the bandwidths and times of loops, on one CPU and on several.
#![expect(
    clippy::cast_precision_loss,
    reason = "numbers of bytes, loads and turns are far below 2^53"
)]

use std::sync::Barrier;
use std::thread;

use super::loops::{Chase, Gather, MatrixColumn, Sums, Triad, Turned, VECTOR, vector};
use crate::cpu::stopwatch::{cpu_s, now};

/// Minimum duration of a round in seconds. It is so short that other programs rarely get the CPU in
/// the meantime.
const ROUND_S: f64 = 2e-4;
/// Minimum number of rounds. The fastest round counts, because other programs that use the same
/// caches disturbed it least.
const ROUNDS: u32 = 8;
/// Minimum total duration of all rounds, in seconds.
const ALL_S: f64 = 0.08;

/// Measures the bandwidth of a triad over `bytes` bytes, in bytes per second.
pub(crate) fn bandwidth(bytes: u64) -> f64 {
    bandwidth_of(&mut Triad::new(bytes))
}

pub(crate) fn bandwidth_of(triad: &mut Triad) -> f64 {
    let moved = triad.bytes() as f64;
    moved / fastest_s(cpu_s, |turns| triad.run(turns))
}

/// Measures the combined bandwidth of several threads, each with its own triad over `bytes` bytes.
///
/// Wall time is used, because threads share the bandwidth only while they run at the same time.
pub(crate) fn shared_bandwidth(bytes: u64, threads: u32) -> f64 {
    let mut triads: Vec<Triad> = (0..threads).map(|_| Triad::new(bytes)).collect();
    let moved: u64 = triads.iter().map(Triad::bytes).sum();
    let begin = now();
    let wall_s = || begin.elapsed().as_secs_f64();
    let fastest = fastest_s(wall_s, |turns| {
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

/// Measures the time in seconds of a load in a cycle of `bytes` bytes, where each load depends on
/// the previous one.
pub(crate) fn latency_s(bytes: u64) -> f64 {
    latency_of(&mut Chase::new(bytes))
}

pub(crate) fn latency_of(chase: &mut Chase) -> f64 {
    // The first round loads the lines from memory.
    chase.run(chase.lines());
    fastest_s(cpu_s, |turns| chase.run(turns))
}

/// Measures the time in seconds of a load from a random place in an array of `bytes` bytes.
pub(crate) fn scattered_s(bytes: u64) -> f64 {
    let gather = Gather::new(bytes);
    fastest_s(cpu_s, |turns| gather.run(turns)) / gather.loads() as f64
}

/// Measures the time in seconds of a load from one of `pages` pages. Each page is loaded from once.
pub(crate) fn page_s(pages: usize) -> f64 {
    let column = MatrixColumn::new(pages);
    fastest_s(cpu_s, |turns| column.run(turns)) / pages as f64
}

/// Measures the time of a store down the columns of a matrix, in seconds.
pub(crate) fn turned_s(mut matrix: Turned) -> f64 {
    let stores = matrix.stores() as f64;
    fastest_s(cpu_s, |turns| matrix.run(turns)) / stores
}

/// Measures how long before the end of a sum the next, independent sum starts, in seconds.
pub(crate) fn ahead_s() -> f64 {
    let sums = Sums::new();
    let [row_s, all_s] = [Sums::ROW, Sums::ALL].map(|row| {
        fastest_s(cpu_s, |turns| sums.run(row, turns)) / Sums::ALL as f64 * Sums::ROW as f64
    });
    (all_s - row_s).max(0.0)
}

/// Measures the time of a vector operation that doesn't depend on others, in seconds.
pub(crate) fn operation_s() -> f64 {
    fastest_s(cpu_s, vector) / f64::from(VECTOR)
}

/// Returns the time of one iteration in the fastest round. `run` executes a given number of
/// iterations, and `clock` returns seconds.
fn fastest_s(clock: impl Fn() -> f64, mut run: impl FnMut(u64)) -> f64 {
    let mut taken_s = |turns: u64| {
        let start_s = clock();
        run(turns);
        clock() - start_s
    };
    let mut turns = 1;
    let mut round_s = taken_s(turns);
    while turns < 1 << 40 && round_s < ROUND_S {
        turns *= 2;
        round_s = taken_s(turns);
    }
    let (mut fastest_s, mut all_s, mut rounds) = (round_s, 0.0, 0);
    while rounds < ROUNDS || all_s < ALL_S {
        round_s = taken_s(turns);
        fastest_s = fastest_s.min(round_s);
        all_s += round_s;
        rounds += 1;
    }
    (fastest_s / turns as f64).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::{cpu_s, fastest_s};

    #[test]
    fn the_turns_of_a_round_take_long_enough() {
        let mut most = 0;
        let one_s = fastest_s(cpu_s, |turns| {
            most = most.max(turns);
            let start_s = cpu_s();
            while cpu_s() - start_s < 20e-6 * turns as f64 {}
        });
        assert!(
            most >= 8 && (20e-6..4e-4).contains(&one_s),
            "{most} {one_s}"
        );
    }
}
