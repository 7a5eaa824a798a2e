//! Simulates custom devices during a run.

use prophet_machine::hardware::{Duration, Values};

use std::cell::RefCell;

#[derive(Debug)]
pub(crate) struct SimulatedDevice {
    model: Box<dyn Duration>,
    /// The names of the resources that the model needs, with their default values.
    resources: RefCell<Vec<(&'static str, f64)>>,
    /// For each value that an element passes, its index in `resources`; `None` if the model doesn't
    /// need it.
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

    /// Returns how long the device takes for these resources, in seconds.
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
