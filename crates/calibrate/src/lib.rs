//! Implements the `calibrate` command, which writes machine files from measurements, including
//! where the measurements come from.
//!
//! | module | is |
//! |---|---|
//! | `document` | the file of a machine, as text |
//! | [`network`] | networks of ping-pongs: measured here, or in files of benchmarks |
//! | [`cpu`] | prices of operations, measured here |
//! | [`node`] | caches and memory of a node, measured here |
//! | [`command`] | the command line |

pub mod command;
pub mod cpu;
mod document;
pub mod network;
pub mod node;
