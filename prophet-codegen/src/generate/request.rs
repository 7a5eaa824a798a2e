//! Generates the files of one or more targets on request.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::crate_name;
use crate::output::{self, Mode, OutputError, Report, record};
use crate::place::{self, Place};
use crate::target::rust::{self, Rust};
use crate::target::{self, Files, Input, Target, format};
use crate::workspace::Workspace;
use prophet_frontend::assume;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by};
use prophet_model::diagnostic::Diagnostics;
use prophet_text::Problem;

/// Why no files were generated.
#[derive(Debug)]
pub enum GenerateFailure {
    /// The model file cannot be read.
    File(Problem),
    /// The model has errors.
    Model(Box<Checked>),
    /// The files cannot be written or compared.
    Output(OutputError),
    /// With [`Mode::Check`], the files on disk are out of date.
    Stale {
        /// The folder of these files.
        folder: PathBuf,
        /// How the files differ.
        report: Report,
        /// The command that updates the files.
        command: String,
    },
    /// A tool that generation needs is missing or failed.
    Tool(Problem),
}

/// A request to generate the files of one or more targets.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The model file.
    pub model: &'a Path,
    /// The name of the main activity, if the user chose one.
    pub main: Option<&'a str>,
    /// The targets to generate files for.
    pub targets: &'a [&'a dyn Target],
    /// The output folder, if the user chose one. With several targets, each target gets a
    /// subfolder.
    pub out: Option<&'a Path>,
    /// Whether to write the files, or only to compare them with those on disk.
    pub mode: Mode,
    /// Whether the crate will only be compiled and run. If so, it goes to the build folder, unless
    /// the model is a sample.
    pub to_run: bool,
    /// Whether to overwrite another model's crate, and files that were not generated.
    pub force: bool,
    /// How messages refer to the calling program, such as `cargo xtask`.
    pub program: &'a str,
    /// The rules for checking the model.
    pub rules: &'a RuleSet,
}

impl<'a> Request<'a> {
    /// Creates a request to write the crate for `model` to its default folder.
    pub fn new(model: &'a Path, rules: &'a RuleSet) -> Self {
        Self {
            model,
            main: None,
            targets: &[&Rust],
            out: None,
            mode: Mode::Write,
            to_run: false,
            force: false,
            program: "cargo xtask",
            rules,
        }
    }
}

/// Files that were generated and are up to date on disk.
#[derive(Debug)]
pub struct Generated {
    /// Name of the model's crate.
    pub name: String,
    /// The files of each target.
    pub written: Vec<Written>,
    /// The model after checking, with its warnings.
    pub checked: Checked,
}

/// The files of one target.
#[derive(Debug)]
pub struct Written {
    /// Folder of the files.
    pub folder: PathBuf,
    /// Which files were written, or which differ if they were only compared.
    pub report: Report,
}

/// Reads a model and generates the requested files.
///
/// # Errors
///
/// Returns an error if the file can't be read, or any error of [`generate_checked`].
pub fn generate(
    request: &Request<'_>,
    workspace: &Workspace,
) -> Result<Generated, GenerateFailure> {
    let checked =
        check_by(request.rules, request.model, request.main).map_err(GenerateFailure::File)?;
    generate_checked(request, checked, workspace)
}

/// Generates the requested files from a model. It must have been checked with the request's rules.
///
/// # Errors
///
/// Returns an error if the model has errors, if a target cannot express it, or if the files cannot
/// be written.
pub fn generate_checked(
    request: &Request<'_>,
    mut checked: Checked,
    workspace: &Workspace,
) -> Result<Generated, GenerateFailure> {
    let name = crate_name(request.model);
    let place = Place::of(request.model, request.out, request.to_run, workspace);
    let made =
        make(request, workspace, &place, name, &mut checked).map_err(GenerateFailure::Tool)?;
    let Some(Made { name, files }) = made else {
        return Err(GenerateFailure::Model(Box::new(checked)));
    };
    let mut written = Vec::new();
    let inputs = inputs(&checked, request);
    for (target, (folder, files)) in request.targets.iter().zip(files) {
        // Users don't edit files that are only compiled, and workspace members are under version
        // control.
        let noted = place != Place::Built && !workspace.has_member(&folder);
        let report =
            write(request, noted, &inputs, (&folder, &files)).map_err(GenerateFailure::Output)?;
        if request.mode == Mode::Check && !report.is_fresh() {
            let command = command(request, *target);
            return Err(GenerateFailure::Stale {
                folder,
                report,
                command,
            });
        }
        written.push(Written { folder, report });
    }
    Ok(Generated {
        name,
        written,
        checked,
    })
}

/// Lists all files that a request reads.
fn inputs(checked: &Checked, request: &Request<'_>) -> Vec<PathBuf> {
    let folder = request.model.parent().unwrap_or(Path::new(""));
    let mut files = checked.files_beside(folder);
    files.push(request.model.to_owned());
    files.extend(request.rules.vocabulary().files.iter().cloned());
    files
}

/// Writes or compares a target's files. If `noted`, remembers their text, so that users' changes
/// are noticed later.
fn write(
    request: &Request<'_>,
    noted: bool,
    inputs: &[PathBuf],
    (folder, files): (&Path, &Files),
) -> Result<Report, OutputError> {
    if request.mode == Mode::Check {
        return output::write_or_check(folder, files, Mode::Check, request.force);
    }
    place::refuse_inputs(folder, files, inputs)?;
    if !request.force {
        let report = output::write_or_check(folder, files, Mode::Check, false)?;
        if !report.is_fresh() {
            place::refuse_other(folder, files)?;
            let replaced = report.stale.iter().chain(&report.superfluous);
            let changed = record::changed(folder, replaced);
            if !changed.is_empty() {
                return Err(OutputError::Changed(changed));
            }
        }
    }
    let report = output::write_or_check(folder, files, Mode::Write, request.force)?;
    if noted {
        let path = || folder.join(record::NAME);
        record::keep(folder, files).map_err(|source| OutputError::Io {
            action: "write",
            path: path(),
            source,
        })?;
    }
    Ok(report)
}

struct Made {
    name: String,
    files: Vec<(PathBuf, Files)>,
}

/// Generates and formats the files to write. Returns `None` if the model has errors or a target
/// reports some.
///
/// # Errors
///
/// Returns an error if rustfmt is missing or fails.
fn make(
    request: &Request<'_>,
    workspace: &Workspace,
    place: &Place,
    mut name: String,
    checked: &mut Checked,
) -> Result<Option<Made>, Problem> {
    let (Some(model), Some(program)) = (&checked.model, &checked.program) else {
        return Ok(None);
    };
    let model_file = workspace.file_name(request.model);
    let mut made = Vec::new();
    let mut problems = Diagnostics::new();
    let only = request.targets.len() == 1;
    let input = Input {
        program,
        model,
        source: &checked.source,
        vocabulary: request.rules.vocabulary(),
        name: "",
        model_file: &model_file,
        main: request.main,
        folder: Path::new(""),
        workspace,
    };
    let mut library = None;
    if *place == Place::Built {
        let folder = place.folder(&Rust, &name, workspace, only);
        let input = Input {
            name: &name,
            folder: &folder,
            ..input
        };
        let files = rust::library(&input);
        name = place::keyed(&name, [&files, &rust::frame(&input)]);
        library = Some(files);
    }
    for target in request.targets {
        let folder = place.folder(*target, &name, workspace, only);
        let input = Input {
            name: &name,
            folder: &folder,
            ..input
        };
        target::check(*target, &input, &mut problems);
        if !problems.has_errors() {
            let files = match library.take_if(|_| place::is_crate(*target)) {
                Some(library) => library.into_iter().chain(rust::frame(&input)).collect(),
                None => target.files(&input),
            };
            let files = finished(*target, &input, files)?;
            made.push((folder, files));
        }
    }
    let sound = !problems.has_errors();
    checked.diagnostics.extend(problems.sorted());
    Ok(sound.then_some(Made { name, files: made }))
}

/// Returns the files that a target would write for a checked model, or `None` if the target reports
/// an error.
///
/// # Errors
///
/// Returns an error if rustfmt is missing or fails.
pub fn files(
    target: &dyn Target,
    input: &Input<'_>,
    problems: &mut Diagnostics,
) -> Result<Option<Files>, Problem> {
    target::check(target, input, problems);
    if problems.has_errors() {
        return Ok(None);
    }
    finished(target, input, target.files(input)).map(Some)
}

fn finished(target: &dyn Target, input: &Input<'_>, files: Files) -> Result<Files, Problem> {
    let mut files = format(files)?;
    let sidecars = target.sidecars(input, &files);
    files.extend(sidecars);
    Ok(files)
}

fn command(request: &Request<'_>, stale: &dyn Target) -> String {
    let mut command = format!("{} gen {}", request.program, request.model.display());
    if let Some(out) = request.out {
        let _ = write!(command, " --out {}", out.display());
    }
    let names: Vec<&str> = request.targets.iter().map(|it| it.flag()).collect();
    if request.targets.len() > 1 || stale.name() != Rust.name() {
        let _ = write!(command, " --target {}", names.join(","));
    }
    if let Some(main) = request.main {
        let _ = write!(command, " --main {main}");
    }
    for file in &request.rules.vocabulary().files {
        let _ = write!(command, " --vocabulary {}", file.display());
    }
    if let Some(step_s) = request.rules.assumed_step_s() {
        command.push_str(&assume::flags(step_s));
    }
    command
}
