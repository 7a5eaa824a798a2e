//! Describes receives that are about to end.

use crate::messages::message::{Begun, Part};

/// A receive that ends: the unit that is charged for it, and the start of the unit's wait, in
/// simulated seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending {
    pub(crate) rank: u32,
    pub(crate) unit: u32,
    pub(crate) cost_s: Option<f64>,
    /// Time at which the unit began to wait.
    pub(crate) since_s: f64,
    /// Earliest time at which the receive can end.
    pub(crate) from_s: f64,
    pub(crate) part: Part,
    /// The element that began the receive, if it is a request.
    pub(crate) begun: Option<Begun>,
}
