//! Facilities: processes reserve one of several servers, or use one for some time.

mod queue;
mod service;

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::kernel::{Caller, Kernel, Stopped, Wait, Waiter, Wanted};
use crate::resources::Status;
use crate::resources::usage::{Statistics, Usage};
use queue::{Job, Queue, Request};
pub use service::Use;

/// How a facility chooses which process gets a server next.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Discipline {
    /// First come, first served.
    Fcfs,
    /// The process with the highest [priority](crate::Process::set_priority) first; among equals,
    /// first come, first served.
    Priority,
    /// Like `Priority`, but a process that arrives when all servers are busy preempts the process
    /// with the lowest priority below its own. If several have that priority, it preempts the one
    /// that started last. The preempted process later resumes where it left off, ahead of others
    /// with the same priority. Only [`Facility::use_for`] can be preempted; reserved servers can't.
    Preemptive,
    /// Processes take turns: a process that has been served for the quantum goes to the end of the
    /// queue if others are waiting. Processes that arrive at that instant go before it. Reserved
    /// servers aren't taken away.
    RoundRobin {
        /// The maximum length of a turn, in seconds; greater than 0.
        quantum_s: f64,
    },
}

/// A number of identical servers with a single queue.
///
/// Create the facility outside of the processes that share it. A facility serves one run at a time.
/// A released server immediately goes to the first process in the queue, so a process that arrives
/// later at the same time can't get it first.
///
/// ```
/// use prophet_sim::{Facility, Study};
///
/// let teller = Facility::new("teller", 1);
/// let run = Study::new().run(&teller, async |sim, teller| {
///     for _ in 0..3 {
///         sim.spawn(async |customer| teller.use_for(&customer, 2.0).await);
///     }
///     Ok(())
/// })?;
/// assert_eq!(run.end_s, 6.0);
/// # Ok::<(), prophet_sim::Failure>(())
/// ```
#[derive(Debug)]
pub struct Facility {
    name: String,
    servers: u32,
    discipline: Discipline,
    free: Cell<u32>,
    /// The last unit that got a server.
    holder: Cell<u32>,
    queue: RefCell<Queue>,
    /// Services that can be preempted or that take turns.
    jobs: RefCell<Vec<Job>>,
    usage: Usage,
}

impl Facility {
    /// Creates a facility with `servers` free servers. Processes are served first come, first
    /// served.
    pub fn new(name: impl Into<String>, servers: u32) -> Self {
        Self::with_discipline(name, servers, Discipline::Fcfs)
    }

    /// Creates a facility with `servers` free servers and this queuing discipline.
    pub fn with_discipline(name: impl Into<String>, servers: u32, discipline: Discipline) -> Self {
        Self {
            name: name.into(),
            servers,
            discipline,
            free: Cell::new(servers),
            holder: Cell::new(0),
            queue: RefCell::default(),
            jobs: RefCell::default(),
            usage: Usage::new(0),
        }
    }

    /// Turns off statistics, which makes the simulation faster.
    #[must_use]
    pub fn without_statistics(mut self) -> Self {
        self.usage.switch_off();
        self
    }

    /// Returns the name of the facility.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of servers.
    pub fn servers(&self) -> u32 {
        self.servers
    }

    /// Returns the number of free servers.
    pub fn free(&self) -> u32 {
        self.free.get()
    }

    /// Returns the number of processes that are waiting for a server.
    pub fn queue_len(&self) -> usize {
        self.queue.borrow().len()
    }

    /// Returns the facility's statistics for the last run that used it, up to now or to the end of
    /// that run.
    ///
    /// They restart in the next run that uses the facility.
    pub fn statistics(&self) -> Statistics {
        self.usage.statistics(f64::from(self.servers))
    }

    /// Restarts the statistics, for example after a warm-up.
    pub fn reset_statistics(&self, process: &impl Caller) {
        self.usage.reset(process.kernel());
    }

    /// Reserves a server, waiting if all are busy. To release it, call [`Server::release`] or drop
    /// the [`Server`].
    ///
    /// If you drop the future while it waits, it leaves the queue; if it already has a server, the
    /// next process gets the server.
    pub fn reserve<'a, C: Caller>(&'a self, process: &'a C) -> Reserve<'a, C> {
        Reserve {
            facility: self,
            wait: Wait::new(process),
        }
    }

    /// Reserves a server without waiting; returns `None` if no server is free.
    pub fn try_reserve<'a, C: Caller>(&'a self, process: &'a C) -> Option<Server<'a>> {
        process.needs_order();
        let kernel = process.kernel();
        let is_taken = self.take(kernel, process.unit());
        is_taken.then(|| Server {
            facility: self,
            kernel,
        })
    }

    /// Reserves a server, holds it for `seconds` of simulated time, and releases it.
    ///
    /// If you drop the future while it waits, it leaves the queue. If you drop it during the
    /// service, it releases the server without completing the service.
    ///
    /// # Errors
    ///
    /// The future stops the run if the time is negative or not finite.
    pub fn use_for<'a, C: Caller>(&'a self, process: &'a C, seconds: f64) -> Use<'a, C> {
        Use::new(self, Wait::new(process), seconds)
    }

    /// Takes a free server; returns `false` if no server is free.
    #[inline]
    fn take(&self, kernel: &Kernel<'_>, unit: u32) -> bool {
        let free = self.free.get();
        if free == 0 {
            return false;
        }
        self.free.set(free - 1);
        self.holder.set(unit);
        self.note(kernel);
        true
    }

    /// Records the current numbers of busy servers and waiting processes.
    #[inline]
    fn note(&self, kernel: &Kernel<'_>) {
        let queue = self.queue.borrow().len();
        self.note_queue(kernel, queue);
    }

    #[inline]
    fn note_queue(&self, kernel: &Kernel<'_>, queue: usize) {
        let busy = self.servers.saturating_sub(self.free.get());
        self.usage.set(kernel, u64::from(busy), queue as u64);
    }

    /// Adds a registered wait to the queue. This can end the turns of others.
    #[inline]
    fn join(&self, kernel: &Kernel<'_>, (unit, generation): Waiter, service_s: Option<f64>) {
        if self.discipline != Discipline::Fcfs {
            return self.join_in_order(kernel, (unit, generation), service_s);
        }
        let mut queue = self.queue.borrow_mut();
        queue.push_last(Request {
            unit,
            generation,
            priority: 0,
            service_s,
        });
        self.note_queue(kernel, queue.len());
    }

    #[inline(never)]
    fn join_in_order(
        &self,
        kernel: &Kernel<'_>,
        (unit, generation): Waiter,
        service_s: Option<f64>,
    ) {
        let takes_turns = matches!(self.discipline, Discipline::RoundRobin { .. });
        let request = Request {
            unit,
            generation,
            priority: if takes_turns {
                0
            } else {
                kernel.priority(unit)
            },
            service_s,
        };
        if self.discipline == Discipline::Preemptive && self.preempt(kernel, request) {
            return;
        }
        self.queue.borrow_mut().push(request);
        if let Discipline::RoundRobin { quantum_s } = self.discipline {
            self.limit_turns(kernel, quantum_s);
        }
        self.note(kernel);
    }

    /// Passes a released server to the first process in the queue, or leaves it free.
    #[inline]
    fn release(&self, kernel: &Kernel<'_>) {
        if !kernel.closes() {
            self.usage.complete(kernel);
        }
        self.pass_on(kernel);
    }

    /// Assigns a server to the first process in the queue, or leaves the server free.
    fn pass_on(&self, kernel: &Kernel<'_>) {
        loop {
            let mut queue = self.queue.borrow_mut();
            let (request, waiting) = (queue.pop(), queue.len());
            drop(queue);
            match request {
                None => self.free.set(self.free.get() + 1),
                Some(request) if self.grant(kernel, request) => {}
                Some(_) => continue,
            }
            return self.note_queue(kernel, waiting);
        }
    }

    /// Assigns a server to a request; returns `false` if the request's wait is already over.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    fn grant(&self, kernel: &Kernel<'_>, request: Request) -> bool {
        let granted = match request.service_s {
            None => kernel.wake(request.unit, request.generation),
            Some(service_s) => {
                self.serve(kernel, request, service_s);
                true
            }
        };
        if granted {
            self.holder.set(request.unit);
        }
        granted
    }

    /// Removes a wait whose future was dropped; returns `false` if it wasn't in the queue.
    fn leave(&self, wait: &Wait<'_, impl Caller>) -> bool {
        let left = self.queue.borrow_mut().remove(wait.waiter());
        if left {
            self.note(wait.kernel());
        }
        left
    }

    #[cold]
    fn wanted(&self) -> Wanted {
        Wanted {
            text: format!("a server of facility `{}`", self.name.escape_debug()),
            process: (self.servers == 1).then_some(self.holder.get()),
        }
    }
}

impl Status for Facility {
    fn status(&self) -> String {
        format!(
            "facility `{}`: {} of {} servers busy, {} waiting; {}",
            self.name.escape_debug(),
            self.servers.saturating_sub(self.free()),
            self.servers,
            self.queue_len(),
            self.statistics()
        )
    }
}

/// A reserved server of a [`Facility`]. Dropping it releases the server.
#[derive(Debug)]
#[must_use = "a server is released when it is dropped"]
pub struct Server<'a> {
    facility: &'a Facility,
    kernel: &'a Kernel<'a>,
}

impl Server<'_> {
    /// Releases the server.
    pub fn release(self) {
        drop(self);
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        self.facility.release(self.kernel);
    }
}

/// The future of [`Facility::reserve`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Reserve<'a, C: Caller> {
    facility: &'a Facility,
    wait: Wait<'a, C>,
}

impl<'a, C: Caller> Future for Reserve<'a, C> {
    type Output = Result<Server<'a>, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let facility = this.facility;
        let kernel = this.wait.kernel();
        if !this.wait.is_registered() {
            if !facility.take(kernel, this.wait.caller().unit()) {
                facility.join(kernel, this.wait.register()?, None);
                return Poll::Pending;
            }
        } else if !this.wait.granted() {
            this.wait.explain(|| facility.wanted());
            return Poll::Pending;
        }
        Poll::Ready(Ok(Server { facility, kernel }))
    }
}

impl<C: Caller> Drop for Reserve<'_, C> {
    fn drop(&mut self) {
        if self.wait.is_registered() && !self.facility.leave(&self.wait) {
            self.facility.pass_on(self.wait.kernel());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Process;

    #[test]
    fn its_futures_are_small() {
        assert_eq!(size_of::<Reserve<'_, Process<'_>>>(), 24);
        assert_eq!(size_of::<Use<'_, Process<'_>>>(), 32);
    }
}
