//! Predicts the iterations on one node of vTrain (github.com/VIA-Research/vTrain), and prints lines
//! of the table of `sample-models/fsdp.md`. It reads `data/ground_truth_single.csv`, and is run in
//! the folder of the project.

#![expect(clippy::print_stdout, reason = "tables are what the program is for")]

use std::process::ExitCode;

use prophet_accuracy::Places;
use prophet_accuracy::training::one_node;

fn main() -> ExitCode {
    let read = || {
        let file = std::env::args_os()
            .nth(1)
            .ok_or("name the file of iterations")?;
        let text = std::fs::read_to_string(&file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        one_node(&Places { root: ".".into() }, &text)
    };
    match read() {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
