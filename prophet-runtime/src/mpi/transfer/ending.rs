//! Describes receives that are about to end.

use crate::messages::message::{Begun, Part};

/// A receive that is about to end. Times are in simulated seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending {
    pub(crate) rank: u32,
    pub(crate) unit: u32,
    pub(crate) cost_s: Option<f64>,
    /// When the unit began to wait.
    pub(crate) since_s: f64,
    /// The earliest time at which the receive can end.
    pub(crate) from_s: f64,
    pub(crate) part: Part,
    /// The request that the receive belongs to, if it has one.
    pub(crate) begun: Option<Begun>,
}
