//! Formats Rust text with the stable rustfmt, regardless of the user's configuration.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const EDITION: &str = "2024";

/// Why text could not be formatted.
#[derive(Debug)]
pub enum RustfmtError {
    /// rustfmt is missing.
    Missing {
        /// The program that was started.
        program: OsString,
        /// Why it can't be used.
        reason: String,
    },
    /// The program could not be started, or reading from or writing to it failed.
    Io {
        /// The program that was started.
        program: OsString,
        /// The error from the operating system.
        source: io::Error,
    },
    /// The program rejected the text.
    Failed {
        /// The program that was started.
        program: OsString,
        /// The program's output.
        message: String,
    },
}

impl fmt::Display for RustfmtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { program, reason } => write!(
                f,
                "cannot find rustfmt as `{}` ({reason}): it comes with Rust, which you get from \
                 https://rustup.rs; if only rustfmt is missing, run `rustup component add \
                 rustfmt`, or set RUSTFMT to its path",
                program.display()
            ),
            Self::Io { program, source } => {
                write!(f, "cannot run `{}`: {source}", program.display())
            }
            Self::Failed { program, message } => {
                write!(f, "`{}` failed: {message}", program.display())
            }
        }
    }
}

impl std::error::Error for RustfmtError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Missing { .. } | Self::Failed { .. } => None,
        }
    }
}

/// The rustfmt program to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rustfmt {
    program: OsString,
}

impl Rustfmt {
    /// Uses the program in the environment variable `RUSTFMT`, or else `rustfmt` on the search
    /// path.
    pub fn from_env() -> Self {
        let named = std::env::var_os("RUSTFMT").filter(|program| !program.is_empty());
        Self::new(named.unwrap_or_else(|| "rustfmt".into()))
    }

    /// Uses the program at this path, or of this name on the search path.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
        }
    }

    /// Returns the version, such as `rustfmt 1.9.0-stable (59807616e1 2026-04-14)`.
    ///
    /// # Errors
    ///
    /// Returns an error if rustfmt is missing or fails.
    pub fn version(&self) -> Result<String, RustfmtError> {
        let mut command = Command::new(&self.program);
        command.arg("--version");
        Ok(self.run(command, "")?.trim().to_owned())
    }

    /// Formats the text of a whole file in rustfmt's default style.
    ///
    /// # Errors
    ///
    /// Returns an error if rustfmt is missing or rejects the text.
    pub fn format(&self, text: &str) -> Result<String, RustfmtError> {
        // Without a configuration file here, rustfmt would search this folder's parents and the
        // user's home for one.
        let configuration = tempfile::Builder::new()
            .prefix("prophet-rustfmt-")
            .suffix(".toml")
            .tempfile()
            .map_err(|source| self.io_error(source))?;
        self.run(self.format_command(configuration.path()), text)
    }

    /// Returns a command that formats stdin to stdout, configured only by this file.
    fn format_command(&self, configuration: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(["--edition", EDITION, "--emit", "stdout", "--config-path"])
            .arg(configuration);
        command
    }

    fn run(&self, mut command: Command, input: &str) -> Result<String, RustfmtError> {
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => self.missing(&source.to_string()),
            _ => self.io_error(source),
        })?;
        let stdin = child.stdin.take();
        // Pipes have small buffers, so writing everything before reading the output could block
        // forever.
        let (written, output) = std::thread::scope(|scope| {
            let writer = scope
                .spawn(move || stdin.map_or(Ok(()), |mut stdin| stdin.write_all(input.as_bytes())));
            let output = child.wait_with_output();
            (writer.join(), output)
        });
        let output = output.map_err(|source| self.io_error(source))?;
        if !output.status.success() {
            return Err(self.failure(&output));
        }
        match written {
            Ok(Ok(())) => {}
            Ok(Err(source)) => return Err(self.io_error(source)),
            Err(_) => return Err(self.failed("its input could not be written")),
        }
        String::from_utf8(output.stdout).map_err(|_| self.failed("its output is not UTF-8"))
    }

    fn failure(&self, output: &Output) -> RustfmtError {
        let message = String::from_utf8_lossy(&output.stderr);
        let message = message.trim();
        // The program may be a proxy of rustup, which says only that rustfmt is missing.
        if message.contains("rustup component add") || message.contains("is not installed") {
            return self.missing(message.lines().next().unwrap_or_default());
        }
        if message.contains("rustup could not choose") {
            return self.failed("no Rust toolchain is chosen; run `rustup default stable`");
        }
        if message.is_empty() {
            return self.failed(&output.status.to_string());
        }
        self.failed(message)
    }

    fn missing(&self, reason: &str) -> RustfmtError {
        RustfmtError::Missing {
            program: self.program.clone(),
            reason: reason.to_owned(),
        }
    }

    fn failed(&self, message: &str) -> RustfmtError {
        RustfmtError::Failed {
            program: self.program.clone(),
            message: message.to_owned(),
        }
    }

    fn io_error(&self, source: io::Error) -> RustfmtError {
        RustfmtError::Io {
            program: self.program.clone(),
            source,
        }
    }
}
