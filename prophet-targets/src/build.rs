//! Compiling a generated crate.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cargo_metadata::Message;

/// Compiles the crate in `folder` natively, with optimizations, and gives the program.
///
/// # Errors
///
/// In words, if cargo cannot be started or fails; it has told the user why.
pub fn release(folder: &Path) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo)
        .args([
            "build",
            "--release",
            "--message-format=json-render-diagnostics",
            "--manifest-path",
        ])
        .arg(folder.join("Cargo.toml"))
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    let mut program = None;
    if let Some(messages) = build.stdout.take() {
        for message in Message::parse_stream(BufReader::new(messages)) {
            match message {
                Ok(Message::CompilerArtifact(artifact)) => {
                    program = artifact.executable.map(PathBuf::from).or(program);
                }
                Ok(_) => {}
                Err(error) => return Err(format!("cannot read what cargo says: {error}")),
            }
        }
    }
    let status = build
        .wait()
        .map_err(|error| format!("cannot wait for cargo: {error}"))?;
    match program {
        Some(program) if status.success() => Ok(program),
        _ => Err(format!("cargo could not build {}", folder.display())),
    }
}
