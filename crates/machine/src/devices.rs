//! Represents custom devices and the models that simulate them.

use std::fmt;

use crate::hardware::{Duration, Hardware, HardwareModel, Make, NETWORK, Values, settings};
use crate::quantity::{ParseError, quoted};

/// Devices that every machine has.
pub const OF_LIBRARY: [&str; 3] = ["CPU", "memory", NETWORK];

/// A device, the model that simulates it, and the model's settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    pub model: HardwareModel,
    pub settings: Vec<(&'static str, f64)>,
}

impl Device {
    /// Parses the model of a device, such as `plain:seek=8ms,bandwidth=1GB/s`.
    ///
    /// # Errors
    ///
    /// Returns an error if the device, its model or a setting is invalid.
    pub fn read(device: &str, text: &str, hardware: Hardware) -> Result<Self, ParseError> {
        if hardware.of(device).next().is_none() {
            return Err(unknown(device, hardware));
        }
        let (name, values) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        let Some(model) = hardware.of(device).find(|model| model.name == name) else {
            let known = hardware.of(device).map(|model| model.name);
            return Err(no_model(device, name, known));
        };
        let mut pairs = Vec::new();
        for part in values.split(',').map(str::trim) {
            match part.split_once('=') {
                Some((key, value)) => pairs.push((key.trim(), value)),
                None if part.is_empty() => {}
                None => {
                    let message = format!("expected `key=value`, found `{}`", quoted(part));
                    return Err(ParseError::new(message));
                }
            }
        }
        let settings = settings::read(model.name, model.settings, &pairs)?;
        Ok(Self {
            model: *model,
            settings,
        })
    }

    /// Creates the model, ready to simulate the device; `None` for a network.
    pub fn simulate(&self) -> Option<Box<dyn Duration>> {
        match self.model.make {
            Make::Duration(make) => Some(make(Values::new(&self.settings))),
            Make::Contention(_) => None,
        }
    }
}

/// Returns the error for a model name that is unknown for this device.
pub fn no_model<'k>(
    device: &str,
    name: &str,
    known: impl IntoIterator<Item = &'k str>,
) -> ParseError {
    let is = format!("is not a model of the device `{device}`");
    ParseError::unknown(name, &is, known)
}

/// Returns the error for a device that a program doesn't have.
pub fn unknown(device: &str, hardware: Hardware) -> ParseError {
    let mut known = OF_LIBRARY.to_vec();
    for model in hardware.iter() {
        if !known.contains(&model.device) {
            known.push(model.device);
        }
    }
    ParseError::unknown(device, "is not a device of the program", known)
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = settings::write(self.model.settings, &self.settings);
        write!(f, "{}", self.model)?;
        match settings.strip_prefix(',') {
            Some(settings) => write!(f, ":{settings}"),
            None => Ok(()),
        }
    }
}
