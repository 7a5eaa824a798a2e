//! Reads platform files of `SimGrid` (version 4.1 of the DTD).
//!
//! Files mean the same as in `SimGrid` 3.32. A part that isn't modeled causes an error if network
//! predictions depend on it, and otherwise a warning.

mod document;
mod elements;
mod links;
mod profile;
mod reader;
mod routes;
mod tag;
mod units;
mod watts;
mod zones;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use prophet_text::Problem;

use crate::change::Change;
use crate::platform::Platform;

const FILE_BYTES_MAX: u64 = 1 << 26;

/// The content of a platform file: a machine, and changes to it.
#[derive(Debug)]
pub struct Read {
    pub platform: Platform,
    /// Warnings about parts that aren't modeled.
    pub warnings: Vec<Problem>,
    /// Changes from profiles, ordered by time.
    pub changes: Vec<Change>,
    /// Power of hosts by index. Only hosts for which the file specifies it are included.
    pub watts: BTreeMap<u32, Watts>,
    /// Names of the profile files that the platform file refers to.
    pub profiles: BTreeSet<String>,
}

/// Power of a host in watts, as in the plugin `host_energy`: `idle` without load, and linear
/// between `epsilon` and `all_cores` with load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Watts {
    pub idle: f64,
    /// Power with a load just above zero.
    pub epsilon: f64,
    /// Power with all cores busy.
    pub all_cores: f64,
}

impl Read {
    /// Reads a platform file, and the profile files that it refers to. They must be in its folder
    /// or below.
    ///
    /// # Errors
    ///
    /// Returns an error for the first problem in a file.
    pub fn file(path: &Path) -> Result<Read, Problem> {
        let name = path.display().to_string();
        let bytes = prophet_files::load(path, FILE_BYTES_MAX)?;
        Read::text(&name, &bytes, |profile| {
            let bytes = prophet_files::read_beside(path, profile, FILE_BYTES_MAX);
            bytes.map_err(io::Error::other)
        })
    }

    /// Parses the content of a platform file. `profiles` returns the content of a profile file by
    /// its name.
    ///
    /// # Errors
    ///
    /// Returns an error under the same conditions as [`Read::file`].
    pub fn text(
        name: &str,
        bytes: &[u8],
        mut profiles: impl FnMut(&str) -> io::Result<Vec<u8>>,
    ) -> Result<Read, Problem> {
        let at =
            |line: u32, problem: Problem| Problem::at(name.as_ref(), line.into(), problem.message);
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).map_err(|wrong| {
            let before = &bytes[..wrong.valid_up_to()];
            let problem = Problem::new("the file is not UTF-8 text: save it as UTF-8");
            at(tag::lines(before).saturating_add(1), problem)
        })?;
        let mut reader = reader::Reader::new(name, &mut profiles);
        match reader.document(text) {
            Ok(()) => Ok(reader.finish()),
            Err(problem) => Err(at(reader.line, problem)),
        }
    }
}
