//! Collectives: the future of a call is in `collective`, who takes part in `communicator`, which
//! algorithm does it in `algorithm`, and what a rank does then in `step`, with a file for each
//! family of algorithms.

mod analytic;
mod binomial;
mod bruck;
mod calls;
mod collective;
mod communicator;
mod dissemination;
mod fold;
mod linear;
mod pairwise;
mod rabenseifner;
mod recursive_doubling;
mod recursive_halving;
mod ring;
mod step;

use crate::machine::algorithm::Algorithm;
use crate::machine::operation::{Operation, Signature};
use calls::{Calls, Waiting};
pub use collective::Collective;
pub use communicator::Color;
pub(crate) use communicator::{Communicator, Communicators};

#[cfg(test)]
mod tests;
