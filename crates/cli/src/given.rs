//! Opens files that are named on the command line, where `-` means standard input.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use prophet_files::Folder;
use prophet_text::Context as _;

use crate::Stop;

pub(crate) const STDIN: &str = "-";
const BYTES_MAX: u64 = 512 << 20;

/// An input file that a command can read several times.
#[derive(Debug)]
pub(crate) struct Given {
    path: PathBuf,
    /// The temporary folder that standard input was saved to.
    #[cfg_attr(
        feature = "whole",
        expect(dead_code, reason = "it is deleted at the end")
    )]
    folder: Option<Folder>,
}

impl Given {
    /// Opens the file at a path. If the path is `-`, saves standard input to a temporary file.
    pub(crate) fn of(path: &Path) -> Result<Self, Stop> {
        if path != Path::new(STDIN) {
            return Ok(Self {
                path: path.to_owned(),
                folder: None,
            });
        }
        let failed = |error: io::Error| Stop::input(format!("cannot save standard input: {error}"));
        let mut bytes = Vec::new();
        let read = io::stdin()
            .lock()
            .take(BYTES_MAX + 1)
            .read_to_end(&mut bytes);
        read.cannot("read", "standard input")?;
        if bytes.len() as u64 > BYTES_MAX {
            return Err(Stop::input(format!(
                "standard input has more than {} MiB; pass a file instead",
                BYTES_MAX >> 20
            )));
        }
        if prophet_text::is_empty(&bytes) {
            let why = "standard input is empty; pipe a file into the command, such as \
                       `cat model.puml | performance-prophet run -`";
            return Err(Stop::input(why));
        }
        let folder = Folder::temporary("prophet-stdin").map_err(failed)?;
        let path = folder.path().join(format!("stdin.{}", ending(&bytes)));
        prophet_files::write(&path, bytes).map_err(failed)?;
        Ok(Self {
            path,
            folder: Some(folder),
        })
    }

    #[cfg(not(feature = "whole"))]
    pub(crate) const fn is_stdin(&self) -> bool {
        self.folder.is_some()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns the file extension for this content: a model or measurements.
fn ending(bytes: &[u8]) -> &'static str {
    let text = bytes.trim_ascii_start();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    match text.first() {
        Some(b'<') => "xml",
        Some(b'@' | b'\'') => "puml",
        Some(b'{' | b'[') => "json",
        _ => "csv",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_is_known_by_its_beginning() {
        for (text, expected) in [
            ("<?xml version=\"1.0\"?>", "xml"),
            ("\n@startuml\n", "puml"),
            ("{\"results\": []}", "json"),
            ("n,time_s\n1,2\n", "csv"),
        ] {
            assert_eq!(ending(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_path_stays() {
        let given = Given::of(Path::new("a.uml")).expect("it is not read");
        assert_eq!(given.path(), Path::new("a.uml"));
    }
}
