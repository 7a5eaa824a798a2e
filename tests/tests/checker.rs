//! The rules of the model checker: each with the drawing that breaks it and the one made right.

use std::collections::BTreeSet;

use prophet_codegen::check::{RuleSet, check};
use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::source::Source;
use prophet_codegen::xmi;
use prophet_tests::sketch;

/// The codes of the rules that a sketch breaks, with their messages.
fn broken(sketch: &str, rules: &RuleSet) -> Vec<(String, String)> {
    let source = Source {
        name: "sketch.uml".to_owned(),
        text: sketch::xmi(sketch),
    };
    let mut read = Diagnostics::new();
    let model = xmi::read(&source, None, &mut read).expect("there is an activity");
    let problems: Vec<String> = read.sorted().into_iter().map(|it| it.message).collect();
    assert!(problems.is_empty(), "{sketch}\n{problems:?}");
    let mut found = Diagnostics::new();
    check(&model, &source, rules, &mut found);
    let found = found.sorted().into_iter();
    found.map(|it| (it.code.into_owned(), it.message)).collect()
}

#[test]
fn each_rule_has_a_drawing_that_breaks_it_alone_and_one_that_breaks_none() {
    let rules = RuleSet::shipped();
    let mut wrong = Vec::new();
    for rule in rules.rules() {
        let found = broken(&rule.wrong, &rules);
        let codes: BTreeSet<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
        if !codes.iter().eq([&rule.code.as_str()]) {
            wrong.push(format!("{} wrong:\n{}\n{found:#?}", rule.code, rule.wrong));
        }
        let found = broken(&rule.right, &rules);
        if !found.is_empty() {
            wrong.push(format!("{} right:\n{}\n{found:#?}", rule.code, rule.right));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
