//! Traffic on the links of a network that messages share.

mod records;
pub(crate) mod rows;
pub(crate) mod tables;

pub(crate) use records::Row;
pub use records::{Flow, Hop, Load, Metric, Network, NetworkLink, Traffic};
