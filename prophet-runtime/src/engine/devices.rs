//! Simulates custom devices during a run.

use prophet_machine::hardware::{Duration, Values};

use std::cell::RefCell;

#[derive(Debug)]
pub(crate) struct SimulatedDevice {
    model: Box<dyn Duration>,
    /// Resource data of the model, with their defaults.
    resources: RefCell<Vec<(&'static str, f64)>>,
    /// For each given value, its index in `resources`; `None` if the model doesn't need the value.
    places: Vec<Option<usize>>,
}

impl SimulatedDevice {
    pub(crate) fn new(
        model: Box<dyn Duration>,
        resources: Vec<(&'static str, f64)>,
        places: Vec<Option<usize>>,
    ) -> Self {
        Self {
            model,
            resources: RefCell::new(resources),
            places,
        }
    }

    /// Returns the time that the device takes for some resources, in seconds.
    pub(super) fn duration_s(&self, given: &[f64]) -> f64 {
        let mut resources = self.resources.borrow_mut();
        for (place, value) in self.places.iter().zip(given) {
            if let Some(place) = place {
                resources[*place].1 = *value;
            }
        }
        self.model.duration_s(Values::new(&resources))
    }
}
