//! The command `calibrate`: machine files from measurements, with their source.
//!
//! | module | is |
//! |---|---|
//! | [`command`] | the command line |
//! | [`network`] | networks of ping-pongs: measured here, or in files of benchmarks |
//! | [`cpu`] | prices of operations, measured here |
//! | `document` | the file of a machine, as text |

pub mod command;
pub mod cpu;
mod document;
pub mod network;
