//! Searches spaces of parameters: for the point with the smallest result, for points that no other
//! point beats, and for the parameters that matter.
//!
//! This module doesn't depend on models, and doesn't run anything. It asks for points; the caller
//! evaluates them, on any number of threads, and returns the results in the same order.
//!
//! | to find | is |
//! |---|---|
//! | a small result under constraints | a [`Search`], which asks for points and takes scores |
//! | points that no other point beats | [`front()`] |
//! | each axis's share of the variance | [`factorial()`], from all points |
//! | the value of a user's expression | an [`Expression`] over named numbers |
//!
//! ```
//! use prophet_sweep::AxisPlace;
//! use prophet_sweep::search::{Scores, Search, SearchAxis};
//!
//! // 1,000 points, of which 60 are evaluated.
//! let mut search = Search::new(vec![SearchAxis::Ordered(10); 3], 60, 1);
//! let mut least = f64::INFINITY;
//! loop {
//!     let points = search.ask();
//!     if points.is_empty() {
//!         break;
//!     }
//!     let scores = points.iter().map(|point| {
//!         let distance = point.iter().map(|at| match at {
//!             AxisPlace::At(level) => level.abs_diff(7) as f64,
//!             AxisPlace::Share(share) => *share,
//!         });
//!         let objective = distance.sum();
//!         least = least.min(objective);
//!         Some(Scores { objective, margins: Vec::new() })
//!     });
//!     search.tell(scores.collect());
//! }
//! assert_eq!(least, 0.0);
//! ```
//!
//! The search is deterministic: with the same space, seed and results, it asks for the same points
//! to the last bit on every computer.

#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

mod expression;
mod factorial;
mod front;
mod pattern;

pub use expression::{Expression, Misfit, Value};
pub use factorial::{Indices, factorial};
pub use front::front;
pub use pattern::{Scores, Search, SearchAxis, SearchPoint, key};
