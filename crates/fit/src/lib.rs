//! Costs from measurements.
//!
//! | module | is |
//! |---|---|
//! | [`measurements`] | readers of measurements: CSV, and the files of five other tools |
//! | [`law`] | laws fitted to measurements, with intervals, and the next point to measure |
//! | `command` | the command `fit`, a feature: shows laws, draws them, writes them into models |

#[cfg(feature = "command")]
pub mod command;
pub mod law;
pub mod measurements;
