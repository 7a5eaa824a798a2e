//! Implements counted loops whose iterations can repeat earlier ones.

use std::pin::Pin;
use std::task::{Context, Poll};

use prophet_machine::value::Value;

use super::element;
use crate::engine::process::ProcessCtx;
use crate::kernel::Phase;
use crate::kernel::local::{Head, least_common_multiple};
use crate::language::Stopped;
use crate::language::element::ModelElement as _;
use crate::language::fault::Fault;
use crate::language::number::Int;

element! {
    /// A loop that runs its body a number of times. The loop itself takes no time.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, LoopPlus, Model, Simulation, System, iterations};
    ///
    /// const SWEEPS: LoopPlus = LoopPlus::new(0, "Sweeps", 1);
    /// const SWEEP: ActionPlus = ActionPlus::new(1, "Sweep", 2);
    ///
    /// let model = Model::new("Repeated", &[], 2);
    /// let outcome = Simulation::new(&model, System::default()).run(async |ctx| {
    ///     for sweep in iterations(4) {
    ///         ctx.turn(&SWEEPS)?;
    ///         SWEEP.execute(ctx, 0.5 * sweep.real()).await?;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    LoopPlus, "loop+"
}

/// The iterations of a loop, which can repeat earlier iterations. With
/// [`with_repetition`](crate::Simulation::with_repetition), repeated iterations are computed
/// instead of simulated.
///
/// An iteration can only depend on the variables that you pass to [`Self::next`], and on its own
/// number modulo the divisors that you pass to [`Self::modulo`]. It must not depend on anything
/// else that changes, such as random numbers.
///
/// ```
/// use prophet_runtime::{ActionPlus, LoopPlus, Model, Repeat, Simulation, System};
/// use prophet_runtime::Engine;
///
/// const SWEEPS: LoopPlus = LoopPlus::new(0, "Sweeps", 1);
/// const SWEEP: ActionPlus = ActionPlus::new(1, "Sweep", 2);
/// const MODEL: Model = Model::new("Repeated", &[], 2);
///
/// let simulation = Simulation::new(&MODEL, System::default());
/// let simulation = simulation.with_engine(Engine::Auto).with_repetition(true);
/// let outcome = simulation.run(async |ctx| {
///     let mut repeat = Repeat::new(&SWEEPS, 1_000_000);
///     while repeat.next(ctx, &[]).await? {
///         SWEEP.execute(ctx, 0.5).await?;
///     }
///     Ok(())
/// })?;
/// assert_eq!(outcome.predicted_time_s, 500_000.0);
/// assert_eq!(outcome.elements[0].count, 1_000_000);
/// assert!(outcome.evaluation.events < 100);
/// # Ok::<(), prophet_runtime::Failure>(())
/// ```
#[derive(Debug)]
pub struct Repeat {
    element: LoopPlus,
    count: u64,
    done: u64,
    least: u64,
    /// Number of iterations after which the remainders of their numbers repeat, or 0 if unknown.
    modulus: u64,
}

/// Maximum number of iterations of a loop whose iterations depend on their number, so that nothing
/// can overflow.
const NUMBER_MAX: u64 = 1 << 40;

impl Repeat {
    /// Creates the iterations of a loop. A negative `count` means 0.
    pub fn new(element: &LoopPlus, count: impl Into<Int>) -> Self {
        Self {
            element: *element,
            count: number(count),
            done: 0,
            least: 0,
            modulus: 1,
        }
    }

    /// Sets the minimum number of iterations that are simulated before any are computed.
    #[must_use]
    pub fn at_least(mut self, iterations: impl Into<Int>) -> Self {
        self.least = number(iterations);
        self
    }

    /// Declares that iterations depend on their number only modulo `divisor`. If you call this more
    /// than once, they can depend on their number modulo each of the divisors.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, LoopPlus, Model, Repeat, Simulation, System};
    /// use prophet_runtime::Engine;
    ///
    /// const SWEEPS: LoopPlus = LoopPlus::new(0, "Sweeps", 1);
    /// const SWEEP: ActionPlus = ActionPlus::new(1, "Sweep", 2);
    /// const MODEL: Model = Model::new("Repeated", &[], 2);
    ///
    /// let simulation = Simulation::new(&MODEL, System::default());
    /// let simulation = simulation.with_engine(Engine::Auto).with_repetition(true);
    /// let outcome = simulation.run(async |ctx| {
    ///     let mut repeat = Repeat::new(&SWEEPS, 1_000_000).modulo(4);
    ///     while repeat.next(ctx, &[]).await? {
    ///         let direction = repeat.number() % 4;
    ///         SWEEP.execute(ctx, 0.5 * direction.real()).await?;
    ///     }
    ///     Ok(())
    /// })?;
    /// assert_eq!(outcome.predicted_time_s, 750_000.0);
    /// assert!(outcome.evaluation.events < 100);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    #[must_use]
    pub fn modulo(self, divisor: impl Into<Int>) -> Self {
        let divisor = divisor.into();
        self.modulo_product(|| Ok([divisor]))
    }

    /// Declares that iterations depend on their number only modulo the product of `factors`. If
    /// `factors` returns a fault, all iterations are simulated.
    #[must_use]
    pub fn modulo_product<const N: usize>(
        mut self,
        factors: impl FnOnce() -> Result<[Int; N], Fault>,
    ) -> Self {
        let product = factors().ok().and_then(|factors| {
            let mut factors = factors.iter().map(|factor| factor.0.unsigned_abs());
            factors.try_fold(1, u64::checked_mul)
        });
        let modulus = product.and_then(|product| least_common_multiple(self.modulus, product));
        self.modulus = modulus.filter(|_| self.count <= NUMBER_MAX).unwrap_or(0);
        self
    }

    /// Sets how many iterations have already been done.
    #[must_use]
    pub fn behind(mut self, iterations: impl Into<Int>) -> Self {
        self.done = number(iterations);
        self
    }

    /// Returns the number of iterations that have begun.
    #[inline]
    pub fn begun(&self) -> Int {
        Int(i64::try_from(self.done).unwrap_or(i64::MAX))
    }

    /// Returns the number of the current iteration, from 0.
    #[inline]
    pub fn number(&self) -> Int {
        self.begun() - 1
    }

    /// Begins the next iteration that is simulated. `variables` contains the values of the
    /// variables that iterations assign. The future returns `false` if there are no more
    /// iterations.
    ///
    /// # Errors
    ///
    /// The future stops the run in the same cases as [`ProcessCtx::turn`].
    #[inline]
    pub fn next<'a>(&'a mut self, ctx: &'a ProcessCtx<'_>, variables: &[Value]) -> Next<'a> {
        let at = if self.may_stop(ctx) {
            At::Head(state(variables))
        } else {
            At::Turn
        };
        Next {
            repeat: self,
            ctx,
            at,
        }
    }

    /// Returns `true` if the process may have to wait at the head of the loop. You must then call
    /// [`Self::next`] instead of [`Self::turn`].
    #[inline]
    pub fn may_stop(&self, ctx: &ProcessCtx<'_>) -> bool {
        ctx.world().local.heads.are_watched()
    }

    /// Begins the next iteration like [`Self::next`], but never skips iterations.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`ProcessCtx::turn`].
    #[inline]
    pub fn turn(&mut self, ctx: &ProcessCtx<'_>) -> Result<bool, Stopped> {
        if self.done >= self.count {
            return Ok(false);
        }
        self.done += 1;
        ctx.turn(&self.element)?;
        Ok(true)
    }
}

/// The future of [`Repeat::next`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Next<'a> {
    repeat: &'a mut Repeat,
    ctx: &'a ProcessCtx<'a>,
    at: At,
}

/// How far a process has come at the start of an iteration.
#[derive(Debug, Clone, Copy)]
enum At {
    /// At the head of the loop, where it stops. The number identifies the values of the variables.
    Head(u64),
    /// Stopped at the head of the loop, waiting for the other ranks.
    Stop,
    Turn,
}

impl Next<'_> {
    /// Stops at the head of the loop, or continues there and skips the iterations that have been
    /// computed. Returns `true` if it stops.
    #[cold]
    #[inline(never)]
    fn stops(&mut self) -> bool {
        let at = std::mem::replace(&mut self.at, At::Turn);
        let Some(lane) = self.ctx.lane() else {
            return false;
        };
        let Repeat {
            element,
            count,
            done,
            least,
            modulus,
        } = *self.repeat;
        match at {
            At::Head(state)
                if done < count && !lane.local.heads.passes(element.element().index) =>
            {
                lane.local.heads.stop(Head {
                    rank: lane.rank,
                    element: element.element().index,
                    name: element.element().name,
                    done,
                    left: count - done,
                    least,
                    modulus,
                    state,
                });
                lane.unit.phase.set(Phase::Yielded);
                self.at = At::Stop;
                true
            }
            At::Stop => {
                self.repeat.done += lane.local.heads.computed();
                false
            }
            At::Head(_) | At::Turn => false,
        }
    }
}

impl Future for Next<'_> {
    type Output = Result<bool, Stopped>;

    #[inline]
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let next = self.get_mut();
        if !matches!(next.at, At::Turn) && next.stops() {
            return Poll::Pending;
        }
        Poll::Ready(next.repeat.turn(next.ctx))
    }
}

/// Converts a number of iterations. Negative numbers become 0.
fn number(iterations: impl Into<Int>) -> u64 {
    u64::try_from(iterations.into().0).unwrap_or(0)
}

/// Returns a number that identifies the values. Different values have the same number in one of
/// 2^64 cases.
fn state(values: &[Value]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    values.iter().fold(0, |state: u64, value| {
        let bits = match value {
            Value::Int(value) => value.cast_unsigned(),
            Value::Real(value) => value.to_bits(),
            Value::Bool(value) => u64::from(*value),
        };
        let mixed = (state ^ bits).wrapping_mul(ODD);
        (mixed ^ (mixed >> 29)).wrapping_mul(ODD).rotate_left(31)
    })
}
