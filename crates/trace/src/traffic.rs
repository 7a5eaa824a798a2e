//! Stores the tables that a trace contains in addition to its records: the traffic on shared
//! network links, and the operations of accelerators.

mod records;
pub(crate) mod rows;
pub(crate) mod tables;

pub(crate) use records::TrafficRow;
pub use records::{
    Flow, FlowMetric, Hop, Lane, LinkLoad, NetworkLink, Operation, TracedNetwork, Traffic,
};
