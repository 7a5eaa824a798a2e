//! Reads custom devices from a machine file.

use std::collections::BTreeMap;

use toml::{Spanned, Value};

use super::words::{Placed as _, SpannedProblem, flag_text};
use crate::devices::{self, Device};
use crate::hardware::Hardware;

/// A `[[device]]`: the names of the device and its model, and the model's settings.
pub(super) type Entry = BTreeMap<String, Value>;

/// Reads the models of devices. Devices unknown to this program are skipped, because other programs
/// may have them.
pub(super) fn read(
    entries: &[Spanned<Entry>],
    hardware: Hardware,
) -> Result<Vec<Device>, SpannedProblem> {
    let mut found = Vec::new();
    for entry in entries {
        let table = entry.get_ref();
        let Some(name) = table.get("name").and_then(Value::as_str) else {
            return Err("a device needs a `name`, such as name = \"disk\"").at(entry);
        };
        if devices::OF_LIBRARY.contains(&name) {
            return Err(format!(
                "describe `{name}` with its own entries, not as a device"
            ))
            .at(entry);
        }
        let text = flag_text("device", table, &["name"]).at(entry)?;
        if hardware.of(name).next().is_some() {
            found.push(Device::read(name, &text, hardware).at(entry)?);
        }
    }
    Ok(found)
}
