//! The page as a file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Data, render};

/// Writes the page: all of it, or nothing.
///
/// # Errors
///
/// In words and with the file's name. What was there before is there still.
pub fn write_page(path: &Path, data: &Data) -> Result<(), String> {
    let aside = aside(path);
    let written = write(&aside, &render(data)).and_then(|()| fs::rename(&aside, path));
    written.map_err(|error| {
        // There may be nothing to remove.
        let _ = fs::remove_file(&aside);
        format!("the report `{}` cannot be written: {error}", path.display())
    })
}

/// A file beside another one that is no other program's.
fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    name.into()
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    // A full disk may tell only now.
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_written_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.html");
        write_page(&path, &Data::default()).unwrap();
        assert!(
            fs::read_to_string(&path)
                .unwrap()
                .starts_with("<!DOCTYPE html>")
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let path = folder.path().join("no/such/out.html");
        let message = write_page(&path, &Data::default()).unwrap_err();
        assert!(
            message.contains("out.html` cannot be written: "),
            "{message}"
        );
    }

    #[test]
    fn a_page_that_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        // A folder is in its place.
        let path = folder.path().join("out.html");
        fs::create_dir(&path).unwrap();
        write_page(&path, &Data::default()).unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
