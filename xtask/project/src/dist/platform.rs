//! Compiles the program for each platform, always on a Linux machine.

use std::path::{Path, PathBuf};

use super::tool::{Tool, run as call};
use super::{PACKAGE, PROFILE, PROGRAM, text};
use crate::Stop;

/// Features of the packaged program: all commands, but without the megabyte of TLS for PostgreSQL.
pub(super) const FEATURES: [&str; 1] = ["--no-default-features"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Platform {
    /// Linux on x86-64, of any distribution
    LinuxX86_64,
    /// Linux on aarch64, of any distribution
    LinuxAarch64,
    /// Windows on x86-64
    WindowsX86_64,
}

impl Platform {
    /// Returns the platform's name in Rust.
    pub(super) fn triple(self) -> &'static str {
        match self {
            Self::LinuxX86_64 => "x86_64-unknown-linux-musl",
            Self::LinuxAarch64 => "aarch64-unknown-linux-musl",
            Self::WindowsX86_64 => "x86_64-pc-windows-gnu",
        }
    }

    pub(super) fn program(self, target: &Path) -> PathBuf {
        let file = match self {
            Self::LinuxX86_64 | Self::LinuxAarch64 => PROGRAM.to_owned(),
            Self::WindowsX86_64 => format!("{PROGRAM}.exe"),
        };
        target.join(self.triple()).join(PROFILE).join(file)
    }

    /// Compiles the program from the sources in a folder.
    ///
    /// Anyone can reproduce the program byte for byte. It contains neither paths from this machine
    /// nor build times, which mimalloc and the linker for Windows would add.
    pub(super) fn build(self, root: &Path, more: &[&str]) -> Result<(), Stop> {
        let cargo = std::env::var_os("CARGO_HOME").map_or_else(
            || std::env::home_dir().unwrap_or_default().join(".cargo"),
            PathBuf::from,
        );
        let mut flags = vec![
            format!("--remap-path-prefix={}=prophet", text(root)?),
            format!("--remap-path-prefix={}=cargo", text(&cargo)?),
        ];
        let (tool, command) = match self {
            Self::LinuxX86_64 => (Tool::Cargo, "build"),
            Self::LinuxAarch64 => (Tool::CargoZigbuild, "zigbuild"),
            Self::WindowsX86_64 => {
                flags.push("-Clink-arg=-Wl,--no-insert-timestamp".to_owned());
                (Tool::CargoWindows, "build")
            }
        };
        let flags = format!("target.{}.rustflags={flags:?}", self.triple());
        let arguments = [
            command,
            "--locked",
            "--package",
            PACKAGE,
            "--bin",
            PROGRAM,
            "--target",
            self.triple(),
            "--profile",
            PROFILE,
            "--config",
            &flags,
            "--config",
            "env.SOURCE_DATE_EPOCH='0'",
        ];
        call(tool, &[&arguments[..], &FEATURES, more].concat(), root)
    }
}
