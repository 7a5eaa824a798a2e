//! LAPW0: the model has the coefficients of the fit, and the sample's page its figures.

use std::path::Path;

use prophet_accuracy::lapw0::{MEASURED, closed_form, coefficients, predict, table};
use prophet_accuracy::{CASES, Places, interpreted_sample};

fn places() -> Places {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Places { root }
}

/// The formula of `sample-models/lapw0.md`, which no element of the model computes.
#[test]
fn the_model_follows_its_closed_form() {
    let model = interpreted_sample(&places(), "lapw0.uml").expect("it can be read");
    for row in &MEASURED {
        let expected_s = closed_form([71.13, 14.82, 0.5233, 0.8827], row);
        let error = (predict(&model, row) / expected_s - 1.0).abs();
        assert!(error <= 1e-9, "{row:?}: {error}");
    }
}

#[test]
fn the_model_has_the_coefficients_of_the_fit() {
    let expected = [71.1310, 14.8235, 0.523_324, 0.882_652];
    for (found, expected) in coefficients(&MEASURED).into_iter().zip(expected) {
        assert!((found / expected - 1.0).abs() < 1e-5, "{found}");
    }
}

#[test]
fn the_page_has_the_table() {
    let model = interpreted_sample(&places(), "lapw0.uml").expect("it can be read");
    let page = std::fs::read_to_string(places().sample("lapw0.md")).expect("there is a page");
    let table = table(&model);
    assert!(page.contains(&table), "{table}");
}

#[test]
fn errors_are_as_small_as_promised() {
    let case = CASES.iter().find(|case| case.name == "LAPW0");
    let found = (case.expect("it is a case").run)(&places()).expect("it needs no file besides");
    let row = |predicted| found.rows.iter().find(|row| row.predicted == predicted);
    let all = row("all rows").expect("it is there");
    assert!(all.mean <= 5.0 && all.worst <= Some(10.0), "{all:?}");
    let left_out = row("a row left out").expect("it is there");
    assert!(left_out.mean <= 5.0, "{left_out:?}");
}
