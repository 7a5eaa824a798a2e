//! Runs `cargo xtask record`, `learn`, and `validate` for recordings, for tests.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use prophet_frontend::checked::check;
use prophet_record::command::{Learn, Record, Validated, learn, record, validate};
use prophet_text::Problem;

#[derive(Debug, Parser)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Arguments {
    #[command(flatten)]
    record: Record,
    #[command(subcommand)]
    other: Option<Other>,
}

#[derive(Debug, Subcommand)]
enum Other {
    Learn(Learn),
    Validate {
        model: PathBuf,
        #[arg(long)]
        recording: PathBuf,
        #[arg(long)]
        json: bool,
        #[arg(last = true)]
        flags: Vec<OsString>,
    },
}

fn run(arguments: &Arguments) -> Result<ExitCode, Problem> {
    match &arguments.other {
        Some(Other::Learn(arguments)) => learn(arguments),
        Some(Other::Validate {
            model,
            recording,
            json,
            flags,
        }) => {
            let json = *json;
            let arguments = Validated {
                model,
                recording,
                json,
                flags,
            };
            validate(&arguments, &check(model, None)?)
        }
        None => record(&arguments.record),
    }
}

prophet_text::main_of_command!("cargo xtask record", Arguments, run);
