//! Runs commands, which can be part of this program or separate programs.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use prophet_codegen::build;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::Checked;

use crate::{CommandOutcome, Door, Stop};

/// A command that needs many libraries, which predictions don't need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    Calibrate,
    Compare,
    Fit,
    Import,
    Lsp,
    Record,
    Report,
    Runs,
    Studio,
    Sweep,
    Trace,
    Workflow,
}

impl Tool {
    /// Runs the tool as the last action of this program.
    pub(crate) fn finish(self, door: &dyn Door, arguments: &[OsString]) -> CommandOutcome {
        if let Some(code) = self.linked(door, arguments) {
            return Ok(code);
        }
        let program = self.program(door)?;
        become_program(&program, program.as_os_str(), arguments)
    }

    pub(crate) fn run(self, door: &dyn Door, arguments: &[OsString]) -> CommandOutcome {
        if let Some(code) = self.linked(door, arguments) {
            return Ok(code);
        }
        let program = self.program(door)?;
        let status = Command::new(&program).args(arguments).status();
        let status = status.map_err(|error| cannot_start(&program, &error))?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        Ok(ExitCode::from(code.unwrap_or(1)))
    }

    #[allow(unused_variables, reason = "a build without features has none of them")]
    fn linked(self, door: &dyn Door, arguments: &[OsString]) -> Option<ExitCode> {
        let named = |command: &str| format!("{} {command}", door.program());
        match self {
            #[cfg(feature = "calibrate")]
            Self::Calibrate => Some(prophet_calibrate::command::main(
                &named("calibrate"),
                arguments,
            )),
            #[cfg(feature = "compare")]
            Self::Compare => {
                let program = named("compare");
                let workspace = || door.workspace().map_err(|stop| stop.message.into());
                Some(prophet_crosscheck::command::main(
                    &program, arguments, workspace,
                ))
            }
            #[cfg(feature = "fit")]
            Self::Fit => Some(prophet_fit::command::main(&named("fit"), arguments)),
            #[cfg(feature = "import")]
            Self::Import => Some(prophet_import::command::main(&named("import"), arguments)),
            #[cfg(feature = "lsp")]
            Self::Lsp => Some(prophet_lsp::command::main(arguments)),
            #[cfg(feature = "record")]
            Self::Record => Some(prophet_record::command::main(&named("record"), arguments)),
            #[cfg(feature = "report")]
            Self::Report => Some(prophet_report::command::main(arguments)),
            #[cfg(feature = "runs")]
            Self::Runs => Some(prophet_runs::command::main(&named("runs"), arguments)),
            #[cfg(feature = "studio")]
            Self::Studio => Some(prophet_studio::command::main(arguments)),
            #[cfg(feature = "sweep")]
            Self::Sweep => Some(prophet_sweep::command::main(
                &named("sweep"),
                arguments,
                &prophet_sweep::Models,
            )),
            #[cfg(feature = "trace")]
            Self::Trace => Some(prophet_export::command::main(arguments)),
            #[cfg(feature = "workflow")]
            Self::Workflow => Some(prophet_workflow::command::main(&named("run"), arguments)),
            #[allow(unreachable_patterns, reason = "all of them are features")]
            _ => None,
        }
    }

    /// Returns the tool's own program, and compiles it first if necessary.
    fn program(self, door: &dyn Door) -> Result<PathBuf, Stop> {
        let folder = match self {
            Self::Calibrate => "calibrate",
            Self::Compare => "crosscheck",
            Self::Fit => "fit",
            Self::Import => "import",
            Self::Lsp => "lsp",
            Self::Record => "record",
            Self::Report => "report",
            Self::Runs => "runs",
            Self::Studio => "studio",
            Self::Sweep => "sweep",
            Self::Trace => "export",
            Self::Workflow => "workflow",
        };
        let folder = door.workspace()?.root.join("crates").join(folder);
        // Tools that evaluate a lot are worth optimizing.
        let program = match self {
            Self::Sweep => build::release(&folder),
            _ => build::tool(&folder),
        };
        program.map_err(Stop::input)
    }
}

/// Predicts a drawn workflow as the last action of this program. If the tool is part of this
/// program, it uses the checked workflow. Otherwise, the arguments name the workflow's file and its
/// rules.
#[allow(
    unused_variables,
    clippy::unnecessary_wraps,
    reason = "a build without features passes the file on"
)]
pub(crate) fn finish_drawn(
    door: &dyn Door,
    arguments: &[OsString],
    (checked, rules): (&Checked, &RuleSet),
) -> CommandOutcome {
    #[cfg(feature = "workflow")]
    {
        let program = format!("{} run", door.program());
        let code = prophet_workflow::command::main_drawn(&program, arguments, checked, rules);
        Ok(code)
    }
    #[cfg(not(feature = "workflow"))]
    Tool::Workflow.finish(door, arguments)
}

/// Compares a model with a recording as the last action of this program. If the tool is part of
/// this program, it uses the checked model. Otherwise, the arguments name the model's file.
#[allow(
    unused_variables,
    clippy::unnecessary_wraps,
    reason = "a build without features passes the file on"
)]
pub(crate) fn finish_recorded(
    door: &dyn Door,
    arguments: &[OsString],
    checked: &Checked,
) -> CommandOutcome {
    #[cfg(feature = "record")]
    {
        let program = format!("{} record", door.program());
        let code = prophet_record::command::main_checked(&program, arguments, checked);
        Ok(code)
    }
    #[cfg(not(feature = "record"))]
    Tool::Record.finish(door, arguments)
}

#[cfg(not(feature = "generation"))]
pub(crate) fn become_whole(door: &dyn Door) -> CommandOutcome {
    let mut whole = door
        .whole(None)
        .ok_or_else(|| Stop::input("this program does not have this command"))?;
    let program = PathBuf::from(whole.get_program());
    start(&mut whole).map_err(|error| cannot_start(&program, &error))
}

/// Replaces this process with the program, so that only the program receives Ctrl-C. Returns only
/// if that fails. The program appears as `name`, if the system allows that.
pub(crate) fn become_program(
    program: &Path,
    name: &OsStr,
    arguments: &[OsString],
) -> CommandOutcome {
    let mut command = Command::new(program);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::arg0(&mut command, name);
    #[cfg(not(unix))]
    let _ = name;
    start(command.args(arguments)).map_err(|error| cannot_start(program, &error))
}

pub(crate) fn this_program() -> Result<PathBuf, Stop> {
    std::env::current_exe()
        .map_err(|error| Stop::input(format!("cannot find this program's own file: {error}")))
}

fn cannot_start(program: &Path, error: &std::io::Error) -> Stop {
    Stop::input(format!("cannot start {}: {error}", program.display()))
}

#[cfg(unix)]
fn start(program: &mut Command) -> std::io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(program))
}

#[cfg(not(unix))]
fn start(program: &mut Command) -> std::io::Result<ExitCode> {
    let code = program.status()?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
