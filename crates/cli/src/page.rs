//! The studio's page, built by npm where the sources of the page are newer.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::Stop;

/// Builds the studio's page by npm in the folder of its sources, where these are newer.
///
/// # Errors
///
/// If there is no npm, or it fails.
pub fn build_page(web: &Path) -> Result<(), Stop> {
    let built = changed(&web.join("dist/index.html"));
    let sources = [
        "src",
        "index.html",
        "package-lock.json",
        "package.json",
        "vite.config.ts",
    ];
    let newest = sources.iter().filter_map(|it| newest(&web.join(it))).max();
    if built.is_some() && built >= newest {
        return Ok(());
    }
    eprintln!("building the studio's page by npm, once");
    npm(web, &INSTALL)?;
    npm(web, &["run", "build"])
}

/// Builds the studio's page that needs no server.
///
/// # Errors
///
/// If there is no npm, or it fails.
pub fn build_page_alone(web: &Path) -> Result<(), Stop> {
    npm(web, &INSTALL)?;
    npm(web, &["run", "build-page"])
}

/// Installs what the page is made of.
const INSTALL: [&str; 4] = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];

fn npm(web: &Path, words: &[&str]) -> Result<(), Stop> {
    let mut npm = std::process::Command::new("npm");
    // Only the studio's address goes to stdout.
    let status = npm
        .args(words)
        .current_dir(web)
        .stdout(std::io::stderr())
        .status();
    let status = status.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Stop::input(
            "the studio's page is built by npm, which is not here; \
             the installed program has the page in it",
        ),
        _ => Stop::input(format!("cannot start npm: {error}")),
    })?;
    if !status.success() {
        let words = words.join(" ");
        return Err(Stop::input(format!("`npm {words}` failed: see above")));
    }
    Ok(())
}

fn changed(path: &Path) -> Option<std::time::SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// Time of the last change of any file below `path`.
fn newest(path: &Path) -> Option<std::time::SystemTime> {
    if !path.is_dir() {
        return changed(path);
    }
    let entries = fs::read_dir(path).ok()?.flatten();
    entries.filter_map(|it| newest(&it.path())).max()
}
