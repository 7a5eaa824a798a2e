//! Laws of measured costs.
//!
//! [`fit`] takes what was measured at some places, and gives a [`Model`] for all others, with how
//! far it can be trusted. It reads no file and prints nothing.
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
//! | `assess` | assessment of a candidate |
//! | `data` | measurements as the candidates see them: one value a place, and how noisy it is |
//! | `drift` | what predicting the largest scale from the smaller ones misses |
//! | `evidence` | evidence for a candidate |
//! | `fitted` | fits: a model, how sure it is, and what would make it surer |
//! | `formula` | models of a cost, as numbers and as expressions of the cost language |
//! | `key` | candidates of a search as sets of terms, which take no memory elsewhere |
//! | `knees` | costs of levels of memory as candidates, beyond the caches of a machine |
//! | `linear` | least squares with few unknowns |
//! | `member` | fitted candidates, with what is needed to tell how sure their predictions are |
//! | `mixture` | members weighted by belief |
//! | `next` | choice of the next measurement |
//! | `normal` | the standard normal distribution |
//! | `powers` | power laws as candidates, fitted in logarithms |
//! | `saturation` | growth that saturates as candidates |
//! | `screen` | factors that are worth combining, where there is more than one parameter |
//! | `series` | measurements of one cost, and what is asked of them |
//! | `sums` | sums of terms as candidates |
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
