//! `cargo xtask page`: the studio's page as npm builds it, in one archive that is part of the
//! sources, so that the studio can be compiled without npm.
//!
//! The archive says in its comment which sources it was built from: a test tells without npm that
//! it is out of date, and another one builds it again where npm is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use flate2::Crc;

use crate::dist::vsix::zipped;
use crate::{CommandOutcome, Stop, npm, workspace};

/// The sources of the page, and the archive, from the root.
const WEB: &str = "crates/studio/web";
const PACKED: &str = "crates/studio/page.zip";
/// What npm makes in the folder of the sources, and what no page is made of.
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

/// The sources in the comment of the archive: a checksum of their names and contents.
fn sources(web: &Path) -> io::Result<String> {
    let mut sum = Crc::new();
    for (name, content) in files(web, &OTHERS)? {
        sum.update(name.as_bytes());
        sum.update(&content);
    }
    Ok(format!("built from sources {:08x}", sum.sum()))
}

/// Names and contents of all files in a folder, in order of their names, without some entries.
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
