//! Drawings that leave something open, and what is assumed of them.

mod steps;

use std::path::Path;

use super::Change;
use crate::check::RuleSet;
use crate::generate::{Checked, check_source};
use crate::lang::constant::Constant;
use prophet_model::diagnostic::Severity;
use prophet_model::source::Source;

/// Checks an activity with these nodes, as `OpaqueAction x`, and edges, as `x y` or `x y: guard`.
fn checked(assumes: bool, nodes: &[&str], edges: &[&str]) -> Checked {
    checked_text(assumes, drawing(nodes, edges))
}

/// The text of such an activity.
fn drawing(nodes: &[&str], edges: &[&str]) -> String {
    let node = |node: &&str| {
        let (kind, name) = node.split_once(' ').expect("a kind and a name");
        format!("<node xmi:type=\"uml:{kind}\" xmi:id=\"{name}\" name=\"{name}\"/>\n")
    };
    let edge = |(number, edge): (usize, &&str)| {
        let (ends, guard) = edge.split_once(": ").unwrap_or((edge, ""));
        let (source, target) = ends.split_once(' ').expect("two ends");
        format!(
            "<edge xmi:type=\"uml:ControlFlow\" xmi:id=\"e{number}\" source=\"{source}\" \
             target=\"{target}\">{guard}</edge>\n"
        )
    };
    let nodes: String = nodes.iter().map(node).collect();
    let edges: String = edges.iter().enumerate().map(edge).collect();
    format!(
        "<uml:Model xmlns:xmi=\"http://www.omg.org/spec/XMI/20131001\" \
         xmlns:uml=\"http://www.eclipse.org/uml2/5.0.0/UML\" name=\"M\">\n\
         <packagedElement xmi:type=\"uml:Activity\" xmi:id=\"Main\" name=\"Main\">\n\
         {nodes}{edges}</packagedElement></uml:Model>"
    )
}

fn checked_text(assumes: bool, text: String) -> Checked {
    // Steps are assumed in tests of their own.
    checked_with(assumes.then_some(0.0), text)
}

/// Checks a text, with steps of that time if anything is assumed.
fn checked_with(step_s: Option<f64>, text: String) -> Checked {
    let mut rules = RuleSet::shipped();
    if let Some(step_s) = step_s {
        rules.assume_steps(step_s);
    }
    let source = Source::new("model.uml", text);
    check_source(&rules, source, Path::new(""), None)
}

/// A guard in a language, for an edge.
fn guard(language: &str, body: &str) -> String {
    format!(
        "<guard xmi:type=\"uml:OpaqueExpression\"><language>{language}</language>\
         <body>{body}</body></guard>"
    )
}

/// Codes of the errors.
fn errors(checked: &Checked) -> Vec<&str> {
    let all = checked.diagnostics.iter();
    let errors = all.filter(|it| it.severity == Severity::Error);
    errors.map(|it| &*it.code).collect()
}

/// Checks that a drawing is refused with these errors, and accepted with these assumptions.
fn assumed(nodes: &[&str], edges: &[&str], refused: &[&str], expected: &[&str]) -> Checked {
    let strict = checked(false, nodes, edges);
    assert_eq!(errors(&strict), refused, "without the option");
    assert!(strict.assumptions.is_empty());
    let mended = checked(true, nodes, edges);
    assert_eq!(errors(&mended), [""; 0]);
    let told: Vec<&str> = mended.assumptions.iter().map(|it| &*it.text).collect();
    assert_eq!(told, expected);
    let warnings = mended.diagnostics.iter();
    let warnings = warnings.filter(|it| it.code == "PM0129").count();
    assert_eq!(warnings, expected.len(), "each is told");
    let program = mended.program.as_ref().expect("it is sound");
    assert_eq!(program.assumptions.len(), expected.len());
    mended
}

/// Names and values of the program's parameters.
fn parameters(checked: &Checked) -> Vec<(&str, f64)> {
    let program = checked.program.as_ref().expect("it is sound");
    let parameter = |it: &'_ crate::program::Parameter| match it.default {
        Constant::Real(value) => value,
        Constant::Int(_) | Constant::Bool(_) => f64::NAN,
    };
    let all = program.parameters.iter();
    all.map(|it| (it.name.as_str(), parameter(it))).collect()
}

#[test]
fn words_and_nothing_at_a_decision_are_probabilities() {
    let nodes = [
        "InitialNode i",
        "DecisionNode d",
        "OpaqueAction x",
        "OpaqueAction y",
        "OpaqueAction z",
    ];
    let edges = [
        "i d",
        &format!("d x: {}", guard("English", "in stock &amp; paid")),
        "d y",
        &format!("d z: {}", guard("", "not at all")),
    ];
    let mended = assumed(
        &nodes,
        &edges,
        &["PM0305", "PM0115", "PM0305", "PM0201"],
        &[
            "the flow from M::Main::d to M::Main::x with `English: in stock & paid` is taken with \
             probability 0.3333333333333333, which `--p-d-english-in-stock-paid` sets",
            "the flow from M::Main::d to M::Main::y is taken with probability \
             0.3333333333333333, which `--p-d-y` sets",
            "the flow from M::Main::d to M::Main::z with `not at all` is taken when no other is",
        ],
    );
    let third = 1.0 / 3.0;
    let names = [("p_d_english_in_stock_paid", third), ("p_d_y", third)];
    assert_eq!(parameters(&mended), names);
    let Change::Guard { text, .. } = &mended.assumptions[1].change else {
        panic!("{:?}", mended.assumptions[1]);
    };
    let second = "bernoulli(min(1.0, p_d_y / (1.0 - p_d_english_in_stock_paid)))";
    assert_eq!(text.as_deref(), Some(second));
}

#[test]
fn an_else_takes_the_rest_and_a_condition_stays() {
    let nodes = [
        "InitialNode i",
        "DecisionNode d",
        "OpaqueAction x",
        "OpaqueAction y",
        "OpaqueAction z",
    ];
    let edges = [
        "i d",
        &format!("d x: {}", guard("C", "pid > 0")),
        &format!("d y: {}", guard("C", "paid")),
        &format!("d z: {}", guard("", "else")),
    ];
    let mended = assumed(
        &nodes,
        &edges,
        &["PM0204"],
        &[
            "the flow from M::Main::d to M::Main::y with `paid` is taken with probability 0.5, \
           which `--p-d-paid` sets",
        ],
    );
    assert_eq!(parameters(&mended), [("p_d_paid", 0.5)]);
}

#[test]
fn alternatives_that_meet_in_an_action_merge() {
    let nodes = [
        "InitialNode i",
        "DecisionNode d",
        "OpaqueAction x",
        "OpaqueAction y",
    ];
    let edges = [
        "i d",
        &format!("d x: {}", guard("C", "pid > 0")),
        &format!("d y: {}", guard("C", "else")),
        "x y",
    ];
    assumed(
        &nodes,
        &edges,
        &["PM0304"],
        &["the flows into M::Main::y are alternatives, and any one starts it"],
    );
}

#[test]
fn an_action_with_guards_behind_it_decides() {
    let nodes = [
        "InitialNode i",
        "OpaqueAction a",
        "OpaqueAction x",
        "OpaqueAction y",
    ];
    let yes = guard("", "yes");
    let edges = ["i a", &format!("a x: {yes}"), "a y"];
    let mended = checked(true, &nodes, &edges);
    assert_eq!(
        errors(&checked(false, &nodes, &edges)),
        ["PM0303", "PM0204"]
    );
    assert_eq!(errors(&mended), [""; 0]);
    assert_eq!(parameters(&mended), [("p_yes", 0.5)]);
}

#[test]
fn branches_that_merge_or_end_the_activity_wait_for_each_other() {
    let nodes = [
        "InitialNode i",
        "ForkNode f",
        "OpaqueAction x",
        "OpaqueAction y",
        "MergeNode m",
        "OpaqueAction z",
    ];
    assumed(
        &nodes,
        &["i f", "f x", "f y", "x m", "y m", "m z"],
        &["PM0312"],
        &["M::Main::m waits for all branches of the fork"],
    );
    let nodes = [
        "InitialNode i",
        "ForkNode f",
        "OpaqueAction x",
        "OpaqueAction y",
        "ActivityFinalNode e",
    ];
    assumed(
        &nodes,
        &["i f", "f x", "f y", "x e", "y e"],
        &["PM0314"],
        &["M::Main::e ends its branch only: the other branches run to their ends"],
    );
}

#[test]
fn a_loop_without_a_test_goes_on_by_chance() {
    let mended = assumed(
        &["InitialNode i", "LoopNode l"],
        &["i l"],
        &["PM0311"],
        &["M::Main::l goes on with probability 0.5, which `--p-l` sets"],
    );
    assert_eq!(parameters(&mended), [("p_l", 0.5)]);
}

#[test]
fn guards_that_decide_nothing_are_told() {
    let done = guard("", "when done");
    let nodes = [
        "InitialNode i",
        "ForkNode f",
        "OpaqueAction x",
        "OpaqueAction y",
    ];
    assumed(
        &nodes,
        &["i f", &format!("f x: {done}"), "f y"],
        &["PM0315", "PM0201"],
        &["a guard at the fork M::Main::f decides nothing: all flows start"],
    );
    let nodes = ["InitialNode i", "OpaqueAction x", "OpaqueAction y"];
    assumed(
        &nodes,
        &["i x", &format!("x y: {done}")],
        &["PM0201"],
        &["`when done` decides nothing: the flow out of M::Main::x is always taken"],
    );
}

#[test]
fn nothing_is_assumed_of_a_sound_drawing() {
    let nodes = ["InitialNode i", "OpaqueAction x"];
    let mended = checked(true, &nodes, &["i x"]);
    assert!(mended.assumptions.is_empty());
    let mut program = mended.program.expect("it is sound");
    let strict = checked(false, &nodes, &["i x"]).program;
    let strict = strict.expect("it is sound");
    assert!(strict.costs.ends_with("; try `--assume`"));
    assert_eq!(
        program.costs,
        "missing: nothing is drawn that would take time"
    );
    program.costs.clone_from(&strict.costs);
    assert_eq!(program, strict);
}

#[test]
fn what_cannot_be_mended_stays_an_error() {
    let nodes = ["InitialNode i", "ExpansionNode x"];
    assert_eq!(errors(&checked(true, &nodes, &["i x"])), ["PM0310"]);
}

#[test]
fn conditions_and_first_values_in_another_language_are_assumed() {
    let text = r#"<uml:Model xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
        xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" name="M">
        <packagedElement xmi:type="uml:Activity" xmi:id="Main" name="Main">
        <ownedAttribute xmi:id="v" name="left" type="Integer">
            <defaultValue xmi:type="uml:OpaqueExpression"><language>OCL</language>
                <body>self.jobs->size()</body></defaultValue></ownedAttribute>
        <node xmi:type="uml:InitialNode" xmi:id="i"/>
        <node xmi:type="uml:LoopNode" xmi:id="l" name="Again" test="t" bodyPart="b">
            <node xmi:type="uml:OpaqueAction" xmi:id="t" name="Test">
                <language>Alf</language><body>!this.done()</body></node>
            <node xmi:type="uml:OpaqueAction" xmi:id="b" name="Work"/></node>
        <edge xmi:type="uml:ControlFlow" xmi:id="e" source="i" target="l"/>
        </packagedElement></uml:Model>"#;
    let strict = checked_text(false, text.to_owned());
    let foreign = errors(&strict).into_iter().filter(|it| *it == "PM0115");
    assert_eq!(foreign.count(), 2);
    let mended = checked_text(true, text.to_owned());
    assert_eq!(errors(&mended), [""; 0]);
    let mut told: Vec<&str> = mended.assumptions.iter().map(|it| &*it.text).collect();
    told.sort_unstable();
    let expected = [
        "M::Main::left begins at 0: `OCL: self.jobs->size()` is no code",
        "`Alf: !this.done()` in M::Main::Again holds with probability 0.5, which \
         `--p-again-alf-this-done` sets",
    ];
    assert_eq!(told, expected);
    assert_eq!(parameters(&mended), [("p_again_alf_this_done", 0.5)]);
}
