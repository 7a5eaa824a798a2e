//! The guide shows this crate as it is, and what it makes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Runs the command line of this crate.
fn outline(model: &str, folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outline-target"))
        .arg(root().join(model))
        .arg("outline")
        .arg(folder)
        .output()
        .expect("the command runs")
}

/// What stands in the guide between the line that begins so and the next fence.
fn quoted(fence: &str) -> String {
    let guide = fs::read_to_string(root().join("docs/new-target.md")).expect("there is a guide");
    let (_, rest) = guide
        .split_once(&format!("```{fence}\n"))
        .expect("the guide has the fence");
    let (text, _) = rest.split_once("```").expect("a fence is closed");
    text.to_owned()
}

fn source(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
    fs::read_to_string(path).expect("there is such a file")
}

#[test]
fn the_guide_shows_the_source() {
    assert_eq!(quoted("rust,src/lib.rs"), source("lib.rs"));
    assert_eq!(quoted("rust,src/main.rs"), source("main.rs"));
}

#[test]
fn the_guide_shows_what_is_made() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let output = outline("sample-models/sample.uml", folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let made = fs::read_to_string(folder.path().join("outline.md")).expect("it was written");
    assert_eq!(quoted("markdown"), made);
}

#[test]
fn what_a_list_cannot_show_is_refused() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let output = outline("tests/models/flow/irreducible.uml", folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("error[PM1001]: no list can show the jumps around"),
        "{errors}"
    );
    assert!(errors.contains("irreducible.uml:"), "{errors}");
    assert!(!folder.path().join("outline.md").exists());
}
