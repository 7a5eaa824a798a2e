//! Implements collectives. `communicator` defines who takes part, and `step` defines what a rank
//! can do. Each family of algorithms has a file of its own.

mod algorithms;
pub(crate) mod analytic;
mod binomial;
mod bruck;
mod calls;
mod communicator;
mod dissemination;
mod fold;
mod linear;
mod meetings;
pub(crate) mod nccl;
mod pairwise;
mod rabenseifner;
mod recursive_doubling;
mod recursive_halving;
mod ring;
pub(crate) mod step;
mod symmetry;

pub(crate) use algorithms::step;
use calls::Calls;
pub(crate) use calls::Waiting;
pub use communicator::Color;
pub(crate) use communicator::{Communicator, Communicators, Ranks, tag};
pub(crate) use meetings::{Meeting, Meetings};
use prophet_machine::algorithm::Algorithm;
use prophet_machine::operation::Operation;
pub(crate) use symmetry::symmetry;

#[cfg(test)]
mod tests;
