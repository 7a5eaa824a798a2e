//! Computes hashes of models and crates, which identify the inputs of runs.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

/// Computes the SHA-256 hash of a file in hexadecimal, as `sha256sum` prints it.
///
/// # Errors
///
/// Returns an error if the file can't be read.
pub fn file(path: &Path) -> io::Result<String> {
    Ok(bytes(&fs::read(path)?))
}

/// Computes the SHA-256 hash of a file's content, in hexadecimal.
pub fn bytes(bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(bytes);
    hexadecimal(hash)
}

/// Computes the SHA-256 hash of a generated crate. It covers the manifest and the sources, sorted
/// by path, each preceded by its path and length.
///
/// # Errors
///
/// Returns an error if one of its files can't be read.
pub fn crate_folder(folder: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    add(&mut hash, folder, Path::new("Cargo.toml"))?;
    let mut open = vec![Path::new("src").to_owned()];
    let mut files = Vec::new();
    while let Some(inside) = open.pop() {
        for entry in fs::read_dir(folder.join(&inside))? {
            let entry = entry?;
            let path = inside.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                open.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    for path in files {
        add(&mut hash, folder, &path)?;
    }
    Ok(hexadecimal(hash))
}

fn add(hash: &mut Sha256, folder: &Path, path: &Path) -> io::Result<()> {
    let content = fs::read(folder.join(path))?;
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    hash.update(format!("{}\0{}\0", parts.join("/"), content.len()));
    hash.update(content);
    Ok(())
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize()
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_hashes_as_everywhere() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("abc");
        fs::write(&path, "abc").expect("the folder can be written");
        assert_eq!(
            file(&path).expect("it is there"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-2, B.1
        );
    }

    #[test]
    fn a_crate_is_its_manifest_and_its_sources() {
        let folder = tempfile::tempdir().expect("there is room");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            let parent = path.parent().expect("it is in a folder");
            fs::create_dir_all(parent).expect("the folder can be written");
            fs::write(path, text).expect("the folder can be written");
        };
        let hash = || crate_folder(folder.path()).expect("the crate can be read");
        write("Cargo.toml", "[package]");
        write("src/lib.rs", "mod a;");
        write("src/a/mod.rs", "");
        let first = hash();
        write("target/release/lib.rs", "built");
        write("Cargo.lock", "locked");
        assert_eq!(hash(), first);
        write("src/a/mod.rs", " ");
        assert_ne!(hash(), first);
        fs::remove_file(folder.path().join("src/a/mod.rs")).expect("it is there");
        write("src/b.rs", "");
        assert_ne!(hash(), first);
    }
}
