//! Plain expressions of C against the parser of all of C, which reads the bodies of functions.

use proptest::prelude::*;

use super::{As, random_expression, read};
use prophet_model::model::Language;

/// Value of an expression and its problems, read as plain and as a statement.
fn both(text: &str) -> [(Option<String>, Vec<String>); 2] {
    let body = format!("return {text};");
    [(text, As::Real), (body.as_str(), As::Body)].map(|(text, read_as)| {
        let (statements, messages) = read(text, Language::C, read_as);
        (statements.map(|it| format!("{it:?}")), messages)
    })
}

#[test]
fn plain_expressions_are_read_as_c_is() {
    for text in [
        "GV",
        "2e-9 * GV + 1",
        "P - GV - k - 1",
        "P / GV * k % 3",
        "-GV - -P",
        "!ok || GV < k && k == 3 != ok",
        "(GV + 1) * (k - 1)",
        "((P))",
        "FSA2(GV + 1) * F(P) + FA1()",
        "pow(P, 2) + max(1, 2.5) + sqrt ( P )",
        "GV << 1 | k >> 2 ^ 3 & 1",
        "0 + 1. + .5 + 1e3 + 1.5E-3 + 007 + 0x10 + 1L + 1.0f",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "A[GV] + I[0]",
        "ok ? P : GV",
        "(int) P + (bool) GV",
        "sizeof(P)",
        "P % 2",
        "(P) % (GV / (2 - 2))",
        "x + y * nowhere(1)",
        "F(P, 1) + F()",
        "even(GV)(1)",
        "P = 1",
        "GV++",
        "P, GV",
        "(P",
        "P +",
        "F(P,)",
        "F(,P)",
        "1 2",
        "~GV + +P",
    ] {
        let [plain, all] = both(text);
        // Messages on syntax differ where more can follow.
        if all.1.iter().all(|it| !it.contains("unexpected")) {
            assert_eq!(plain, all, "{text}");
        } else {
            assert!(!plain.1.is_empty(), "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_expressions_are_read_as_c_is(seed in any::<u64>()) {
        if let Some(text) = random_expression(seed) {
            let [plain, all] = both(&text);
            prop_assert_eq!(plain, all, "{}", text);
        }
    }
}
