//! Predicts the iterations that NVIDIA published, and prints the table of
//! `sample-models/megatron.md`. It is run in the folder of the project.

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
