//! Display of a run's progress, and its end by the user.

use prophet_text::{fitted, left, short_count, short_time};

use super::{RunHandle, STOPPED};
use crate::command::clock::Stopwatch;
use crate::kernel::{Observer, Progress};

#[cfg(unix)]
use std::io::Read as _;
use std::io::{self, Write};
use std::ops::ControlFlow;

#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Message when a report is not completed.
pub(super) const REPORT_INTERRUPTED: &str = "interrupted: the report is not written";

/// Time that the report of a partial run may take, in real seconds.
const PARTIAL_S: u64 = 3;
/// Time after which a run is displayed, in real seconds.
const FIRST_S: f64 = 1.0;
/// Interval between updates, in real seconds.
const EVERY_S: f64 = 0.25;
/// Width of the display; the last column stays free, since some terminals break the line there.
const WIDTH: usize = 79;

/// Request by the user that a run ends: Ctrl-C, or the end of a batch job's time.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Until [`Self::ignore`], the first signal requests the end of the run;
    /// the next one ends the program.
    pub(super) fn listen() -> Self {
        let asked = Self::default();
        set_by_signals(&asked.0);
        asked
    }

    /// Listens to nothing but that mark.
    pub(super) const fn on(mark: Arc<AtomicBool>) -> Self {
        Self(mark)
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Stops listening, since there is no run to end: the next signal ends the program.
    pub(super) fn ignore(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Stops listening while only a report is left: the next signal ends the program as it ends a
    /// run, and nothing is left of the report. Returns true if a signal has come that no run has
    /// seen.
    pub(super) fn end_report(&self) -> bool {
        let asked = self.0.swap(false, Ordering::Relaxed);
        if end_on_signal().is_err() {
            self.ignore();
        }
        asked
    }
}

#[cfg(not(target_family = "wasm"))]
fn set_by_signals(mark: &Arc<AtomicBool>) {
    use signal_hook::consts::{SIGABRT, SIGINT, SIGTERM};
    use signal_hook::flag;
    for signal in [SIGINT, SIGTERM] {
        // In this order, the second signal finds the mark of the first. If signals cannot be
        // caught, they end the program as usual.
        let _ = flag::register_conditional_default(signal, Arc::clone(mark))
            .and_then(|_| flag::register(signal, Arc::clone(mark)));
    }
    // An abort because of a lack of memory has been reported when this comes.
    let always = Arc::new(AtomicBool::new(true));
    let _ = flag::register_conditional_shutdown(SIGABRT, STOPPED.into(), always);
}

/// Does nothing: a page of a browser gets no signals.
#[cfg(target_family = "wasm")]
const fn set_by_signals(_: &Arc<AtomicBool>) {}

/// Makes a thread wait for a signal, and end the program then: long computations need no checks.
#[cfg(unix)]
fn end_on_signal() -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::low_level::pipe;
    let (mut comes, tell) = UnixStream::pair()?;
    for signal in [SIGINT, SIGTERM] {
        pipe::register(signal, tell.try_clone()?)?;
    }
    end_when(move || comes.read_exact(&mut [0]).is_ok())
}

#[cfg(not(unix))]
fn end_on_signal() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Ends the program without a report if the report takes longer than [`PARTIAL_S`]: users do not
/// wait, and a batch system kills.
pub(super) fn end_soon() {
    // Without a thread, the report takes its time.
    let (never, comes) = mpsc::channel::<()>();
    let _ = end_when(move || {
        let waited = comes.recv_timeout(Duration::from_secs(PARTIAL_S));
        drop(never);
        waited.is_err()
    });
}

/// Makes a thread wait, and end the program if that is so then.
fn end_when(is_so: impl FnOnce() -> bool + Send + 'static) -> io::Result<()> {
    let wait = move || {
        if is_so() {
            let _ = writeln!(io::stderr(), "{REPORT_INTERRUPTED}");
            std::process::exit(STOPPED.into());
        }
    };
    let thread = thread::Builder::new().name("signals".to_owned());
    thread.spawn(wait).map(drop)
}

/// Display of a run's progress, on a line that is written again and again.
pub(super) struct Monitor<'a> {
    watch: &'a Stopwatch,
    interrupt: &'a Interrupt,
    /// A terminal.
    terminal: Option<&'a mut dyn Write>,
    handle: Option<&'a RunHandle>,
    /// Time of the next display, in real seconds from the start.
    next_s: f64,
    /// Time of the last display, and the number of events by then.
    last: (f64, u64),
    /// Largest simulated time seen: processes of the local engine have one each.
    time_s: f64,
    /// Number of columns written.
    written: usize,
}

impl<'a> Monitor<'a> {
    pub(super) fn new(
        watch: &'a Stopwatch,
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

    /// Displays the progress of the run if it is time to do so.
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
        // When one engine has given up and another begins, the count starts from 0 again.
        let events = progress.events.checked_sub(last_events);
        let rate = events.map_or(0.0, |events| per_second(events, wall_s - last_s));
        let line = format!(
            "{} simulated, {} events ({rate:.1} M/s), {} messages",
            short_time(self.time_s),
            short_count(progress.events),
            short_count(progress.messages),
        );
        let line = fitted(&line, WIDTH);
        // A closed stderr cannot be reported anywhere.
        let _ = write!(terminal, "\r{}", left(&line, self.written));
        let _ = terminal.flush();
        self.written = prophet_text::columns(&line);
    }

    /// Clears the line.
    pub(super) fn clear(&mut self) {
        let written = std::mem::take(&mut self.written);
        if let (Some(terminal), 1..) = (&mut self.terminal, written) {
            let _ = write!(terminal, "\r{:written$}\r", "");
            let _ = terminal.flush();
        }
    }
}

/// Computes millions per second.
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

    /// Displays looks at these real times; returns the text written.
    fn shown(looks: &[(f64, Progress)]) -> Vec<String> {
        let (watch, interrupt) = (Stopwatch::start(), Interrupt::default());
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
        let (watch, interrupt) = (Stopwatch::start(), Interrupt::default());
        let mut monitor = Monitor::new(&watch, &interrupt, None, None);
        monitor.show(100.0, progress(1.0, 1));
        assert!(monitor.look(progress(1.0, 1)).is_continue());
        interrupt.ignore();
        assert!(monitor.look(progress(1.0, 1)).is_break());
        monitor.clear();
    }
}
