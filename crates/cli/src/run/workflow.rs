//! Prediction of a recorded workflow, which `run` takes in place of a model.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::{Arguments, Evaluate};
use crate::tool::Tool;
use crate::{Door, Outcome, Stop};

/// Bytes at the start of a file in which its first character is looked for.
const BEGINNING: u64 = 4096;

/// True if a regular file begins as a JSON object, as `WfFormat` does and no model.
pub(crate) fn is_workflow(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = |start: &mut Vec<u8>| File::open(path)?.take(BEGINNING).read_to_end(start);
    let is_read = path.is_file() && read(&mut start).is_ok();
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
    is_read && text.trim_ascii_start().first() == Some(&b'{')
}

/// Predicts the workflow.
pub(super) fn predict(door: &dyn Door, arguments: &Arguments) -> Outcome {
    if arguments.evaluate == Evaluate::Native {
        return Err(Stop::input("a workflow is simulated, not compiled"));
    }
    if arguments.save.is_some() {
        return Err(Stop::input(
            "results of workflows are not kept; `-- --format json` prints them",
        ));
    }
    let mut words: Vec<OsString> = vec![arguments.model.clone().into()];
    words.extend(arguments.flags.iter().cloned());
    Tool::Workflow.finish(door, &words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workflows_are_known_by_their_content() {
        let folder = tempfile::tempdir().expect("it can be made");
        for (text, expected) in [
            ("{\"name\": 1}", true),
            ("\u{feff}\r\n {", true),
            ("<?xml version=\"1.0\"?>", false),
            ("@startuml\n{", false),
            ("", false),
        ] {
            let file = folder.path().join("model");
            std::fs::write(&file, text).expect("it can be written");
            assert_eq!(is_workflow(&file), expected, "{text}");
        }
        assert!(!is_workflow(folder.path()));
        assert!(!is_workflow(&folder.path().join("missing")));
    }
}
