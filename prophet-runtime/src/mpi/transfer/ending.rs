//! Describes receives that are about to end.

use crate::messages::message::{Begun, Part};

/// A receive that ends: the unit that charges it, and the start of its wait, in simulated seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending {
    pub(crate) rank: u32,
    pub(crate) unit: u32,
    pub(crate) cost_s: Option<f64>,
    /// Time at which it began to wait.
    pub(crate) since_s: f64,
    /// Earliest time at which it can end.
    pub(crate) from_s: f64,
    pub(crate) part: Part,
    /// The element that began it, if it is a request.
    pub(crate) begun: Option<Begun>,
}
