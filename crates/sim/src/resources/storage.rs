//! Storages: processes take units out and give them back.

use std::cell::{Cell, RefCell};
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::kernel::{Caller, Kernel, Stopped, Wait, Wanted};
use crate::resources::Status;
use crate::resources::counts::Counts;
use crate::resources::usage::{Statistics, Usage};

/// A number of identical units, such as bytes of memory, that processes take and give back.
///
/// Processes are served first come, first served, so a small request never overtakes a large one.
///
/// ```
/// use prophet_sim::{Storage, Study};
///
/// let memory = Storage::new("memory", 10);
/// let run = Study::new().run(&memory, async |sim, memory| {
///     for units in [6, 6, 4] {
///         sim.spawn(async move |job| {
///             let held = memory.allocate(&job, units).await?;
///             job.hold(1.0).await?;
///             held.release();
///             Ok(())
///         });
///     }
///     Ok(())
/// })?;
/// assert_eq!((run.end_s, memory.available()), (2.0, 10));
/// # Ok::<(), prophet_sim::Failure>(())
/// ```
#[derive(Debug)]
pub struct Storage {
    name: String,
    capacity: u64,
    available: Cell<u64>,
    queue: RefCell<Counts>,
    /// Number of processes that hold units or are waiting for them.
    takers: Cell<u64>,
    usage: Usage,
    units: Usage,
}

impl Storage {
    /// Creates a storage with `capacity` free units.
    pub fn new(name: impl Into<String>, capacity: u64) -> Self {
        Self {
            name: name.into(),
            capacity,
            available: Cell::new(capacity),
            queue: RefCell::default(),
            takers: Cell::new(0),
            usage: Usage::new(0),
            units: Usage::new(0),
        }
    }

    /// Returns the number of free units.
    pub fn available(&self) -> u64 {
        self.available.get()
    }

    /// Returns the number of processes that are waiting for units.
    pub fn queue_len(&self) -> u64 {
        self.queue.borrow().len()
    }

    /// Returns the storage's statistics for the last run that used it, up to now or to the end of
    /// that run.
    ///
    /// `utilization` and `mean_busy` are about units; response time and throughput are about
    /// allocations.
    #[expect(clippy::cast_precision_loss, reason = "a share of a capacity")]
    pub fn statistics(&self) -> Statistics {
        let units = self.units.statistics(self.capacity as f64);
        Statistics {
            utilization: units.utilization,
            mean_busy: units.mean_busy,
            ..self.usage.statistics(0.0)
        }
    }

    /// Restarts the statistics, for example after a warm-up.
    pub fn reset_statistics(&self, process: &impl Caller) {
        let kernel = process.kernel();
        self.usage.reset(kernel);
        self.units.reset(kernel);
    }

    /// Takes `units` from the storage. Waits until they are free, and until all processes that
    /// asked earlier have their units.
    ///
    /// If the storage never has that many units, the process waits forever. If you drop the future
    /// while it waits, it leaves the queue. If it already has its units, it gives them back.
    pub fn allocate<'a, C: Caller>(&'a self, process: &'a C, units: u64) -> Allocate<'a, C> {
        Allocate {
            storage: self,
            wait: Wait::new(process),
            units,
        }
    }

    /// Gives back units that were kept with [`Allocation::keep`]. Any units beyond these are
    /// ignored.
    pub fn deallocate(&self, process: &impl Caller, units: u64) {
        process.needs_order();
        self.give(process.kernel(), units);
    }

    fn give(&self, kernel: &Kernel<'_>, units: u64) {
        let available = self.available.get().saturating_add(units);
        self.available.set(available.min(self.capacity));
        self.takers.set(self.takers.get().saturating_sub(1));
        if !kernel.closes() {
            self.usage.complete(kernel);
        }
        self.serve(kernel);
    }

    /// Gives units to waiting processes, in order, as long as there are enough for the first.
    fn serve(&self, kernel: &Kernel<'_>) {
        let mut queue = self.queue.borrow_mut();
        while let Some(units) = queue.pop(kernel, self.available.get()) {
            self.available.set(self.available.get() - units);
            self.takers.set(self.takers.get() + 1);
        }
        drop(queue);
        self.note(kernel);
    }

    fn note(&self, kernel: &Kernel<'_>) {
        let queue = self.queue.borrow().len();
        self.usage.set(kernel, self.takers.get(), queue);
        self.units
            .set(kernel, self.capacity - self.available.get(), 0);
    }
}

impl Status for Storage {
    fn status(&self) -> String {
        format!(
            "storage `{}`: {} of {} units available, {} waiting; {}",
            self.name.escape_debug(),
            self.available(),
            self.capacity,
            self.queue_len(),
            self.statistics()
        )
    }
}

/// Units taken from a [`Storage`]. Dropping this gives them back.
#[derive(Debug)]
#[must_use = "units are given back when this is dropped"]
pub struct Allocation<'a> {
    storage: &'a Storage,
    kernel: &'a Kernel<'a>,
    units: u64,
}

impl Allocation<'_> {
    /// Gives the units back.
    pub fn release(self) {
        drop(self);
    }

    /// Keeps the units until you give them back with [`Storage::deallocate`].
    pub fn keep(self) {
        mem::forget(self);
    }
}

impl Drop for Allocation<'_> {
    fn drop(&mut self) {
        self.storage.give(self.kernel, self.units);
    }
}

/// The future of [`Storage::allocate`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Allocate<'a, C: Caller> {
    storage: &'a Storage,
    wait: Wait<'a, C>,
    units: u64,
}

impl<'a, C: Caller> Future for Allocate<'a, C> {
    type Output = Result<Allocation<'a>, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let (storage, units, kernel) = (this.storage, this.units, this.wait.kernel());
        if !this.wait.is_registered() {
            let free = storage.queue.borrow().is_empty() && storage.available.get() >= units;
            if !free {
                let waiter = this.wait.register()?;
                storage.queue.borrow_mut().push(waiter, units);
                storage.note(kernel);
                return Poll::Pending;
            }
            storage.available.set(storage.available.get() - units);
            storage.takers.set(storage.takers.get() + 1);
            storage.note(kernel);
        } else if !this.wait.granted() {
            this.wait.explain(|| Wanted {
                text: format!(
                    "{units} of {} units of storage `{}`",
                    storage.capacity,
                    storage.name.escape_debug()
                ),
                process: None,
            });
            return Poll::Pending;
        }
        Poll::Ready(Ok(Allocation {
            storage,
            kernel,
            units,
        }))
    }
}

impl<C: Caller> Drop for Allocate<'_, C> {
    fn drop(&mut self) {
        if !self.wait.is_registered() {
            return;
        }
        let storage = self.storage;
        let kernel = self.wait.kernel();
        let queued = storage.queue.borrow_mut().remove(&self.wait);
        if queued {
            // Other processes may have been waiting behind this one.
            storage.serve(kernel);
        } else {
            storage.give(kernel, self.units);
        }
    }
}
