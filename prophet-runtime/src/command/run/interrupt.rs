//! End of a run or a report by the user.

#[cfg(unix)]
use std::io::Read as _;
use std::io::{self, Write};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::codes::STOPPED;

/// Message when a report is not completed.
pub(super) const REPORT_INTERRUPTED: &str = "interrupted: the report was not written";

/// Time that the report of a partial run may take, in real seconds.
const PARTIAL_S: u64 = 3;
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

    pub(super) fn is_set(&self) -> bool {
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
