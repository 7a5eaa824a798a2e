//! `cargo xtask run`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use prophet_codegen::generate::Request;
use prophet_targets::build;

use crate::check::Rules;
use crate::{Outcome, Stop, gen_cmd, workspace};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
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

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let rules = arguments.rules.read()?;
    let request = Request {
        main: arguments.main.as_deref(),
        to_run: true,
        force: arguments.force,
        ..Request::new(&arguments.model, &rules)
    };
    let generated = gen_cmd::write(&request)?;
    let folder = &generated.written[0].folder;
    let program = build::generated(folder, &workspace()?).map_err(Stop::input)?;
    let Some(repository) = &arguments.save else {
        return become_program(&program, &arguments.flags);
    };
    let mut command: Vec<OsString> = vec!["keep".into(), "--model".into()];
    command.extend([
        arguments.model.clone().into(),
        "--folder".into(),
        folder.into(),
    ]);
    if !repository.is_empty() {
        command.extend(["--repository".into(), repository.clone()]);
    }
    command.extend(["--".into(), program.into()]);
    command.extend(arguments.flags.iter().cloned());
    become_tool("repository", &command)
}

/// The program of one of `crates`, compiled if that was not done yet. Such programs have more
/// dependencies than is good for `gen` and `run`.
pub(crate) fn tool(name: &str) -> Result<PathBuf, Stop> {
    build::tool(&workspace()?.root.join("crates").join(name)).map_err(Stop::input)
}

/// Puts the program of one of `crates` in the place of this one.
pub(crate) fn become_tool(name: &str, arguments: &[OsString]) -> Outcome {
    become_program(&tool(name)?, arguments)
}

/// Puts the program in the place of this one, so that Ctrl-C is for it alone; returns only when
/// that fails.
fn become_program(program: &Path, arguments: &[OsString]) -> Outcome {
    start(Command::new(program).args(arguments))
        .map_err(|error| Stop::input(format!("cannot start {}: {error}", program.display())))
}

#[cfg(unix)]
fn start(program: &mut Command) -> std::io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(program))
}

/// Runs the program and ends as it does.
#[cfg(not(unix))]
fn start(program: &mut Command) -> std::io::Result<ExitCode> {
    let code = program.status()?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
