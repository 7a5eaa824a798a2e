//! Tests that a crate generated outside the workspace is self-contained.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use prophet_codegen::output::Report;
use prophet_codegen::target::rust::Rust;
use prophet_frontend::check::RuleSet;
use prophet_testing::{in_gate, stderr, succeeded};
use prophet_tests::generated::generated;
use prophet_tests::programs::{cargo, json};
use prophet_tests::{listing, root};

fn generate_to(model: &Path, out: &Path) -> Report {
    let generated = generated(&RuleSet::shipped(), &Rust, model, out);
    let mut generated = generated.unwrap_or_else(|failure| panic!("{failure:?}"));
    generated.written.remove(0).report
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let all = listing(folder).into_iter();
    all.filter(|path| path.is_file()).collect()
}

fn times(folder: &Path) -> Vec<(PathBuf, SystemTime)> {
    let time = |path: &Path| {
        let data = fs::metadata(path).expect("the file is there");
        data.modified().expect("files have times")
    };
    files(folder)
        .into_iter()
        .map(|path| (path.clone(), time(&path)))
        .collect()
}

#[test]
fn it_builds_and_runs() {
    if !in_gate() {
        return; // It compiles the runtime once more.
    }
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    generate_to(&root().join("sample-models/sample.uml"), folder.path());
    // Only the versions that the project uses are available.
    fs::copy(root().join("Cargo.lock"), folder.path().join("Cargo.lock"))
        .expect("a file can be copied");
    let command = "run --quiet --offline -- --processes 4 --cpus-per-node 4 --format json";
    let output = succeeded(&mut cargo(command, folder.path()));
    assert_eq!(stderr(&output), "");
    let result = json(&output);
    let seconds = result["predicted_time_s"].as_f64().expect("a number");
    assert!(
        (seconds - 194.184_431_847_133_76).abs() <= 1e-9,
        "{seconds}"
    );
}

#[test]
fn only_its_manifest_names_a_place() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    generate_to(&root().join("sample-models/sample.uml"), folder.path());
    let place = root().display().to_string();
    for path in files(folder.path()) {
        let text = fs::read_to_string(&path).expect("the file is text");
        let manifest = path.ends_with("Cargo.toml");
        let count = text.matches(&place).count();
        assert_eq!(count, usize::from(manifest), "{}", path.display());
        if manifest {
            assert!(text.contains(&format!("path = \"{place}/prophet-runtime\"")));
            assert!(text.contains("[workspace]"));
        }
    }
}

#[test]
fn only_what_changed_is_written() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let model = folder.path().join("sample.uml");
    let out = folder.path().join("crate");
    let text = fs::read_to_string(root().join("sample-models/sample.uml"));
    let text = text.expect("the sample is there");
    fs::write(&model, &text).expect("a file can be written");
    assert!(!generate_to(&model, &out).is_fresh());
    let written = times(&out);
    assert!(generate_to(&model, &out).is_fresh());
    assert_eq!(times(&out), written);

    assert!(text.contains("return 212;"));
    fs::write(&model, text.replace("return 212;", "return 213;")).expect("it can be written");
    let report = generate_to(&model, &out);
    // The changed cost is in a function's body. Drawings don't show it.
    assert_eq!(report.stale, [PathBuf::from("src/lib.rs")]);
    assert!(report.missing.is_empty() && report.superfluous.is_empty());
    for (now, before) in times(&out).iter().zip(&written) {
        let same = now.1 == before.1;
        let names = ["lib.rs", ".prophet-generated"];
        let is_changed = names.iter().any(|name| now.0.ends_with(name));
        assert_eq!(same, !is_changed, "{}", now.0.display());
    }
}
