//! Simulates networks with shared links: computes how long messages take if they share links.
//!
//! A *flow* carries bytes over a route, which is a list of links. A [`Contention`] is a network
//! where flows slow each other down: you start flows, let time advance, and find out when they end.
//! This crate doesn't know about processes, messages or machines, and has no dependencies. Results
//! are reproducible: they depend only on the flows and their start times.
//!
//! In [`Fluid`], each flow always has its max-min fair rate:
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
//! [`Packets`] splits each message into packets, which queue at each link. Use it for small
//! studies, and to check [`Fluid`].
//!
//! # Definitions
//!
//! Rates are *feasible* if the rates on each link add up to at most its capacity. They are *max-min
//! fair* if they are feasible and no rate can grow without lowering a rate that is smaller or
//! equal. This is the case if and only if each flow has a *bottleneck*, a full link on which no
//! other flow has a higher rate (Bertsekas and Gallager, Data Networks, second edition (1992),
//! 6.5.2). With weights, rates are divided by their weights before they are compared. If the weight
//! is the inverse of the latency, flows over long distances get less bandwidth, as with TCP. This
//! is the model of Casanova and Marchal, A Network Model for Simulation of Grid Application (INRIA,
//! 2002), called CM02 in `SimGrid`. Velho and Legrand, Accuracy Study and Improvement of Network
//! Simulation in the `SimGrid` Framework (2009), compared the model with TCP: it is accurate for
//! flows of several megabytes, but too fast for short flows.
//!
//! # Modules
//!
//! - `contention`: the interface.
//! - `capacity`: link capacities.
//! - `fluid`: max-min fair rates. `graph` stores which flow crosses which link, `filling` computes
//!   rates, and `rates` limits the computation to the flows that a change affects.
//! - `packets`: messages as store-and-forward packets; `phased`: phases of such messages.
//! - `noted`: links with loads that may have changed.
//! - `heap`: a queue of changeable times; `slots`: reusable numbers.
//!
//! | module | purpose |
//! |---|---|
//! | `capacity` | link capacities |
//! | `contention` | the interface of networks in which flows slow each other down |
//! | `heap` | a heap of times in which entries can be changed |
//! | `noted` | links with loads that may have changed |
//! | `slots` | small, reusable numbers for flows |
//! | `fluid` | flows as a fluid with max-min fair rates |
//! | `packets` | messages as packets that queue at each link |
//! | `phased` | phases of packets; phases that repeat can be simulated once |

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
