//! The parts that end-to-end tests share: the project's folders, models to generate, and programs
//! to run.
//!
//! The tests themselves are in `tests/tests`.

pub mod drawing;
pub mod executed;
pub mod expected;
pub mod form;
pub mod fuzz;
pub mod hostile;
pub mod interpreted;
pub mod mutate;
pub mod priced;
pub mod programs;
pub mod project;
pub mod random;
pub mod sketch;
pub mod sums;

use std::path::{Path, PathBuf};

/// The folder of the project.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// The models (`*.uml`) in a folder of the project, in order of their names; profiles are none.
///
/// # Panics
///
/// If the folder cannot be read.
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

/// Sample models that targets without accelerators express, too.
pub fn samples_without_accelerators() -> Vec<PathBuf> {
    let mut models = models("sample-models");
    models.retain(|model| stem(model) != "gpu_stencil");
    models
}

/// The stem of a file's name.
pub fn stem(path: &Path) -> &str {
    path.file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default()
}

/// `../shared`, where the checkout has it beside it.
pub fn shared() -> Option<PathBuf> {
    Some(root().parent()?.join("shared")).filter(|path| path.is_dir())
}
