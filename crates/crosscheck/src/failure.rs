//! Reasons why there is no comparison.

use prophet_codegen::generate;
use prophet_text::Problem;

/// Reason why there is no comparison.
#[derive(Debug)]
pub enum CompareFailure {
    /// The model cannot be generated, for the given reason.
    Model(generate::GenerateFailure),
    /// A tool is missing or failed, or a file cannot be read or written.
    Tool(Problem),
    /// The command line asks for something that the other simulator does not support.
    Flags(Problem),
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
