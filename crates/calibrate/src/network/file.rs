//! Files of measurements, recognized by their contents.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::measured::Measured;
use super::{imb, osu, table};

/// Size of the largest file that is read, in bytes.
const BYTES_MAX: u64 = 64 << 20;

/// Reads a file.
pub(crate) fn read(file: &Path) -> Result<Measured, String> {
    let told = |error: std::io::Error| format!("{}: it cannot be read: {error}", file.display());
    let about = std::fs::metadata(file).map_err(told)?;
    if about.is_dir() {
        return Err(format!("{}: it is a folder; name a file", file.display()));
    }
    let mut bytes = Vec::new();
    // A pipe has no size: one byte more than is permitted tells that there is too much.
    let mut reader = File::open(file).map_err(told)?.take(BYTES_MAX + 1);
    reader.read_to_end(&mut bytes).map_err(told)?;
    if bytes.len() as u64 > BYTES_MAX {
        let most = BYTES_MAX >> 20;
        return Err(format!("{}: it has more than {most} MiB", file.display()));
    }
    parse(&file.display().to_string(), &bytes)
}

/// Reads the contents of a file of that name.
pub(crate) fn parse(name: &str, bytes: &[u8]) -> Result<Measured, String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(format!("{name}: it is not text in UTF-8"));
    };
    if imb::is_imb(text) {
        imb::parse(name, text)
    } else if osu::is_osu(text) {
        osu::parse(name, text)
    } else {
        table::parse(name, bytes)
    }
}
