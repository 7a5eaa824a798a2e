//! Runs a page's commands in a folder, as they would run in a clone of the project.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use prophet_tests::built::{SHORT_RUNS, built};
use prophet_tests::root;
use tempfile::TempDir;

/// Files in the project's folder that commands read but don't write.
const LINKED: [&str; 6] = [
    "crates",
    "generated",
    "output",
    "prophet-runtime",
    "target",
    "tests",
];

/// Files that appear in messages. They are copied because a link would lead to another folder.
const COPIED: [&str; 2] = ["docs", "sample-models"];

/// A script in place of cargo. It runs the project's commands in any folder as if they were called
/// in the project's folder, and it starts the project's programs directly.
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

/// A script in place of the installed program. It runs the program that the project has built.
const PROGRAM: &str = r#"#!/bin/sh
CARGO_MANIFEST_DIR="$PROPHET_ROOT/crates/cargo-prophet" exec "$PERFORMANCE_PROPHET" "$@"
"#;

/// A temporary folder in which a page's commands run one after another.
pub(crate) struct Shell(TempDir);

impl Shell {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        // Git ignores this folder, so that it doesn't exist in a new clone.
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

    /// Reads a file of the project, or one that a command has written.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.0.path().join(name)).ok()
    }

    /// Runs lines in the shell. Only the last line may fail.
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
            // The cache is stored next to cargo's build files, instead of in the user's folder.
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
