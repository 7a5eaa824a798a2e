//! Collectives: the future of a call is in `collective`, who takes part in `communicator`, which
//! algorithm does it in `algorithm`, and what a rank does then in `step`, with a file for each
//! family of algorithms.

mod algorithm;
mod analytic;
mod binomial;
mod bruck;
mod calls;
mod collective;
mod communicator;
mod dissemination;
mod fold;
mod linear;
mod operation;
mod pairwise;
mod rabenseifner;
mod recursive_doubling;
mod recursive_halving;
mod ring;
mod step;

use algorithm::Algorithm;
pub use algorithm::Algorithms;
use calls::{Calls, Waiting};
pub use collective::Collective;
pub use communicator::Color;
pub(crate) use communicator::{Communicator, Communicators};
pub(crate) use operation::Operation;
use operation::Signature;

#[cfg(test)]
mod tests;
