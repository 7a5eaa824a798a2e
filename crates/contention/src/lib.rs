//! Networks with shared links: computes how long messages take that meet on a link.
//!
//! A *flow* carries bytes over a route of links. A [`Contention`] is a network whose flows change
//! each other's speed: its user starts flows and lets time advance, and learns when they end. It
//! knows nothing of processes, messages or machines, needs no other crate, and is exact: its
//! results depend on the flows and their times alone.
//!
//! [`Fluid`] gives each flow, at any time, its max-min fair rate:
//!
//! ```
//! use prophet_contention::{Capacity, Contention, Fluid};
//!
//! // One flow crosses both links, of 1 and 2 GB/s, and shares each with another.
//! let mut network = Fluid::new([Capacity::shared(1e9), Capacity::shared(2e9)]);
//! let long = network.start(0.0, &[0, 1], 0.0, 1.0, 1e9);
//! let short = network.start(0.0, &[0], 0.0, 1.0, 1e9);
//! let quick = network.start(0.0, &[1], 0.0, 1.0, 1e9);
//!
//! let mut ended = Vec::new();
//! let end_s = network.next_s();
//! network.advance(end_s, &mut ended);
//! assert_eq!((end_s, &*ended), (1e9 / 1.5e9, &[quick][..]));
//!
//! ended.clear();
//! let end_s = network.next_s();
//! network.advance(end_s, &mut ended);
//! assert_eq!((end_s, &*ended), (2.0, &[long, short][..]));
//! ```
//!
//! [`Packets`] sends each message in packets, which queue at each link: for small studies, and to
//! test the other.
//!
//! # Definitions
//!
//! Rates are *feasible* if the rates of the flows on each link sum to at most its capacity. They
//! are *max-min fair* if they are feasible and no rate can grow unless another one falls that is
//! not greater: Bertsekas and Gallager, Data Networks, second edition (1992), 6.5.2, who show that
//! this is so if and only if each flow has a *bottleneck*, a full link where no flow has more. With
//! weights, rates are divided by them before they are compared. With the inverse of the latency as
//! a weight, far flows get less, as with TCP; this is the model of Casanova and Marchal, A Network
//! Model for Simulation of Grid Application (INRIA, 2002), which `SimGrid` has as CM02. Velho and
//! Legrand, Accuracy Study and Improvement of Network Simulation in the `SimGrid` Framework (2009),
//! measured how near it is to TCP: near for flows of some megabytes, too fast for short ones.
//!
//! # Modules
//!
//! - `contention`: the interface.
//! - `capacity`: capacities of links.
//! - `fluid`: max-min fair rates; its `graph` knows which flow crosses which link, `filling`
//!   computes rates, and `rates` does so only where a change reaches.
//! - `packets`: packets that are stored and forwarded; `phased`: their phases.
//! - `noted`: links whose loads may have changed.
//! - `heap`: a queue of times that can be changed; `slots`: numbers that are used again.
//!
//! | module | is |
//! |---|---|
//! | `capacity` | capacities of links |
//! | `contention` | the interface of networks whose flows change each other's speed |
//! | `heap` | a heap of times whose entries can be changed |
//! | `noted` | links whose loads may have changed |
//! | `slots` | small numbers of flows, which are used again |
//! | `fluid` | flows as a fluid: rates that are max-min fair at any time |
//! | `packets` | messages as packets that queue at each link |
//! | `phased` | phases of packets, of which those that repeat may be simulated once |

mod capacity;
mod contention;
mod fluid;
mod heap;
mod noted;
mod packets;
mod phased;
mod slots;

pub use capacity::Capacity;
pub use contention::{Contention, FlowId, Load};
pub use fluid::Fluid;
pub use packets::{Packets, Wire};
pub use phased::Phased;
pub use slots::Slots;
