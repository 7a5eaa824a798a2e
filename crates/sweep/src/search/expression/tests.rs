//! Tests values, margins and rejections of expressions.

#![allow(clippy::float_cmp, reason = "these values are exact")]

use prophet_testing::assert_cases;

use super::*;

const NAMES: [(&str, Value<'_>); 4] = [
    ("predicted_time_s", Value::Number(0.0)),
    ("nodes", Value::Number(0.0)),
    ("efficiency.parallel", Value::Number(0.0)),
    ("network", Value::Text("")),
];

const VALUES: [Value<'_>; 4] = [
    Value::Number(60.0),
    Value::Number(4.0),
    Value::Number(0.5),
    Value::Text("fast"),
];

fn value(text: &str) -> f64 {
    let read = Expression::number(text, &NAMES).unwrap_or_else(|error| panic!("{error}"));
    read.value(&VALUES)
}

fn margin(text: &str) -> f64 {
    let read = Expression::condition(text, &NAMES).unwrap_or_else(|error| panic!("{error}"));
    read.margin(&VALUES)
}

#[test]
fn operators_bind_as_in_c() {
    for (text, expected) in [
        ("predicted_time_s * nodes", 240.0),
        ("1 + 2 * 3 - 4 / 8", 6.5),
        ("10 - 2 - 3", 5.0),
        ("-nodes - -1", -3.0),
        ("7 % 4 * 2", 6.0),
        ("nodes / 8", 0.5),
        ("1e-3 + .5 + 2.E+1", 20.501),
        ("max(1, nodes, 3) + min(7, 2)", 6.0),
        ("sqrt(nodes) + pow(2, 3) + log2(8)", 13.0),
        ("nodes > 2 ? 1 : nodes > 1 ? 2 : 3", 1.0),
        ("network == 'fast' && !(nodes > 4) ? 1.5 : 1", 1.5),
        ("efficiency.parallel", 0.5),
        ("nodes == 4 ? 1 : 1 / 0", 1.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn margins_are_above_0_where_a_condition_does_not_hold() {
    for (text, holds) in [
        ("nodes < 4", false),
        ("nodes <= 4", true),
        ("nodes >= 4", true),
        ("nodes > 4", false),
        ("nodes == 4", true),
        ("nodes != 4", false),
        ("nodes < 5 && predicted_time_s < 60", false),
        ("nodes < 5 || predicted_time_s < 60", true),
        ("!(nodes < 4)", true),
        ("!(nodes <= 4)", false),
        ("!(nodes != 4)", true),
        ("network != \"slow\"", true),
        ("network == \"slow\"", false),
        ("nodes - 5 < 0", true),
        ("1 / 0 > 1", true),
        ("1 / 0 <= 1 / 0", true),
        ("nodes > 1 ? nodes < 2 : nodes < 9", false),
    ] {
        assert_eq!(margin(text) <= 0.0, holds, "{text}: {}", margin(text));
        assert!(!margin(text).is_nan(), "{text}");
    }
    assert!((margin("predicted_time_s < 30") - 2_f64.ln()).abs() < 1e-12);
    assert!(margin("nodes - 9 < -6") - 1.0 < 1e-12);
}

#[test]
fn what_is_not_defined_is_not_a_number() {
    assert!(value("0 / 0").is_nan());
    assert!(value("max(1, sqrt(-nodes))").is_nan());
    assert!(value("min(sqrt(-nodes), 1)").is_nan());
    assert!(value("sqrt(-1) > 0 ? 1 : 2").is_nan());
    assert!(margin("0 / 0 < 1").is_nan());
    assert!(margin("nodes < 5 && 0 / 0 < 1").is_nan());
    let time = Expression::number("nodes * 2", &NAMES).expect("it is a number");
    let text = [Value::Text(""); 4];
    assert!(time.value(&text).is_nan());
}

#[test]
fn names_that_occur_are_told() {
    let read = Expression::number("nodes * nodes + predicted_time_s", &NAMES);
    assert_eq!(read.expect("it is a number").names(), [0, 1]);
}

#[test]
fn what_is_none_is_refused_with_the_place() {
    assert_cases("tests/cases/expressions.txt", |case| {
        let read = if case.title.starts_with("objectives") {
            Expression::number
        } else {
            Expression::condition
        };
        let told = case.input.lines().map(|text| match read(text, &NAMES) {
            Ok(_) => format!("{text}: accepted\n"),
            Err(misfit) => format!("{misfit}\n"),
        });
        told.collect()
    });
}

#[test]
fn deep_texts_are_refused_and_long_ones_are_not() {
    let deep = format!("{}1{}", "(".repeat(200_000), ")".repeat(200_000));
    let refused = Expression::number(&deep, &NAMES).expect_err("it is nested");
    assert!(refused.why.contains("nested more than 100 times"));
    assert_eq!(value(&format!("1{}", " + 1".repeat(200_000))), 200_001.0);
    assert_eq!(value(&format!("{}1", "-".repeat(200_000))), 1.0);
}

proptest::proptest! {
    /// Tests that any text is parsed or rejected, and that the place of a problem can be printed.
    #[test]
    fn no_text_is_too_strange(text in "[a-z0-9.<>=!&|?:(),'\"+*/% é-]{0,40}") {
        for read in [Expression::number(&text, &NAMES), Expression::condition(&text, &NAMES)] {
            match read {
                Ok(expression) => drop(expression.value(&VALUES)),
                Err(misfit) => drop(misfit.to_string()),
            }
        }
    }
}
