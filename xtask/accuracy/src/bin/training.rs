//! Prints a table of training iterations for a page of the samples, and the prices and ranges that
//! are fitted for it. Run it in the project's folder.

#![expect(clippy::print_stdout, reason = "tables are what the program is for")]

use std::process::ExitCode;

use prophet_accuracy::Places;
use prophet_accuracy::training::{
    Iteration, Local, PRICES, fit, held_out, measured, megatron, nemo, predictions, table,
};

fn main() -> ExitCode {
    let places = Places { root: ".".into() };
    let printed = match std::env::args().nth(1).as_deref() {
        Some("held-out") => print_held_out(&places),
        Some("megatron") => print_megatron(&places),
        Some("nemo") => nemo(&places).map(|found| println!("{}", found.table)),
        _ => Err("expected `held-out`, `megatron` or `nemo`".to_owned()),
    };
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn print_held_out(places: &Places) -> Result<(), String> {
    let found = held_out(places)?;
    for (machine, operation, price_s) in &found.prices {
        println!("{machine}: {operation} = {:.4} us", price_s * 1e6);
    }
    for (machine, low, high) in found.ranges() {
        println!("{machine}: [accuracy] low = {low}, high = {high}");
    }
    println!("\n{}", found.table);
    Ok(())
}

fn print_megatron(places: &Places) -> Result<(), String> {
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
