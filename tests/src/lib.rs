//! Contains code that several end-to-end tests share: finds the project's folders, generates
//! models, and runs programs.
//!
//! The tests themselves are in `tests/tests`.

pub mod built;
pub mod drawing;
pub mod executed;
pub mod expected;
pub mod form;
pub mod fuzz;
pub mod generated;
pub mod hostile;
pub mod interpreted;
pub mod mutate;
pub mod priced;
pub mod programs;
pub mod project;
pub mod random {
    //! Generates pseudo-random numbers that are the same in every run.

    pub use prophet_testing::Random;
}
pub mod samples;
pub mod sketch;
pub mod sums;
pub mod written;

use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::render_human;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;

/// Returns the project's folder.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// Returns the models (`*.uml`) in a folder of the project, sorted by name. Profiles are left out.
///
/// # Panics
///
/// Panics if the folder can't be read.
pub fn models(folder: &str) -> Vec<PathBuf> {
    let folder = root().join(folder);
    let entries = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let mut models: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder of the project can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "uml"))
        .filter(|path| !path.to_string_lossy().ends_with(".profile.uml"))
        .collect();
    models.sort();
    models
}

/// Returns the sample models for targets that don't support accelerators.
pub fn samples_without_accelerators() -> Vec<PathBuf> {
    let mut models = models("sample-models");
    models.retain(|model| !["fsdp", "gpu_stencil"].contains(&stem(model)));
    models
}

/// Returns a file name without its extension.
pub fn stem(path: &Path) -> &str {
    path.file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default()
}

/// Returns the folder `shared` next to the checkout, if it exists.
pub fn shared() -> Option<PathBuf> {
    Some(root().parent()?.join("shared")).filter(|path| path.is_dir())
}

/// Returns the paths of everything in a folder, sorted.
///
/// # Panics
///
/// Panics if the folder can't be listed.
pub fn listing(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be listed") {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                open.push(path.clone());
            }
            all.push(path);
        }
    }
    all.sort();
    all
}

/// Replaces the text `old` in a model with `new`, and returns the first line of each problem that
/// the model then has.
///
/// # Panics
///
/// Panics if the model can't be read, or doesn't contain `old`.
pub fn problems_with(rules: &RuleSet, model: &Path, old: &str, new: &str) -> Vec<String> {
    let text = std::fs::read_to_string(model).expect("the model is there");
    assert!(text.contains(old), "{old}");
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join(model.file_name().unwrap_or_default());
    std::fs::write(&path, text.replacen(old, new, 1)).expect("a file can be written");
    let checked = check_by(rules, &path, None).expect("the model can be read");
    let text = render_human(&checked.source, &checked.diagnostics, false);
    let lines = text.lines();
    let heads = lines.filter(|line| line.starts_with("error") || line.starts_with("warning"));
    heads.map(str::to_owned).collect()
}
