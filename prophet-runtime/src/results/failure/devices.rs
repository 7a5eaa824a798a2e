//! Describes uses of devices that no hardware model can simulate.

use std::fmt;

use super::Site;
use crate::language::place::ModelPlace;

/// The uses of devices for which there is no hardware model. Found before the run starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoDevices {
    /// The uses, in the order of their indices in the model.
    pub missing: Vec<NoDevice>,
}

/// A use of a device that no hardware model can simulate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoDevice {
    /// The reason, as a sentence.
    pub problem: String,
    /// The first element with this use, if known.
    pub element: Option<Site>,
}

impl fmt::Display for NoDevices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the machine cannot simulate what the model uses:")?;
        for NoDevice { problem, element } in &self.missing {
            f.write_str("\n  ")?;
            if let Some(element) = element {
                write!(f, "{element}: ")?;
            }
            f.write_str(problem)?;
            let place = element.as_ref().and_then(|it| it.place.as_ref());
            ModelPlace::below(place, "  ", f)?;
        }
        f.write_str("\n  use `--model` to list the devices and their models, and to choose one")
    }
}
