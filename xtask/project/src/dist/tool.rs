//! Runs the programs that create packages.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Stop;

/// A program that makes packages or their parts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tool<'p> {
    Cargo,
    CargoDeb,
    CargoPackage,
    /// Cargo, for Windows.
    CargoWindows,
    /// Cargo with zig as the C compiler and linker, for another processor.
    CargoZigbuild,
    Git,
    Maturin,
    Ours(&'p Path),
    Sha256sum,
    Tar,
}

impl Tool<'_> {
    fn command(self) -> Command {
        match self {
            Self::Cargo | Self::CargoPackage | Self::CargoWindows => prophet_testing::cargo(),
            Self::CargoDeb => Command::new("cargo-deb"),
            Self::CargoZigbuild => Command::new("cargo-zigbuild"),
            Self::Git => Command::new("git"),
            Self::Maturin => Command::new("maturin"),
            Self::Ours(path) => Command::new(path),
            Self::Sha256sum => Command::new("sha256sum"),
            Self::Tar => Command::new("tar"),
        }
    }

    /// Returns how to install what is missing if the program can't run.
    fn help(self) -> &'static str {
        match self {
            Self::Cargo => {
                "the program needs `rustup target add x86_64-unknown-linux-musl`, and musl-gcc \
                 (Debian: musl-tools)"
            }
            Self::CargoDeb => "install it with `cargo install cargo-deb --locked`",
            Self::CargoPackage => {
                "a crate may only have files in its own folder, and links to other files"
            }
            Self::CargoWindows => {
                "the program needs `rustup target add x86_64-pc-windows-gnu`, and MinGW (Debian: \
                 gcc-mingw-w64-x86-64); or choose other platforms with `--platform`"
            }
            Self::CargoZigbuild => {
                "the program needs `rustup target add aarch64-unknown-linux-musl`, and \
                 `pip install cargo-zigbuild`; or choose other platforms with `--platform`"
            }
            Self::Git => "install git",
            Self::Maturin => "install it with `pip install maturin`",
            Self::Ours(_) => "can this machine run programs for Linux on x86-64?",
            Self::Sha256sum => "install GNU coreutils",
            Self::Tar => "install GNU tar",
        }
    }
}

/// Runs a program that prints its own errors.
pub(super) fn run(tool: Tool<'_>, arguments: &[&str], folder: &Path) -> Result<(), Stop> {
    ask(tool, arguments, folder, Stdio::inherit()).map(drop)
}

pub(super) fn output(tool: Tool<'_>, arguments: &[&str], folder: &Path) -> Result<String, Stop> {
    ask(tool, arguments, folder, Stdio::piped())
}

fn ask(tool: Tool<'_>, arguments: &[&str], folder: &Path, printed: Stdio) -> Result<String, Stop> {
    let mut command = tool.command();
    let program = command.get_program().to_owned();
    let name = program.display();
    let output = command
        .args(arguments)
        .current_dir(folder)
        .stdout(printed)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => Stop::input(format!("{name} is not installed; {}", tool.help())),
            _ => Stop::input(format!("cannot start {name}: {error}")),
        })?;
    if !output.status.success() {
        let call = arguments.join(" ");
        return Err(Stop::input(format!(
            "{name} {call} failed; {}",
            tool.help()
        )));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
