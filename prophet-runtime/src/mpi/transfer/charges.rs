//! Stores waits for which receives are charged one by one.

use std::cell::RefCell;
use std::collections::BTreeSet;

use prophet_machine::network::later;
use prophet_map::Map;

use crate::messages::requests::Place;

/// Waits, by number, that charge their receives one by one.
#[derive(Debug, Default)]
pub(crate) struct Charges(pub(super) RefCell<Map<u32, Charging>>);

#[derive(Debug)]
pub(super) struct Charging {
    /// Requests that have met their partners and still have to be charged.
    pub(super) met: BTreeSet<Place>,
    /// End of the last charge, in simulated seconds.
    pub(super) free_s: f64,
    pub(super) is_asking: bool,
}

impl Charging {
    /// Returns the request to be charged next, and the earliest time for that.
    pub(super) fn next(&self) -> Option<(f64, Place)> {
        let place = *self.met.first()?;
        Some((later(f64::from_bits(place.0), self.free_s), place))
    }
}
