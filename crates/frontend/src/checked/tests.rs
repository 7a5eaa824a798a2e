//! Tests whole checks: which problems prevent generation, and that no problem hides another.

use std::path::Path;

use super::{Checked, check_source};
use crate::check::RuleSet;
use prophet_model::diagnostic::Severity;
use prophet_model::source::Source;

/// Checks a model that consists of `content`.
fn check(content: &str, main: Option<&str>) -> Checked {
    check_by(&RuleSet::shipped(), content, main)
}

fn check_by(rules: &RuleSet, content: &str, main: Option<&str>) -> Checked {
    let text = format!(
        r#"<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
 xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmlns:prophet="http:///schemas/prophet/1">
<uml:Model xmi:id="M" name="M">{content}</uml:Model></xmi:XMI>"#
    );
    let name = "model.uml".to_owned();
    let source = Source::new(name, text);
    check_source(rules, source, Path::new(""), main)
}

/// Creates an activity from nodes such as `OpaqueAction x`, and edges such as `x y` or `x y:
/// guard`.
fn activity(name: &str, nodes: &[&str], edges: &[&str]) -> String {
    activity_with(name, nodes, edges, "")
}

fn activity_with(name: &str, nodes: &[&str], edges: &[&str], more: &str) -> String {
    let id = |short: &str| format!("{name}.{short}");
    let node = |node: &&str| {
        let (kind, short) = node.split_once(' ').expect("a kind and a name");
        let id = id(short);
        format!(r#"<node xmi:type="uml:{kind}" xmi:id="{id}" name="{short}"/>"#)
    };
    let edge = |(number, edge): (usize, &&str)| {
        let (ends, guard) = edge.split_once(": ").unwrap_or((edge, ""));
        let (source, target) = ends.split_once(' ').expect("two ends");
        let (source, target) = (id(source), id(target));
        format!(
            r#"<edge xmi:type="uml:ControlFlow" xmi:id="{name}.{number}" source="{source}" target="{target}" guard="{guard}"/>"#
        )
    };
    let nodes: String = nodes.iter().map(node).collect();
    let edges: String = edges.iter().enumerate().map(edge).collect();
    format!(
        r#"<packagedElement xmi:type="uml:Activity" xmi:id="{name}" name="{name}">{nodes}{edges}{more}</packagedElement>"#
    )
}

fn good() -> String {
    activity("Good", &["InitialNode i", "OpaqueAction x"], &["i x"])
}

fn bad() -> String {
    let foreign = r#"<edge xmi:type="uml:ControlFlow" xmi:id="Bad.g" source="Bad.d" target="Bad.y"><guard
 xmi:type="uml:OpaqueExpression" xmi:id="Bad.e"><language>OCL</language><body>x</body></guard></edge>
 <edge xmi:type="uml:ControlFlow" xmi:id="Bad.f" source="Bad.x" target="nothing"/>"#;
    let nodes = [
        "InitialNode i",
        "DecisionNode d",
        "OpaqueAction x",
        "OpaqueAction y",
    ];
    activity_with("Bad", &nodes, &["i d", "d x: late", "x y"], foreign)
}

fn codes(checked: &Checked, severity: Severity) -> Vec<&str> {
    let all = checked.diagnostics.iter();
    let mut codes: Vec<&str> = all
        .filter(|it| it.severity == severity && !matches!(&*it.code, "PM0826" | "PM0613"))
        .map(|it| &*it.code)
        .collect();
    codes.sort_unstable();
    codes
}

#[test]
fn errors_where_the_chosen_program_does_not_come_are_warnings() {
    let model = good() + &bad();
    let checked = check(&model, Some("Good"));
    assert!(checked.program.is_some(), "{:#?}", checked.diagnostics);
    assert_eq!(codes(&checked, Severity::Warning), ["PM0104", "PM0115"]);
    for it in checked.diagnostics.iter().filter(|it| it.code != "PM0826") {
        let end = "(in M::Bad, which the program does not reach)";
        assert!(it.message.ends_with(end) || it.code == "PM0613", "{it:?}");
        assert_eq!(it.is_elsewhere, it.code != "PM0613", "{it:?}");
    }
    // The program is the behavior of a class, or the only activity that nothing calls.
    let class =
        r#"<packagedElement xmi:type="uml:Class" xmi:id="C" name="C" classifierBehavior="Good"/>"#;
    let checked = check(&(good() + &bad() + class), None);
    assert!(checked.program.is_some(), "{:#?}", checked.diagnostics);
}

#[test]
fn errors_where_the_program_comes_stay_errors() {
    let call = r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="c" name="c" behavior="Bad"/>
 <edge xmi:type="uml:ControlFlow" xmi:id="ce" source="Good.x" target="c"/>"#;
    let nodes = ["InitialNode i", "OpaqueAction x"];
    let calling = activity_with("Good", &nodes, &["i x"], call);
    let checked = check(&(calling + &bad()), None);
    assert!(checked.program.is_none());
    let errors = codes(&checked, Severity::Error);
    assert_eq!(errors, ["PM0104", "PM0115", "PM0204", "PM0304", "PM0305"]);
}

#[test]
fn errors_of_the_program_stay_errors_beside_a_choice_that_does_not_reach_them() {
    let mut rules = RuleSet::shipped();
    rules.assume();
    for content in [bad() + &good(), good() + &bad()] {
        let checked = check_by(&rules, &content, None);
        let errors = codes(&checked, Severity::Error);
        assert!(errors.contains(&"PM0104"), "{errors:?}");
        assert!(checked.program.is_none() && checked.model.is_none());
    }
}

#[test]
fn an_open_choice_shows_nothing_that_no_choice_has() {
    let mut rules = RuleSet::shipped();
    rules.assume();
    // What is missing for a region without elements, and for a signal that nothing sends, can be
    // assumed.
    let region = r#"<node xmi:type="uml:ExpansionRegion" xmi:id="r" name="r"><node
 xmi:type="uml:OpaqueAction" xmi:id="o" name="o"/></node>
 <edge xmi:type="uml:ControlFlow" xmi:id="re" source="A.i" target="r"/>"#;
    let wait = r#"<node xmi:type="uml:AcceptEventAction" xmi:id="w" name="w"><trigger
 xmi:type="uml:Trigger" xmi:id="t" name="ready"/></node>
 <edge xmi:type="uml:ControlFlow" xmi:id="we" source="B.i" target="w"/>"#;
    let content = activity_with("A", &["InitialNode i"], &[], region)
        + &activity_with(
            "B",
            &["InitialNode i", "OpaqueAction x"],
            &["i x: late"],
            wait,
        );
    let found = |main| {
        let checked = check_by(&rules, &content, main);
        codes(&checked, Severity::Error)
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let [open, first, second] = [None, Some("A"), Some("B")].map(found);
    let has_it = |it: &&String| first.contains(it) || second.contains(it);
    let unknown: Vec<&String> = open.iter().filter(|it| !has_it(it)).collect();
    assert_eq!(unknown, ["PM0102"], "{open:?} of {first:?} and {second:?}");
}

#[test]
fn an_edge_of_another_activity_that_leads_to_the_program_matters_to_it() {
    let cases = [
        // An edge leads from the program to nothing, to another activity, or to a class.
        r#"source="Good.x" target="nothing""#,
        r#"source="Good.x" target="Other.y""#,
        r#"source="Other.y" target="Good.x""#,
        r#"source="Good.x" target="C""#,
        r#"source="Good.x""#,
    ];
    for ends in cases {
        let edge = format!(r#"<edge xmi:type="uml:ControlFlow" xmi:id="e" {ends}/>"#);
        let nodes = ["InitialNode i", "OpaqueAction y"];
        let other = activity_with("Other", &nodes, &["i y"], &edge);
        let class = r#"<packagedElement xmi:type="uml:Class" xmi:id="C" name="C"/>"#;
        let checked = check(&(good() + &other + class), Some("Good"));
        assert!(checked.program.is_none(), "{ends}");
        assert_eq!(codes(&checked, Severity::Error).len(), 1, "{ends}");
    }
    // Only the program's node lists the edge.
    let listed = good().replace(r#"name="x""#, r#"name="x" outgoing="e""#);
    let edge = r#"<edge xmi:type="uml:ControlFlow" xmi:id="e"/>"#;
    let other = activity_with("Other", &["InitialNode i"], &[], edge);
    let checked = check(&(listed + &other), Some("Good"));
    assert!(checked.program.is_none(), "{:#?}", checked.diagnostics);
    // A copy of the program has the same ids, and edges that are drawn in the program.
    let copy = good().replace(r#"id="Good" name="Good""#, r#"id="Copy" name="Copy""#);
    let checked = check(&(good() + &copy), Some("Good"));
    assert!(checked.program.is_none(), "{:#?}", checked.diagnostics);
}

#[test]
fn stereotypes_and_ids_elsewhere_do_not_matter() {
    let model = good() + &activity("Other", &["InitialNode i", "OpaqueAction y"], &["i y"]);
    let text = |applied: &str| {
        let model = format!("{model}</uml:Model>{applied}<uml:Model xmi:id=\"N\" name=\"N\">");
        check(&model, Some("Good"))
    };
    let two = r#"<prophet:action base_Action="Other.y" id="a" time="1"/>
 <prophet:acton base_Action="Other.y"/>"#;
    let checked = text(two);
    assert!(checked.program.is_some(), "{:#?}", checked.diagnostics);
    let checked = text(&two.replace("Other.y", "Good.x"));
    assert!(checked.program.is_none());
    let both = r#"<prophet:action base_Action="Other.y" id="7" time="1"/>
 <prophet:action base_Action="Good.x" id="7" time="1"/>"#;
    assert!(
        text(both).program.is_some(),
        "only one of them is in the program"
    );
}

#[test]
fn where_it_is_open_which_is_the_program_all_activities_are_checked() {
    let late = activity("Late", &["InitialNode i", "OpaqueAction x"], &["i x: late"]);
    let later = activity(
        "Later",
        &["InitialNode i", "OpaqueAction x"],
        &["i x: later"],
    );
    let checked = check(&(late + &later + &bad()), None);
    let errors = codes(&checked, Severity::Error);
    let expected = [
        "PM0102", "PM0104", "PM0115", "PM0204", "PM0204", "PM0204", "PM0304", "PM0305",
    ];
    assert_eq!(errors, expected, "{:#?}", checked.diagnostics);
    // Each activity is checked with the variables that it would have as the program.
    let class = |name: &str| {
        let activity = activity("A", &["InitialNode i", "OpaqueAction x"], &["i x: late"]);
        let activity = activity.replace("packagedElement", "ownedBehavior");
        let activity = activity.replace("\"A", &format!("\"{name}.A"));
        format!(
            r#"<packagedElement xmi:type="uml:Class" xmi:id="{name}" name="{name}"
 classifierBehavior="{name}.A"><ownedAttribute xmi:id="{name}.l" name="late" type="bool"/>{activity}</packagedElement>"#
        )
    };
    let checked = check(&(class("C") + &class("D")), None);
    assert_eq!(
        codes(&checked, Severity::Error),
        ["PM0102"],
        "{:#?}",
        checked.diagnostics
    );
}

#[test]
fn a_function_that_nobody_calls_may_have_any_parameters() {
    let function = r#"<packagedElement xmi:type="uml:OpaqueBehavior" xmi:id="F" name="f"><ownedParameter
 xmi:id="p" name="p" type="int" direction="inout"/><body>1</body></packagedElement>"#;
    let checked = check(&(good() + function), None);
    assert!(checked.program.is_some(), "{:#?}", checked.diagnostics);
    let calls = good().replace(r#"guard="""#, r#"guard="f() &gt; 0""#);
    let checked = check(&(calls + function), None);
    assert_eq!(codes(&checked, Severity::Error), ["PM0119"]);
}

#[test]
fn a_call_that_names_no_activity_is_an_action() {
    // Even a call in a nested diagram is found.
    let inside = r#"<node xmi:type="uml:StructuredActivityNode" xmi:id="s" name="s"><node
 xmi:type="uml:CallBehaviorAction" xmi:id="sc" name="Cancel"/></node>
 <edge xmi:type="uml:ControlFlow" xmi:id="e" source="Cancel.x" target="s"/>"#;
    for name in ["Ask", "Cancel"] {
        let nodes = ["InitialNode i", "CallBehaviorAction x"];
        let model = activity_with("Cancel", &nodes, &["i x"], inside);
        let model = model.replace(r#"name="x""#, &format!("name=\"{name}\""));
        let checked = check(&model, None);
        assert!(checked.program.is_some(), "{:#?}", checked.diagnostics);
        let warned = checked.diagnostics.iter().find(|it| it.code == "PM0122");
        let message = &warned.expect("it does nothing").message;
        assert_eq!(
            message,
            "the CallBehaviorAction does not name an activity and does nothing (and once more in \
             the file)"
        );
    }
    // An action that must have content doesn't have any.
    let model = activity(
        "Cancel",
        &["InitialNode i", "CallBehaviorAction Cancel"],
        &["i Cancel"],
    );
    let applied =
        r#"</uml:Model><prophet:activity base_Action="Cancel.Cancel"/><uml:Model xmi:id="N">"#;
    let checked = check(&(model + applied), None);
    assert_eq!(codes(&checked, Severity::Error), ["PM0413"]);
}

#[test]
fn an_event_that_no_flow_enters_starts_with_its_diagram() {
    let nodes = [
        "InitialNode i",
        "OpaqueAction x",
        "FlowFinalNode f",
        "AcceptEventAction stop",
        "OpaqueAction y",
    ];
    let edges = ["i x", "x f", "stop y"];
    let checked = check(&activity("A", &nodes, &edges), None);
    assert_eq!(codes(&checked, Severity::Warning), ["PM0122", "PM0126"]);
    let program = checked.program.expect("it can run");
    assert!(
        program.elements.iter().any(|it| it.forks),
        "{:#?}",
        program.elements
    );
    // An activity final would have to end the flow of the event too.
    let nodes = nodes.map(|node| node.replace("FlowFinal", "ActivityFinal"));
    let nodes = nodes.each_ref().map(String::as_str);
    let checked = check(&activity("A", &nodes, &edges), None);
    assert_eq!(codes(&checked, Severity::Error), ["PM0314"]);
    // If nothing else starts the diagram, the event does.
    let checked = check(&activity("A", &nodes[3..], &edges[2..]), None);
    assert!(checked.program.is_some(), "{:#?}", checked.diagnostics);
    assert_eq!(codes(&checked, Severity::Warning), ["PM0122"]);
}

/// Parts of diagrams with one problem each: nodes, flows and stereotypes. `@` stands for a unique
/// name. The flow enters at `@in` and leaves at `@out`, or does both at `@one`.
#[rustfmt::skip]
const WRONG: [(&str, &str, &str); 15] = [
    // Problems in guards, costs and code.
    ("DecisionNode @in; OpaqueAction @a; OpaqueAction @b; MergeNode @out",
     "@in @a: late; @in @b: else; @a @out; @b @out", ""),
    ("OpaqueAction @one", "", r#"action base_Action="@one" cost="1 +""#),
    ("OpaqueAction @one", "", r#"action base_Action="@one" cost="f(1)""#),
    ("OpaqueAction @one", "", r#"action base_Action="@one" time="1" code="x = 1;""#),
    // Problems in elements and their tags.
    ("OpaqueAction @one", "", r#"action base_Action="@one""#),
    ("OpaqueAction @one", "", r#"action base_Action="@one" cost="1" time="1""#),
    ("OpaqueAction @one", "", r#"action base_Action="@one" time="1" id="x""#),
    ("OpaqueAction @one", "", r#"bsend base_Action="@one" size="8""#),
    ("CallBehaviorAction @one", "", r#"activity base_Action="@one""#),
    ("OpaqueAction @one", "", r#"acton base_Action="@one""#),
    // Problems in the control flow.
    ("DecisionNode @in; OpaqueAction @a; OpaqueAction @out",
     "@in @a: pid == 0; @in @out: else; @a @out", ""),
    ("DecisionNode @in; OpaqueAction @a; OpaqueAction @b; MergeNode @out",
     "@in @a; @in @b: else; @a @out; @b @out", ""),
    ("ExpansionNode @one", "", ""),
    ("ForkNode @in; OpaqueAction @a; OpaqueAction @b; MergeNode @out",
     "@in @a; @in @b; @a @out; @b @out", ""),
    ("DecisionNode @in; OpaqueAction @a; OpaqueAction @b; JoinNode @out",
     "@in @a: pid == 0; @in @b: else; @a @out; @b @out", ""),
];

/// Returns the errors in a diagram that consists of these parts, one after another.
fn errors_of(pieces: &[usize]) -> Vec<String> {
    let (mut nodes, mut flows) = (vec!["InitialNode i".to_owned()], Vec::new());
    let (mut applied, mut last) = (String::new(), "i".to_owned());
    for &number in pieces {
        let (inside, inner, stereotype) = WRONG[number];
        let own = |text: &str| text.replace('@', &format!("n{number}"));
        let parts = |text: &str| own(text).split("; ").map(str::to_owned).collect::<Vec<_>>();
        nodes.extend(parts(inside));
        flows.extend(parts(inner).into_iter().filter(|it| !it.is_empty()));
        let is_one = inside.contains("@one");
        flows.push(format!(
            "{last} {}",
            own(if is_one { "@one" } else { "@in" })
        ));
        last = own(if is_one { "@one" } else { "@out" });
        if !stereotype.is_empty() {
            let stereotype = own(&stereotype.replace("\"@one", "\"A.@one"));
            applied += &["<prophet:", &stereotype, "/>"].concat();
        }
    }
    let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
    let flows: Vec<&str> = flows.iter().map(String::as_str).collect();
    let activity = activity("A", &nodes, &flows);
    let checked = check(
        &format!("{activity}</uml:Model>{applied}<uml:Model xmi:id=\"N\">"),
        None,
    );
    let errors = checked
        .diagnostics
        .iter()
        .filter(|it| it.severity == Severity::Error);
    errors
        .map(|it| format!("{} {}", it.code, it.message))
        .collect()
}

#[test]
fn no_problem_hides_another() {
    let alone: Vec<Vec<String>> = (0..WRONG.len()).map(|it| errors_of(&[it])).collect();
    for (number, errors) in alone.iter().enumerate() {
        assert_eq!(errors.len(), 1, "{:?}: {errors:?}", WRONG[number]);
    }
    let mut codes: Vec<&str> = alone.iter().map(|errors| &errors[0][..6]).collect();
    codes.dedup();
    assert!(codes.len() > 12, "of different kinds: {codes:?}");
    let pairs =
        (0..WRONG.len()).flat_map(|one| (0..WRONG.len()).map(move |other| vec![one, other]));
    let pairs = pairs.filter(|pair| pair[0] != pair[1]);
    let whole: Vec<usize> = (0..WRONG.len()).collect();
    let reversed = whole.iter().rev().copied().collect();
    for pieces in pairs.chain([whole, reversed]) {
        let mut expected: Vec<&String> = pieces.iter().flat_map(|&it| &alone[it]).collect();
        let mut found = errors_of(&pieces);
        expected.sort();
        found.sort();
        assert!(
            found.iter().eq(expected.iter().copied()),
            "{pieces:?}: {found:#?}\n{expected:#?}"
        );
    }
}
