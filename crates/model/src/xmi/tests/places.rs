//! Positions at which tools have drawn nodes.

use prophet_testing::assert_cases;

use super::source;
use crate::diagnostic::Diagnostics;

/// Names of elements with their positions.
fn places(xmi: &str) -> String {
    let model = crate::xmi::read(&source(xmi), None, &mut Diagnostics::new());
    let model = model.expect("there is an activity");
    let places = model.places.iter();
    let places = places.map(|(id, at)| format!("{} {} {}", model.element(*id).name, at.x, at.y));
    places.collect::<Vec<_>>().join(", ")
}

#[test]
fn positions_of_all_tools_are_read() {
    assert_cases("tests/cases/places.txt", |case| places(case.input));
}
