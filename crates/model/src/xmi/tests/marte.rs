//! Tests how MARTE annotations are converted, and which problems are reported.

use std::fmt::Write as _;

use prophet_testing::assert_cases;

use crate::diagnostic::Diagnostics;

/// Namespaces of MARTE in Papyrus and in other tools.
const HEAD: &str = "<xmi:XMI xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\" \
    xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" \
    xmlns:GQAM=\"http://www.eclipse.org/papyrus/GQAM/1\" \
    xmlns:PAM=\"http://www.eclipse.org/papyrus/PAM/1\" \
    xmlns:MARTE_2=\"http://www.omg.org/spec/MARTE/20090501\">";

/// An activity with a decision between two actions, followed by a third action.
const ACTIVITY: &str = include_str!("choice.txt");

/// Probabilities that leave nothing open, for tests of something else.
const CHOICE: &str = r#"
    <GQAM:GaStep xmi:id="1" base_NamedElement="da" prob="0.25"/>
    <GQAM:GaStep xmi:id="2" base_NamedElement="db" prob="0.75"/>"#;

fn problems(annotations: &str) -> String {
    let source = super::source(&format!("{HEAD}{ACTIVITY}{annotations}</xmi:XMI>"));
    let mut diagnostics = Diagnostics::new();
    super::super::read(&source, None, &mut diagnostics);
    super::reported(&source, diagnostics)
}

/// Creates a workload with this pattern, and the annotations of a decision.
fn workload(pattern: &str) -> String {
    format!(
        r#"{CHOICE}<GQAM:GaWorkloadEvent xmi:id="3" base_NamedElement="i" pattern="{pattern}"/>"#
    )
}

fn problems_of_pattern(pattern: &str) -> String {
    let text = format!("{HEAD}{ACTIVITY}{}</xmi:XMI>", workload(pattern));
    let (_, problems) = super::read(&text);
    let lines = problems.iter();
    let lines: Vec<String> = lines
        .map(|it| format!("{} {pattern}: {}\n", it.code, it.message))
        .collect();
    lines.concat()
}

#[test]
fn what_is_wrong_is_told() {
    assert_cases("tests/cases/marte.txt", |case| {
        match case.title.split_once(": ") {
            Some(("annotations", _)) => problems(&format!("{CHOICE}{}", case.input)),
            Some(("patterns", _)) => case.input.lines().map(problems_of_pattern).collect(),
            _ => problems(case.input),
        }
    });
}

#[test]
fn gaps_are_exponential_unless_a_pattern_says_otherwise() {
    assert_cases("tests/cases/gaps.txt", |case| {
        let text = format!("{HEAD}{ACTIVITY}{}</xmi:XMI>", workload(&case.title));
        let model = super::read(&text).0.expect("there is an activity");
        let next = model.elements.iter().find(|it| it.name == "Next");
        let next = next.expect("jobs follow").stereotype.as_ref();
        next.expect("they follow after a time").tags["cost"]
            .value
            .clone()
    });
}

#[test]
fn too_many_choices_are_told_once() {
    let mut nodes = String::new();
    for number in 0..40 {
        let _ = write!(
            nodes,
            r#"<node xmi:type="uml:OpaqueAction" xmi:id="n{number}" name="N{number}"/>
            <edge xmi:type="uml:ControlFlow" xmi:id="e{number}" source="d" target="n{number}"/>"#
        );
    }
    let model = format!(
        r#"{HEAD}<uml:Model name="M"><packagedElement xmi:type="uml:Activity" xmi:id="m"
            name="Main"><node xmi:type="uml:DecisionNode" xmi:id="d" name="D"/>{nodes}
        </packagedElement></uml:Model>
        <GQAM:GaStep xmi:id="1" base_NamedElement="e0" prob="0.5"/></xmi:XMI>"#
    );
    let (read, problems) = super::read(&model);
    let messages: Vec<&str> = problems.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(
        messages,
        ["M::Main::D cannot choose: 39 of its 40 flows have no `prob`"]
    );
    let flows = &read.expect("there is an activity").diagrams[0].flows;
    assert!(flows.iter().all(|it| it.guard.is_some()));
}
