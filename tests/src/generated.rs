//! Generates a target's files from models.

use std::path::Path;

use prophet_codegen::diagnostic::Diagnostic;
use prophet_codegen::generate::{GenerateFailure, Generated, Request, generate};
use prophet_codegen::target::Target;
use prophet_codegen::workspace::Workspace;
use prophet_frontend::check::RuleSet;

use crate::root;

pub fn workspace() -> Workspace {
    Workspace {
        target: root().join("target"),
        built: root().join("target/prophet/crates"),
        project: root(),
        root: root(),
        runtime: root().join("prophet-runtime"),
    }
}

/// Generates the files of `target` from a model, and writes them to a folder.
///
/// # Errors
///
/// Returns an error if the model has errors, including ones that the target reports, or if the
/// folder can't be written.
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

/// Returns the problems for which a target rejects a model.
///
/// # Panics
///
/// Panics if the target accepts the model.
#[track_caller]
pub fn refusal(rules: &RuleSet, target: &dyn Target, model: &Path) -> Vec<Diagnostic> {
    let folder = tempfile::tempdir().expect("there is room");
    let generated = generated(rules, target, model, &folder.path().join("out"));
    let Err(GenerateFailure::Model(checked)) = generated else {
        panic!("{} takes {}: {generated:?}", target.name(), model.display());
    };
    checked.diagnostics
}
