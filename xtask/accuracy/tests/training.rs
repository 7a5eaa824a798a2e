//! The sample `megatron` predicts measured training iterations.

use std::fs;
use std::path::Path;

use prophet_accuracy::training::{
    Iteration, Local, Megatron, PRICES, Predicted, measured, predictions, table,
};
use prophet_accuracy::{Errors, Places};

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
    let model = Megatron::new(&places()).expect("the sample can be read");
    let local = Local::new(&model, &rows, model.prices());
    let refitted = local.step(&rows, None);
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
    let measured_s = || rows.iter().map(Iteration::measured_s);
    let errors =
        |of: fn(&Predicted) -> f64| Errors::new(predicted.iter().map(of).zip(measured_s()));
    assert!(errors(|it| it.fitted_s).mean_percent() <= 4.0);
    assert!(errors(|it| it.left_out_s).mean_percent() <= 6.0);
}

#[test]
fn tables_are_read_by_the_names_of_their_columns() {
    let rows = Iteration::all("b\titer_time_s\nx\t1.5\ny\t2\n");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1].text("b"), "y");
    assert!((rows[0].measured_s() - 1.5).abs() < 1e-12);
}
