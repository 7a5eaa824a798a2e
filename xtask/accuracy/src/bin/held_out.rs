//! Fits prices to every third row of published training iterations, and prints the table of
//! `sample-models/fsdp.md`, with the prices of the machine `h100`. It is run in the folder of the
//! project.

#![expect(clippy::print_stdout, reason = "tables are what the program is for")]

use std::process::ExitCode;

use prophet_accuracy::Places;
use prophet_accuracy::training::held_out;

fn main() -> ExitCode {
    match held_out(&Places { root: ".".into() }) {
        Ok(found) => {
            let [product, attention, interface] = found.fsdp.map(|price_s| price_s * 1e6);
            println!("GFLOP = {product:.4}\nATTENTION_GFLOP = {attention:.4}");
            println!("IB_GB = {interface:.0}\n\n{}", found.table);
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
