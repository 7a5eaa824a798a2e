//! Measures how long one iteration of a loop takes.

use std::time::Instant;

/// Number of rounds. The result is their median.
pub(crate) const ROUNDS: usize = 41;
/// Minimum duration of a measured loop in seconds. It is so short that other programs rarely get
/// the CPU in the meantime.
const LOOP_S: f64 = 40e-6;
/// Minimum duration of a measured loop, in steps of the clock, so that the steps don't matter.
const STEPS: f64 = 200.0;
/// Maximum number of iterations, for loops that take no time.
const TURNS_MAX: u64 = 1 << 24;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    pub(crate) resolution_s: f64,
}

impl Stopwatch {
    /// Creates a stopwatch, and finds the smallest step of its clock.
    pub(crate) fn new() -> Self {
        let steps = (0..1000).map(|_| {
            let start_s = cpu_s();
            let mut step_s = 0.0;
            while step_s <= 0.0 {
                step_s = cpu_s() - start_s;
            }
            step_s
        });
        Self {
            resolution_s: steps.fold(f64::INFINITY, f64::min),
        }
    }

    /// Returns the time of one iteration in seconds. `run` executes a given number of iterations.
    ///
    /// The overhead around the iterations, such as reading the clock and starting the loop, is the
    /// same for short and long loops, so it cancels out in the difference between two of them.
    pub(crate) fn turn_s(self, run: fn(u64)) -> f64 {
        let turns = self.turns(run);
        let mut differences: Vec<f64> = (0..ROUNDS)
            .map(|_| taken_s(run, 2 * turns) - taken_s(run, turns))
            .collect();
        differences.sort_by(f64::total_cmp);
        #[expect(clippy::cast_precision_loss, reason = "the number is limited")]
        let turns = turns as f64;
        (differences[ROUNDS / 2] / turns).max(0.0)
    }

    /// Returns a number of iterations that takes long enough to be measured.
    fn turns(self, run: fn(u64)) -> u64 {
        let enough_s = LOOP_S.max(STEPS * self.resolution_s);
        let mut turns = 64;
        while turns < TURNS_MAX && taken_s(run, turns) < enough_s {
            turns *= 2;
        }
        turns
    }
}

fn taken_s(run: fn(u64), turns: u64) -> f64 {
    let start_s = cpu_s();
    run(turns);
    cpu_s() - start_s
}

/// Returns the CPU time of this thread in seconds, without times when other programs had the CPU.
/// If the system doesn't count CPU time, returns the seconds since a fixed time.
pub(crate) fn cpu_s() -> f64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        std::time::Duration::try_from(time).map_or(0.0, |time| time.as_secs_f64())
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(now);
        START.elapsed().as_secs_f64()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "it measures this machine, and simulates nothing"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}
