//! Finds the programs that tests start, as compiled by `cargo test --workspace`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use prophet_testing::{cargo, succeeded};
use serde_json::Value;

use crate::root;

/// The programs that tests start.
const PROGRAMS: [&str; 6] = [
    "jacobi-by-hand",
    "jacobi2d",
    "lapw0",
    "training",
    "commands",
    "performance-prophet",
];

/// Path of the compiled runtime. Compiles all programs once, in the test profile.
///
/// They have the features of the whole workspace, so that cargo can reuse almost everything and
/// only has to link. One of the targets is an example, because cargo then also enables the features
/// that tests need.
static BUILT: LazyLock<PathBuf> = LazyLock::new(|| {
    let mut build = cargo();
    build
        .args(["build", "--quiet", "--workspace", "--profile=test"])
        .args(["--example=shop", "--message-format=json"])
        .args(PROGRAMS.map(|program| format!("--bin={program}")))
        .current_dir(root());
    let output = succeeded(&mut build);
    let messages = String::from_utf8(output.stdout).expect("JSON is text");
    let mut messages = messages
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let runtime = messages.find_map(|message: Value| {
        let is_runtime = message["target"]["name"] == "prophet_runtime";
        let file = message["filenames"][0].as_str().filter(|_| is_runtime)?;
        Some(PathBuf::from(file))
    });
    runtime.expect("programs link the runtime")
});

/// Returns the path of the runtime's library that the programs link. The libraries that it needs
/// are in the same folder.
pub fn runtime() -> &'static Path {
    &BUILT
}

/// Returns the path of a program.
///
/// # Panics
///
/// Panics if cargo can't compile the programs.
pub fn built(program: &str) -> PathBuf {
    assert!(PROGRAMS.contains(&program), "{program} is not compiled");
    LazyLock::force(&BUILT);
    let tests = std::env::current_exe().expect("a test is a program");
    let folder = tests.ancestors().nth(2);
    folder.expect("tests lie in `deps`").join(program)
}

/// Environment variables for short runs. They make commands compile models' crates without full
/// optimization, because optimizing the runtime would take longer than all of these runs.
pub const SHORT_RUNS: [(&str, &str); 2] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
];

/// Returns a command that runs `cargo xtask` in any folder.
pub fn xtask(folder: &Path) -> Command {
    let mut command = Command::new(built("commands"));
    command
        .env("CARGO_MANIFEST_DIR", root().join("xtask/commands"))
        .envs(SHORT_RUNS)
        .current_dir(folder);
    command
}

/// Returns a command that runs the installed program in a folder. What it compiles is stored with
/// cargo's build output.
pub fn installed(folder: &Path) -> Command {
    let mut command = Command::new(built("performance-prophet"));
    command
        .env("CARGO_MANIFEST_DIR", root().join("crates/cargo-prophet"))
        .env("XDG_CACHE_HOME", root().join("target"))
        .envs(SHORT_RUNS)
        .current_dir(folder);
    command
}
