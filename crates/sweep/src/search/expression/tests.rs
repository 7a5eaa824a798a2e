//! Values, margins and refusals of expressions.

#![allow(clippy::float_cmp, reason = "these values are exact")]

use expect_test::{Expect, expect};

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

/// All that is said of texts that are refused.
fn refused(read: fn(&str) -> Result<Expression, Misfit>, texts: &[&str], expected: &Expect) {
    let told = texts.iter().map(|text| match read(text) {
        Ok(_) => format!("{text}: accepted\n"),
        Err(misfit) => format!("{misfit}\n"),
    });
    expected.assert_eq(&told.collect::<String>());
}

/// Texts that are no objectives.
const NO_OBJECTIVES: [&str; 21] = [
    "predicted_tme_s * nodes",
    "nodes * speed",
    "nodes *",
    "",
    "(nodes",
    "nodes nodes",
    "nodes < 3",
    "network",
    "network * 2",
    "2 * (nodes < 3)",
    "nodes ^ 2",
    "120s",
    "1e999",
    "maxi(1, 2)",
    "sine(1)",
    "max(1)",
    "sqrt(1, 2)",
    "nodes ? 1 : 2",
    "nodes > 1 ? 1 : nodes < 2",
    "é € 1",
    "nodes == 'x",
];

#[test]
fn objectives_that_are_none_are_refused_with_the_place() {
    refused(
        |text| Expression::number(text, &NAMES),
        &NO_OBJECTIVES,
        &expect![[r#"
            `predicted_tme_s` is no result and no parameter of this sweep; did you mean `predicted_time_s`?
              predicted_tme_s * nodes
              ^^^^^^^^^^^^^^^
            `speed` is no result and no parameter of this sweep; there are predicted_time_s, nodes, efficiency.parallel, network
              nodes * speed
                      ^^^^^
            here should be a number, a name or `(`
              nodes *
                     ^
            the expression is empty
            here should be `)`
              (nodes
                    ^
            here should be the end, or an operator
              nodes nodes
                    ^^^^^
            this is a condition, true or false; an objective is a number, such as `predicted_time_s * nodes`
              nodes < 3
              ^^^^^^^^^
            this is a text; an objective is a number, such as `predicted_time_s * nodes`
              network
              ^^^^^^^
            this is a text, not a number
              network * 2
              ^^^^^^^
            this is a condition, true or false, not a number
              2 * (nodes < 3)
                  ^^^^^^^^^^^
            a power is written pow(base, exponent)
              nodes ^ 2
                    ^
            this is no number; numbers have no units: times are in seconds
              120s
              ^^^^
            this number is too large
              1e999
              ^^^^^
            there is no function `maxi`; did you mean `max`?
              maxi(1, 2)
              ^^^^
            there is no function `sine`; there are abs, ceil, exp, floor, log, log10, log2, max, min, pow, round, sqrt
              sine(1)
              ^^^^
            max takes 2 arguments, not 1
              max(1)
              ^^^^^^
            sqrt takes 1 argument, not 2
              sqrt(1, 2)
              ^^^^^^^^^^
            this is a number, not a condition, true or false
              nodes ? 1 : 2
              ^^^^^^^
            this is a condition, true or false, not a number
              nodes > 1 ? 1 : nodes < 2
                              ^^^^^^^^^
            an expression has no such character
              é € 1
                ^
            this text has no closing quote
              nodes == 'x
                       ^^
        "#]],
    );
}

#[test]
fn constraints_that_are_none_are_refused_with_the_place() {
    let texts = [
        "nodes",
        "nodes = 4",
        "1 < nodes < 8",
        "nodes < network",
        "network < 'fast'",
        "nodes && nodes < 3",
        "nodes < 3 && nodes",
        "nodes & 1",
        "!nodes",
        "(nodes < 1) == (nodes < 2)",
    ];
    refused(
        |text| Expression::condition(text, &NAMES),
        &texts,
        &expect![[r#"
        this is a number; a constraint is a comparison, such as `predicted_time_s < 120`
          nodes
          ^^^^^
        values are compared by `==`
          nodes = 4
                ^
        comparisons are joined by &&, as in 1 < nodes && nodes < 8
          1 < nodes < 8
          ^^^^^^^^^^^
        this is a text, not a number
          nodes < network
                  ^^^^^^^
        texts are compared by == or != alone
          network < 'fast'
          ^^^^^^^^^^^^^^^^
        this is a number, not a condition, true or false
          nodes && nodes < 3
          ^^^^^
        this is a number, not a condition, true or false
          nodes < 3 && nodes
                       ^^^^^
        `and` is written &&
          nodes & 1
                ^
        this is a number, not a condition, true or false
          !nodes
           ^^^^^
        conditions are joined by && and ||, not compared
          (nodes < 1) == (nodes < 2)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
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
    /// Any text is read or refused; what it says of the place can be printed.
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
