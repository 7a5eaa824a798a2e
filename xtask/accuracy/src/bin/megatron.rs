//! Fits the prices of the machine `a100` to measured training iterations. Prints the prices,
//! followed by the table in `sample-models/megatron.md` that results from them. Run it in the
//! project's folder.

#![expect(clippy::print_stdout, reason = "tables are what the program is for")]

use std::process::ExitCode;

use prophet_accuracy::Places;
use prophet_accuracy::training::{
    Iteration, Local, PRICES, fit, measured, megatron, predictions, table,
};

fn main() -> ExitCode {
    match printed(&Places { root: ".".into() }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn printed(places: &Places) -> Result<(), String> {
    let rows = measured(places)?;
    let model = megatron(places)?;
    let layouts: Vec<_> = rows.iter().map(Iteration::layout).collect();
    let measured_s: Vec<f64> = rows.iter().map(Iteration::measured_s).collect();
    for (price, fitted_s) in PRICES.iter().zip(fit(&model, &layouts, &measured_s)) {
        let (price_us, share) = (fitted_s * 1e6, price.peak_s / fitted_s);
        println!(
            "{} = {price_us:.4} us, {share:.3} of the peak",
            price.operation
        );
    }
    let local = Local::new(&model, &layouts, model.prices());
    println!("\n{}", table(&rows, &predictions(&model, &local, &rows)));
    Ok(())
}
