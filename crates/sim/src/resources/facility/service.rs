//! Times services of a known length, and interrupts them if necessary.

use std::pin::Pin;
use std::task::{Context, Poll};

use super::queue::{Job, Request};
use super::{Discipline, Facility};
use crate::kernel::{Caller, Kernel, Stopped, Trouble, Wait, Waiter, Wanted};

/// Events with this priority come after all other events at the same time.
const AFTER_ARRIVALS: u8 = 1;

impl Facility {
    #[inline(never)]
    fn check_quantum(&self, kernel: &Kernel<'_>, unit: u32) -> Result<(), Stopped> {
        if let Discipline::RoundRobin { quantum_s } = self.discipline
            && (quantum_s <= 0.0 || !quantum_s.is_finite())
        {
            let name = self.name.escape_debug();
            let problem =
                format!("the quantum of facility `{name}` is {quantum_s} s, but must be above 0");
            return Err(kernel.fail(Some(unit), Trouble::Impossible(problem)));
        }
        Ok(())
    }

    /// Serves a registered wait immediately if a server is free, and otherwise queues it.
    #[inline]
    fn begin_service(&self, kernel: &Kernel<'_>, (unit, generation): Waiter, service_s: f64) {
        if !self.take(kernel, unit) {
            return self.join(kernel, (unit, generation), Some(service_s));
        }
        let request = Request {
            unit,
            generation,
            priority: match self.discipline {
                Discipline::Preemptive => kernel.priority(unit),
                _ => 0,
            },
            service_s: None,
        };
        self.serve(kernel, request, service_s);
    }

    #[inline]
    fn breaks_off(&self) -> bool {
        !matches!(self.discipline, Discipline::Fcfs | Discipline::Priority)
    }

    /// Serves a registered wait on the server that was assigned to it.
    #[inline]
    pub(super) fn serve(&self, kernel: &Kernel<'_>, request: Request, service_s: f64) {
        if self.breaks_off() {
            self.serve_turn(kernel, request, service_s);
        } else {
            let end_s = kernel.now_s() + service_s;
            schedule(kernel, request.unit, end_s, end_s);
        }
    }

    /// Like [`Self::serve`], except that the service can be interrupted.
    #[inline(never)]
    fn serve_turn(&self, kernel: &Kernel<'_>, request: Request, service_s: f64) {
        let now_s = kernel.now_s();
        let end_s = now_s + service_s;
        let mut turn_end_s = end_s;
        if let Discipline::RoundRobin { quantum_s } = self.discipline
            && self.queue.borrow().len() > 0
        {
            turn_end_s = end_s.min(now_s + quantum_s);
        }
        self.jobs.borrow_mut().push(Job {
            unit: request.unit,
            generation: request.generation,
            priority: request.priority,
            since_s: now_s,
            end_s,
            turn_end_s,
        });
        schedule(kernel, request.unit, turn_end_s, end_s);
    }

    /// Takes a server from a job of lower priority and gives it to a request; returns `false` if
    /// there is no such job.
    pub(super) fn preempt(&self, kernel: &Kernel<'_>, request: Request) -> bool {
        let now_s = kernel.now_s();
        let mut jobs = self.jobs.borrow_mut();
        // A job that ends at this instant can't be preempted anymore.
        let candidates = (0..jobs.len()).filter(|place| jobs[*place].end_s > now_s);
        let lowest = candidates.min_by(|a, b| {
            let (a, b) = (&jobs[*a], &jobs[*b]);
            let latest_first = b.since_s.total_cmp(&a.since_s);
            a.priority.cmp(&b.priority).then(latest_first)
        });
        let Some(place) = lowest.filter(|place| jobs[*place].priority < request.priority) else {
            return false;
        };
        let job = jobs.remove(place);
        drop(jobs);
        kernel.forget_timer(job.unit);
        self.queue.borrow_mut().push_back_in(Request {
            unit: job.unit,
            generation: job.generation,
            priority: job.priority,
            service_s: Some(job.end_s - now_s),
        });
        self.grant(kernel, request);
        self.note(kernel);
        true
    }

    /// Limits running turns to the quantum because a process is now waiting.
    pub(super) fn limit_turns(&self, kernel: &Kernel<'_>, quantum_s: f64) {
        let now_s = kernel.now_s();
        for job in self.jobs.borrow_mut().iter_mut() {
            if job.turn_end_s < job.end_s || job.end_s <= now_s {
                continue;
            }
            // Turns that passed while no process was waiting don't count.
            let turns = ((now_s - job.since_s) / quantum_s).ceil().max(1.0);
            let turn_end_s = (job.since_s + turns * quantum_s).max(now_s);
            if turn_end_s < job.end_s {
                job.turn_end_s = turn_end_s;
                kernel.forget_timer(job.unit);
                schedule(kernel, job.unit, turn_end_s, job.end_s);
            }
        }
    }

    fn end_job(&self, unit: u32, generation: u32) -> Option<Job> {
        let mut jobs = self.jobs.borrow_mut();
        let is_it = |job: &Job| (job.unit, job.generation) == (unit, generation);
        let place = jobs.iter().position(is_it)?;
        Some(jobs.remove(place))
    }
}

/// Schedules the end of a turn. If a time isn't finite, a failure is recorded and the run ends.
#[inline]
fn schedule(kernel: &Kernel<'_>, unit: u32, turn_end_s: f64, end_s: f64) {
    let priority = if turn_end_s < end_s {
        AFTER_ARRIVALS
    } else {
        0
    };
    let _ = kernel.resume_with(unit, turn_end_s, priority);
}

/// The future of [`Facility::use_for`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Use<'a, C: Caller> {
    facility: &'a Facility,
    wait: Wait<'a, C>,
    seconds: f64,
}

impl<'a, C: Caller> Use<'a, C> {
    pub(super) fn new(facility: &'a Facility, wait: Wait<'a, C>, seconds: f64) -> Self {
        Self {
            facility,
            wait,
            seconds,
        }
    }

    fn begin(&mut self) -> Result<(), Stopped> {
        let (facility, kernel) = (self.facility, self.wait.kernel());
        let unit = self.wait.caller().unit();
        kernel.check_seconds(unit, self.seconds)?;
        if facility.breaks_off() {
            facility.check_quantum(kernel, unit)?;
        }
        let waiter = self.wait.register()?;
        facility.begin_service(kernel, waiter, self.seconds);
        Ok(())
    }

    /// Ends a turn; returns `true` if it was the last one of its service.
    fn end_turn(&mut self, (unit, generation): Waiter) -> Result<bool, Stopped> {
        let (facility, kernel) = (self.facility, self.wait.kernel());
        let left = facility
            .end_job(unit, generation)
            .map(|job| job.end_s - kernel.now_s())
            .filter(|left_s| *left_s > 0.0);
        let Some(left_s) = left else {
            facility.release(kernel);
            return Ok(true);
        };
        let (unit, generation) = self.wait.register()?;
        let request = Request {
            unit,
            generation,
            priority: 0,
            service_s: Some(left_s),
        };
        facility.queue.borrow_mut().push(request);
        facility.pass_on(kernel);
        Ok(false)
    }

    #[cold]
    fn wanted(&self) -> Wanted {
        let facility = self.facility;
        let queues = facility.queue.borrow().contains(self.wait.waiter());
        if queues {
            return facility.wanted();
        }
        Wanted {
            text: format!("its service at facility `{}`", facility.name.escape_debug()),
            process: None,
        }
    }
}

impl<C: Caller> Future for Use<'_, C> {
    type Output = Result<(), Stopped>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if !this.wait.is_registered() {
            this.begin()?;
            return Poll::Pending;
        }
        let waiter = this.wait.waiter();
        if !this.wait.granted_turn() {
            this.wait.explain(|| this.wanted());
            return Poll::Pending;
        }
        if !this.facility.breaks_off() {
            this.facility.release(this.wait.kernel());
        } else if !this.end_turn(waiter)? {
            return Poll::Pending;
        }
        this.wait.served(this.seconds);
        Poll::Ready(Ok(()))
    }
}

impl<C: Caller> Drop for Use<'_, C> {
    fn drop(&mut self) {
        if self.wait.is_registered() && !self.facility.leave(&self.wait) {
            let (unit, generation) = self.wait.waiter();
            self.facility.end_job(unit, generation);
            self.facility.release(self.wait.kernel());
        }
    }
}
