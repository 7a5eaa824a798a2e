//! Provides the project's programs for tests, as `cargo test --workspace` has compiled them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use prophet_testing::cargo;

use crate::root;

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

/// Compiled once, in the test profile and with the whole workspace's features, so that little more
/// than linking remains. With an example among the targets, cargo chooses the features that tests
/// need.
static BUILT: LazyLock<()> = LazyLock::new(|| {
    let mut build = cargo();
    build
        .args(["build", "--quiet", "--workspace", "--profile=test"])
        .arg("--example=shop")
        .args(PROGRAMS.map(|program| format!("--bin={program}")))
        .current_dir(root());
    assert!(build.status().expect("there is cargo").success());
});

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

/// Variables with which commands compile models' crates for short runs, because fully optimizing
/// the runtime takes longer than all of these runs.
pub const SHORT_RUNS: [(&str, &str); 2] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
];

/// Returns the command `cargo xtask` in any folder.
pub fn xtask(folder: &Path) -> Command {
    let mut command = Command::new(built("commands"));
    command
        .env("CARGO_MANIFEST_DIR", root().join("xtask/commands"))
        .envs(SHORT_RUNS)
        .current_dir(folder);
    command
}
