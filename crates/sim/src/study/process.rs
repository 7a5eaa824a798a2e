//! Defines what a study's processes can do, such as hold, spawn, interrupt, and terminate.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::{fmt, mem};

use super::combine::{self, Interrupted};
use super::tasks::Tasks;
use crate::kernel::{Caller, Kernel, Stopped, Wait, Wanted};
use crate::resources::Status;
use crate::variates::Generator;

/// A process of a [`Study`](super::Study). Its program uses this to wait, and to control other
/// processes.
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

    /// Returns the process's priority at facilities that use priorities. Larger numbers go first,
    /// and the default is 0.
    pub fn priority(&self) -> i32 {
        self.kernel.priority(self.unit)
    }

    /// Sets the process's priority, starting with its next request.
    pub fn set_priority(&self, priority: i32) {
        self.kernel.set_priority(self.unit, priority);
    }

    /// Returns the number of the process. Processes are numbered from 0 in the order in which they
    /// were spawned.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns a handle to this process, for use by other processes.
    pub fn handle(&self) -> Handle<'w> {
        self.handle_of((self.unit, self.number))
    }

    /// Returns a handle to the process with this id, for example to wait for it or to end it. An id
    /// from another run refers to no process or, worse, to the wrong one.
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

    /// Spawns a process. It starts at the current time, after all processes that are already ready.
    ///
    /// `program` is an async closure, or a function from a [`Process`] to a future. If it returns
    /// an error, the run stops. When the process ends, its memory is reused.
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

    /// Returns the random stream with this name, derived from the study's seed.
    ///
    /// Each call returns the stream from its beginning.
    pub fn generator(&self, name: &str) -> Generator {
        Generator::named(self.tasks.seed(), name)
    }

    /// Awaits `future` for at most `seconds`; returns `None` if the future hasn't ended by then.
    ///
    /// At the deadline, the future is dropped and leaves every queue. An event that is scheduled
    /// for the deadline itself still ends the future in time, regardless of the order. But if the
    /// future depends on another process that is only woken at that time, it can be too late.
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
    /// If the future ends at the same instant as the interrupt, before the process runs, it returns
    /// its result. The interrupt then applies to the next interruptible wait, as it does if the
    /// process isn't in an interruptible wait at all.
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

    /// Returns a text with one line for each process, which says what it is waiting for, and one
    /// for the state of each of `resources`. The text describes the end of the current time.
    pub fn status(&self, resources: &[&'w dyn Status]) -> StatusText<'_, 'w> {
        StatusText {
            tasks: self.tasks,
            wait: Wait::new(self),
            resources: resources.to_vec(),
        }
    }

    /// Writes a text to the run's log. `text` is called only if there is a log.
    pub fn log<T: AsRef<str>>(&self, text: impl FnOnce() -> T) {
        if self.tasks.logs() {
            self.tasks.log(self.unit, text().as_ref());
        }
    }
}

/// Creates a process that starts at this instant. Returns its unit and number.
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
/// [`Process::process`] returns the [`Handle`] for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProcessId {
    number: u32,
    unit: u32,
}

/// A handle to a process. Other processes use it to wait for the process's end, or to interrupt or
/// terminate it.
///
/// After the process has ended, the handle is still valid but has no effect.
#[derive(Debug, Clone, Copy)]
pub struct Handle<'w> {
    tasks: &'w Tasks<'w>,
    unit: u32,
    number: u32,
}

impl<'w> Handle<'w> {
    /// Returns the number of the process. Processes are numbered from 0 in the order in which they
    /// were spawned.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the process's id, which is plain data that can outlive the run.
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

    /// Names the process in messages and logs.
    #[expect(clippy::return_self_not_must_use, reason = "often the last word")]
    pub fn named(self, name: impl Into<String>) -> Self {
        if !self.has_ended() {
            self.tasks.set_name(self.unit, name.into());
        }
        self
    }

    /// Puts the process in the background, as for a server that waits for the next order. If it
    /// waits forever, that isn't a deadlock, and the run can end before it does.
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

    /// Interrupts the process in its current or next [interruptible](Process::interruptible) wait.
    /// Several interrupts before then count as one. If the process has ended, this does nothing.
    pub fn interrupt(self) {
        if !self.has_ended() {
            self.tasks.interrupt(self.unit);
        }
    }

    /// Ends the process immediately. It leaves every queue and releases everything that it holds.
    ///
    /// A process that terminates itself continues until its next wait.
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
