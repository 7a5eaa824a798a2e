//! Costs from measurements.
//!
//! | module | is |
//! |---|---|
//! | [`measurements`] | readers of measurements: CSV, and the files of five other tools |
//! | [`law`] | laws fitted to measurements, with intervals, and the next point to measure |
//! | [`cost`] | cost functions of measurements: shown, drawn, written into models; a feature |
//! | `command` | the command `fit`, a feature |

#[cfg(feature = "command")]
pub mod command;
#[cfg(feature = "cost")]
pub mod cost;
pub mod law;
pub mod measurements;
