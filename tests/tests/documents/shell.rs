//! Runs a page's commands in a folder, as they would run in a clone of the project.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use prophet_tests::built::{SHORT_RUNS, built};
use prophet_tests::root;
use tempfile::TempDir;

/// Parts of the project's folder that commands name but don't write to.
const LINKED: [&str; 6] = [
    "crates",
    "generated",
    "output",
    "prophet-runtime",
    "target",
    "tests",
];

/// Parts with files that messages name: a link would lead out of the folder.
const COPIED: [&str; 2] = ["docs", "sample-models"];

/// Replaces cargo: it runs the project's commands for the project's folder, wherever they are
/// called, and calls the project's programs like `cargo run`.
const CARGO: &str = r#"#!/bin/sh
programs="${XTASK%/*}"
case "$1" in
xtask) shift; CARGO_MANIFEST_DIR="$PROPHET_ROOT/xtask/commands" exec "$XTASK" "$@" ;;
run) shift; program="$2"; shift 2 ;;
*) exec "$CARGO" "$@" ;;
esac
case "$1" in
--bin) program="$2"; shift 2 ;;
--example) program="examples/$2"; shift 2 ;;
esac
if [ "$1" = -- ]; then shift; fi
exec "$programs/$program" "$@"
"#;

/// Replaces the installed program with the one that the project has built.
const PROGRAM: &str = r#"#!/bin/sh
CARGO_MANIFEST_DIR="$PROPHET_ROOT/crates/cargo-prophet" exec "$PERFORMANCE_PROPHET" "$@"
"#;

/// A temporary folder for a page's commands, which continue where the previous one has ended.
pub(crate) struct Shell(TempDir);

impl Shell {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        // Git ignores this folder, and a fresh clone lacks it.
        fs::create_dir_all(root().join("output")).expect("there is room");
        for name in LINKED {
            std::os::unix::fs::symlink(root().join(name), folder.path().join(name))
                .expect("a link can be made");
        }
        for name in COPIED {
            copy(&root().join(name), &folder.path().join(name));
        }
        let bin = folder.path().join(".bin");
        fs::create_dir(&bin).expect("there is room");
        prophet_testing::write_script(&bin.join("cargo"), CARGO);
        prophet_testing::write_script(&bin.join("performance-prophet"), PROGRAM);
        Self(folder)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.path().join(name), format!("{text}\n")).expect("there is room");
    }

    /// Reads an existing file: the project's, or one that a command has written.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.path().join(name)).ok()
    }

    /// Runs lines in the shell. All lines except the last must succeed.
    pub(crate) fn run(&self, script: &str) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new("sh")
            .args(["-e", "-c", script])
            .current_dir(self.0.path())
            .env("PATH", format!("{}/.bin:{path}", self.0.path().display()))
            .env("PROPHET_ROOT", root())
            .env("CARGO", env!("CARGO"))
            .env("XTASK", built("commands"))
            .env("PERFORMANCE_PROPHET", built("performance-prophet"))
            .env_remove("CARGO_MANIFEST_DIR")
            .envs(SHORT_RUNS)
            // The installed program's cache is next to cargo's build products instead of the user's
            // files.
            .env("XDG_CACHE_HOME", root().join("target"))
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .output()
            .unwrap_or_else(|error| panic!("there is no shell: {error}"))
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("there is room");
    for entry in fs::read_dir(from).expect("it is a folder") {
        let entry = entry.expect("it can be listed");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("there is room");
        }
    }
}
