//! Tests that `docs/rules.md` agrees with the rule files and the catalog.

use std::collections::BTreeSet;

use prophet_codegen::diagnostic::catalogue;
use prophet_frontend::check::RuleSet;
use prophet_tests::root;

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).expect("the page is there")
}

#[test]
fn the_page_of_diagnostics_has_each_group_of_codes() {
    let rules = RuleSet::shipped();
    let codes =
        { rules.rules().map(|rule| &*rule.code) }.chain(catalogue::all().map(|rule| rule.code));
    let groups: BTreeSet<String> = codes.map(|code| format!("{}xx", &code[..4])).collect();
    let page = page("rules.md");
    let rows: String = page.lines().filter(|it| it.starts_with("| PM")).collect();
    let listed: BTreeSet<String> = { rows.split([' ', ',']) }
        .filter(|it| it.starts_with("PM"))
        .map(str::to_owned)
        .collect();
    assert_eq!(listed, groups);
}

#[test]
fn every_rule_is_documented() {
    let rules = RuleSet::shipped();
    for rule in rules.rules() {
        let parts = [
            &rule.summary,
            &rule.message,
            &rule.help,
            &rule.wrong,
            &rule.right,
        ];
        let lacking = parts.iter().filter(|part| part.is_empty()).count();
        // An empty drawing has no picture.
        let drawn_empty = usize::from(rule.code == "PM0827");
        assert_eq!(lacking, drawn_empty, "{}", rule.code);
        assert!(
            rule.summary.ends_with('.'),
            "{}: {}",
            rule.code,
            rule.summary
        );
        assert!(
            !rule.message.ends_with('.'),
            "{}: {}",
            rule.code,
            rule.message
        );
    }
    assert!(rules.rules().count() >= 40);
}

#[test]
fn the_example_of_the_page_is_the_one_that_is_tested() {
    let example = std::fs::read_to_string(root().join("tests/models/rules/house.mcl.xml"));
    let example = example.expect("it is there");
    assert!(page("rules.md").contains(&format!("```xml\n{example}```")));
}
