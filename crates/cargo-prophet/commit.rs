//! Finds the commit that is compiled (part of the build script).

use std::path::Path;
use std::process::Command;

/// Variable in which packagers specify the commit, such as `abc1234 2026-11-22`.
const VARIABLE: &str = "PROPHET_COMMIT";

/// Returns the program's version, with the commit and its date if known.
pub(crate) fn version(root: &Path) -> String {
    let number = std::env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    let named = std::env::var(VARIABLE).ok();
    let named = named.filter(|commit| !commit.is_empty());
    match named.or_else(|| of_checkout(root)) {
        Some(commit) => format!("{number} ({commit})"),
        None => number,
    }
}

/// Returns the commit of a checkout of the project. Copies of the sources have none, even inside
/// another project's repository.
fn of_checkout(root: &Path) -> Option<String> {
    let top = git(root, &["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    // This file grows with each commit and checkout.
    let log = git(root, &["rev-parse", "--git-path", "logs/HEAD"])?;
    let log = root.join(log);
    if log.exists() {
        println!("cargo::rerun-if-changed={}", log.display());
    }
    git(root, &["log", "-1", "--abbrev=7", "--format=%h %cs"])
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(arguments)
        .output();
    let output = output.ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned())
}
