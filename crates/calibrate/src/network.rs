//! Fits network parameters to the times of ping-pongs, and shows how well they reproduce these
//! times.
//!
//! | module | is |
//! |---|---|
//! | `measured` | what was measured |
//! | `row` | lines of numbers in files |
//! | `file` | files of measurements, in one of four forms |
//! | `osu`, `imb`, `nccl`, `table` | output of OSU's, Intel's and NVIDIA's benchmarks, and CSV |
//! | `line` | a latency and a time for each byte, of times over sizes |
//! | `eager` | the size from which messages wait for their receives |
//! | `fitted` | the parameters of a network |
//! | `told` | a fitted network as the file of a machine |

use std::fs;

use prophet_text::{Problem, problem};
mod eager;
mod file;
mod fitted;
mod imb;
mod line;
mod measured;
mod nccl;
mod osu;
mod row;
mod table;
mod told;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use fitted::{Fitted, Model, Sizes};
pub use measured::Measured;
use prophet_targets::validate::Mpi;

/// Reads measurement files, which must all come from the same network.
///
/// # Errors
///
/// Returns an error with file and line if a file can't be read or has an unknown format.
pub fn read(files: &[PathBuf]) -> Result<Measured, Problem> {
    let mut measured = Measured::default();
    for file in files {
        measured.add(file::read(file)?);
    }
    Ok(measured)
}

/// Parses the content of a file as [`read`] does. `name` is what messages call the file.
///
/// # Errors
///
/// Returns an error with name and line if the format is unknown.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Measured, Problem> {
    file::parse(name, bytes)
}

/// Measures messages between two processes on this machine, and writes the rows to the file `csv`
/// if it isn't `None`.
///
/// # Errors
///
/// Returns an error if MPI is missing, if the program fails or exceeds `timeout`, or if the rows
/// can't be written.
pub fn measure(csv: Option<&Path>, timeout: Duration) -> Result<Measured, Problem> {
    let rows = ping_pong(timeout)?;
    if let Some(csv) = csv {
        prophet_files::save(csv, &rows)?;
    }
    let mut measured = parse("the ping-pong", &rows)?;
    measured.origins = vec!["a ping-pong of two processes on one node, with its MPI".to_owned()];
    Ok(measured)
}

/// A C program that measures the network and prints CSV.
const PROGRAM: &str = include_str!("network/pingpong.c");

fn ping_pong(timeout: Duration) -> Result<Vec<u8>, Problem> {
    let mpi = Mpi::find()?;
    let told = |error| format!("cannot write the ping-pong program: {error}");
    let folder = tempfile::tempdir().map_err(told)?;
    let source = folder.path().join("pingpong.c");
    fs::write(&source, PROGRAM).map_err(told)?;
    let program = folder.path().join("pingpong");
    prophet_text::announce("measuring round trips between two processes");
    let ran = mpi
        .compile(&source, &program)
        .and_then(|()| mpi.output(&program, &[], 2, timeout));
    ran.map_err(|failure| problem!("the ping-pong: {}", failure.message))
}
