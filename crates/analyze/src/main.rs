//! Runs `cargo xtask analyze`.

use std::process::ExitCode;

use clap::Parser as _;

#[derive(clap::Parser)]
#[command(name = "analyze", version)]
struct Program {
    #[command(flatten)]
    arguments: prophet_analyze::command::Arguments,
}

fn main() -> ExitCode {
    let outcome = prophet_analyze::command::run(&Program::parse().arguments);
    prophet_text::exit_code(outcome.map(|()| 0))
}
