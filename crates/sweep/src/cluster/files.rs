//! Collects the files that a plan includes: their texts by path, all in or below the same folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, Path};

use prophet_files::Folder;
use prophet_text::{Context as _, Problem, plain::line, problem};

const BYTES_MAX: u64 = 256 << 20;

pub(super) type Files = BTreeMap<String, String>;

/// Includes a file in the plan under the path `name`.
pub(super) fn take_as(files: &mut Files, path: &Path, name: &str) -> Result<(), Problem> {
    let shown = || line(&path.display().to_string());
    let taken: usize = files.values().map(String::len).sum();
    let left = BYTES_MAX.saturating_sub(taken as u64);
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(left + 1).read_to_string(&mut text))
        .map_err(|error| problem!("the plan cannot include {}: {error}", shown()))?;
    if text.len() as u64 > left {
        let most = BYTES_MAX >> 20;
        return Err(problem!(
            "the files of a plan can have at most {most} MiB in total"
        ));
    }
    match files.insert(name.to_owned(), text) {
        Some(other) if other != files[name] => Err(problem!(
            "the plan already contains another file named {name}: cannot add {}",
            shown()
        )),
        _ => Ok(()),
    }
}

/// Includes a file named by an argument. It must be in the current folder or below.
pub(super) fn take(files: &mut Files, path: &str) -> Result<(), Problem> {
    if !is_below(path) {
        return Err(problem!(
            "the plan cannot include {}: it only includes files in this folder or below; copy it \
             here",
            line(path)
        ));
    }
    take_as(files, Path::new(path), path)
}

fn is_below(path: &str) -> bool {
    let mut parts = Path::new(path).components().peekable();
    let is_there = parts.peek().is_some();
    is_there && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Writes a plan's files to a temporary folder of this process.
pub(super) fn unpack(files: &Files) -> Result<Folder, Problem> {
    let folder = Folder::temporary("sweep").cannot("unpack", "the plan")?;
    for (path, text) in files {
        if !is_below(path) {
            let path = line(path);
            return Err(problem!(
                "the plan's file {path} is outside the plan's folder"
            ));
        }
        let path = folder.path().join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).cannot("unpack", "the plan")?;
        }
        prophet_files::write(&path, text).cannot("unpack", "the plan")?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_below_their_folder() {
        for path in ["a.toml", "./a", "machines/a.toml"] {
            assert!(is_below(path), "{path}");
        }
        for path in ["", "/etc/passwd", "../a", "a/../../b"] {
            assert!(!is_below(path), "{path}");
            let files = Files::from([(path.to_owned(), String::new())]);
            let refused = unpack(&files).unwrap_err();
            assert!(
                refused.message.contains("is outside the plan's folder"),
                "{refused}"
            );
        }
    }
}
