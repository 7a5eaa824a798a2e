//! Compiles and measures an MPI program here. The program prints its own times, and binds its
//! processes to two CPUs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use prophet_targets::validate::Mpi;
use tempfile::TempDir;

use crate::measured::Times;

pub(crate) const TIMEOUT: Duration = Duration::from_mins(10);

const PLACE: &str = include_str!("place.h");

pub(crate) struct MpiProgram {
    mpi: Mpi,
    path: PathBuf,
    folder: TempDir,
}

impl MpiProgram {
    pub(crate) fn compile(name: &str, text: &str) -> Result<Self, String> {
        let mpi = Mpi::find()?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (source, path) = (folder.path().join("program.c"), folder.path().join(name));
        for (file, text) in [(&source, text), (&folder.path().join("place.h"), PLACE)] {
            fs::write(file, text).map_err(|error| error.to_string())?;
        }
        mpi.compile(&source, &path)
            .map_err(|failure| failure.message)?;
        Ok(Self { mpi, path, folder })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the times that a run with these arguments prints.
    pub(crate) fn times(&self, arguments: &[String], processes: u32) -> Result<Times, String> {
        let printed = self.mpi.output(&self.path, arguments, processes, TIMEOUT);
        let printed = printed.map_err(|failure| failure.message)?;
        Times::parse(&String::from_utf8_lossy(&printed))
    }
}
