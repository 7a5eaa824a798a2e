//! Tests that points found by goals appear on the page.

use serde_json::{Value, json};

use super::open;
use super::synthetic::found;

#[test]
fn what_was_found_comes_first() {
    let Some(page) = open("found", &found()) else {
        return;
    };
    let texts = |selector: &str| {
        page.run(&format!(
            "return [...document.querySelectorAll('{selector}')].map((it) => it.textContent)"
        ))
    };
    assert_eq!(
        texts("#found figcaption"),
        json!([
            "Least cost where predicted_time_s < 8",
            "Not beaten by any other point in cost and predicted_time_s"
        ])
    );
    // The smallest value, and the next ones, in order.
    assert_eq!(texts("#found-0 tbody th"), json!(["62", "74", "61"]));
    assert_eq!(texts("#found-0 thead th")[1], "cost");
    assert_eq!(texts("#found-1 tbody th"), json!(["8", "32"]));
    assert_eq!(
        texts("#found-1 thead th"),
        json!([
            "Point",
            "cost",
            "predicted_time_s",
            "nodes",
            "network",
            "nat",
            "Command"
        ])
    );
    let best = texts(".prediction .label");
    let least = "Least cost where predicted_time_s < 8, at point 62";
    assert_eq!(best, json!([least]));
    let chosen = "return sweep.data.table.index[sweep.selectedRow.get()]";
    assert_eq!(page.run(chosen), 62);
    // A link in a table selects its point.
    page.browser.click("#found-1 tbody tr:last-child a");
    assert_eq!(page.run(chosen), 32);
    page.is_quiet();
}

/// Tests that the front's axes are the expressions of the goal, and that found points have rings.
#[test]
fn the_front_is_that_of_the_goal() {
    let Some(page) = open("found-front", &found()) else {
        return;
    };
    page.show("front-chart");
    let chosen = |id: &str| {
        page.run(&format!(
            "return document.getElementById('{id}').selectedOptions[0].textContent"
        ))
    };
    assert_eq!(
        (chosen("front-x"), chosen("front-y")),
        ("predicted_time_s".into(), "cost".into())
    );
    let rings = "return [...document.querySelectorAll('#front-chart circle')]\
                 .map((it) => Number(it.getAttribute('r')))";
    assert_eq!(page.run(rings), json!([13, 8, 8]));
    let note = page.run("return document.querySelector('#front > .meaning').textContent");
    let told = "Large rings: Least cost where predicted_time_s < 8. \
                Small rings: Not beaten by any other point in cost and predicted_time_s.";
    let Value::String(note) = note else {
        panic!("{note}");
    };
    assert!(note.ends_with(told), "{note}");
    page.is_quiet();
}
