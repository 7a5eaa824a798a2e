//! Stores waits whose receives are charged one by one.

use std::cell::RefCell;
use std::collections::BTreeSet;

use prophet_machine::network::later;
use prophet_map::Map;

use crate::messages::requests::Place;

/// Waits that charge their receives one by one, by number.
#[derive(Debug, Default)]
pub(crate) struct Charges(pub(super) RefCell<Map<u32, Charging>>);

#[derive(Debug)]
pub(super) struct Charging {
    /// Requests that have been matched but not charged yet.
    pub(super) met: BTreeSet<Place>,
    /// When the last charge ended, in simulated seconds.
    pub(super) free_s: f64,
    pub(super) is_asking: bool,
}

impl Charging {
    /// Returns the next request to charge, and the earliest time for that in seconds.
    pub(super) fn next(&self) -> Option<(f64, Place)> {
        let place = *self.met.first()?;
        Some((later(f64::from_bits(place.0), self.free_s), place))
    }
}
