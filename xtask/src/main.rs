//! Implements `cargo xtask`, which compiles the program that a command needs and replaces itself
//! with that program.
//!
//! This program itself compiles in a second, so that new users immediately see what is going on.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A program, and how to compile it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Program {
    words: &'static [&'static str],
    name: &'static str,
    /// How long it takes to compile.
    takes: &'static str,
}

const PREDICT: Program = Program {
    words: &["--package", "xtask-commands", "--bin", "predict"],
    name: "predict",
    takes: "about a minute",
};
const COMMANDS: Program = Program {
    words: &[
        "--package",
        "xtask-commands",
        "--features",
        "whole",
        "--bin",
        "commands",
    ],
    name: "commands",
    takes: "about three minutes",
};
const PROJECT: Program = Program {
    words: &["--package", "prophet-project"],
    name: "prophet-project",
    takes: "about three minutes",
};

/// Commands of a first prediction.
const FEW: [&str; 3] = ["cache", "check", "run"];
/// Commands for developing the project.
const OURS: [&str; 7] = ["accuracy", "bench", "book", "ci", "dist", "fuzz", "page"];

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let (Some(cargo), Some(own)) = (
        std::env::var_os("CARGO"),
        std::env::var_os("CARGO_MANIFEST_DIR"),
    ) else {
        eprintln!("error: run this tool as `cargo xtask …` inside the project");
        return ExitCode::from(2);
    };
    let program = program(&words);
    let mut cargo = Command::new(cargo);
    cargo.arg("run");
    if is_compiled(program.name) {
        cargo.arg("--quiet");
    } else {
        let takes = program.takes;
        eprintln!("compiling what this command needs; this happens once and takes {takes}");
    }
    let manifest = Path::new(&own).join("../Cargo.toml");
    cargo.arg("--manifest-path").arg(manifest);
    cargo.args(program.words).arg("--").args(words);
    become_it(&mut cargo)
}

fn program(words: &[OsString]) -> Program {
    let mut words = words.iter().map(|word| word.to_string_lossy());
    let mut command = words.next();
    while let Some(word) = command.take_if(|word| word.starts_with("--cache")) {
        let value = if word.contains('=') {
            None
        } else {
            words.next()
        };
        drop(value);
        command = words.next();
    }
    match command.as_deref() {
        Some(command) if FEW.contains(&command) => PREDICT,
        Some(command) if OURS.contains(&command) => PROJECT,
        _ => COMMANDS,
    }
}

/// Returns `true` if the program is compiled, even if its sources are newer.
fn is_compiled(name: &str) -> bool {
    let own = std::env::current_exe().unwrap_or_default();
    let file: PathBuf = own.with_file_name(name);
    file.with_extension(own.extension().unwrap_or(OsStr::new("")))
        .exists()
}

/// Replaces this process, so that Ctrl-C only reaches the program.
#[cfg(unix)]
fn become_it(cargo: &mut Command) -> ExitCode {
    let error = std::os::unix::process::CommandExt::exec(cargo);
    eprintln!("error: cannot start cargo: {error}");
    ExitCode::FAILURE
}

#[cfg(not(unix))]
fn become_it(cargo: &mut Command) -> ExitCode {
    let code = cargo.status().ok().and_then(|status| status.code());
    let code = code.and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_compiled_with_what_it_needs() {
        let of = |words: &str| {
            program(
                &words
                    .split_whitespace()
                    .map(OsString::from)
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(of("run model.uml --nodes 8"), PREDICT);
        assert_eq!(of("--cache folder check model.uml"), PREDICT);
        assert_eq!(of("--cache=folder gen model.uml"), COMMANDS);
        assert_eq!(of("fit times.csv"), COMMANDS);
        assert_eq!(of("--help"), COMMANDS);
        assert_eq!(of(""), COMMANDS);
        assert_eq!(of("ci"), PROJECT);
    }
}
