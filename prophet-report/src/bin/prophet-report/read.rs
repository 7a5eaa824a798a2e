//! Files that are read: traces and results.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use prophet_report::page::Data;
use prophet_report::{Extras, of_trace};
use prophet_trace::Reader;

use crate::result::of_result;

/// A result in JSON with more bytes is refused.
const RESULT_MAX: u64 = 1 << 30;
/// What files in Arrow's format begin with.
const ARROW: &[u8] = b"ARROW1";

/// The data of the page of a trace or of a result in JSON.
///
/// # Errors
///
/// In words and with the file's name, if it cannot be read or is neither.
pub(crate) fn read(path: &Path) -> Result<Data, String> {
    let failed = |error: String| format!("`{}`: {error}", path.display());
    let mut file = File::open(path).map_err(|error| failed(error.to_string()))?;
    let mut start = Vec::new();
    let head = ARROW.len() as u64;
    let read = Read::by_ref(&mut file).take(head).read_to_end(&mut start);
    let read = read.and_then(|_| file.rewind());
    read.map_err(|error| failed(error.to_string()))?;
    // What is begun and empty is a trace that was cut off.
    if start == ARROW {
        let reader = Reader::new(file);
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

#[cfg(test)]
mod tests {
    use std::fs;

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
}
