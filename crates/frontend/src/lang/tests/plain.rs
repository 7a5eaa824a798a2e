//! Compares the parser for simple C expressions with the full C parser.

use proptest::prelude::*;

use super::expressions::random_expression;
use super::{As, read};
use prophet_model::model::Language;

fn both(text: &str) -> [(Option<String>, Vec<String>); 2] {
    let body = format!("return {text};");
    [(text, As::Real), (body.as_str(), As::Body)].map(|(text, read_as)| {
        let (statements, messages) = read(text, Language::C, read_as);
        (statements.map(|it| format!("{it:?}")), messages)
    })
}

#[test]
fn plain_expressions_are_read_as_c_is() {
    for text in include_str!("plain.txt").lines() {
        let [plain, all] = both(text);
        // Messages about syntax differ where the code could continue.
        if all.1.iter().all(|it| !it.contains("unexpected")) {
            assert_eq!(plain, all, "{text}");
        } else {
            assert!(!plain.1.is_empty(), "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: prophet_testing::cases(1000),
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
