//! Runs the command `compare`.

use std::ffi::OsString;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use prophet_codegen::diagnostic::render_human;
use prophet_codegen::generate;
use prophet_codegen::workspace::Workspace;
use prophet_frontend::check::RuleSet;
use prophet_text::{Context as _, Problem};

use crate::measure::CompareFailure;
use crate::simgrid;
use crate::task::{ComparisonTask, compare_simulators};

/// Compare a prediction with another simulator on an equivalent platform
#[derive(Debug, Parser)]
#[command(name = "compare", version)]
pub struct Arguments {
    /// The other simulator
    #[arg(value_enum)]
    simulator: Simulator,
    /// The UML model (XMI)
    model: PathBuf,
    /// Start with this activity if the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Run each program this many times; times are medians
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = runs())]
    runs: u32,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Flags of the generated program
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

fn runs() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1000)
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Simulator {
    Simgrid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
}

/// Runs the command, and returns its exit code after a message, if it fails.
pub fn run(
    arguments: &Arguments,
    workspace: impl FnOnce() -> Result<Workspace, Problem>,
) -> ExitCode {
    match arguments.simulator {
        Simulator::Simgrid if !simgrid::is_installed() => {
            prophet_text::tell!(
                "skipped: SimGrid is not installed; {}",
                simgrid::HOW_TO_INSTALL
            );
            return ExitCode::SUCCESS;
        }
        Simulator::Simgrid => {}
    }
    match compare(arguments, workspace) {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, message)) => {
            if !message.is_empty() {
                prophet_text::tell!("{message}");
            }
            ExitCode::from(code)
        }
    }
}

/// Compares the simulators, and prints the result. If this fails, returns the exit code and a
/// message for the user.
fn compare(
    arguments: &Arguments,
    workspace: impl FnOnce() -> Result<Workspace, Problem>,
) -> Result<(), (u8, String)> {
    let error = |code: u8| move |message: Problem| (code, format!("error: {message}"));
    let workspace = workspace().map_err(error(1))?;
    let task = ComparisonTask {
        model: &arguments.model,
        main: arguments.main.as_deref(),
        flags: &arguments.flags,
        runs: arguments.runs,
        rules: &RuleSet::shipped(),
    };
    let compared = compare_simulators(&task, &workspace).map_err(|failure| match failure {
        CompareFailure::Model(failure) => (1, describe(&failure)),
        CompareFailure::Tool(message) => error(1)(message),
        CompareFailure::Flags(message) => error(2)(message),
        CompareFailure::Run(stopped) => (stopped.code, stopped.message),
    })?;
    let text = match arguments.format {
        Format::Table => compared.to_string(),
        Format::Json => {
            let text = serde_json::to_string_pretty(&compared);
            prophet_text::plain::json(&text.told().map_err(error(1))?) + "\n"
        }
    };
    prophet_text::print(&text).map_err(error(1))
}

fn describe(failure: &generate::GenerateFailure) -> String {
    use generate::GenerateFailure as F;
    match failure {
        F::File(message) | F::Tool(message) => format!("error: {message}"),
        F::Output(problem) => format!("error: {problem}"),
        F::Stale { folder, .. } => format!("error: {} is not up to date", folder.display()),
        F::Model(checked) => render_human(&checked.source, &checked.diagnostics, false),
    }
}
