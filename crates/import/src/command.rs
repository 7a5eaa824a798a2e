//! Implements the command `import`, and `run` for traces.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use prophet_targets::form::{ModelForm, refuse_existing};
use prophet_text::Problem;

use crate::{Folded, ImportedTrace, fold, model_name, replay, trace};

/// Fold another tool's trace into a model: time-independent traces, GOAL, liballprof, OTF2,
/// Chakra, Kineto
#[derive(Debug, Parser)]
#[command(
    name = "import",
    version,
    disable_help_subcommand = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    import: Import,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Replay a trace, as `run` does
    Replay(ReplayCommand),
}

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the trace can't be read, or the model can't be written.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Problem> {
    match &arguments.command {
        Some(Command::Replay(arguments)) => replay(&arguments.trace, &arguments.flags),
        None => fold_trace(&arguments.import),
    }
}

#[derive(Debug, clap::Args)]
struct ReplayCommand {
    /// The trace: a file, a file that lists the ranks' files, or the folder with these files
    trace: PathBuf,
    /// Flags of a generated program
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

/// Replays a trace with flags of a generated program, for `run`.
///
/// # Errors
///
/// Returns an error if the trace can't be read, or a flag would replace it.
pub fn replay(path: &Path, flags: &[OsString]) -> Result<ExitCode, Problem> {
    let outputs = prophet_runtime::written_files(flags);
    let outputs = outputs.iter().map(|(flag, path)| (*flag, path));
    trace::inputs(path).refuse(outputs)?;
    let trace = ImportedTrace::open(path)?;
    for note in trace.notes() {
        prophet_text::tell!("note: {note}");
    }
    Ok(replay::replay(&trace, path, flags)?.into())
}

#[derive(Debug, clap::Args)]
struct Import {
    /// The trace: a file, a file that lists the ranks' files, or the folder with these files
    #[arg(required = true)]
    trace: Option<PathBuf>,
    /// The model to write: FILE.prophet.xml in plain XML, FILE.puml as text, FILE.uml as UML 2
    #[arg(long, required = true, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

fn fold_trace(arguments: &Import) -> Result<ExitCode, Problem> {
    let (Some(path), Some(out)) = (&arguments.trace, &arguments.out) else {
        return Err("a trace and `--out` are required".into());
    };
    let form = ModelForm::of(out)?;
    trace::inputs(path).refuse([("--out", out)])?;
    if !arguments.force {
        refuse_existing(out)?;
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folded = fold(&ImportedTrace::open(path)?, &model_name(&stem, "Trace"))?;
    write(&folded, form, path, out)?;
    prophet_text::tell!("wrote {}: {}", out.display(), folded.sizes());
    if let Some(remark) = folded.remark() {
        prophet_text::tell!("note: {remark}");
    }
    Ok(ExitCode::SUCCESS)
}

fn write(folded: &Folded, form: ModelForm, trace: &Path, out: &Path) -> Result<(), Problem> {
    let from = trace.file_name().unwrap_or_default().to_string_lossy();
    let text = form.of_xml(folded.text.clone(), &from).map_err(|why| {
        let other = match form {
            ModelForm::Xml => "",
            ModelForm::Text | ModelForm::Uml => {
                "; try --out FILE.prophet.xml, which may support this"
            }
        };
        format!("cannot write {}: {why}{other}", out.display())
    })?;
    form.write(out, text)
}
