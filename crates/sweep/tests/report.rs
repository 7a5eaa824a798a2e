//! The page of `--report`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Runs `sweep` on LAPW0 in a folder.
fn sweep(folder: &TempDir, words: &str) -> Output {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models");
    for name in ["lapw0.uml", "prophet.profile.uml"] {
        fs::copy(samples.join(name), folder.path().join(name)).expect("it is there");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-sweep"));
    let command = command.arg("lapw0.uml").args(words.split_whitespace());
    let output = command.current_dir(folder.path()).output();
    output.expect("the program starts")
}

fn done(folder: &TempDir, words: &str) {
    let output = sweep(folder, words);
    assert!(output.status.success(), "{words}: {}", stderr(&output));
}

fn refused(folder: &TempDir, words: &str) -> String {
    let output = sweep(folder, words);
    assert_eq!(output.status.code(), Some(1), "{words}");
    stderr(&output)
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Data of a page.
fn data(file: &PathBuf) -> serde_json::Value {
    let html = fs::read_to_string(file).expect("the page is written");
    let start = "<script type=\"application/json\" id=\"data\">";
    let (_, rest) = html.split_once(start).expect("it has data");
    let (json, _) = rest.split_once("</script>").expect("which end");
    serde_json::from_str(json).expect("it is JSON")
}

const SPACE: &str = "--vary nodes=1,2,4 --vary nat=32,64";

/// The page is the same with any number of threads, from a stream and from rows that were kept.
#[test]
fn a_page_is_the_same_however_it_is_made() {
    let folder = tempfile::tempdir().unwrap();
    done(&folder, &format!("{SPACE} --jobs 1 --report one.html"));
    done(
        &folder,
        &format!("{SPACE} --jobs 3 --out rows.csv --report two.html"),
    );
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("one.html") == read("two.html"));
    let data = data(&folder.path().join("one.html"));
    assert_eq!(data["model"], "LAPW0");
    assert_eq!(data["command"], "cargo xtask run lapw0.uml --");
    let parameters = &data["table"]["parameters"];
    assert_eq!(parameters[0]["before"], "--nodes ");
    assert_eq!(parameters[0]["is_resource"], true);
    assert_eq!(parameters[1]["before"], "--set NAT=");
    assert_eq!(parameters[1]["values"], serde_json::json!(["32", "64"]));
    assert_eq!(data["table"]["measures"][0]["name"], "predicted_time_s");
    let names = data["table"]["measures"].as_array().unwrap().iter();
    let names: Vec<_> = names
        .map(|measure| measure["name"].as_str().unwrap())
        .collect();
    assert!(
        !names.contains(&"nodes"),
        "an axis is not shown twice: {names:?}"
    );
    assert!(
        !names.contains(&"threads"),
        "it is the same everywhere: {names:?}"
    );
    let facts = data["facts"].to_string();
    assert!(
        facts.contains(r#"{"name":"threads of each process","value":"1"}"#),
        "{facts}"
    );
}

#[test]
fn points_that_fail_are_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    done(
        &folder,
        "--vary nodes=1,2 --vary mapping=block;0,1 --report page.html",
    );
    let data = data(&folder.path().join("page.html"));
    assert_eq!(data["table"]["failed"], 1);
    let reasons = data["table"]["failures"].as_array().unwrap();
    assert_eq!(reasons.len(), 1, "{reasons:?}");
}

#[test]
fn inputs_and_rows_are_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let before = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models/lapw0.uml"),
    );
    let told = refused(&folder, &format!("{SPACE} --report lapw0.uml"));
    assert_eq!(
        told,
        "error: --report is lapw0.uml itself, which the sweep reads\n"
    );
    let kept = fs::read_to_string(folder.path().join("lapw0.uml"));
    assert_eq!(kept.unwrap(), before.unwrap());
    let told = refused(&folder, &format!("{SPACE} --out a.csv --report a.csv"));
    assert_eq!(told, "error: --out and --report are both a.csv\n");
    let told = refused(&folder, &format!("{SPACE} --report no/such/page.html"));
    assert!(
        told.starts_with("error: the report `no/such/page.html` cannot be written: "),
        "{told}"
    );
}
