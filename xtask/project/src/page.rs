//! Implements `cargo xtask page`, which has npm build the studio's page and packs the page into an
//! archive among the sources, so that the studio compiles without npm.
//!
//! The archive's comment says which sources it was built from. One test detects an outdated archive
//! without npm; another one rebuilds the archive if npm is installed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use flate2::Crc;

use crate::dist::vsix::zipped;
use crate::{CommandOutcome, Stop, npm, workspace};

/// Folder with the page's sources and the archive, relative to the workspace.
const WEB: &str = "crates/studio/web";
const PACKED: &str = "crates/studio/page.zip";
/// Entries of the source folder that aren't part of the page, or that npm makes.
const OTHERS: [&str; 6] = [
    ".gitignore",
    "README.md",
    "dist",
    "dist-page",
    "node_modules",
    "page.html",
];

pub(crate) fn run() -> CommandOutcome {
    let root = workspace()?.root;
    let web = root.join(WEB);
    npm::run(&web, &["run", "build"], "the studio's page")?;
    let cannot = |error: io::Error| Stop::input(format!("cannot pack the studio's page: {error}"));
    let files = files(&web.join("dist"), &[]).map_err(cannot)?;
    let packed = zipped(files, &sources(&web).map_err(cannot)?);
    let packed = packed.map_err(|why| cannot(why.into()))?;
    prophet_files::save(&root.join(PACKED), packed)?;
    eprintln!("wrote {PACKED}; commit it with the sources of the page");
    Ok(ExitCode::SUCCESS)
}

/// Returns the comment of the archive, which describes the sources by a checksum of their names and
/// contents.
fn sources(web: &Path) -> io::Result<String> {
    let mut sum = Crc::new();
    for (name, content) in files(web, &OTHERS)? {
        sum.update(name.as_bytes());
        sum.update(&content);
    }
    Ok(format!("built from sources {:08x}", sum.sum()))
}

/// Returns the names and contents of all files in a folder except `without`, sorted by name.
fn files(folder: &Path, without: &[&str]) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    let mut folders: Vec<(String, PathBuf)> = vec![(String::new(), folder.to_owned())];
    while let Some((prefix, folder)) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let own = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{prefix}{own}");
            if without.contains(&&*name) {
                continue;
            }
            if path.is_dir() {
                folders.push((format!("{name}/"), path));
            } else {
                files.push((name, fs::read(&path)?));
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests;
