//! Unpacks the runtime's sources, which are embedded in the program.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use prophet_files::Folder;

include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The contents of all files, one after another.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sources.gz"));

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut stream = GzDecoder::new(PACKED);
    let file = |(name, length): &(&'static str, usize)| {
        let mut content = vec![0; *length];
        stream
            .read_exact(&mut content)
            .expect("the build has packed all");
        (*name, content)
    };
    FILES.iter().map(file).collect()
}

/// Writes missing sources to a folder.
///
/// A new folder appears in one step, and so does each repaired file. Several programs can do this
/// at the same time, and the next one repairs whatever a killed program leaves.
///
/// # Errors
///
/// Returns an error with the path that can't be written, and the reason.
pub(crate) fn unpack(root: &Path) -> Result<(), (PathBuf, io::Error)> {
    let files = files();
    if !root.exists() {
        // If this fails, the reason is found below, or another program was faster.
        let _ = unpack_new(root, &files);
    }
    for (name, content) in &files {
        let path = root.join(name);
        if fs::read(&path).is_ok_and(|found| found == *content) {
            continue;
        }
        make_folder_of(&path)
            .and_then(|()| prophet_files::write(&path, content))
            .map_err(|error| (path.clone(), error))?;
    }
    Ok(())
}

fn unpack_new(root: &Path, files: &[(&str, Vec<u8>)]) -> io::Result<()> {
    make_folder_of(root)?;
    let folder = Folder::beside(root)?;
    for (name, content) in files {
        let path = folder.path().join(name);
        make_folder_of(&path)?;
        fs::write(path, content)?;
    }
    folder.replace(root)
}

fn make_folder_of(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_half_written_is_mended() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("sources");
        unpack(&root).unwrap();
        let library = root.join("prophet-runtime/src/lib.rs");
        let whole = fs::read(&library).unwrap();
        let lock = fs::metadata(root.join("Cargo.lock"))
            .unwrap()
            .modified()
            .unwrap();
        fs::write(&library, "half").unwrap();
        fs::remove_dir_all(root.join("crates")).unwrap();
        unpack(&root).unwrap();
        assert_eq!(fs::read(&library).unwrap(), whole);
        assert!(root.join("crates/sim/src/lib.rs").exists());
        let again = fs::metadata(root.join("Cargo.lock"))
            .unwrap()
            .modified()
            .unwrap();
        assert_eq!(lock, again, "what is there stays");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let (path, _) = unpack(&file).unwrap_err();
        assert!(path.starts_with(&file));
    }

    #[test]
    fn all_crates_that_the_runtime_needs_are_there() {
        let has = |name: &str| FILES.iter().any(|(path, _)| *path == name);
        for name in [
            "prophet-runtime",
            "crates/sim",
            "crates/report",
            "crates/text",
        ] {
            assert!(has(&format!("{name}/Cargo.toml")), "{name}");
        }
        assert!(has("crates/machine/machines/default.toml"));
        assert!(!FILES.iter().any(|(path, _)| path.contains("/tests/")));
    }
}
