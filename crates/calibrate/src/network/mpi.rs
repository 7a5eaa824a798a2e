//! A ping-pong with the MPI of this machine.

use prophet_text::{Problem, problem};
use std::fs;
use std::time::Duration;

use prophet_targets::validate::Mpi;

/// Program that measures, in C; it prints CSV.
const PROGRAM: &str = include_str!("pingpong.c");

/// Compiles and runs the program, and gives the rows that it prints.
pub(crate) fn measure(timeout: Duration) -> Result<Vec<u8>, Problem> {
    let mpi = Mpi::find()?;
    let told = |error| format!("cannot write the ping-pong's program: {error}");
    let folder = tempfile::tempdir().map_err(told)?;
    let source = folder.path().join("pingpong.c");
    fs::write(&source, PROGRAM).map_err(told)?;
    let program = folder.path().join("pingpong");
    let ran = mpi
        .compile(&source, &program)
        .and_then(|()| mpi.output(&program, &[], 2, timeout));
    ran.map_err(|failure| problem!("the ping-pong: {}", failure.message))
}
