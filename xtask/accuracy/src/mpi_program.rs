//! A program with MPI, compiled and measured here: it prints times of itself, and keeps its
//! processes on two CPUs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use prophet_targets::validate::Mpi;
use tempfile::TempDir;

use crate::measured::Times;

/// Longest time of a run.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(10);

const PLACE: &str = include_str!("place.h");

/// A program, in a folder of its own.
pub(crate) struct MpiProgram {
    mpi: Mpi,
    path: PathBuf,
    folder: TempDir,
}

impl MpiProgram {
    /// Compiles a program of C that has this name and this text.
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

    /// The folder, for further files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The times that a run with these arguments prints.
    pub(crate) fn times(&self, arguments: &[String], processes: u32) -> Result<Times, String> {
        let printed = self.mpi.output(&self.path, arguments, processes, TIMEOUT);
        let printed = printed.map_err(|failure| failure.message)?;
        Times::parse(&String::from_utf8_lossy(&printed))
    }
}
