//! Lets another thread watch or end a run.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::interrupt::Interrupt;
use crate::kernel::Progress;

/// Lets another thread watch a run and end it. All clones refer to the same run.
///
/// ```
/// use prophet_runtime::RunHandle;
///
/// let handle = RunHandle::default();
/// assert_eq!((handle.time_s(), handle.events()), (0.0, 0));
/// handle.stop();
/// ```
#[derive(Debug, Clone, Default)]
pub struct RunHandle {
    stop: Arc<AtomicBool>,
    /// The bits of an `f64`: the simulated time in seconds.
    time_s: Arc<AtomicU64>,
    events: Arc<AtomicU64>,
    events_max: Option<u64>,
    watch: Watch,
}

/// A function that the run calls on its own thread, once every few thousand events.
#[derive(Clone, Default)]
struct Watch(Option<Arc<dyn Fn() -> ControlFlow<()> + Send + Sync>>);

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watch").field(&self.0.is_some()).finish()
    }
}

impl RunHandle {
    /// Creates a handle for a run that ends soon after `events_max` events, as if you had
    /// [stopped](Self::stop) it.
    #[must_use]
    pub fn limited(events_max: u64) -> Self {
        Self {
            events_max: Some(events_max),
            ..Self::default()
        }
    }

    /// Creates a handle for a run that ends when `mark` becomes `true`, for example because of a
    /// signal, as if you had [stopped](Self::stop) it.
    #[must_use]
    pub fn stopped_by(mark: Arc<AtomicBool>) -> Self {
        Self {
            stop: mark,
            ..Self::default()
        }
    }

    /// Creates a handle for a run that calls `watch` every few thousand events, on the run's own
    /// thread. If `watch` returns `Break`, the run ends as if you had [stopped](Self::stop) it.
    #[must_use]
    pub fn watched(watch: impl Fn() -> ControlFlow<()> + Send + Sync + 'static) -> Self {
        Self {
            watch: Watch(Some(Arc::new(watch))),
            ..Self::default()
        }
    }

    /// Ends the run early, so that its outcome is partial.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if [`Self::stop`] was called, or if the `mark` of [`Self::stopped_by`] is
    /// set.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the simulated time that the process furthest ahead has reached, in seconds.
    #[must_use]
    pub fn time_s(&self) -> f64 {
        f64::from_bits(self.time_s.load(Ordering::Relaxed))
    }

    /// Returns the number of events that the run has simulated so far.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// Returns an interrupt that [`Self::stop`] triggers.
    pub(super) fn interrupt(&self) -> Interrupt {
        Interrupt::on(Arc::clone(&self.stop))
    }

    /// Stores the run's progress, and decides whether the run goes on.
    pub(super) fn look(&self, progress: Progress) -> ControlFlow<()> {
        let time_s = self.time_s().max(progress.time_s);
        self.time_s.store(time_s.to_bits(), Ordering::Relaxed);
        self.events.store(progress.events, Ordering::Relaxed);
        if self.events_max.is_some_and(|most| progress.events > most) {
            return ControlFlow::Break(());
        }
        let watch = self.watch.0.as_ref();
        watch.map_or(ControlFlow::Continue(()), |watch| watch())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(time_s: f64, events: u64) -> Progress {
        Progress {
            time_s,
            events,
            messages: 0,
        }
    }

    #[test]
    fn progress_is_the_latest_time_and_the_last_count() {
        let handle = RunHandle::default();
        let of_run = handle.clone();
        assert!(of_run.look(progress(2.5, 4096)).is_continue());
        assert!(of_run.look(progress(1.5, u64::MAX)).is_continue());
        assert_eq!((handle.time_s(), handle.events()), (2.5, u64::MAX));
    }

    #[test]
    fn a_limited_run_ends() {
        let handle = RunHandle::limited(4096);
        assert!(handle.look(progress(1.0, 4096)).is_continue());
        assert!(handle.look(progress(1.0, 8192)).is_break());
    }

    #[test]
    fn who_watches_a_run_ends_it() {
        let left = AtomicU64::new(2);
        let handle = RunHandle::watched(move || match left.fetch_sub(1, Ordering::Relaxed) {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        assert!(handle.look(progress(1.0, 4096)).is_continue());
        assert!(handle.clone().look(progress(1.0, 8192)).is_continue());
        assert!(handle.look(progress(1.0, 12288)).is_break());
    }
}
