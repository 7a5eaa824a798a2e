//! Derives costs from measurements.
//!
//! | module | is |
//! |---|---|
//! | [`measurements`] | readers for measurements: CSV, and other tools' files |
//! | [`law`] | laws fitted to measurements, with intervals and the next point to measure |
//! | [`cost`] | cost functions from measurements, to show, plot and insert into models; a feature |
//! | `command` | the command `fit`, a feature |

#[cfg(feature = "command")]
pub mod command;
#[cfg(feature = "cost")]
pub mod cost;
pub mod law;
pub mod measurements;
