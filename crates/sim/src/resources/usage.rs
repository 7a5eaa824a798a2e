//! Measures the use of a resource over time.

use std::cell::{Cell, RefCell};
use std::fmt;

use crate::kernel::{Clock, Kernel};

/// The data for a resource's statistics: integrals over time, for the last run that used the
/// resource.
#[derive(Debug)]
pub(crate) struct Usage {
    on: bool,
    /// The clock of the last run that used the resource, or `None` before the first run.
    clock: RefCell<Option<Clock>>,
    /// Address of the clock, because addresses are faster to compare; 0 if there is no clock.
    run: Cell<usize>,
    start_s: Cell<f64>,
    last_s: Cell<f64>,
    busy: Cell<u64>,
    queue: Cell<u64>,
    busy_area: Cell<f64>,
    queue_area: Cell<f64>,
    queue_max: Cell<u64>,
    completions: Cell<u64>,
}

impl Usage {
    /// Creates the usage data of a resource that has `busy` units in use or in store before its
    /// first run.
    pub(crate) const fn new(busy: u64) -> Self {
        Self {
            on: true,
            clock: RefCell::new(None),
            run: Cell::new(0),
            start_s: Cell::new(0.0),
            last_s: Cell::new(0.0),
            busy: Cell::new(busy),
            queue: Cell::new(0),
            busy_area: Cell::new(0.0),
            queue_area: Cell::new(0.0),
            queue_max: Cell::new(0),
            completions: Cell::new(0),
        }
    }

    pub(crate) fn switch_off(&mut self) {
        self.on = false;
    }

    /// Sets the number of busy units and of waiting processes from now on.
    #[inline]
    pub(crate) fn set(&self, kernel: &Kernel<'_>, busy: u64, queue: u64) {
        if self.on {
            self.follow(kernel.clock());
            self.advance(kernel.now_s());
            self.busy.set(busy);
            self.queue.set(queue);
            if queue > self.queue_max.get() {
                self.queue_max.set(queue);
            }
        }
    }

    #[inline]
    pub(crate) fn complete(&self, kernel: &Kernel<'_>) {
        if self.on {
            self.follow(kernel.clock());
            self.complete_here();
        }
    }

    /// Like [`Self::complete`], but only valid after [`Self::set`] in the same run.
    #[inline]
    pub(crate) fn complete_here(&self) {
        self.completions.set(self.completions.get() + 1);
    }

    /// Undoes a completion, because the wait was dropped after it had been granted.
    pub(crate) fn take_back(&self) {
        self.completions
            .set(self.completions.get().saturating_sub(1));
    }

    /// Restarts at time 0 if a new run uses the resource.
    #[inline]
    fn follow(&self, clock: &Clock) {
        if self.run.get() != clock.address() {
            self.begin(clock);
        }
    }

    #[cold]
    #[inline(never)]
    fn begin(&self, clock: &Clock) {
        self.run.set(clock.address());
        self.clock.replace(Some(clock.clone()));
        self.forget(0.0);
    }

    #[inline]
    fn advance(&self, now_s: f64) {
        // Often, several changes happen at the same instant, which adds nothing to the integrals.
        if now_s.to_bits() == self.last_s.get().to_bits() {
            return;
        }
        let (busy_area, queue_area) = self.areas(now_s);
        self.busy_area.set(busy_area);
        self.queue_area.set(queue_area);
        self.last_s.set(now_s);
    }

    /// Returns the integrals up to `now_s`, which must not be before the last change.
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn areas(&self, now_s: f64) -> (f64, f64) {
        let passed_s = now_s - self.last_s.get();
        let grown =
            |area: &Cell<f64>, height: &Cell<u64>| area.get() + height.get() as f64 * passed_s;
        (
            grown(&self.busy_area, &self.busy),
            grown(&self.queue_area, &self.queue),
        )
    }

    pub(crate) fn reset(&self, kernel: &Kernel<'_>) {
        self.follow(kernel.clock());
        self.forget(kernel.now_s());
    }

    fn forget(&self, now_s: f64) {
        self.start_s.set(now_s);
        self.last_s.set(now_s);
        self.busy_area.set(0.0);
        self.queue_area.set(0.0);
        self.queue_max.set(self.queue.get());
        self.completions.set(0);
    }

    /// Computes the statistics up to the run's current time, or up to its end if it is over.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(crate) fn statistics(&self, capacity: f64) -> Statistics {
        let clock = self.clock.borrow();
        let now_s = clock.as_ref().map_or(0.0, Clock::now_s);
        let observed_s = now_s - self.start_s.get();
        let over_time = |area: f64| {
            if observed_s > 0.0 {
                area / observed_s
            } else {
                0.0
            }
        };
        let completions = self.completions.get();
        let (busy_area, queue_area) = self.areas(now_s);
        let mean_busy = over_time(busy_area);
        let per_completion = |area: f64| {
            if completions > 0 {
                area / completions as f64
            } else {
                0.0
            }
        };
        Statistics {
            observed_s,
            utilization: if capacity > 0.0 {
                mean_busy / capacity
            } else {
                0.0
            },
            mean_busy,
            mean_queue: over_time(queue_area),
            max_queue: self.queue_max.get(),
            completions,
            throughput_per_s: over_time(completions as f64),
            mean_wait_s: per_completion(queue_area),
            mean_response_s: per_completion(queue_area + busy_area),
        }
    }
}

/// Statistics of a resource in the last run that used it, since the start of that run or the last
/// reset.
///
/// During the run, they cover the time up to now; after the run, up to its end. If no run has used
/// the resource, the observed time is 0.
///
/// The response time is the total time that all processes spent at the resource, in the queue and
/// in service, divided by the number of served processes. The total includes the time so far of
/// processes that are still there.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// How long the resource was observed, in seconds.
    pub observed_s: f64,
    /// The mean fraction of the resource in use, from 0 to 1; 0 if the resource has no capacity
    /// limit.
    pub utilization: f64,
    /// The mean number of servers or units in use, or of tokens or values stored.
    pub mean_busy: f64,
    /// The mean number of waiting processes.
    pub mean_queue: f64,
    /// The largest number of waiting processes.
    pub max_queue: u64,
    /// Number of completed services.
    pub completions: u64,
    /// Number of completed services per second of simulated time.
    pub throughput_per_s: f64,
    /// The mean time in the queue, in seconds.
    pub mean_wait_s: f64,
    /// The mean time in the queue and in service, in seconds.
    pub mean_response_s: f64,
}

impl Statistics {
    /// Returns the statistics of a store. Its response time is the mean time that a unit is stored,
    /// computed with Little's law.
    pub(crate) fn stored(self) -> Self {
        let mean_response_s = if self.throughput_per_s > 0.0 {
            self.mean_busy / self.throughput_per_s
        } else {
            0.0
        };
        Self {
            mean_response_s,
            ..self
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "utilization {:.4}, queue {:.4} (at most {}), throughput {:.4}/s, response {:.4} s, \
             {} served",
            self.utilization,
            self.mean_queue,
            self.max_queue,
            self.throughput_per_s,
            self.mean_response_s,
            self.completions
        )
    }
}
