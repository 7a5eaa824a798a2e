//! Checks that a model generates the same crate when it is written in another format.

use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::{Diagnostic, Diagnostics, render_human};
use prophet_codegen::model::Model;
use prophet_codegen::source::Source;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_frontend::resolve::resolve;
use prophet_frontend::tables;
use prophet_model::xmi;

use crate::models;

/// Reads a model file, and returns the model, its problems, and the crate generated from it.
pub fn read(source: &Source, folder: &Path) -> (Option<Model>, Vec<Diagnostic>, String) {
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(source, None, &mut diagnostics);
    let read_table = |file: &str| tables::read(folder, file);
    let program = model
        .as_ref()
        .and_then(|model| resolve(model, source, &read_table, &mut diagnostics));
    let options = CrateOptions {
        name: "model".to_owned(),
        model_file: "model".to_owned(),
        ..CrateOptions::default()
    };
    let files = program.map(|program| crate_files(&program, &options));
    let files = files.map_or_else(String::new, |files| format!("{files:#?}"));
    (model, diagnostics.sorted(), files)
}

/// Returns the problems in a model file, as they are shown to users.
pub fn problems(source: &Source) -> String {
    let (_, problems, _) = read(source, Path::new(""));
    render_human(source, &problems, false)
}

/// Returns all models of the project without errors.
pub fn sound_models() -> Vec<PathBuf> {
    let folders = ["flow", "mpi", "threads", "flows", "machine"];
    let folders = folders.map(|it| format!("tests/models/{it}"));
    let mut all = models("sample-models");
    all.extend(folders.iter().flat_map(|it| models(it)));
    all
}

/// Writes each model without errors in another format, and asserts that the result generates the
/// same crate and doesn't change when it is read and written again.
///
/// # Panics
///
/// Panics if this isn't the case.
pub fn assert_same_crates(source_of: fn(String) -> Source, write: fn(&Model) -> String) {
    for path in sound_models() {
        let folder = path.parent().unwrap_or(Path::new(""));
        let source = xmi::load(&path).expect("it can be read");
        let (model, _, expected) = read(&source, folder);
        let model = model.unwrap_or_else(|| panic!("{} has no model", path.display()));
        assert!(!expected.is_empty(), "{} has errors", path.display());
        let written = source_of(write(&model));
        let (again, problems, actual) = read(&written, folder);
        let shown = render_human(&written, &problems, false);
        let text = &written.text;
        assert_eq!(actual, expected, "{}: {shown}\n{text}", path.display());
        let again = again.expect("it has a crate");
        assert_eq!(write(&again), *text, "{}", path.display());
    }
}
