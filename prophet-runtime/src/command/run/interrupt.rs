//! Lets users end a run or its report.

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

pub(super) const REPORT_INTERRUPTED: &str = "interrupted: the report was not written";

/// Time limit for the report on a partial run, in seconds of real time.
const PARTIAL_S: u64 = 3;
/// The user's request to end a run, by Ctrl-C or because a batch job's time is up.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts listening. Until [`Self::ignore`] is called, the first signal requests the end of the
    /// run, and the next signal ends the program.
    pub(super) fn listen() -> Self {
        let asked = Self::default();
        set_by_signals(&asked.0);
        asked
    }

    pub(super) const fn on(mark: Arc<AtomicBool>) -> Self {
        Self(mark)
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Stops listening because there is no run to end. The next signal ends the program.
    pub(super) fn ignore(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Stops listening because only a report remains to be written. The next signal ends the
    /// program with the exit code of an ended run, and without a report. Returns `true` if a signal
    /// arrived that no run has noticed.
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
        // In this order, the second signal finds the mark that the first one set. If signals can't
        // be caught, they end the program as usual.
        let _ = flag::register_conditional_default(signal, Arc::clone(mark))
            .and_then(|_| flag::register(signal, Arc::clone(mark)));
    }
    // The program aborts if there isn't enough memory, which has been reported by then.
    let always = Arc::new(AtomicBool::new(true));
    let _ = flag::register_conditional_shutdown(SIGABRT, STOPPED.into(), always);
}

/// Does nothing, because web pages get no signals.
#[cfg(target_family = "wasm")]
const fn set_by_signals(_: &Arc<AtomicBool>) {}

/// Starts a thread that ends the program after a signal, so that long computations don't have to
/// check for one.
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

/// Ends the program without a report if the report takes longer than [`PARTIAL_S`]. After that
/// time, users lose patience, and batch systems kill the job.
pub(super) fn end_soon() {
    // If the thread can't be started, the report has unlimited time.
    let (never, comes) = mpsc::channel::<()>();
    let _ = end_when(move || {
        let waited = comes.recv_timeout(Duration::from_secs(PARTIAL_S));
        drop(never);
        waited.is_err()
    });
}

/// Starts a thread that calls `is_so`, which waits, and ends the program if it returns `true`.
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
