//! Shows a sweep's progress on one line, which is rewritten again and again.

use std::io::{self, IsTerminal};
use std::time::Instant;

use prophet_text::{count, fitted, left, short_time};

/// Time before progress is first shown, in seconds.
const FIRST_S: f64 = 1.0;
/// Interval between updates, in seconds.
const EVERY_S: f64 = 0.25;
/// Width of the progress line. The last column stays free, because some terminals wrap there.
const WIDTH: usize = 79;

#[derive(Debug)]
pub(crate) struct Progress {
    is_shown: bool,
    begun: Instant,
    next_s: f64,
    done: u64,
    points: u64,
    written: usize,
}

impl Progress {
    pub(crate) fn new(points: u64) -> Self {
        Self {
            is_shown: io::stderr().is_terminal(),
            begun: now(),
            next_s: FIRST_S,
            done: 0,
            points,
            written: 0,
        }
    }

    pub(crate) fn count(&mut self) {
        self.done += 1;
        // Don't read the clock every time, because a point can take less time than that.
        if !self.is_shown || !self.done.is_multiple_of(16) && self.next_s > FIRST_S {
            return;
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        if seconds >= self.next_s {
            self.next_s = seconds + EVERY_S;
            let line = fitted(&line(self.done, self.points, seconds), WIDTH);
            prophet_text::say_styled(&format!("\r{}", left(&line, self.written)));
            self.written = prophet_text::columns(&line);
        }
    }

    pub(crate) fn clear(&mut self) {
        let written = std::mem::take(&mut self.written);
        if written > 0 {
            prophet_text::say_styled(&format!("\r{}\r", left("", written)));
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "when something is shown or kept, not what"
)]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::cast_precision_loss, reason = "a few digits are shown")]
fn line(done: u64, points: u64, seconds: f64) -> String {
    let rate = done as f64 / seconds;
    let left_s = (points - done) as f64 / rate;
    let share = prophet_text::percent(done as f64 / points as f64);
    let left = short_time(left_s.ceil());
    let rate = prophet_text::ratio(rate);
    let (done, points) = (count(done), count(points));
    format!("{done} of {points} points ({share}), {rate} a second, {left} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_rate_and_time_left() {
        let shown = line(25_000, 100_000, 2.5);
        assert_eq!(
            shown,
            "25,000 of 100,000 points (25.0%), 10000 a second, 8 s left"
        );
    }
}
