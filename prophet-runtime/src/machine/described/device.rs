//! Devices of your own, in a machine's file.

use std::collections::BTreeMap;

use toml::{Spanned, Value};

use super::words::{SpannedProblem, flag_text};
use crate::language::hardware::Hardware;
use crate::machine::devices::{self, Device};

/// Entry `[[device]]`: the names of the device and of its model, and the model's settings.
pub(super) type Entry = BTreeMap<String, Value>;

/// Reads the models of devices. A device that the program does not have is left out, since other
/// programs may have it.
pub(super) fn read(
    entries: &[Spanned<Entry>],
    hardware: Hardware,
) -> Result<Vec<Device>, SpannedProblem> {
    let mut found = Vec::new();
    for entry in entries {
        let told = |message: String| (Some(entry.span()), message);
        let table = entry.get_ref();
        let Some(name) = table.get("name").and_then(Value::as_str) else {
            return Err(told(
                "a device has a `name`, such as name = \"disk\"".to_owned(),
            ));
        };
        if devices::OF_LIBRARY.contains(&name) {
            return Err(told(format!("`{name}` is described by entries of its own")));
        }
        let text = flag_text("device", table, &["name"]);
        let text = text.map_err(|error| told(error.to_string()))?;
        if hardware.of(name).next().is_some() {
            let device = Device::read(name, &text, hardware);
            found.push(device.map_err(|error| told(error.to_string()))?);
        }
    }
    Ok(found)
}
