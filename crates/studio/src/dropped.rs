//! Parses files that a page sends: a line of JSON with their names and lengths, followed by their
//! bytes.

use prophet_text::{Context as _, Problem, problem};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::folder::{is_toml, plain};

pub(crate) const BYTES_MAX: usize = 64 << 20;
const FILES_MAX: usize = 4096;

#[derive(Debug)]
pub(crate) struct Dropped<'b, R> {
    pub(crate) request: R,
    pub(crate) files: Vec<File<'b>>,
}

/// A file: its path relative to the dropped folder, and its content.
#[derive(Debug, Clone)]
pub(crate) struct File<'b> {
    pub(crate) name: String,
    pub(crate) bytes: &'b [u8],
}

/// Returns the machine that the files describe, if any.
pub(crate) fn machine(files: &[File<'_>]) -> Option<Value> {
    let [file] = files else { return None };
    is_toml(file.name.as_ref()).then(|| {
        let text = String::from_utf8_lossy(file.bytes);
        json!({ "machine": { "name": file.name, "text": text } })
    })
}

#[derive(Debug, Deserialize)]
struct Head<R> {
    files: Vec<Named>,
    #[serde(flatten)]
    request: R,
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
    length: usize,
}

impl<'b, R: DeserializeOwned> Dropped<'b, R> {
    pub(crate) fn read(body: &'b [u8]) -> Result<Self, Problem> {
        let end = body.iter().position(|it| *it == b'\n');
        let (head, rest) = body.split_at(end.unwrap_or(body.len()));
        let head = serde_json::from_slice::<Head<R>>(head);
        let Head { files, request } = head.told()?;
        if files.is_empty() || files.len() > FILES_MAX {
            return Err(problem!("a request needs 1 to {FILES_MAX} files"));
        }
        let mut rest = rest.get(1..).unwrap_or_default();
        let mut read = Vec::with_capacity(files.len());
        for Named { name, length } in files {
            plain(&name)?;
            let bytes = rest.split_at_checked(length);
            let (bytes, more) = bytes.ok_or_else(|| problem!("{name} is incomplete"))?;
            read.push(File { name, bytes });
            rest = more;
        }
        let files = read;
        Ok(Self { request, files })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(body: &str) -> Result<Vec<(String, usize)>, String> {
        let dropped = Dropped::<serde::de::IgnoredAny>::read(body.as_bytes())?;
        let files = dropped.files.into_iter();
        Ok(files.map(|it| (it.name, it.bytes.len())).collect())
    }

    #[test]
    fn files_follow_their_names() {
        let body = r#"{"files":[{"name":"a/b.txt","length":2},{"name":"c","length":0}]}"#;
        let read = names(&format!("{body}\nxy"));
        assert_eq!(
            read,
            Ok(vec![("a/b.txt".to_owned(), 2), ("c".to_owned(), 0)])
        );
        assert_eq!(names(body), Err("a/b.txt is incomplete".to_owned()));
    }

    #[test]
    fn names_lead_nowhere_else() {
        for (name, why) in [
            ("../a", "../a is outside the folder"),
            ("/etc/passwd", "/etc/passwd is outside the folder"),
            ("", "a model needs a name"),
        ] {
            let body = format!(r#"{{"files":[{{"name":"{name}","length":0}}]}}"#);
            assert_eq!(names(&format!("{body}\n")), Err(why.to_owned()));
        }
        let none = "a request needs 1 to 4096 files";
        assert_eq!(names(r#"{"files":[]}"#), Err(none.to_owned()));
    }
}
