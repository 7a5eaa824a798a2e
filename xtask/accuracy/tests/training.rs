//! Tests that the sample `megatron` predicts measured training iterations.

use std::fs;
use std::path::Path;

use prophet_accuracy::training::{
    Iteration, Local, PRICES, Predicted, held_out, measured, megatron, nemo, predictions, table,
};
use prophet_accuracy::{Errors, Places};
use prophet_runtime::Machine;

fn places() -> Places {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Places { root }
}

#[test]
fn iterations_are_predicted_as_the_sample_says() {
    let Ok(rows) = measured(&places()) else {
        eprintln!("skipped: there is no ../shared/measurements/llm");
        return;
    };
    let model = megatron(&places()).expect("the sample can be read");
    let layouts: Vec<_> = rows.iter().map(Iteration::layout).collect();
    let local = Local::new(&model, &layouts, model.prices());
    let measured_s: Vec<f64> = rows.iter().map(Iteration::measured_s).collect();
    let refitted = local.step(&measured_s, None);
    for ((price, found_s), fitted_s) in PRICES.iter().zip(model.prices()).zip(refitted) {
        let change = (fitted_s / found_s - 1.0).abs();
        assert!(
            change < 1e-3,
            "a fit changes {} by {change}",
            price.operation
        );
    }
    let predicted = predictions(&model, &local, &rows);
    let page = fs::read_to_string(places().sample("megatron.md"));
    let table = table(&rows, &predicted);
    assert!(page.expect("there is a page").contains(&table), "{table}");
    let errors = |of: fn(&Predicted) -> f64| {
        Errors::new(predicted.iter().map(of).zip(measured_s.iter().copied()))
    };
    assert!(errors(|it| it.fitted_s).mean_percent() <= 4.0);
    assert!(errors(|it| it.left_out_s).mean_percent() <= 6.0);
}

#[test]
fn iterations_that_nothing_was_fitted_to_are_predicted_as_the_sample_says() {
    let Ok(found) = held_out(&places()) else {
        eprintln!("skipped: there is no ../shared/measurements/llm");
        return;
    };
    let page = fs::read_to_string(places().sample("fsdp.md")).expect("there is a page");
    assert!(page.contains(&found.table), "{}", found.table);
    // Prices of `a100` are fitted to other iterations, and launches matter little in these.
    for (machine, low, high) in found.ranges() {
        let shipped = Machine::preset(machine).expect("there is one of that name");
        let shipped = shipped.accuracy.expect("it has a range");
        assert_eq!((shipped.low, shipped.high), (low, high), "{machine}");
    }
    for (machine, operation, fitted_s) in found.prices {
        let shipped = Machine::preset(machine).expect("there is one of that name");
        let shipped_s = shipped.prices.get(operation).expect("it has a price");
        let change = (shipped_s / fitted_s - 1.0).abs();
        assert!(
            change < 1e-3 || machine == "a100" || operation == "DISPATCH" && change < 0.01,
            "{machine}, {operation}: {fitted_s} s"
        );
    }
}

#[test]
fn iterations_of_nvidia_are_predicted_as_the_sample_says() {
    let found = nemo(&places()).expect("the sample can be read");
    let page = fs::read_to_string(places().sample("megatron.md")).expect("there is a page");
    assert!(page.contains(&found.table), "{}", found.table);
    for (machine, which) in [("h100-te", 0), ("h200", 1), ("b200", 1)] {
        let shipped = Machine::preset(machine).expect("there is one of that name");
        let shipped = shipped.accuracy.expect("it has a range");
        let [low, high] = found.ranges[which];
        assert_eq!((shipped.low, shipped.high), (low, high), "{machine}");
    }
}

#[test]
fn tables_are_read_by_the_names_of_their_columns() {
    let rows = Iteration::all("b\titer_time_s\nx\t1.5\ny\t2\n");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1].text("b"), "y");
    assert!((rows[0].measured_s() - 1.5).abs() < 1e-12);
}
