//! Programs that tests compile against `SimGrid`.

use std::path::Path;
use std::process::Command;

use crate::skip;

/// Compiles a program in C++ that uses `SimGrid`, with these flags; false where `SimGrid` is not
/// installed, which skips the test.
///
/// # Panics
///
/// If the program has an error or a warning; as [`skip`].
pub fn compile_with_simgrid(source: &Path, program: &Path, flags: &[&str]) -> bool {
    let output = Command::new("g++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(program)
        .arg(source)
        .args(flags)
        .arg("-lsimgrid")
        .output();
    let problem = match output {
        Err(error) => error.to_string(),
        Ok(output) if output.status.success() => return true,
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    let is_missing = !problem.contains("error:") || problem.contains("simgrid/");
    assert!(is_missing, "{problem}");
    skip("there is no SimGrid; install g++ and libsimgrid-dev (Debian 12 has SimGrid 3.32)");
    false
}
