//! Implements the `lsp` command: serves an editor on standard input and output.

use prophet_text::Problem;
use std::process::ExitCode;

use clap::Parser;
use prophet_frontend::rule_flags::RuleFlags;

use crate::{serve, streams};

/// Serve an editor: problems, completions, explanations and predictions as you type
#[derive(Debug, Parser)]
#[command(name = "lsp")]
pub struct Arguments {
    /// Use standard input and output, which is always the case; some editors pass this flag
    #[arg(long)]
    stdio: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

/// Serves until the editor ends the session.
///
/// # Errors
///
/// Returns an error if the rules can't be read, or the editor breaks the protocol.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Problem> {
    let rules = arguments.rules.read()?;
    let (connection, carriers) = streams::stdio();
    serve(connection, rules)?;
    carriers.join();
    Ok(ExitCode::SUCCESS)
}
