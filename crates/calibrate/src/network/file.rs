//! Parses measurement files, and recognizes their format by their content.

use prophet_text::{Problem, problem};
use std::path::Path;

use super::measured::Measured;
use super::{imb, nccl, osu, table};

const BYTES_MAX: u64 = 64 << 20;

pub(crate) fn read(file: &Path) -> Result<Measured, Problem> {
    let bytes = prophet_files::load(file, BYTES_MAX)?;
    parse(&file.display().to_string(), &bytes)
}

/// Parses the content of a file. `name` is what messages call the file.
pub(crate) fn parse(name: &str, bytes: &[u8]) -> Result<Measured, Problem> {
    if prophet_text::is_empty(bytes) {
        let why = "it is empty; start with a header such as `size,time_us`";
        return Err(problem!("{name}: {why}"));
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(problem!("{name}: it is not UTF-8 text"));
    };
    if imb::is_imb(text) {
        imb::parse(name, text)
    } else if osu::is_osu(text) {
        osu::parse(name, text)
    } else if nccl::is_nccl(text) {
        nccl::parse(name, text)
    } else {
        table::parse(name, bytes)
    }
}
