//! How much a resource is used, over time.

use std::cell::Cell;
use std::fmt;

/// What a resource keeps to tell its statistics: areas under its step functions.
#[derive(Debug)]
pub(crate) struct Usage {
    on: bool,
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
    pub(crate) const fn new() -> Self {
        Self {
            on: true,
            start_s: Cell::new(0.0),
            last_s: Cell::new(0.0),
            busy: Cell::new(0),
            queue: Cell::new(0),
            busy_area: Cell::new(0.0),
            queue_area: Cell::new(0.0),
            queue_max: Cell::new(0),
            completions: Cell::new(0),
        }
    }

    /// Keeps nothing from now on.
    pub(crate) fn switch_off(&mut self) {
        self.on = false;
    }

    /// Notes how much is busy and queues from this time on.
    #[inline]
    pub(crate) fn set(&self, now_s: f64, busy: u64, queue: u64) {
        if self.on {
            self.advance(now_s);
            self.busy.set(busy);
            self.queue.set(queue);
            if queue > self.queue_max.get() {
                self.queue_max.set(queue);
            }
        }
    }

    /// Counts someone or something that has been served.
    #[inline]
    pub(crate) fn complete(&self) {
        self.completions.set(self.completions.get() + 1);
    }

    /// Uncounts one whose wait was dropped when it had been served.
    pub(crate) fn take_back(&self) {
        self.completions
            .set(self.completions.get().saturating_sub(1));
    }

    #[inline]
    fn advance(&self, now_s: f64) {
        let (busy_area, queue_area) = self.areas(now_s);
        self.busy_area.set(busy_area);
        self.queue_area.set(queue_area);
        self.last_s.set(now_s);
    }

    /// The areas up to `now_s`, or up to the last change if that was later.
    #[inline]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn areas(&self, now_s: f64) -> (f64, f64) {
        let passed_s = (now_s - self.last_s.get()).max(0.0);
        let grown =
            |area: &Cell<f64>, height: &Cell<u64>| area.get() + height.get() as f64 * passed_s;
        (
            grown(&self.busy_area, &self.busy),
            grown(&self.queue_area, &self.queue),
        )
    }

    /// Forgets what has been until now.
    pub(crate) fn reset(&self, now_s: f64) {
        self.start_s.set(now_s);
        self.last_s.set(now_s);
        self.busy_area.set(0.0);
        self.queue_area.set(0.0);
        self.queue_max.set(self.queue.get());
        self.completions.set(0);
    }

    /// The statistics up to `now_s`, or up to the last change if that was later.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(crate) fn statistics(&self, now_s: f64, capacity: f64) -> Statistics {
        let now_s = now_s.max(self.last_s.get());
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

/// How a resource was used, from the start of the run or the last reset on.
///
/// The response is the time that all spent at the resource, queue and service, by the number of
/// those that were served: what is still there counts with the time that it has spent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// How long it has been observed, in seconds.
    pub observed_s: f64,
    /// The mean share of it that was in use, from 0 to 1; 0 if it has no limit.
    pub utilization: f64,
    /// The mean number of servers, units or values in use or in store.
    pub mean_busy: f64,
    /// The mean number of processes that waited.
    pub mean_queue: f64,
    /// The largest number of processes that waited.
    pub max_queue: u64,
    /// How many were served.
    pub completions: u64,
    /// How many were served in a second.
    pub throughput_per_s: f64,
    /// The mean time in the queue, in seconds.
    pub mean_wait_s: f64,
    /// The mean time in queue and service, in seconds.
    pub mean_response_s: f64,
}

impl Statistics {
    /// Those of a store: the response is the time in store, by Little's law.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_changes_nothing_whatever_the_time() {
        let usage = Usage::new();
        usage.set(0.0, 1, 0);
        usage.set(4.0, 0, 2);
        let at_8_s = usage.statistics(8.0, 1.0);
        assert_eq!((at_8_s.utilization, at_8_s.mean_queue), (0.5, 1.0));
        let early = usage.statistics(1.0, 1.0);
        assert_eq!((early.observed_s, early.utilization), (4.0, 1.0));
        assert_eq!(usage.statistics(f64::NAN, 1.0), early);
        usage.statistics(100.0, 1.0);
        usage.set(8.0, 0, 0);
        assert_eq!(usage.statistics(8.0, 1.0), at_8_s);
    }
}
