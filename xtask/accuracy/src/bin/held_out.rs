//! Fits prices to every third row of published training iterations. Prints the table in
//! `sample-models/fsdp.md`, followed by the prices for the machines. Run it in the project's
//! folder.

#![expect(clippy::print_stdout, reason = "tables are what the program is for")]

use std::process::ExitCode;

use prophet_accuracy::Places;
use prophet_accuracy::training::held_out;

fn main() -> ExitCode {
    match held_out(&Places { root: ".".into() }) {
        Ok(found) => {
            for (machine, operation, price_s) in &found.prices {
                println!("{machine}: {operation} = {:.4} us", price_s * 1e6);
            }
            for (machine, low, high) in found.ranges() {
                println!("{machine}: [accuracy] low = {low}, high = {high}");
            }
            println!("\n{}", found.table);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
