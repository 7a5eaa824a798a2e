//! Tables beside the records: traffic on the links of a network that messages share, and
//! operations of accelerators.

mod records;
pub(crate) mod rows;
pub(crate) mod tables;

pub(crate) use records::TrafficRow;
pub use records::{
    Flow, FlowMetric, Hop, Lane, LinkLoad, NetworkLink, Operation, TracedNetwork, Traffic,
};
