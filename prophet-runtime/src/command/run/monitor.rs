//! Shows a run's progress.

use prophet_text::{fitted, left, short_count, short_time};

use std::io::Write;
use std::ops::ControlFlow;

use super::handle::RunHandle;
use super::interrupt::Interrupt;
use crate::command::clock::WallClock;
use crate::kernel::{Observer, Progress};

/// Time before progress is shown, in seconds of real time.
const FIRST_S: f64 = 1.0;
/// Time between updates, in seconds of real time.
const EVERY_S: f64 = 0.25;
/// Width of the line. The last column stays free, because some terminals wrap there.
const WIDTH: usize = 79;

/// Shows a run's progress on a line that is overwritten.
pub(super) struct Monitor<'a> {
    watch: &'a WallClock,
    interrupt: &'a Interrupt,
    terminal: Option<&'a mut dyn Write>,
    handle: Option<&'a RunHandle>,
    /// When to update next, in seconds of real time since the start.
    next_s: f64,
    /// When the last update was, in seconds, and the number of events until then.
    last: (f64, u64),
    /// The latest simulated time so far. In the local engine, each process has its own time.
    time_s: f64,
    written: usize,
}

impl<'a> Monitor<'a> {
    pub(super) fn new(
        watch: &'a WallClock,
        interrupt: &'a Interrupt,
        terminal: Option<&'a mut dyn Write>,
        handle: Option<&'a RunHandle>,
    ) -> Self {
        Self {
            watch,
            interrupt,
            terminal,
            handle,
            next_s: FIRST_S,
            last: (0.0, 0),
            time_s: 0.0,
            written: 0,
        }
    }

    /// Shows the progress of the run if an update is due.
    fn show(&mut self, wall_s: f64, progress: Progress) {
        let Some(terminal) = &mut self.terminal else {
            return;
        };
        self.time_s = self.time_s.max(progress.time_s);
        if wall_s < self.next_s {
            return;
        }
        self.next_s = wall_s + EVERY_S;
        let (last_s, last_events) = std::mem::replace(&mut self.last, (wall_s, progress.events));
        // When an engine gives up and another one starts, the count starts at 0 again.
        let events = progress.events.checked_sub(last_events);
        let rate = events.map_or(0.0, |events| per_second(events, wall_s - last_s));
        let line = format!(
            "{} simulated, {} events ({rate:.1} M/s), {} messages",
            short_time(self.time_s),
            short_count(progress.events),
            short_count(progress.messages),
        );
        let line = fitted(&line, WIDTH);
        // If stderr is closed, there is nowhere to report it.
        let _ = write!(terminal, "\r{}", left(&line, self.written));
        let _ = terminal.flush();
        self.written = prophet_text::columns(&line);
    }

    pub(super) fn clear(&mut self) {
        let written = std::mem::take(&mut self.written);
        if let (Some(terminal), 1..) = (&mut self.terminal, written) {
            let _ = write!(terminal, "\r{}\r", left("", written));
            let _ = terminal.flush();
        }
    }
}

/// Returns how many millions per second this is.
#[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
fn per_second(count: u64, seconds: f64) -> f64 {
    if seconds > 0.0 {
        count as f64 / seconds * 1e-6
    } else {
        0.0
    }
}

impl Observer for Monitor<'_> {
    fn look(&mut self, progress: Progress) -> ControlFlow<()> {
        if self.terminal.is_some() {
            self.show(self.watch.wall_s(), progress);
        }
        if self.interrupt.is_set() {
            return ControlFlow::Break(());
        }
        self.handle
            .map_or(ControlFlow::Continue(()), |handle| handle.look(progress))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(time_s: f64, events: u64) -> Progress {
        Progress {
            time_s,
            events,
            messages: events / 2,
        }
    }

    /// Calls [`Monitor::show`] at these real times, and returns each text that it wrote.
    fn shown(looks: &[(f64, Progress)]) -> Vec<String> {
        let (watch, interrupt) = (WallClock::start(), Interrupt::default());
        let mut written: Vec<u8> = Vec::new();
        let mut monitor = Monitor::new(&watch, &interrupt, Some(&mut written), None);
        for (wall_s, progress) in looks {
            monitor.show(*wall_s, *progress);
        }
        monitor.clear();
        let text = String::from_utf8(written).unwrap();
        text.split('\r').skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn a_short_run_shows_nothing() {
        let looks = [(0.1, progress(1.0, 4096)), (0.9, progress(2.0, 8192))];
        assert_eq!(shown(&looks), [""; 0]);
    }

    #[test]
    fn a_long_run_is_shown_now_and_then() {
        let looks = [
            (0.999, progress(9.0, 4000)),
            (1.0, progress(8.0, 2_000_000)),
            (1.2, progress(9.5, 3_000_000)),
            (1.25, progress(12.25, 12_000_000)),
            (2.25, progress(13.0, 1_000_000)),
        ];
        assert_eq!(
            shown(&looks),
            [
                "9 s simulated, 2,000,000 events (2.0 M/s), 1,000,000 messages",
                "12.25 s simulated, 12,000,000 events (40.0 M/s), 6,000,000 messages",
                "13 s simulated, 1,000,000 events (0.0 M/s), 500,000 messages       ",
                &" ".repeat(60),
                "",
            ]
        );
    }

    #[test]
    fn a_line_is_no_wider_than_a_terminal() {
        let looks = [(1.0, progress(-1.234_567e-300, u64::MAX))];
        let line = &shown(&looks)[0];
        assert!(line.len() < 80, "{line}");
    }

    #[test]
    fn nothing_is_shown_without_a_terminal_and_an_interrupt_ends_the_run() {
        let (watch, interrupt) = (WallClock::start(), Interrupt::default());
        let mut monitor = Monitor::new(&watch, &interrupt, None, None);
        monitor.show(100.0, progress(1.0, 1));
        assert!(monitor.look(progress(1.0, 1)).is_continue());
        interrupt.ignore();
        assert!(monitor.look(progress(1.0, 1)).is_break());
        monitor.clear();
    }
}
