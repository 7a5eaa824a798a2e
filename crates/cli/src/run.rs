//! Command `run`.

use std::ffi::OsString;
use std::path::PathBuf;

use prophet_codegen::generate::Request;
use prophet_targets::build;

use crate::check::Rules;
use crate::tool::{Tool, become_program};
use crate::{Door, Outcome, Stop, gen_cmd};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The UML model (XMI)
    model: PathBuf,
    /// The activity to start with, where the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Overwrite files that the generator did not write
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    rules: Rules,
    /// Save the result, in a file or in a PostgreSQL database [default: the one of `runs`]
    #[arg(long, value_name = "FILE|URL", num_args = 0..=1, default_missing_value = "")]
    save: Option<OsString>,
    /// Flags of the generated program; `-- --help` lists them
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

/// Predicts: generates and compiles the crate of the model, and replaces this process by its
/// program.
pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> Outcome {
    let compiled = compile(door, arguments)?;
    match &arguments.save {
        None => become_program(&compiled.program, &arguments.flags),
        Some(repository) => keep(door, arguments, &compiled, repository),
    }
}

/// The crate of a model, compiled.
struct Compiled {
    folder: PathBuf,
    program: PathBuf,
}

/// Generates and compiles the crate of the model.
fn compile(door: &dyn Door, arguments: &Arguments) -> Result<Compiled, Stop> {
    let rules = arguments.rules.read()?;
    let request = Request {
        main: arguments.main.as_deref(),
        to_run: true,
        force: arguments.force,
        ..Request::new(&arguments.model, &rules)
    };
    let mut generated = gen_cmd::write(door, &request)?;
    let folder = generated.written.swap_remove(0).folder;
    let program = build::generated(&folder, &door.workspace()?).map_err(Stop::input)?;
    Ok(Compiled { folder, program })
}

/// Runs the program and saves its result.
fn keep(
    door: &dyn Door,
    arguments: &Arguments,
    compiled: &Compiled,
    repository: &OsString,
) -> Outcome {
    let mut command: Vec<OsString> = vec!["keep".into(), "--model".into()];
    command.push(arguments.model.clone().into());
    command.extend(["--folder".into(), compiled.folder.clone().into()]);
    if !repository.is_empty() {
        command.extend(["--repository".into(), repository.clone()]);
    }
    command.extend(["--".into(), compiled.program.clone().into()]);
    command.extend(arguments.flags.iter().cloned());
    Tool::Runs.finish(door, &command)
}
