//! Interacts with the user while a sweep runs: shows progress, and handles Ctrl-C.

mod progress;

pub(crate) use progress::{Progress, now};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use prophet_runtime::RunHandle;

pub(crate) const STOPPED: u8 = 3;

/// Creates a handle that the first signal stops. The next signal ends the program.
pub(crate) fn listen() -> RunHandle {
    let mark = Arc::new(AtomicBool::new(false));
    set_by_signals(&mark);
    RunHandle::stopped_by(mark)
}

#[cfg(not(target_family = "wasm"))]
fn set_by_signals(mark: &Arc<AtomicBool>) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    for signal in [SIGINT, SIGTERM] {
        // The second signal must find the mark of the first one, so the order matters. Signals that
        // can't be caught end the program as usual.
        let _ = flag::register_conditional_default(signal, Arc::clone(mark))
            .and_then(|_| flag::register(signal, Arc::clone(mark)));
    }
}

/// Does nothing, because web pages don't receive signals.
#[cfg(target_family = "wasm")]
const fn set_by_signals(_: &Arc<AtomicBool>) {}
