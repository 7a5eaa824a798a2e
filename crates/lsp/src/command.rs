//! Implements the `lsp` command: serves an editor on standard input and output.

use prophet_text::Problem;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use prophet_frontend::rule_flags::RuleFlags;

use crate::{serve, streams};

/// Serve an editor on standard input and output
#[derive(Debug, Parser)]
#[command(name = "lsp", no_binary_name = true)]
struct Arguments {
    #[command(flatten)]
    rules: RuleFlags,
}

/// Serves until the editor ends the session. The arguments are `check`'s flags for rules.
pub fn main(arguments: &[OsString]) -> ExitCode {
    prophet_text::exit_code(run(arguments).map(|()| ExitCode::SUCCESS))
}

fn run(arguments: &[OsString]) -> Result<(), Problem> {
    let rules = Arguments::parse_from(arguments).rules.read()?;
    let (connection, carriers) = streams::stdio();
    serve(connection, rules)?;
    carriers.join();
    Ok(())
}
