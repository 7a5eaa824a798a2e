//! Implements collectives: `communicator` defines the participants, `step` defines the actions of a
//! rank, and each family of algorithms has its own file.

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
