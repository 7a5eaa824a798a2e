//! Conditions: waiting until something about the state holds.

use std::pin::Pin;
use std::task::{Context, Poll};

use crate::engine::process::{ProcessCtx, Wait};
use crate::engine::waiters::{Waiters, waiter};
use crate::kernel::Wanted;
use crate::language::stopped::Stopped;
use crate::resources::status::Status;

/// A place where processes wait until what each of them needs is true.
///
/// Nothing watches the state: who changes it [signals](Condition::signal) the condition, and each
/// that waits looks again, in the order in which they came. One that finds its predicate true goes
/// on, and what it does to the state before it waits again counts for those after it.
///
/// ```
/// use std::cell::Cell;
/// use prophet_runtime::{Condition, Study};
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
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug)]
pub struct Condition {
    name: String,
    queue: Waiters,
}

impl Condition {
    /// A condition that nobody waits for.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            queue: Waiters::default(),
        }
    }

    /// How many processes wait.
    pub fn queue_len(&self) -> usize {
        self.queue.len()
    }

    /// Lets all that wait look at the state at this instant, in the order in which they came.
    pub fn signal(&self, ctx: &ProcessCtx<'_>) {
        self.queue.nudge(ctx);
    }

    /// Waits until `holds` is true; not at all when it is.
    ///
    /// It is evaluated now, and when the condition is signalled. A process that finds it false
    /// keeps its place. Dropped while it waits, the future leaves the queue.
    pub fn until<'a, P>(&'a self, ctx: &'a ProcessCtx<'_>, holds: P) -> Until<'a, P>
    where
        P: Fn() -> bool,
    {
        Until {
            condition: self,
            wait: Wait::new(ctx),
            holds,
        }
    }
}

impl Status for Condition {
    fn status(&self, _: f64) -> String {
        let name = self.name.escape_debug();
        format!("condition `{name}`: {} waiting", self.queue_len())
    }
}

/// The future of [`Condition::until`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Until<'a, P> {
    condition: &'a Condition,
    wait: Wait<'a>,
    holds: P,
}

// The predicate is called in place and never pinned.
impl<P> Unpin for Until<'_, P> {}

impl<P: Fn() -> bool> Future for Until<'_, P> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let condition = this.condition;
        if !this.wait.ctx().world().asks() && (this.holds)() {
            if this.wait.generation() != 0 {
                condition.queue.leave(&this.wait);
                this.wait.give_up();
            }
            return Poll::Ready(Ok(()));
        }
        if this.wait.generation() == 0 {
            this.wait.register()?;
            condition.queue.add(waiter(&this.wait));
            return Poll::Pending;
        }
        this.wait.explain(|| Wanted {
            text: format!("condition `{}`", condition.name.escape_debug()),
            process: None,
        });
        Poll::Pending
    }
}

impl<P> Drop for Until<'_, P> {
    fn drop(&mut self) {
        if self.wait.generation() != 0 {
            self.condition.queue.leave(&self.wait);
        }
    }
}
