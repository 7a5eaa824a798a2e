//! Files that targets make of models.

use std::path::Path;

use prophet_codegen::diagnostic::Diagnostic;
use prophet_codegen::generate::{GenerateFailure, Generated, Request, generate};
use prophet_codegen::target::Target;
use prophet_codegen::workspace::Workspace;
use prophet_frontend::check::RuleSet;

use crate::root;

/// The workspace of the project.
pub fn workspace() -> Workspace {
    Workspace {
        target: root().join("target"),
        built: root().join("target/prophet/crates"),
        project: root(),
        root: root(),
        runtime: root().join("prophet-runtime"),
    }
}

/// Writes the files that a target makes of a model to a folder.
///
/// # Errors
///
/// A failure, if the model has errors, also for the target, or the folder cannot be written.
pub fn generated(
    rules: &RuleSet,
    target: &dyn Target,
    model: &Path,
    folder: &Path,
) -> Result<Generated, GenerateFailure> {
    let request = Request {
        targets: &[target],
        out: Some(folder),
        ..Request::new(model, rules)
    };
    generate(&request, &workspace())
}

/// Problems for which a target refuses a model.
///
/// # Panics
///
/// If the target takes the model.
#[track_caller]
pub fn refusal(rules: &RuleSet, target: &dyn Target, model: &Path) -> Vec<Diagnostic> {
    let folder = tempfile::tempdir().expect("there is room");
    let generated = generated(rules, target, model, &folder.path().join("out"));
    let Err(GenerateFailure::Model(checked)) = generated else {
        panic!("{} takes {}: {generated:?}", target.name(), model.display());
    };
    checked.diagnostics
}
