//! The programs of the project that tests start, as `cargo test --workspace` has compiled them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use prophet_testing::cargo;

use crate::root;

/// Programs that tests start.
const PROGRAMS: [&str; 10] = [
    "jacobi-by-hand",
    "jacobi2d",
    "lapw0",
    "nemo",
    "prophet-crosscheck",
    "prophet-export",
    "prophet-report",
    "prophet-runs",
    "commands",
    "performance-prophet",
];

/// Compiled once, in the profile of tests and with the features of the whole workspace, so that
/// little more than linking is left: an example as one of the targets has cargo choose the
/// features that tests need, too.
static BUILT: LazyLock<()> = LazyLock::new(|| {
    let mut build = cargo();
    build
        .args(["build", "--quiet", "--workspace", "--profile=test"])
        .arg("--example=shop")
        .args(PROGRAMS.map(|program| format!("--bin={program}")))
        .current_dir(root());
    assert!(build.status().expect("there is cargo").success());
});

/// The path of a program.
///
/// # Panics
///
/// If cargo cannot compile the programs.
pub fn built(program: &str) -> PathBuf {
    assert!(PROGRAMS.contains(&program), "{program} is not compiled");
    LazyLock::force(&BUILT);
    let tests = std::env::current_exe().expect("a test is a program");
    let folder = tests.ancestors().nth(2);
    folder.expect("tests lie in `deps`").join(program)
}

/// Variables with which commands compile crates of models for short runs: to optimize the runtime
/// fully takes longer than all of them.
pub const SHORT_RUNS: [(&str, &str); 2] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
];

/// The command `cargo xtask` in a folder, which need not be the project's.
pub fn xtask(folder: &Path) -> Command {
    let mut command = Command::new(built("commands"));
    command
        .env("CARGO_MANIFEST_DIR", root().join("xtask/commands"))
        .envs(SHORT_RUNS)
        .current_dir(folder);
    command
}
