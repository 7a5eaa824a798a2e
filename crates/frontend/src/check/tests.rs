//! Tests problems in rule files, and that the reader agrees with the schema.

mod forms;
mod graph;
mod next;

use std::collections::{BTreeMap, BTreeSet};

use super::words::{CONDITIONS, PARTS};
use super::{RuleSet, SCHEMA};
use prophet_model::diagnostic::render_human;
use prophet_model::source::Source;
use prophet_model::xml::{self, Xml};
use prophet_testing::assert_cases;

fn file(parts: &str) -> Source {
    Source::new("house.mcl.xml", format!("<mcl>\n{parts}\n</mcl>"))
}

fn rule(head: &str, when: &str) -> Source {
    file(&format!(
        "<rules>\n<rule {head}>\n<summary>S.</summary><message>m</message><help>h</help>\n\
         <when>{when}</when>\n</rule>\n</rules>"
    ))
}

fn problems(source: &Source) -> String {
    let problems = RuleSet::shipped().add(source);
    render_human(source, &problems, false)
}

/// Shortens problems to their messages, places and help texts.
fn in_short(problems: &str) -> String {
    let mut lines = Vec::new();
    for problem in problems.split("\n\n") {
        lines.extend(problem.lines().take(2).map(str::trim));
        let help = problem.lines().find(|line| line.contains("= help:"));
        lines.extend(help.map(str::trim));
    }
    lines.join("\n")
}

fn problems_of_vocabulary(parts: &str) -> String {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("own.xml");
    std::fs::write(&path, &file(parts).text).expect("a file can be written");
    let problem = RuleSet::shipped().add_vocabulary(&path);
    let text = problem.expect_err("it has a problem").message;
    let of_interest = |line: &&str| line.starts_with("error") || line.contains("= help:");
    let lines: Vec<&str> = text.lines().filter(of_interest).map(str::trim).collect();
    lines.join("\n")
}

#[test]
fn wrong_files_are_refused_with_places() {
    assert_cases("tests/cases/rule_files.txt", |case| {
        let (kind, _) = case.title.split_once(": ").expect("a title has a kind");
        let source = match kind {
            "file" => file(case.input),
            "rule" => {
                let (head, when) = case.input.split_once('\n').expect("a head, a condition");
                rule(head, when)
            }
            "vocabulary" => return problems_of_vocabulary(case.input),
            _ => Source::new("model.uml", case.input.to_owned()),
        };
        in_short(&problems(&source))
    });
}

#[test]
fn a_good_rule_is_accepted() {
    let head = r#"code="HOUSE-01" severity="warning" element="any""#;
    assert_eq!(problems(&rule(head, "<unreachable/>")), "");
}

#[test]
fn too_much_is_refused() {
    let found = problems(&file(&format!("<rules>{}</rules>", "x".repeat(1 << 20))));
    let expected = "error[PM0702]: the rule file has more than 1048576 bytes\n\
                    --> house.mcl.xml:1:1";
    assert_eq!(in_short(&found), expected);
}

#[test]
fn rules_of_earlier_files_are_replaced_and_set() {
    let mut rules = RuleSet::shipped();
    let set = r#"<rules><set code="PM0821" severity="off"/>
        <set code="PM0822" severity="error"/></rules>"#;
    assert!(rules.add(&file(set)).is_empty());
    let head = r#"code="PM0823" severity="error" element="fork""#;
    assert!(rules.add(&rule(head, "")).is_empty());
    let of = |code: &str| rules.rules().find(|rule| rule.code == code).cloned();
    assert!(of("PM0821").is_some_and(|rule| rule.off));
    assert!(of("PM0822").is_some_and(|rule| format!("{:?}", rule.severity) == "Error"));
    assert!(of("PM0823").is_some_and(|rule| rule.file == "house.mcl.xml"));
}

#[test]
fn elements_that_are_the_same_are_one_set() {
    let mut rules = RuleSet::empty();
    let head = |code: &str| format!(r#"code="{code}" severity="warning" element="any""#);
    for (code, name) in [("HOUSE-01", "here"), ("HOUSE-02", "there")] {
        let elements = format!(r#"<elements><element name="{name}" node="MergeNode"/></elements>"#);
        assert!(rules.add(&file(&elements)).is_empty());
        let when = format!(r#"<next element="{name}" through="any"/>"#);
        assert!(rules.add(&rule(&head(code), &when)).is_empty());
    }
    assert_eq!(rules.language.sets.len(), 2);
}

#[test]
fn only_rules_and_warnings_are_switched_off() {
    let mut rules = RuleSet::shipped();
    assert_eq!(rules.switch_off("PM0901"), Ok(()));
    assert_eq!(rules.switch_off("PM0122"), Ok(()));
    assert!(!rules.is_on("PM0122"));
    let error = rules
        .switch_off("PM0401")
        .expect_err("it is an error")
        .message;
    assert!(error.contains("cannot be switched off"), "{error}");
    let error = rules
        .switch_off("PM901")
        .expect_err("there is none")
        .message;
    assert!(error.contains("did you mean PM0901?"), "{error}");
    let error = rules.switch_off("PM9999").map_err(|it| it.message);
    let expected = "unknown rule PM9999; list all codes with `check --explain all`";
    assert_eq!(error, Err(expected.to_owned()));
}

/// Collects the attributes of all elements that the schema declares, including nested declarations.
fn declared(xml: &Xml, found: &mut BTreeMap<String, BTreeSet<String>>) {
    for child in &xml.children {
        declared(child, found);
        if let Some(name) = child.attribute("name").filter(|_| child.name == "element") {
            let mut attributes = BTreeSet::new();
            collect(child, &mut attributes);
            found.insert(name.value.clone(), attributes);
        }
    }
}

fn collect(xml: &Xml, attributes: &mut BTreeSet<String>) {
    for child in &xml.children {
        if let Some(name) = child
            .attribute("name")
            .filter(|_| child.name == "attribute")
        {
            attributes.insert(name.value.clone());
        }
        collect(child, attributes);
    }
}

#[test]
fn the_schema_has_the_words_of_the_reader() {
    let source = Source::new("mcl.xsd", SCHEMA.to_owned());
    let schema = xml::parse(&source, "the schema").expect("the schema is XML");
    let mut found = BTreeMap::new();
    declared(&schema, &mut found);
    let words = PARTS.iter().chain(CONDITIONS);
    let words: BTreeMap<String, BTreeSet<String>> = words
        .map(|word| {
            let attributes = word.attributes.iter().map(|it| (*it).to_owned());
            (word.name.to_owned(), attributes.collect())
        })
        .collect();
    assert_eq!(found, words);
}

#[test]
fn rules_can_name_stereotypes_of_ones_own() {
    let text = file(
        r#"<vocabulary profile="p" crate="own" path=".">
             <stereotype name="own" type="A" price="none"/>
           </vocabulary>
           <elements><element name="mine" stereotype="own bsend"/></elements>"#,
    )
    .text;
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("own.xml");
    std::fs::write(&path, text).expect("a file can be written");
    let mut rules = RuleSet::shipped();
    assert_eq!(rules.add_vocabulary(&path), Ok(()));
    let own = rules.vocabulary();
    assert_eq!(own.stereotypes[0].runtime_type, "own::A");
    assert_eq!(own.crates[0].path, folder.path().join("."));
}
