//! Implements the `lsp` command, which runs a language server on standard input and output.

use crate::tool::Tool;
use crate::{CommandOutcome, Door};
use prophet_frontend::rule_flags::RuleFlags;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Use standard input and output, which is always the case; some editors pass this flag
    #[arg(long)]
    stdio: bool,
    #[command(flatten)]
    rules: RuleFlags,
}

pub(crate) fn run(door: &dyn Door, arguments: &Arguments) -> CommandOutcome {
    Tool::Lsp.finish(door, &arguments.rules.again())
}
