//! Tests that the checked-in crates are what is generated from the sample models. For samples
//! without a checked-in crate, `generated/digests.txt` contains a digest of the generated code.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prophet_codegen::generate::{Request, generate};
use prophet_codegen::output::Mode;
use prophet_codegen::target::rust::Rust;
use prophet_frontend::check::RuleSet;
use prophet_tests::generated::{generated, workspace};
use prophet_tests::{models, root, stem};
use sha2::{Digest as _, Sha256};

const DIGESTS: &str = "generated/digests.txt";

#[test]
fn generated_crates_are_up_to_date() {
    let workspace = workspace();
    let mut stale = Vec::new();
    for model in models("sample-models") {
        if !workspace.generated(stem(&model)).exists() {
            continue;
        }
        let rules = RuleSet::shipped();
        let request = Request {
            mode: Mode::Check,
            ..Request::new(&model, &rules)
        };
        if let Err(failure) = generate(&request, &workspace) {
            stale.push(format!("{}: {failure:?}", model.display()));
        }
    }
    assert!(
        stale.is_empty(),
        "run `cargo xtask gen` for:\n{}",
        stale.join("\n")
    );
}

/// Returns the digest of the source files and drawings that are generated from a model.
fn digest(model: &Path) -> String {
    let folder = tempfile::tempdir().expect("there is room");
    let out = folder.path().join("out");
    generated(&RuleSet::shipped(), &Rust, model, &out).expect("the sample has a crate");
    let folders = ["drawings", "src"].into_iter();
    let entries = folders.flat_map(|it| fs::read_dir(out.join(it)).expect("it has sources"));
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let mut paths: Vec<_> = paths.collect();
    paths.sort();
    let mut digest = Sha256::new();
    for path in paths {
        digest.update(path.file_name().expect("a name").as_encoded_bytes());
        digest.update(fs::read(&path).expect("it can be read"));
    }
    digest
        .finalize()
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[test]
fn other_samples_become_what_was_reviewed() {
    let workspace = workspace();
    let path = root().join(DIGESTS);
    let kept = fs::read_to_string(&path).expect("there are digests");
    let mut digests = String::new();
    for model in models("sample-models") {
        // If a user runs a sample, its crate is generated next to the checked-in ones.
        let name = stem(&model);
        let is_listed = kept.lines().any(|it| it.split(' ').next() == Some(name));
        if is_listed || !workspace.generated(name).exists() {
            let _ = writeln!(digests, "{name} {}", digest(&model));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &digests).expect("it can be written");
        return;
    }
    assert_eq!(
        digests, kept,
        "read what `cargo xtask gen MODEL --out FOLDER` makes before and after your change, then \
         let UPDATE_EXPECT=1 write {DIGESTS}"
    );
}

#[test]
fn every_generated_crate_has_its_model() {
    let entries = fs::read_dir(root().join("generated")).expect("there are generated crates");
    for entry in entries {
        let path = entry.expect("the folder can be listed").path();
        let name = path.file_name().unwrap_or_default();
        let model = root()
            .join("sample-models")
            .join(name)
            .with_extension("uml");
        assert!(
            !path.is_dir() || model.is_file(),
            "{} has no model",
            path.display()
        );
    }
}
