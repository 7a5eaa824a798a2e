//! Files: traces and results that are read, pages that are written.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

use prophet_trace::Reader;

use crate::fill::{Extras, of_result, of_trace};
use crate::page::{Data, render};

/// A result in JSON with more bytes is refused.
const RESULT_MAX: u64 = 1 << 30;
/// What files in Arrow's format begin with.
const ARROW: &[u8] = b"ARROW1";

/// The data of the page of a trace or of a result in JSON.
///
/// # Errors
///
/// In words and with the file's name, if it cannot be read or is neither.
pub fn read(path: &Path) -> Result<Data, String> {
    let failed = |error: String| format!("`{}`: {error}", path.display());
    let mut file = File::open(path).map_err(|error| failed(error.to_string()))?;
    let mut start = Vec::new();
    let head = ARROW.len() as u64;
    let read = Read::by_ref(&mut file).take(head).read_to_end(&mut start);
    let read = read.and_then(|_| file.rewind());
    read.map_err(|error| failed(error.to_string()))?;
    // What is begun and empty is a trace that was cut off.
    if start == ARROW {
        let reader = Reader::new(BufReader::new(file));
        let data = reader.and_then(|mut reader| of_trace(&mut reader, Extras::default()));
        return data.map_err(|error| failed(error.to_string()));
    }
    let mut text = String::new();
    match file.take(RESULT_MAX).read_to_string(&mut text) {
        Ok(_) => of_result(&text).map_err(failed),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(failed(
            "this is neither a trace nor a result in JSON".to_owned(),
        )),
        Err(error) => Err(failed(error.to_string())),
    }
}

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

    fn refused(name: &str, content: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        let message = read(&path).unwrap_err();
        message.replace(folder.path().to_str().unwrap(), "…")
    }

    #[test]
    fn what_is_no_trace_and_no_result_is_refused() {
        for (content, expected) in [
            (&b"ARROW1\0\0"[..], "the trace is cut off"),
            (b"", "neither a trace nor a result in JSON: EOF"),
            (b"\xff\xfe", "neither a trace nor a result in JSON"),
            (
                b"{\"model\": 1}",
                "neither a trace nor a result in JSON: invalid type",
            ),
        ] {
            let message = refused("some.file", content);
            assert!(message.starts_with("`…/some.file`: "), "{message}");
            assert!(message.contains(expected), "{message}");
        }
        let message = read(Path::new("no/such")).unwrap_err();
        assert!(message.starts_with("`no/such`: "), "{message}");
    }

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
