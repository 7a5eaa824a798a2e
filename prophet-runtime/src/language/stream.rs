//! Draws random numbers. Each element has its own stream in each process, so the order of execution
//! doesn't matter.

use std::cell::RefCell;

use prophet_map::Map;
use prophet_sim::variates::{Generator, OutOfRange};

use crate::language::fault::{Fault, FaultKind};
use crate::language::number::Int;

/// The streams that a run has drawn numbers from, by process and element id.
#[derive(Debug)]
pub(crate) struct Streams(RefCell<Map<(u32, i64), Generator>>);

impl Streams {
    pub(crate) const fn new() -> Self {
        Self(RefCell::new(Map::new()))
    }

    pub(crate) fn are_drawn(&self) -> bool {
        !self.0.borrow().is_empty()
    }
}

/// The random stream of an element in a process.
///
/// It is seeded with the run's seed, the pid, and the element's id. It continues where the
/// element's previous execution in that process stopped.
///
/// ```
/// use prophet_runtime::{ActionPlus, Model, Simulation, System};
///
/// const WORK: ActionPlus = ActionPlus::new(0, "Work", 7);
/// let model = Model::new("Random", &[], 1);
/// let simulation = Simulation::new(&model, System::default());
/// let run = || {
///     simulation.run(async |ctx| {
///         let stream = ctx.stream(&WORK);
///         WORK.execute(ctx, stream.uniform(1.0, 2.0)).await
///     })
/// };
/// assert_eq!(run(), run());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Stream<'a> {
    pub(crate) streams: &'a Streams,
    pub(crate) seed: u64,
    pub(crate) pid: u32,
    pub(crate) id: i64,
}

impl Stream<'_> {
    fn draw<T>(
        self,
        draw: impl FnOnce(&mut Generator) -> Result<T, OutOfRange>,
    ) -> Result<T, Fault> {
        let mut streams = self.streams.0.borrow_mut();
        let new = || Generator::new(self.seed, self.pid, self.id);
        draw(streams.get_or_insert_with((self.pid, self.id), new))
            .map_err(|OutOfRange { .. }| FaultKind::Variate.into())
    }
}

macro_rules! distributions {
    ($($(#[$doc:meta])* $name:ident($($parameter:ident: $type:ty),*) -> $value:ty;)*) => {
        impl Stream<'_> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                ///
                /// Returns [`FaultKind::Variate`] if a parameter is out of range.
                pub fn $name(self, $($parameter: $type),*) -> Result<$value, Fault> {
                    self.draw(|generator| generator.$name($($parameter),*))
                }
            )*
        }
    };
}

distributions! {
    /// Returns a uniformly distributed number that is at least `low` and less than `high`.
    uniform(low: f64, high: f64) -> f64;
    /// Returns a number from an exponential distribution with this mean.
    exponential(mean: f64) -> f64;
    /// Returns a number from a normal distribution.
    normal(mean: f64, deviation: f64) -> f64;
    /// Returns a number from a lognormal distribution. Its logarithm is normally distributed with
    /// mean `mu` and standard deviation `sigma`.
    lognormal(mu: f64, sigma: f64) -> f64;
    /// Returns a number from a gamma distribution with mean `shape * scale`.
    gamma(shape: f64, scale: f64) -> f64;
    /// Returns a number from a Weibull distribution.
    weibull(shape: f64, scale: f64) -> f64;
    /// Returns a number from a triangular distribution.
    triangular(low: f64, mode: f64, high: f64) -> f64;
    /// Returns `true` with this probability.
    bernoulli(probability: f64) -> bool;
}

impl Stream<'_> {
    /// Returns a number from an Erlang distribution: the sum of `k` exponentially distributed
    /// numbers. The mean of the sum is `mean`.
    ///
    /// # Errors
    ///
    /// Returns [`FaultKind::Variate`] if a parameter is out of range.
    pub fn erlang(self, k: impl Into<Int>, mean: f64) -> Result<f64, Fault> {
        // A negative count is as invalid as 0.
        let k = u64::try_from(k.into().0).unwrap_or(0);
        self.draw(|generator| generator.erlang(k, mean))
    }

    /// Returns a number from a Poisson distribution with this mean.
    ///
    /// # Errors
    ///
    /// Returns [`FaultKind::Variate`] if the parameter is out of range.
    pub fn poisson(self, mean: f64) -> Result<Int, Fault> {
        let count = self.draw(|generator| generator.poisson(mean))?;
        Ok(Int(count.cast_signed()))
    }
}
