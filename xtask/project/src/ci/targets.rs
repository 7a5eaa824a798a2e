//! Checks what the workspace's checks don't compile: code for other operating systems, code with
//! the oldest supported Rust, and crates outside the workspace.

use std::path::Path;
use std::process::Command;

use crate::Stop;

/// Crates with system-specific code, which are checked with all their dependencies. Where no C
/// compiler is installed, crates that compile C are omitted. They don't contain code for a single
/// type of processor.
const TARGETS: [(&str, &[&str]); 5] = [
    (
        "the studio as WebAssembly",
        &[
            "--package",
            "prophet-web",
            "--lib",
            "--target",
            "wasm32-unknown-unknown",
        ],
    ),
    (
        "the program for Windows",
        &[
            "--package",
            "cargo-prophet",
            "--target",
            "x86_64-pc-windows-gnu",
        ],
    ),
    (
        "commands for Linux on aarch64",
        &[
            "--package=prophet-calibrate",
            "--package=prophet-crosscheck",
            "--package=prophet-lsp",
            "--package=prophet-record",
            "--package=prophet-workflow",
            "--package=xtask-commands",
            "--target",
            "aarch64-unknown-linux-gnu",
        ],
    ),
    (
        "the targets of the fuzzer",
        &[
            "--manifest-path",
            "tests/fuzz/Cargo.toml",
            "--config",
            "Cargo.toml",
        ],
    ),
    (
        "the engine's bench",
        &[
            "--manifest-path",
            "prophet-runtime/benches/engine/Cargo.toml",
            "--config",
            "Cargo.toml",
        ],
    ),
];

/// Checks all targets. Reports targets that were skipped because rustup couldn't install their
/// parts.
pub(super) fn check(root: &Path, target: &Path) -> Result<(), Stop> {
    let target = target.display().to_string();
    for (what, words) in TARGETS {
        if let Some(triple) = words.iter().skip_while(|word| **word != "--target").nth(1)
            && !has_library_for(triple)
        {
            eprintln!(
                "ci: {what}: skipped; install what it needs with `rustup target add {triple}`"
            );
            continue;
        }
        let mut words = [
            &["check", "--quiet", "--locked", "--target-dir", &target],
            words,
        ]
        .concat();
        if words.contains(&"tests/fuzz/Cargo.toml") {
            // The fuzzer itself is written in C++ and is only needed by the linker.
            words.extend(["--config", "env.CUSTOM_LIBFUZZER_PATH='./none'"]);
        }
        super::cargo(what, root, &words, None)?;
    }
    let version = prophet_runtime::RUST_VERSION;
    let what = "the runtime with the oldest supported Rust";
    if !succeeds(Command::new("rustup").args(["run", version, "cargo", "--version"])) {
        eprintln!(
            "ci: {what}: skipped; install what it needs with `rustup toolchain install {version}`"
        );
        return Ok(());
    }
    // `CARGO` is the cargo of one toolchain, which can't run another toolchain.
    let mut oldest = Command::new("rustup");
    oldest.args(["run", version, "cargo", "check", "--quiet", "--locked"]);
    oldest.args(["--package", "prophet-runtime", "--target-dir", &target]);
    super::finish(what, oldest.current_dir(root))
}

/// Returns `true` if Rust's library for a target is installed.
fn has_library_for(triple: &str) -> bool {
    let mut rustc = Command::new("rustc");
    let folder = rustc
        .args(["--print", "target-libdir", "--target", triple])
        .output();
    folder.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// Returns `true` if a command can be started and succeeds.
fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
