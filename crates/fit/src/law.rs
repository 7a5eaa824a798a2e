//! Finds laws that describe measured costs.
//!
//! [`fit`] takes measurements at some places, and returns a [`Model`] that predicts the cost and
//! its uncertainty everywhere else. It doesn't read files or print anything.
//!
//! ```
//! use prophet_fit::law::{Options, Samples, fit};
//! use prophet_fit::measurements::Point;
//!
//! let measured = [(32.0, 5.3), (64.0, 6.2), (128.0, 7.3), (256.0, 8.2), (512.0, 9.2)];
//! let samples = Samples {
//!     parameters: vec!["p".into()],
//!     points: measured.map(|(p, time)| Point { at: vec![p], values: vec![time] }).into(),
//! };
//! let fit = fit(&samples, &Options::default())?;
//! let (low, high) = fit.interval(0.9, &[2048.0]);
//! assert!(low < 11.2 && 11.2 < high);
//! assert!((fit.model.at(&[2048.0]) - 11.2).abs() < 0.5);
//! # Ok::<(), prophet_fit::law::Refusal>(())
//! ```
//!
//! | module | is |
//! |---|---|
//! | `assess` | assessing a candidate |
//! | `data` | measurements as candidates see them: one value per place, with its noise |
//! | `drift` | the error of predicting the largest scale from smaller ones |
//! | `evidence` | evidence for a candidate |
//! | `fitted` | fits: a model, its uncertainty, and what would reduce it |
//! | `formula` | cost models, as numbers and as expressions of the cost language |
//! | `key` | candidates as sets of terms, without heap memory |
//! | `knees` | candidates with a cost for each memory level beyond a machine's caches |
//! | `linear` | least squares with few unknowns |
//! | `member` | fitted candidates, with the data for their uncertainty |
//! | `mixture` | members weighted by belief |
//! | `next` | choosing the next measurement |
//! | `normal` | the standard normal distribution |
//! | `powers` | power-law candidates, fitted in logarithms |
//! | `saturation` | candidates with growth that saturates |
//! | `screen` | factors worth combining, if there is more than one parameter |
//! | `series` | measurements of one cost, and options for fitting it |
//! | `sums` | candidates that are sums of terms |
//! | `term` | terms of the performance model normal form: products of p^i · log2(p)^j |

#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
#![allow(
    clippy::float_cmp,
    reason = "equal places and exponents are equal to the bit"
)]

mod assess;
mod data;
mod drift;
mod evidence;
mod fitted;
mod formula;
mod key;
mod knees;
mod linear;
mod member;
mod mixture;
mod next;
mod normal;
mod powers;
mod saturation;
mod screen;
mod series;
mod sums;
mod term;

pub use fitted::{Fit, Residual, fit};
pub use formula::Model;
pub use series::{Knees, Options, Refusal, Samples};
