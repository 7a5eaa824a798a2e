//! Renders random C expressions, parses them with the front end, and evaluates them. Compares the
//! results with an independent evaluation by C's rules, and with a C compiler if there is one.

use proptest::prelude::*;

use super::compiled;
use super::expressions::{Variables, case, real};
use super::value;
use crate::lang::constant::Constant;
use crate::lang::evaluate::{Fault, Machine, Value};
use prophet_model::model::Language;

/// Returns the value that the front end and its evaluator compute, as a real.
fn ours(text: &str, on: &Variables) -> Result<f64, Fault> {
    let mut machine = Machine {
        globals: [
            Value::Scalar(Constant::Int(on.gv)),
            Value::Scalar(Constant::Real(on.p)),
            Value::Scalar(Constant::Bool(on.ok)),
            Value::Array(on.a.iter().copied().map(Constant::Real).collect()),
            Value::Array(on.i.iter().copied().map(Constant::Int).collect()),
        ]
        .into(),
        locals: [("k".to_owned(), Value::Scalar(Constant::Int(on.k)))].into(),
        ..Machine::default()
    };
    match machine.evaluate(&value(text, Language::C))? {
        Constant::Real(value) => Ok(value),
        other => panic!("{other:?} is not a real"),
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: prophet_testing::cases(2000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn expressions_mean_what_c_says(seed in any::<u64>()) {
        if let Some((text, expression, on)) = case(seed) {
            let expected = expression.run(&on, &mut false).map(real);
            let actual = ours(&text, &on);
            let equal = match (expected, actual) {
                (Some(a), Ok(b)) => same(a, b),
                (a, b) => a.is_none() && b == Err(Fault::DivisionByZero),
            };
            prop_assert!(equal, "{text}\n{on:?}\n{expected:?} {actual:?}");
        }
    }
}

#[test]
fn expressions_mean_what_a_c_compiler_makes_of_them() {
    if !prophet_testing::has("gcc", "--version") {
        return;
    }
    let cases = compiled::cases();
    let values = compiled::values(&cases, |text| vec![text.to_owned()]);
    for ((text, _, on), values) in cases.iter().zip(values) {
        let actual = ours(text, on).expect("it has a value");
        // Adding zero removes the sign of a zero, because gcc folds `0.0 - (a == b)` to minus zero.
        let equal = same(values[0] + 0.0, actual + 0.0);
        assert!(equal, "{text}\n{on:?}\n{} {actual}", values[0]);
    }
}
