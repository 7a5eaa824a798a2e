//! Conditions: processes wait until a predicate on shared state is true.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::kernel::{Caller, Stopped, Wait, Wanted};
use crate::resources::Status;
use crate::resources::waiters::Waiters;

/// A condition on shared state: each process waits until its own predicate is true.
///
/// The state isn't watched: a process that changes it must [signal](Condition::signal) the
/// condition. All waiting processes then check again, in the order of their arrival. A process
/// whose predicate is true continues until it waits again, and later processes see its changes to
/// the state.
///
/// ```
/// use std::cell::Cell;
/// use prophet_sim::{Condition, Study};
///
/// #[derive(Debug)]
/// struct Tank {
///     liters: Cell<u32>,
///     changed: Condition,
/// }
///
/// let tank = Tank { liters: Cell::new(0), changed: Condition::new("tank") };
/// Study::new().run(&tank, async |sim, tank| {
///     sim.spawn(async |truck| {
///         tank.changed.until(&truck, || tank.liters.get() >= 20).await?;
///         assert_eq!(truck.now_s(), 2.0);
///         Ok(())
///     });
///     for _ in 0..3 {
///         sim.hold(1.0).await?;
///         tank.liters.set(tank.liters.get() + 10);
///         tank.changed.signal(&sim);
///     }
///     Ok(())
/// })?;
/// # Ok::<(), prophet_sim::Failure>(())
/// ```
#[derive(Debug)]
pub struct Condition {
    name: String,
    queue: Waiters,
}

impl Condition {
    /// Creates a condition without waiting processes.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            queue: Waiters::default(),
        }
    }

    /// Returns the number of waiting processes.
    pub fn queue_len(&self) -> usize {
        self.queue.len()
    }

    /// Lets all waiting processes check their predicates now, in the order of arrival.
    pub fn signal(&self, process: &impl Caller) {
        process.needs_order();
        self.queue.nudge(process.kernel());
    }

    /// Waits until `holds` returns `true`; returns immediately if it already does.
    ///
    /// `holds` is called now, and again at each signal. If it returns `false`, the process keeps
    /// its place in the queue. If you drop the future while it waits, it leaves the queue.
    pub fn until<'a, P, C: Caller>(&'a self, process: &'a C, holds: P) -> Until<'a, P, C>
    where
        P: Fn() -> bool,
    {
        Until {
            condition: self,
            wait: Wait::new(process),
            holds,
        }
    }
}

impl Status for Condition {
    fn status(&self) -> String {
        let name = self.name.escape_debug();
        format!("condition `{name}`: {} waiting", self.queue_len())
    }
}

/// The future of [`Condition::until`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Until<'a, P, C: Caller> {
    condition: &'a Condition,
    wait: Wait<'a, C>,
    holds: P,
}

// The predicate is called in place and never pinned.
impl<P, C: Caller> Unpin for Until<'_, P, C> {}

impl<P: Fn() -> bool, C: Caller> Future for Until<'_, P, C> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let condition = this.condition;
        if !this.wait.kernel().asks() && (this.holds)() {
            if this.wait.is_registered() {
                condition.queue.leave(&this.wait);
                this.wait.give_up();
            }
            return Poll::Ready(Ok(()));
        }
        if !this.wait.is_registered() {
            condition.queue.add(this.wait.register()?);
            return Poll::Pending;
        }
        this.wait.explain(|| Wanted {
            text: format!("condition `{}`", condition.name.escape_debug()),
            process: None,
        });
        Poll::Pending
    }
}

impl<P, C: Caller> Drop for Until<'_, P, C> {
    fn drop(&mut self) {
        if self.wait.is_registered() {
            self.condition.queue.leave(&self.wait);
        }
    }
}
