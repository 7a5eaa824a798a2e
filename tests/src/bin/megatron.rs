//! Fits the prices of `sample-models/a100.toml` to measured training iterations, and prints them
//! with the table of `sample-models/megatron.md`, which the prices in that file give.

#![expect(clippy::print_stdout, reason = "tables are what the program is for")]

use std::process::ExitCode;

use prophet_tests::megatron::{Local, Megatron, PRICES, fit, measured, predictions, table};

fn main() -> ExitCode {
    let Some(rows) = measured() else {
        eprintln!("error: there is no ../shared/measurements/llm");
        return ExitCode::FAILURE;
    };
    let model = Megatron::new();
    for (price, fitted_s) in PRICES.iter().zip(fit(&model, &rows)) {
        let (price_us, share) = (fitted_s * 1e6, price.peak_s / fitted_s);
        println!(
            "{} = {price_us:.4} us, {share:.3} of the peak",
            price.operation
        );
    }
    let local = Local::new(&model, &rows, model.prices());
    println!("\n{}", table(&rows, &predictions(&model, &local, &rows)));
    ExitCode::SUCCESS
}
