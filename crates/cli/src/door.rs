//! Defines what commands need to know about the program that offers them, and how a command can
//! end.

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
    /// Returns what users type to start the program, such as `cargo xtask`.
    fn program(&self) -> &str;

    /// Returns a call of the full program, with `words` after the options, or with all words of
    /// this call if that is `None`. Returns `None` if this is already the full program.
    fn whole(&self, _words: Option<Vec<OsString>>) -> Option<Command> {
        None
    }

    /// Returns the options before the command.
    fn options(&self) -> Vec<OsString>;

    /// Returns the folder in which the user works. Paths of models in results and generated files
    /// are relative to it.
    ///
    /// # Errors
    ///
    /// Returns an error if no such folder is found.
    fn project(&self) -> Result<PathBuf, Stop>;

    /// Returns the cache.
    ///
    /// # Errors
    ///
    /// Returns an error if no folder for it is found.
    fn cache(&self) -> Result<ProgramCache, Stop>;

    /// Returns the folder for build products.
    ///
    /// # Errors
    ///
    /// Returns an error if no such folder is found.
    fn target(&self) -> Result<PathBuf, Stop>;

    /// Returns the folders of the runtime's sources, of build products, and of generated files.
    ///
    /// # Errors
    ///
    /// Returns an error if a folder is missing and can't be created.
    fn workspace(&self) -> Result<Workspace, Stop>;
}

/// How a command ends: with an exit code, or with the reason why it stopped.
pub type CommandOutcome = Result<ExitCode, Stop>;

/// Why a command had to stop.
#[derive(Debug)]
pub struct Stop {
    /// Exit code: 1 for invalid input, 2 for an invalid command line.
    pub code: u8,
    /// Message for the user; empty if it has already been printed.
    pub message: String,
}

/// The input is invalid, so the command stops.
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
    /// Stops because the input is invalid.
    pub fn input(message: impl Into<String>) -> Self {
        Self {
            code: 1,
            message: message.into(),
        }
    }

    /// Stops because the command line is invalid.
    pub fn usage(message: impl Into<String>) -> Self {
        Self {
            code: 2,
            message: message.into(),
        }
    }
}

/// Prints why the command stopped, if it did, and returns the program's exit code.
pub fn end(outcome: CommandOutcome) -> ExitCode {
    outcome.unwrap_or_else(|stop| {
        if !stop.message.is_empty() {
            prophet_text::tell!("error: {}", prophet_text::plain::lines(&stop.message));
        }
        ExitCode::from(stop.code)
    })
}
