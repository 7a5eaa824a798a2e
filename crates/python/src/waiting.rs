//! Runs work without holding Python's lock, until Ctrl-C interrupts it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use prophet_runtime::RunHandle;
use pyo3::prelude::*;

const LOOK: Duration = Duration::from_millis(50);

/// How often a run is observed between two checks of signals. Runs are observed every few thousand
/// events, but each check has to wait for Python's lock.
const SEEN_EVERY: u32 = 32;

/// Runs `work` on this thread without holding Python's lock. Python's signal handlers are called
/// from time to time. If one of them raises an exception, the run with the handle that `work` gets
/// ends. There is no separate thread, because starting one would take longer than many runs.
///
/// # Errors
///
/// Returns an error with the exception, such as `KeyboardInterrupt`.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method is of one lifetime"
)]
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&RunHandle) -> T + Send,
) -> PyResult<T> {
    let raised = Arc::new(OnceLock::new());
    let seen = AtomicU32::new(0);
    let by_signal = Arc::clone(&raised);
    let handle = RunHandle::watched(move || {
        if by_signal.get().is_some() {
            return ControlFlow::Break(());
        }
        if !seen
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(SEEN_EVERY)
        {
            return ControlFlow::Continue(());
        }
        match Python::attach(|py| py.check_signals()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                let _ = by_signal.set(error);
                ControlFlow::Break(())
            }
        }
    });
    let done = py.detach(|| work(&handle));
    match raised.get() {
        Some(error) => Err(error.clone_ref(py)),
        None => Ok(done),
    }
}

/// Ends a run on drop, so that no thread keeps running after an error.
struct Stop<'h>(&'h RunHandle);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs `work` on a separate thread without holding Python's lock. From time to time, `look` and
/// Python's signal handlers are called with the lock. If one of them raises an exception, the run
/// of `handle` ends.
///
/// # Errors
///
/// Returns an error with the exception, such as `KeyboardInterrupt`.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    handle: &RunHandle,
    work: impl FnOnce() -> T + Send,
    mut look: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    let (done, wait) = mpsc::sync_channel(1);
    let wait = std::sync::Mutex::new(wait);
    thread::scope(|scope| {
        scope.spawn(move || done.send(work()));
        let _stop = Stop(handle);
        loop {
            let next = py.detach(|| {
                let wait = wait
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                wait.recv_timeout(LOOK)
            });
            match next {
                Ok(result) => {
                    look(py)?;
                    return Ok(result);
                }
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals()?;
                    look(py)?;
                }
                // The work has panicked. The scope propagates the panic.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(crate::error::RunError::new_err("the run ended in a panic"));
                }
            }
        }
    })
}
