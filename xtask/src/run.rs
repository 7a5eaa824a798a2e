//! `cargo xtask run`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use prophet_codegen::build;
use prophet_codegen::generate::Request;

use crate::check::Rules;
use crate::{Outcome, Stop, gen_cmd};

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
    /// Flags of the generated program; `-- --help` lists them
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let rules = arguments.rules.read()?;
    let request = Request {
        main: arguments.main.as_deref(),
        force: arguments.force,
        ..Request::new(&arguments.model, &rules)
    };
    let generated = gen_cmd::write(&request)?;
    let program = build::release(&generated.written[0].folder).map_err(Stop::input)?;
    become_program(Command::new(&program).args(&arguments.flags))
        .map_err(|error| Stop::input(format!("cannot start {}: {error}", program.display())))
}

/// Puts the program in the place of this one, so that Ctrl-C is for it alone; returns only when
/// that fails.
#[cfg(unix)]
pub(crate) fn become_program(program: &mut Command) -> std::io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(program))
}

/// Runs the program and ends as it does.
#[cfg(not(unix))]
pub(crate) fn become_program(program: &mut Command) -> std::io::Result<ExitCode> {
    let code = program.status()?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
