//! Reasons why there is no comparison.

use prophet_codegen::generate;

/// Reason why there is no comparison.
#[derive(Debug)]
pub enum CompareFailure {
    /// The model cannot be generated, for the given reason.
    Model(generate::GenerateFailure),
    /// A tool is missing or failed, or a file cannot be read or written: a message.
    Tool(String),
    /// The command line asks for something that the other simulator does not support: a message.
    Flags(String),
    /// One of the programs ended without a result; it has printed the reason.
    Run(StoppedProgram),
}

/// A program that ended without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoppedProgram {
    /// Exit code; 3 if it was killed.
    pub code: u8,
    /// Message that the program printed.
    pub message: String,
}
