//! Defines what processes of a study can do, such as hold, spawn, interrupt and terminate.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::{fmt, mem};

use super::combine::{self, Interrupted};
use super::tasks::Tasks;
use crate::kernel::{Caller, Kernel, Stopped, Wait, Wanted};
use crate::resources::Status;
use crate::variates::Generator;

/// A process of a [`Study`](super::Study). The process's program uses it to wait, and to control
/// other processes.
///
/// Methods that wait return futures of this simulation. A process can await only these futures, one
/// at a time. If you drop a future, its wait ends.
#[derive(Debug)]
pub struct Process<'w> {
    kernel: &'w Kernel<'w>,
    tasks: &'w Tasks<'w>,
    unit: u32,
    number: u32,
}

impl Caller for Process<'_> {
    #[inline]
    fn kernel(&self) -> &Kernel<'_> {
        self.kernel
    }

    #[inline]
    fn unit(&self) -> u32 {
        self.unit
    }
}

impl<'w> Process<'w> {
    fn new(tasks: &'w Tasks<'w>, unit: u32, number: u32) -> Self {
        Self {
            kernel: tasks.kernel(),
            tasks,
            unit,
            number,
        }
    }

    /// Returns the simulated time, in seconds.
    #[inline]
    pub fn now_s(&self) -> f64 {
        self.kernel.now_s()
    }

    /// Lets `seconds` of simulated time pass.
    ///
    /// Even if `seconds` is 0, other processes that are ready run first.
    ///
    /// # Errors
    ///
    /// The future stops the run if the time is negative or not finite.
    #[inline]
    pub fn hold(&self, seconds: f64) -> Hold<'_, 'w> {
        Hold {
            wait: Wait::new(self),
            seconds,
        }
    }

    /// Returns the priority of the process at facilities that use priorities: larger numbers go
    /// first. It is 0 unless you set it.
    pub fn priority(&self) -> i32 {
        self.kernel.priority(self.unit)
    }

    /// Sets the priority, starting with the next request.
    pub fn set_priority(&self, priority: i32) {
        self.kernel.set_priority(self.unit, priority);
    }

    /// Returns the number of the process; processes are numbered from 0 in the order in which they
    /// were spawned.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns a handle of this process, for other processes to use.
    pub fn handle(&self) -> Handle<'w> {
        self.handle_of((self.unit, self.number))
    }

    /// Returns a handle of the process with this id, to wait for it or to end it. An id from
    /// another run refers to no process or, at worst, to the wrong process.
    ///
    /// ```
    /// use std::cell::Cell;
    /// use prophet_sim::Study;
    /// use prophet_sim::study::ProcessId;
    ///
    /// let sleeper: Cell<Option<ProcessId>> = Cell::new(None);
    /// let run = Study::new().run(&sleeper, async |sim, sleeper| {
    ///     let handle = sim.spawn(async |me| me.hold(100.0).await);
    ///     sleeper.set(Some(handle.id()));
    ///     sim.spawn(async |me| {
    ///         me.hold(3.0).await?;
    ///         if let Some(id) = sleeper.get() {
    ///             me.process(id).terminate();
    ///         }
    ///         Ok(())
    ///     });
    ///     Ok(())
    /// })?;
    /// assert_eq!(run.end_s, 3.0);
    /// # Ok::<(), prophet_sim::Failure>(())
    /// ```
    pub fn process(&self, id: ProcessId) -> Handle<'w> {
        self.handle_of((id.unit, id.number))
    }

    fn handle_of(&self, (unit, number): (u32, u32)) -> Handle<'w> {
        Handle {
            tasks: self.tasks,
            unit,
            number,
        }
    }

    /// Spawns a process. It starts at this time, after all processes that are already ready.
    ///
    /// `program` is an async closure, or a function from a [`Process`] to a future. If it returns
    /// an error, the run stops. When it ends, its memory is reused.
    ///
    /// ```
    /// use prophet_sim::{Process, Stopped, Study};
    ///
    /// async fn clerk(me: Process<'_>, pause_s: f64) -> Result<(), Stopped> {
    ///     me.hold(pause_s).await
    /// }
    ///
    /// let run = Study::new().run(&(), async |sim, ()| {
    ///     let first = sim.spawn(|me| clerk(me, 2.0));
    ///     sim.spawn(async move |me| {
    ///         first.join(&me).await?;
    ///         me.hold(1.0).await
    ///     });
    ///     Ok(())
    /// })?;
    /// assert_eq!((run.end_s, run.processes), (3.0, 3));
    /// # Ok::<(), prophet_sim::Failure>(())
    /// ```
    pub fn spawn<P, F>(&self, program: P) -> Handle<'w>
    where
        P: FnOnce(Process<'w>) -> F,
        F: Future<Output = Result<(), Stopped>> + 'w,
    {
        self.handle_of(spawn(self.tasks, program))
    }

    /// Ends the run, once everything at this time has happened.
    pub fn stop(&self) {
        self.kernel.stop();
    }

    /// Returns the random stream with this name, from the study's seed.
    ///
    /// Each call returns a stream that starts from the beginning.
    pub fn generator(&self, name: &str) -> Generator {
        Generator::named(self.tasks.seed(), name)
    }

    /// Awaits `future` for at most `seconds`; returns `None` if the future hasn't ended by then.
    ///
    /// At the deadline, the future is dropped and leaves every queue. If something that is
    /// scheduled for the deadline ends the future, it is in time, regardless of the order. But if
    /// another process is only woken at that time, after the deadline, what it does can be too
    /// late.
    ///
    /// ```
    /// use prophet_sim::{Facility, Study};
    ///
    /// let desk = Facility::new("desk", 1);
    /// Study::new().run(&desk, async |sim, desk| {
    ///     sim.spawn(async |other| desk.use_for(&other, 5.0).await);
    ///     sim.hold(1.0).await?;
    ///     let served = sim.timeout(2.0, desk.use_for(&sim, 1.0)).await?;
    ///     assert!(served.is_none());
    ///     assert_eq!((sim.now_s(), desk.queue_len()), (3.0, 0));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), prophet_sim::Failure>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The future stops the run if the time is negative or not finite.
    pub fn timeout<F, T>(
        &self,
        seconds: f64,
        future: F,
    ) -> impl Future<Output = Result<Option<T>, Stopped>> + use<'w, F, T>
    where
        F: Future<Output = Result<T, Stopped>>,
    {
        combine::timeout(self.tasks, self.unit, seconds, future)
    }

    /// Awaits `future`, but drops it if the process is interrupted.
    ///
    /// If the future ends at the instant of the interrupt, before the process runs, it returns its
    /// result, and the interrupt applies to the next interruptible wait. An interrupt also applies
    /// to the next interruptible wait if the process is doing something else when it comes.
    ///
    /// ```
    /// use prophet_sim::Study;
    /// use prophet_sim::study::Interrupted;
    ///
    /// Study::new().run(&(), async |sim, ()| {
    ///     let machine = sim.spawn(async |me| {
    ///         assert_eq!(me.interruptible(me.hold(9.0)).await?, Err(Interrupted));
    ///         assert_eq!(me.now_s(), 2.0);
    ///         Ok(())
    ///     });
    ///     sim.hold(2.0).await?;
    ///     machine.interrupt();
    ///     Ok(())
    /// })?;
    /// # Ok::<(), prophet_sim::Failure>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The future fails if `future` fails.
    pub fn interruptible<F, T>(
        &self,
        future: F,
    ) -> impl Future<Output = Result<Result<T, Interrupted>, Stopped>> + use<'w, F, T>
    where
        F: Future<Output = Result<T, Stopped>>,
    {
        combine::interruptible(self.tasks, self.unit, future)
    }

    /// Returns a text that lists what each process is waiting for and the state of each of
    /// `resources`, one per line. It describes the end of this time.
    pub fn status(&self, resources: &[&'w dyn Status]) -> StatusText<'_, 'w> {
        StatusText {
            tasks: self.tasks,
            wait: Wait::new(self),
            resources: resources.to_vec(),
        }
    }

    /// Writes a text to the log of the run. `text` is called only if there is a log.
    pub fn log<T: AsRef<str>>(&self, text: impl FnOnce() -> T) {
        if self.tasks.logs() {
            self.tasks.log(self.unit, text().as_ref());
        }
    }
}

/// Creates a process that starts at this instant; returns its unit and number.
pub(super) fn spawn<'w, P, F>(tasks: &'w Tasks<'w>, program: P) -> (u32, u32)
where
    P: FnOnce(Process<'w>) -> F,
    F: Future<Output = Result<(), Stopped>> + 'w,
{
    tasks.spawn(|unit, number| program(Process::new(tasks, unit, number)))
}

/// The future of [`Process::hold`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Hold<'a, 'w> {
    wait: Wait<'a, Process<'w>>,
    seconds: f64,
}

impl Future for Hold<'_, '_> {
    type Output = Result<(), Stopped>;

    #[expect(clippy::inline_always, reason = "it is a few instructions")]
    #[inline(always)]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if !this.wait.is_registered() {
            this.wait.hold(this.seconds)?;
        } else if this.wait.granted() {
            return Poll::Ready(Ok(()));
        } else {
            this.wait.explain(|| Wanted {
                text: "its time to pass".to_owned(),
                process: None,
            });
        }
        Poll::Pending
    }
}

/// The future of [`Process::status`](Process::status).
#[must_use = "futures do nothing unless awaited"]
pub struct StatusText<'a, 'w> {
    tasks: &'w Tasks<'w>,
    wait: Wait<'a, Process<'w>>,
    resources: Vec<&'w dyn Status>,
}

impl fmt::Debug for StatusText<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StatusText")
            .field("wait", &self.wait)
            .finish_non_exhaustive()
    }
}

impl Future for StatusText<'_, '_> {
    type Output = Result<String, Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if !this.wait.is_registered() {
            let waiter = this.wait.register()?;
            let resources = mem::take(&mut this.resources);
            this.tasks.inquire(waiter, resources);
            return Poll::Pending;
        }
        let key = this.wait.waiter();
        if this.wait.granted() {
            return Poll::Ready(Ok(this.tasks.take_answer(key)));
        }
        this.wait.explain(|| Wanted {
            text: "a status".to_owned(),
            process: None,
        });
        Poll::Pending
    }
}

/// The id of a process: plain data that you can store in a model or send in a message.
/// [`Process::process`] returns the process's [`Handle`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProcessId {
    number: u32,
    unit: u32,
}

/// A handle of a process, which other processes use to wait for its end, to interrupt it, or to
/// terminate it.
///
/// The handle stays valid after the process has ended, but has no effect then.
#[derive(Debug, Clone, Copy)]
pub struct Handle<'w> {
    tasks: &'w Tasks<'w>,
    unit: u32,
    number: u32,
}

impl<'w> Handle<'w> {
    /// Returns the number of the process; processes are numbered in the order in which they were
    /// spawned.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the process's id: plain data that outlives the run.
    pub fn id(self) -> ProcessId {
        ProcessId {
            number: self.number,
            unit: self.unit,
        }
    }

    /// Returns `true` if the process has ended.
    pub fn has_ended(self) -> bool {
        !self.tasks.is_live(self.unit, self.number)
    }

    /// Sets the name of the process in messages and logs.
    #[expect(clippy::return_self_not_must_use, reason = "often the last word")]
    pub fn named(self, name: impl Into<String>) -> Self {
        if !self.has_ended() {
            self.tasks.set_name(self.unit, name.into());
        }
        self
    }

    /// Makes the process a background process, such as a server that waits for the next order. It
    /// can wait forever without a deadlock, and the run can end before it.
    #[expect(clippy::return_self_not_must_use, reason = "often the last word")]
    pub fn background(self) -> Self {
        if !self.has_ended() {
            self.tasks.set_background(self.unit);
        }
        self
    }

    /// Sets the priority of the process at facilities, starting with its next request.
    pub fn set_priority(self, priority: i32) {
        if !self.has_ended() {
            self.tasks.kernel().set_priority(self.unit, priority);
        }
    }

    /// Interrupts the process at its current or next [interruptible](Process::interruptible) wait.
    /// Several interrupts before that count as one. If the process has ended, this does nothing.
    pub fn interrupt(self) {
        if !self.has_ended() {
            self.tasks.interrupt(self.unit);
        }
    }

    /// Ends the process immediately. It leaves every queue and releases everything that it holds.
    ///
    /// A process that terminates itself continues until it waits.
    pub fn terminate(self) {
        if !self.has_ended() {
            self.tasks.terminate(self.unit);
        }
    }

    /// Waits until the process has ended; returns immediately if it already has.
    pub fn join<'a>(self, process: &'a Process<'w>) -> Join<'a, 'w> {
        Join {
            process: self,
            wait: Wait::new(process),
        }
    }
}

/// The future of [`Handle::join`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Join<'a, 'w> {
    process: Handle<'w>,
    wait: Wait<'a, Process<'w>>,
}

impl Future for Join<'_, '_> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let Handle {
            tasks,
            unit,
            number,
        } = this.process;
        if !this.wait.is_registered() {
            if this.process.has_ended() {
                return Poll::Ready(Ok(()));
            }
            tasks.add_joiner(unit, this.wait.register()?);
        } else if this.wait.granted() {
            return Poll::Ready(Ok(()));
        } else {
            this.wait.explain(|| Wanted {
                text: format!("the end of process {number}"),
                process: Some(unit),
            });
        }
        Poll::Pending
    }
}

impl Drop for Join<'_, '_> {
    fn drop(&mut self) {
        if self.wait.is_registered() {
            let tasks = self.process.tasks;
            tasks.remove_joiner(self.process.unit, self.wait.waiter());
        }
    }
}
