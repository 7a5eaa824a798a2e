//! Tests that the guide's crate generates what the guide shows, in whatever folder it is.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::OnceLock;

use prophet_testing::in_gate;
use prophet_tests::built::xtask;
use prophet_tests::root;
use tempfile::TempDir;

/// Returns the guide's text in the first fence that starts with `fence`.
fn quoted(fence: &str) -> String {
    let guide = fs::read_to_string(root().join("docs/vocabulary.md")).expect("there is a guide");
    let (_, guide) = { guide.split_once("\n## Targets\n") }.expect("the page has the guide");
    let (_, rest) = guide
        .split_once(&format!("```{fence}\n"))
        .expect("the guide has the fence");
    let (text, _) = rest.split_once("```").expect("a fence is closed");
    text.to_owned()
}

fn source() -> String {
    let path = root().join("docs/examples/outline-target/src/main.rs");
    fs::read_to_string(path).expect("there is such a file")
}

/// Returns a crate that is made as the guide describes, outside of all workspaces. All tests use
/// the same one.
fn outside() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let codegen = root().join("prophet-codegen");
        let codegen = codegen.canonicalize().expect("there is such a folder");
        let codegen = codegen.to_str().expect("its path is text");
        let manifest = quoted("toml").replace("/path/to/prophet-codegen", codegen);
        // Uses the files that the last test compiled.
        let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
        let built = built.to_str().expect("its path is text");
        let settings = format!("[build]\ntarget-dir = {built:?}\n");
        write(folder.path(), "Cargo.toml", &manifest);
        write(folder.path(), "src/main.rs", &source());
        write(folder.path(), ".cargo/config.toml", &settings);
        folder
    });
    folder.path()
}

fn write(folder: &Path, file: &str, text: &str) {
    let path = folder.join(file);
    let above = path.parent().expect("it lies in a folder");
    fs::create_dir_all(above).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

/// Runs `cargo xtask gen MODEL --target CRATE --out FOLDER`.
fn generate(model: &str, folder: &Path) -> Output {
    xtask(&root())
        .args(["gen", model, "--target"])
        .arg(outside())
        .arg("--out")
        .arg(folder)
        .output()
        .expect("the command runs")
}

#[test]
fn a_target_is_short() {
    let lines = source().lines().count();
    assert!(lines <= 120, "a target takes {lines} lines");
}

#[test]
fn the_guide_shows_what_is_made() {
    if !in_gate() {
        return; // It compiles the generator once more.
    }
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let output = generate("sample-models/sample.uml", folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let made = fs::read_to_string(folder.path().join("outline.md"));
    assert_eq!(quoted("markdown"), made.expect("it was written"));
}

#[test]
fn what_a_list_cannot_show_is_refused() {
    if !in_gate() {
        return; // It compiles the generator once more.
    }
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let output = generate("tests/models/flow/irreducible.uml", folder.path());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("error[PM1001]: no list can show the jumps around"),
        "{errors}"
    );
    assert!(errors.contains("irreducible.uml:"), "{errors}");
    assert!(!folder.path().join("outline.md").exists());
}
