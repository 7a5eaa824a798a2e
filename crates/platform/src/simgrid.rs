//! Reader of `SimGrid`'s platform files, version 4.1 of their DTD.
//!
//! Files are interpreted as by `SimGrid` 3.32. What is not modelled and changes no prediction of
//! the network gets a warning; what would make predictions wrong is refused.

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

/// Machine that a file describes.
#[derive(Debug)]
pub struct Read {
    pub platform: Platform,
    /// Parts of the file that are not modelled.
    pub warnings: Vec<Problem>,
    /// Changes by the file's profiles, in the order of time.
    pub changes: Vec<Change>,
    /// Powers of hosts, by their indices.
    pub watts: BTreeMap<u32, Watts>,
    /// Names of the files of its profiles.
    pub profiles: BTreeSet<String>,
}

/// Power of a host, as the plugin `host_energy` has it: `idle`, else linear in the load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Watts {
    pub idle: f64,
    /// With a load just above none.
    pub epsilon: f64,
    /// With all cores at work.
    pub all_cores: f64,
}

impl Read {
    /// Reads a file, and the profiles beside it that it names.
    ///
    /// # Errors
    ///
    /// The first problem that keeps the file from being a machine.
    pub fn file(path: &Path) -> Result<Read, Problem> {
        let name = path.display().to_string();
        let bytes = prophet_files::load(path, FILE_BYTES_MAX)?;
        Read::text(&name, &bytes, |profile| {
            let bytes = prophet_files::read_beside(path, profile, FILE_BYTES_MAX);
            bytes.map_err(io::Error::other)
        })
    }

    /// Reads the content of a file; `profiles` returns the content of each profile that the file
    /// names.
    ///
    /// # Errors
    ///
    /// As [`Read::file`].
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
