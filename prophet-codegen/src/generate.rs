//! From a model file to a crate: the stages in their order.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::check::{self, RuleSet};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity};
use crate::output::{self, Mode, OutputError, Report};
use crate::program::Program;
use crate::resolve::resolve;
use crate::rustfmt::Rustfmt;
use crate::source::Source;
use crate::target::rust::{CrateOptions, crate_files, ident};
use crate::workspace::Workspace;
use crate::{tables, xmi};

/// A model file, read and checked.
#[derive(Debug)]
pub struct Checked {
    /// Its text.
    pub source: Source,
    /// What it means; `None` if there are errors.
    pub program: Option<Program>,
    /// All problems, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why nothing was generated.
#[derive(Debug)]
pub enum Failure {
    /// The model file cannot be read, in words.
    File(String),
    /// The model has errors.
    Model(Box<Checked>),
    /// The files cannot be written or compared.
    Output(OutputError),
    /// The crate is not what would be written.
    Stale {
        /// Its folder.
        folder: PathBuf,
        /// What differs.
        report: Report,
        /// The command that mends it.
        command: String,
    },
    /// A tool that generating needs is missing or failed, in words.
    Tool(String),
}

/// What to generate, and where.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The model file.
    pub model: &'a Path,
    /// The main activity, where the user names it.
    pub main: Option<&'a str>,
    /// The crate's folder, where the user names it.
    pub out: Option<&'a Path>,
    /// Whether to write, or only to compare.
    pub mode: Mode,
    /// Whether files that the generator did not write may be overwritten.
    pub force: bool,
    /// What the model is checked by.
    pub rules: &'a RuleSet,
}

/// A crate that is up to date on disk.
#[derive(Debug)]
pub struct Generated {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What was written, or would have to be.
    pub report: Report,
    /// The model, with its warnings.
    pub checked: Checked,
}

/// Reads a model file and checks it by the rules that are shipped.
///
/// # Errors
///
/// In words, if the file cannot be read at all.
pub fn check(model: &Path, main: Option<&str>) -> Result<Checked, String> {
    check_by(&RuleSet::shipped(), model, main)
}

/// Reads a model file and checks it by `rules`.
///
/// # Errors
///
/// In words, if the file cannot be read at all.
pub fn check_by(rules: &RuleSet, model: &Path, main: Option<&str>) -> Result<Checked, String> {
    let source = xmi::load(model)?;
    let mut diagnostics = Diagnostics::new();
    let folder = model.parent().unwrap_or(Path::new(""));
    let read_table = |file: &str| tables::read(folder, file);
    let program = xmi::read(&source, main, &mut diagnostics).and_then(|model| {
        let program = resolve(&model, &source, &read_table, &mut diagnostics);
        check::check(&model, &source, rules, &mut diagnostics);
        program
    });
    let program = program.filter(|_| !diagnostics.has_errors());
    let mut diagnostics = diagnostics.sorted();
    diagnostics.retain(|it| it.severity == Severity::Error || rules.is_on(&it.code));
    Ok(Checked {
        source,
        program,
        diagnostics,
    })
}

/// Makes the crate of a model.
///
/// # Errors
///
/// If the model has errors, or the crate cannot be written; then nothing is.
pub fn generate(request: &Request<'_>, workspace: &Workspace) -> Result<Generated, Failure> {
    let checked = check_by(request.rules, request.model, request.main).map_err(Failure::File)?;
    let Some(program) = &checked.program else {
        return Err(Failure::Model(Box::new(checked)));
    };
    let stem = request
        .model
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let name = ident::crate_name(&stem);
    let folder = request
        .out
        .map_or_else(|| workspace.generated(&name), Path::to_owned);
    let options = CrateOptions {
        name: name.clone(),
        model_file: model_file(request.model, workspace),
        runtime_path: workspace.runtime_from(&folder),
        standalone: !workspace.has_member(&folder),
    };
    let files = format(crate_files(program, &options)).map_err(Failure::Tool)?;
    let report = output::write_or_check(&folder, &files, request.mode, request.force)
        .map_err(Failure::Output)?;
    if request.mode == Mode::Check && !report.is_fresh() {
        let command = command(request);
        return Err(Failure::Stale {
            folder,
            report,
            command,
        });
    }
    Ok(Generated {
        name,
        folder,
        report,
        checked,
    })
}

/// The command line that writes what is asked for.
fn command(request: &Request<'_>) -> String {
    let mut command = format!("cargo xtask gen {}", request.model.display());
    if let Some(out) = request.out {
        let _ = write!(command, " --out {}", out.display());
    }
    if let Some(main) = request.main {
        let _ = write!(command, " --main {main}");
    }
    command
}

/// How generated files name their model: from the workspace's root, or by its own name outside.
fn model_file(model: &Path, workspace: &Workspace) -> String {
    workspace.relative(model).unwrap_or_else(|| {
        model
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    })
}

/// Lays out all Rust files as rustfmt does.
///
/// # Errors
///
/// In words, if there is no rustfmt, or it fails.
pub fn format(files: BTreeMap<PathBuf, String>) -> Result<BTreeMap<PathBuf, String>, String> {
    let rustfmt = Rustfmt::from_env();
    files
        .into_iter()
        .map(|(path, text)| {
            if path.extension().is_none_or(|extension| extension != "rs") {
                return Ok((path, text));
            }
            let text = rustfmt.format(&text).map_err(|error| error.to_string())?;
            Ok((path, text))
        })
        .collect()
}
