//! Predicts training iterations that NVIDIA has published, and prints the table in
//! `sample-models/megatron.md`. Run it in the project's folder.

#![expect(clippy::print_stdout, reason = "tables are what the program is for")]

use std::process::ExitCode;

use prophet_accuracy::Places;
use prophet_accuracy::training::nemo;

fn main() -> ExitCode {
    match nemo(&Places { root: ".".into() }) {
        Ok(found) => {
            println!("{}", found.table);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
