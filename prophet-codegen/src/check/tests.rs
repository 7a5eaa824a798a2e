//! Problems of rule files, and their agreement with the schema.

mod forms;
mod next;

use std::collections::{BTreeMap, BTreeSet};

use expect_test::{Expect, expect};

use super::words::{CONDITIONS, PARTS};
use super::{RuleSet, SCHEMA};
use prophet_model::diagnostic::render_human;
use prophet_model::source::Source;
use prophet_model::xml::{self, Xml};

/// A rule file with these parts in it.
fn file(parts: &str) -> Source {
    Source::new("house.mcl.xml", format!("<mcl>\n{parts}\n</mcl>"))
}

/// A rule with this head and condition.
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

/// Compares messages, places and help texts with expected ones.
fn check(source: &Source, expected: &Expect) {
    let text = problems(source);
    let mut lines = Vec::new();
    for problem in text.split("\n\n") {
        let mut parts: Vec<&str> = problem.lines().take(2).map(str::trim).collect();
        let help = problem.lines().find(|line| line.contains("= help:"));
        parts.extend(help.map(str::trim));
        lines.push(parts.join("\n"));
    }
    expected.assert_eq(&lines.join("\n"));
}

const HEAD: &str = r#"code="HOUSE-01" severity="warning" element="any""#;

#[test]
fn a_good_rule_is_accepted() {
    assert_eq!(problems(&rule(HEAD, "<unreachable/>")), "");
}

#[test]
fn what_is_no_xml_is_refused_with_its_place() {
    check(
        &file("<rules>\n<rule\n</rules>"),
        &expect![[r#"
        error[PM0701]: position 12: attribute key must be directly followed by `=` or space
        --> house.mcl.xml:3:1"#]],
    );
    check(
        &file("<rules>"),
        &expect![[r#"
        error[PM0701]: ill-formed document: expected `</rules>`, but `</mcl>` was found
        --> house.mcl.xml:3:1"#]],
    );
    check(
        &file("<!DOCTYPE a><rules/>"),
        &expect![[r#"
        error[PM0701]: the rule file has no document type
        --> house.mcl.xml:2:1"#]],
    );
    check(
        &file("<rules/></mcl><mcl>"),
        &expect![[r#"
        error[PM0701]: there is a second root
        --> house.mcl.xml:2:15"#]],
    );
}

#[test]
fn unknown_words_are_refused_with_the_closest() {
    check(
        &file("<rule/>"),
        &expect![[r#"
        error[PM0703]: `mcl` has no element `rule`
        --> house.mcl.xml:2:1
        = help: did you mean `rules`?"#]],
    );
    check(
        &rule(&format!("{HEAD} sevrity=\"x\""), "<unreachabel/>"),
        &expect![[r#"
            error[PM0703]: `rule` has no attribute `sevrity`
            --> house.mcl.xml:3:65
            = help: did you mean `severity`?
            error[PM0703]: `when` has no element `unreachabel`
            --> house.mcl.xml:5:7
            = help: did you mean `unreachable`?"#]],
    );
    check(
        &rule(HEAD, r#"<inside elements="fork"/>"#),
        &expect![[r#"
            error[PM0704]: `inside` needs the attribute `element`
            --> house.mcl.xml:5:7
            error[PM0703]: `inside` has no attribute `elements`
            --> house.mcl.xml:5:25
            = help: did you mean `element`?"#]],
    );
    let model = Source::new("model.uml", "<uml:Model/>".to_owned());
    check(
        &model,
        &expect![[r#"
        error[PM0703]: `<Model>` is not a rule file, whose root is `<mcl>`
        --> model.uml:1:1"#]],
    );
}

#[test]
fn undeclared_elements_are_refused() {
    check(
        &rule(HEAD, r#"<is element="decison fork"/>"#),
        &expect![[r#"
            error[PM0706]: there is no element `decison` so far
            --> house.mcl.xml:5:20
            = help: did you mean `decision`?"#]],
    );
    check(
        &rule(r#"code="A-1" severity="error" diagram="programm""#, ""),
        &expect![[r#"
            error[PM0706]: there is no diagram `programm` so far
            --> house.mcl.xml:3:44
            = help: did you mean `program`?"#]],
    );
    let set = r#"<rules><set code="HOUSE-77" severity="off"/></rules>"#;
    check(
        &file(set),
        &expect![[r#"
            error[PM0706]: there is no rule `HOUSE-77`
            --> house.mcl.xml:2:19"#]],
    );
    let stereotype = r#"<elements><element name="x" stereotype="bsent"/></elements>"#;
    check(
        &file(stereotype),
        &expect![[r#"
        error[PM0705]: there is no stereotype `bsent`
        --> house.mcl.xml:2:41
        = help: did you mean `bsend`?"#]],
    );
}

#[test]
fn parts_that_are_missing_are_named() {
    check(
        &file("<rules><rule element='any' code='A-1'/></rules>"),
        &expect![[r#"
            error[PM0704]: `rule` needs the attribute `severity`
            --> house.mcl.xml:2:8
            error[PM0704]: a rule needs `when`, the condition under which it is broken
            --> house.mcl.xml:2:8
            error[PM0704]: a rule needs the element `help`
            --> house.mcl.xml:2:8
            error[PM0704]: a rule needs the element `message`
            --> house.mcl.xml:2:8
            error[PM0704]: a rule needs the element `summary`
            --> house.mcl.xml:2:8"#]],
    );
    check(
        &file("<elements><element name='x'/></elements>"),
        &expect![[r#"
            error[PM0704]: an element needs `node`, `stereotype` or `any`
            --> house.mcl.xml:2:11"#]],
    );
    check(
        &rule(r#"code="A-1" severity="error""#, ""),
        &expect![[r#"
        error[PM0704]: a rule is about one of `element`, `flow`, `tag`, `diagram`, `variable` and `function`
        --> house.mcl.xml:3:1"#]],
    );
}

#[test]
fn bad_values_are_refused() {
    let code = r#"code="house 1" severity="fatal" element="any""#;
    check(
        &rule(code, ""),
        &expect![[r#"
            error[PM0705]: `house 1` is not a code
            --> house.mcl.xml:3:13
            = help: a code has capital letters, digits and hyphens, at most 20, as HOUSE-01
            error[PM0705]: `fatal` is not one of error, warning
            --> house.mcl.xml:3:32"#]],
    );
    let stage = r#"code="PM0401" severity="error" element="any""#;
    check(
        &rule(stage, ""),
        &expect![[r#"
        error[PM0705]: `PM0401` is a problem that the generator finds itself
        --> house.mcl.xml:3:13
        = help: rules of users have codes of their own, as HOUSE-01"#]],
    );
    check(
        &rule(HEAD, r#"<flows way="up" min="-1"/>"#),
        &expect![[r#"
        error[PM0705]: `up` is not one of in, out
        --> house.mcl.xml:5:19"#]],
    );
    check(
        &rule(HEAD, r#"<value tag="size" below="two"/>"#),
        &expect![[r#"
            error[PM0705]: `two` is not a number
            --> house.mcl.xml:5:32"#]],
    );
    check(
        &rule(HEAD, "<called/>"),
        &expect![[r#"
        error[PM0705]: `called` says nothing about an element
        --> house.mcl.xml:5:7"#]],
    );
    let message = "<rules><rule code='A-1' severity='error' element='any'><summary>S</summary>\n\
                   <message>{nmae}</message><help>h</help><when/></rule></rules>";
    check(
        &file(message),
        &expect![[r#"
            error[PM0705]: `{nmae}` is unknown
            --> house.mcl.xml:3:1
            = help: there are name, path, stereotype, type, where, tag, value, expected, count"#]],
    );
}

#[test]
fn names_and_codes_are_for_one_thing() {
    let rule = "<rule code='A-1' severity='error' element='any'><summary>S</summary>\
                <message>m</message><help>h</help><when/></rule>";
    check(
        &file(&format!("<rules>{rule}\n{rule}</rules>")),
        &expect![[r#"
            error[PM0707]: there are two rules `A-1` in this file
            --> house.mcl.xml:3:13"#]],
    );
    let element = r#"<elements><element name="fork" node="ForkNode"/></elements>"#;
    check(
        &file(element),
        &expect![[r#"
        error[PM0707]: there is an element `fork` already
        --> house.mcl.xml:2:26
        = help: names of elements hold in all rule files: take another one"#]],
    );
}

#[test]
fn too_much_is_refused() {
    check(
        &file(&format!("<rules>{}</rules>", "x".repeat(1 << 20))),
        &expect![[r#"
            error[PM0702]: the rule file has more than 1048576 bytes
            --> house.mcl.xml:1:1"#]],
    );
    let deep = format!("{}{}", "<not>".repeat(40), "</not>".repeat(40));
    check(
        &rule(HEAD, &deep),
        &expect![[r#"
        error[PM0702]: more than 32 elements are nested
        --> house.mcl.xml:5:147"#]],
    );
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
    let error = rules.switch_off("PM0401").expect_err("it is an error");
    assert!(error.contains("cannot be switched off"), "{error}");
    let error = rules.switch_off("PM901").expect_err("there is none");
    assert!(error.contains("did you mean PM0901?"), "{error}");
}

/// Collects the attributes of each element that the schema declares, global or not.
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

/// Compares the problems of a vocabulary file with these parts, in short form.
fn check_vocabulary(parts: &str, expected: &Expect) {
    let source = file(parts);
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("own.xml");
    std::fs::write(&path, &source.text).expect("a file can be written");
    let problem = RuleSet::shipped().add_vocabulary(&path);
    let text = problem.expect_err("it has a problem");
    let of_interest = |line: &&str| line.starts_with("error") || line.contains("= help:");
    let lines: Vec<&str> = text.lines().filter(of_interest).map(str::trim).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn wrong_vocabularies_are_refused() {
    check_vocabulary(
        r#"<vocabulary profile="p" crate="Own Elements" path="."/>"#,
        &expect![[r#"
            error[PM0705]: `Own Elements` is not a name of a crate
            = help: a name has lower case letters, digits, `-` and `_`"#]],
    );
    check_vocabulary(
        r#"<vocabulary profile="p" crate="own"/>"#,
        &expect!["error[PM0704]: `vocabulary` needs the attribute `path`"],
    );
    check_vocabulary(
        r#"<vocabulary profile="p" crate="own" path=".">
             <stereotype name="action" type="A" price="none"/>
             <stereotype name="own" type="A; fn main() {}" price="none"/>
             <stereotype name="++" type="A" price="free"/>
             <stereotype name="twice" type="A" price="none"/>
             <stereotype name="Twice+" type="A" price="none"/>
             <stereotype name="tags" type="A" price="none">
               <argument tag="cost" type="integer"/>
               <argument tag="a" type="text"/>
               <argument type="real"/>
             </stereotype>
           </vocabulary>"#,
        &expect![[r#"
            error[PM0707]: there is a stereotype `action+` already
            error[PM0705]: `A; fn main() {}` is not a type of a crate
            = help: write its path in the crate, as in Checkpoint or io::Checkpoint
            error[PM0705]: `free` is not one of none, optional, required
            error[PM0707]: there is a stereotype `twice` already
            error[PM0707]: there is a tag `cost` already
            error[PM0705]: `text` is not one of integer, real, boolean
            error[PM0704]: `argument` needs the attribute `tag`"#]],
    );
}

#[test]
fn rules_of_strangers_declare_no_stereotypes() {
    check(
        &file(r#"<vocabulary profile="p" crate="own" path="."/>"#),
        &expect![[r#"
            error[PM0705]: a file of rules cannot declare stereotypes
            --> house.mcl.xml:2:1
            = help: they stand for code that is compiled: give the file with --vocabulary"#]],
    );
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
