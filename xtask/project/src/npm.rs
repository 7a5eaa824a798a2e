//! Runs npm to build the project's web pages.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::Stop;

/// Builds something with npm in its source folder if the sources are newer than `product`. Messages
/// call it `called`.
pub(crate) fn build(folder: &Path, product: &str, called: &str) -> Result<(), Stop> {
    let built = changed(&folder.join(product));
    let sources = [
        "src",
        "index.html",
        "package-lock.json",
        "package.json",
        "vite.config.mts",
        "vite.config.ts",
    ];
    let newest = { sources.iter() }
        .filter_map(|it| newest(&folder.join(it)))
        .max();
    if built.is_some() && built >= newest {
        return Ok(());
    }
    prophet_text::tell!("building {called} with npm, once");
    run(folder, &["run", "build"], called)
}

/// Installs the dependencies in a folder, and runs npm with these arguments.
pub(crate) fn run(folder: &Path, words: &[&str], called: &str) -> Result<(), Stop> {
    npm(folder, &INSTALL, called)?;
    npm(folder, words, called)
}

/// Arguments with which npm installs dependencies.
const INSTALL: [&str; 5] = [
    "ci",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
];

fn npm(folder: &Path, words: &[&str], called: &str) -> Result<(), Stop> {
    let mut npm = std::process::Command::new("npm");
    // Standard output may only contain the studio's address.
    let status = npm
        .args(words)
        .current_dir(folder)
        .stdout(std::io::stderr())
        .status();
    let status = status.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Stop::input(format!(
            "building {called} needs npm, which is not installed (Debian: npm)"
        )),
        _ => Stop::input(format!("cannot start npm: {error}")),
    })?;
    if !status.success() {
        let words = words.join(" ");
        return Err(Stop::input(format!("`npm {words}` failed; see above")));
    }
    Ok(())
}

fn changed(path: &Path) -> Option<std::time::SystemTime> {
    path.metadata().ok()?.modified().ok()
}

fn newest(path: &Path) -> Option<std::time::SystemTime> {
    if !path.is_dir() {
        return changed(path);
    }
    let entries = fs::read_dir(path).ok()?.flatten();
    entries.filter_map(|it| newest(&it.path())).max()
}
