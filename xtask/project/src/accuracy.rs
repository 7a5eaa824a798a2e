//! Implements `cargo xtask accuracy`, which runs the program in `xtask/accuracy` to update the
//! figures in `docs/accuracy.md`.

use std::process::ExitCode;

use prophet_text::Context as _;

use crate::{CommandOutcome, Stop, workspace};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only compute or measure cases with one of these texts in their names
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    let status = prophet_testing::cargo()
        .args(["run", "--quiet", "--release", "--locked"])
        .args(["--package", "prophet-accuracy", "--"])
        .args(&arguments.cases)
        .current_dir(workspace()?.root)
        .status()
        .cannot("start", "cargo")?;
    if status.success() {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(Stop::input("the figures were not written"))
    }
}
