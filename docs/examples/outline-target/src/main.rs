//! `cargo run -p outline-target -- MODEL TARGET FOLDER`: any target, with `outline` among them.

use std::env;
use std::path::Path;
use std::process::ExitCode;

use outline_target::Outline;
use prophet_codegen::check::RuleSet;
use prophet_codegen::diagnostic::render_human;
use prophet_codegen::generate::{Failure, Request, generate};
use prophet_codegen::target::Targets;
use prophet_codegen::workspace::Workspace;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [model, target, folder] = arguments.as_slice() else {
        eprintln!("usage: outline-target MODEL TARGET FOLDER");
        return ExitCode::from(2);
    };
    match run(Path::new(model), target, Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(model: &Path, target: &str, folder: &Path) -> Result<(), String> {
    let mut targets = Targets::default();
    targets.add(Box::new(Outline));
    let target = targets.get(target).ok_or("there is no such target")?;
    let rules = RuleSet::shipped();
    let request = Request {
        targets: &[target],
        out: Some(folder),
        ..Request::new(model, &rules)
    };
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let workspace = Workspace::find(Path::new(manifest))?;
    match generate(&request, &workspace) {
        Ok(_) => Ok(()),
        Err(Failure::Model(model)) => Err(render_human(&model.source, &model.diagnostics, false)),
        Err(failure) => Err(format!("{failure:?}")),
    }
}
