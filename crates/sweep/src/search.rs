//! Searches of spaces of parameters: the point of the smallest result, points that no other beats,
//! and which parameters matter.
//!
//! The module knows no models and runs nothing. It names points of a [`SearchSpace`]; the caller
//! evaluates them, on any number of threads, and hands the results back in the same order.
//!
//! | to find | is |
//! |---|---|
//! | the minimum under constraints | a [`Search`], which asks and is reported |
//! | points that no other beats | [`front()`] |
//! | which axes matter, roughly | [`Morris`]: its points, then its effects |
//! | whose share of the variance is which | [`Saltelli`], or [`factorial()`] from all points |
//! | the value of what a user wrote | an [`Expression`] over named numbers |
//!
//! | module | is |
//! |---|---|
//! | `acquisition` | promise of an evaluation |
//! | `bootstrap` | confidence intervals of statistics whose distribution is not known |
//! | `expression` | expressions over named numbers and texts |
//! | `factorial` | Sobol indices where all points of a space are known |
//! | `front` | points that no other beats |
//! | `gaussian` | Gaussian processes |
//! | `minimum` | search for the point of the smallest objective with few evaluations |
//! | `models` | Gaussian processes of all that is known of points |
//! | `morris` | elementary effects: how much a result changes with one axis at a time |
//! | `pool` | candidates for the next evaluations |
//! | `random` | random choices |
//! | `saltelli` | Sobol indices from samples |
//! | `scores` | results at points, and their order |
//! | `space` | spaces of parameters, and their points |
//! | `triangle` | Cholesky factors that grow by a row at a time |
//!
//! ```
//! use prophet_sweep::search::{Coordinate, Scores, Search, SearchAxis, SearchSpace};
//!
//! // 1,000 points, of which 60 are evaluated.
//! let space = SearchSpace::new((0..3).map(|_| SearchAxis::evenly(10)).collect());
//! let mut search = Search::new(space, 60, 1);
//! loop {
//!     let points = search.ask();
//!     if points.is_empty() {
//!         break;
//!     }
//!     let scores = points.iter().map(|point| {
//!         let distance = point.iter().map(|at| match at {
//!             Coordinate::Level(level) => (*level as f64 - 7.0).abs(),
//!             Coordinate::Place(place) => *place,
//!         });
//!         Some(Scores { objective: distance.sum(), margins: Vec::new() })
//!     });
//!     search.tell(scores.collect());
//! }
//! let best = search.best().expect("a point was evaluated");
//! assert_eq!(search.points()[best], [Coordinate::Level(7); 3]);
//! ```
//!
//! The search is deterministic: the same space, seed and results give the same points to the last
//! bit, on every computer.

#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

mod acquisition;
mod bootstrap;
mod expression;
mod factorial;
mod front;
mod gaussian;
mod minimum;
mod models;
mod morris;
mod pool;
mod random;
mod saltelli;
mod scores;
mod space;
mod triangle;

pub use bootstrap::Estimate;
pub use expression::{Expression, Misfit, Value};
pub use factorial::factorial;
pub use front::front;
pub use minimum::Search;
pub use morris::{Effect, Morris};
pub use saltelli::{Indices, Saltelli};
pub use scores::Scores;
pub use space::{Coordinate, SearchAxis, SearchPoint, SearchSpace};
