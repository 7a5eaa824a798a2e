//! Tests that pages contain the figures that the project computes.

use std::path::Path;

use expect_test::expect_file;
use prophet_accuracy::{CASES, Kind, Pages, Places};

fn compare(kinds: &[Kind]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places = Places { root: root.clone() };
    let mut pages = Pages::read(&root).expect("the pages are there");
    for case in CASES.iter().filter(|case| kinds.contains(&case.kind)) {
        match (case.run)(&places) {
            Ok(found) => pages.take(case, &found).expect("the marks are there"),
            // All tests that use the folder next to the checkout do this.
            Err(reason) => eprintln!("skipped: {}: {reason}", case.name),
        }
    }
    expect_file!["../../../docs/accuracy.md"].assert_eq(&pages.page);
}

#[test]
fn computed_figures_are_up_to_date() {
    compare(&[Kind::Computed]);
}

#[test]
#[ignore = "it takes minutes"]
fn figures_of_random_laws_are_up_to_date() {
    compare(&[Kind::Long]);
}
