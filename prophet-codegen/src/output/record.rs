//! Records which files were written to a folder, so that users' later changes aren't overwritten.
//!
//! The record is a file in that folder, with a line for each generated file: its digest and path.
//! Without a record, all files count as unchanged.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) const NAME: &str = ".prophet-generated";
const BYTES_MAX: u64 = 4 << 20;

/// Returns the `paths` whose files differ from the record in their folder.
pub(crate) fn changed<'p>(
    folder: &Path,
    paths: impl IntoIterator<Item = &'p PathBuf>,
) -> Vec<PathBuf> {
    let record = read(folder);
    let is_changed = |path: &&PathBuf| {
        let written = path.to_str().and_then(|path| record.get(path));
        let now = || fs::read(folder.join(path)).map(|it| digest(&it));
        written.is_some_and(|written| now().is_ok_and(|now| now != *written))
    };
    let changed = paths.into_iter().filter(is_changed);
    changed.map(|path| folder.join(path)).collect()
}

/// Records the files that a target wrote to a folder, and keeps what is recorded about other
/// targets' files.
///
/// # Errors
///
/// Returns an error if the record cannot be written.
pub(crate) fn keep(folder: &Path, files: &BTreeMap<PathBuf, impl AsRef<str>>) -> io::Result<()> {
    let old = read(folder);
    let mut record = old.clone();
    record.retain(|path, _| folder.join(path).is_file());
    for (path, text) in files {
        if let Some(path) = path.to_str() {
            record.insert(path.to_owned(), digest(text.as_ref().as_bytes()));
        }
    }
    if record == old {
        return Ok(());
    }
    let mut text = String::new();
    for (path, digest) in &record {
        let _ = writeln!(text, "{digest:016x} {path}");
    }
    prophet_files::write(&folder.join(NAME), text)
}

fn read(folder: &Path) -> BTreeMap<String, u64> {
    let path = folder.join(NAME);
    let is_small = path.metadata().is_ok_and(|it| it.len() <= BYTES_MAX);
    let text = is_small.then(|| fs::read_to_string(path).ok()).flatten();
    let entry = |line: &str| {
        let (digest, path) = line.split_once(' ')?;
        Some((path.to_owned(), u64::from_str_radix(digest, 16).ok()?))
    };
    text.iter()
        .flat_map(|it| it.lines())
        .filter_map(entry)
        .collect()
}

/// Computes a digest that ignores the difference between `\r\n` and `\n`.
fn digest(text: &[u8]) -> u64 {
    // FNV-1a: a user who constructs two texts with the same digest only loses their own change.
    let bytes = text.iter().filter(|it| **it != b'\r');
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
