//! Finds the hardware models that simulate a model's devices.

use prophet_machine::devices::{Device, unknown};
use prophet_machine::hardware::Hardware;
use prophet_machine::system::System;

use crate::engine::SimulatedDevice;
use crate::language::device_use::DeviceUse;
use crate::language::element::Element;
use crate::language::model::Model;
use crate::results::failure::{Cause, Failure, NoDevice, NoDevices, Site};
use prophet_text::did_you_mean;

/// Returns the model's devices, by index of their use.
///
/// # Errors
///
/// Returns a failure that names all uses which no hardware model can simulate.
pub(super) fn of(model: &Model, system: &System) -> Result<Vec<SimulatedDevice>, Failure> {
    let mut devices = Vec::new();
    let mut missing = Vec::new();
    for usage in model.uses {
        match simulated(usage, model.hardware, system) {
            Ok(device) => devices.push(device),
            Err(problem) => missing.push(NoDevice {
                problem,
                element: usage.user.map(site),
            }),
        }
    }
    if missing.is_empty() {
        return Ok(devices);
    }
    Err(Failure {
        time_s: 0.0,
        process: None,
        thread: None,
        element: None,
        cause: Box::new(Cause::NoDevices(NoDevices { missing })),
    })
}

fn simulated(
    usage: &DeviceUse,
    hardware: Hardware,
    system: &System,
) -> Result<SimulatedDevice, String> {
    let device = device(usage, hardware, system)?;
    let model = device.model;
    let of_device = || hardware.of(usage.device).flat_map(|it| it.resources);
    for name in usage.resources {
        if !of_device().any(|resource| resource.name == *name) {
            let known = of_device().map(|resource| resource.name);
            let suggestion = did_you_mean(name, known);
            return Err(format!("{model} has no resource `{name}`{suggestion}"));
        }
    }
    let mut values = Vec::new();
    for resource in model.resources {
        let is_given = usage.resources.contains(&resource.name);
        let value = resource.default.or(is_given.then_some(f64::NAN));
        let value = value.ok_or_else(|| {
            let name = resource.name;
            format!("{model} needs the missing resource `{name}`")
        })?;
        values.push((resource.name, value));
    }
    let place = |name| values.iter().position(|(known, _)| *known == name);
    let places = usage.resources.iter().map(|name| place(*name)).collect();
    let simulated = device.simulate();
    let simulated = simulated.ok_or_else(|| format!("{model} is a network"))?;
    Ok(SimulatedDevice::new(simulated, values, places))
}

/// Returns the model for a device: the user's choice, the machine's choice, or else the first one.
fn device(usage: &DeviceUse, hardware: Hardware, system: &System) -> Result<Device, String> {
    let is_meant = |it: &&Device| {
        it.model.device == usage.device && usage.model.is_none_or(|name| name == it.model.name)
    };
    if let Some(device) = system.devices.iter().find(is_meant) {
        return Ok(device.clone());
    }
    let Some(first) = hardware.of(usage.device).next() else {
        return Err(unknown(usage.device, hardware).to_string());
    };
    let name = usage.model.unwrap_or(first.name);
    Device::read(usage.device, name, hardware).map_err(|error| error.to_string())
}

fn site((kind, element): (&'static str, Element)) -> Site {
    Site {
        name: element.name.to_owned(),
        id: element.id,
        kind,
        place: None,
    }
}
