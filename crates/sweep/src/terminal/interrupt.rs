//! Ctrl-C, and the end of a batch job's time.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use prophet_runtime::RunHandle;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Makes a handle that the first signal stops; the next one ends the program.
pub(crate) fn listen() -> RunHandle {
    let mark = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order, the second signal finds the mark of the first. If signals cannot be
        // caught, they end the program as usual.
        let _ = flag::register_conditional_default(signal, Arc::clone(&mark))
            .and_then(|_| flag::register(signal, Arc::clone(&mark)));
    }
    RunHandle::stopped_by(mark)
}
