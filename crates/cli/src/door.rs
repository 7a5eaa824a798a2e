//! Programs that offer the commands, and how commands end.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use prophet_codegen::workspace::Workspace;
use prophet_frontend::rule_flags::WrongRules;
use prophet_text::Problem;

use crate::ProgramCache;

/// A program that offers the commands.
pub trait Door: fmt::Debug + Sync {
    /// The words by which users call the program, as `cargo xtask`.
    fn program(&self) -> &str;

    /// The call of the program that has all commands, with these words after the options, or with
    /// all words of this call; `None` if this program has all commands.
    fn whole(&self, _words: Option<Vec<OsString>>) -> Option<Command> {
        None
    }

    /// The options before the command.
    fn options(&self) -> Vec<OsString>;

    /// The folder of the user's work, from which results and generated files name models.
    ///
    /// # Errors
    ///
    /// Fails if no such folder is found.
    fn project(&self) -> Result<PathBuf, Stop>;

    /// The folder of files that can be made again.
    ///
    /// # Errors
    ///
    /// Fails if no such folder is found.
    fn cache(&self) -> Result<ProgramCache, Stop>;

    /// The folder of what is compiled.
    ///
    /// # Errors
    ///
    /// Fails if no such folder is found.
    fn target(&self) -> Result<PathBuf, Stop>;

    /// The folders of the runtime's sources, of what is compiled, and of what is generated.
    ///
    /// # Errors
    ///
    /// Fails if the folders are missing and cannot be made.
    fn workspace(&self) -> Result<Workspace, Stop>;
}

/// End of a command: an exit code, or the reason why it stopped.
pub type CommandOutcome = Result<ExitCode, Stop>;

/// Reason why a command stopped.
#[derive(Debug)]
pub struct Stop {
    /// 1 for input that is wrong, 2 for a command line that is.
    pub code: u8,
    /// The message for the user; empty where it was shown already.
    pub message: String,
}

/// An input is wrong.
impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::input(problem)
    }
}

impl From<WrongRules> for Stop {
    fn from(wrong: WrongRules) -> Self {
        match wrong {
            WrongRules::File(problem) => Self::input(problem),
            WrongRules::Flag(problem) => Self::usage(problem),
        }
    }
}

impl Stop {
    /// The input is wrong.
    pub fn input(message: impl Into<String>) -> Self {
        Self {
            code: 1,
            message: message.into(),
        }
    }

    /// The command line is wrong.
    pub fn usage(message: impl Into<String>) -> Self {
        Self {
            code: 2,
            message: message.into(),
        }
    }
}

/// Shows the reason of a stop, and gives the program's exit code.
pub fn end(outcome: CommandOutcome) -> ExitCode {
    outcome.unwrap_or_else(|stop| {
        if !stop.message.is_empty() {
            prophet_text::tell!("error: {}", prophet_text::plain::lines(&stop.message));
        }
        ExitCode::from(stop.code)
    })
}
