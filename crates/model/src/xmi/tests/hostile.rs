//! Reads hostile files, which are deep, wide or long.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::super::{Limits, parse};
use super::{HEAD, source};
use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::source::Source;

fn read(text: String) -> (Option<Model>, Vec<Cow<'static, str>>) {
    let source = Source::new("hostile.uml", text);
    let mut diagnostics = Diagnostics::new();
    let model = super::super::read(&source, None, &mut diagnostics);
    let codes = diagnostics.sorted().into_iter().map(|it| it.code);
    (model, codes.collect())
}

fn nested(kind: &str, depth: usize) -> String {
    let mut text = format!("{HEAD}<packagedElement xmi:type='uml:Activity' name='Main'>");
    for number in 0..depth {
        let _ = write!(
            text,
            "<node xmi:type='uml:{kind}' xmi:id='_{number}' name='N'>"
        );
    }
    text.push_str(&"</node>".repeat(depth));
    text + "</packagedElement></uml:Model>"
}

#[test]
fn depth_is_limited() {
    for kind in ["StructuredActivityNode", "LoopNode", "SequenceNode"] {
        let (model, codes) = read(nested(kind, 126));
        let model = model.expect("126 levels are fine");
        // The innermost StructuredActivityNode is empty, so it counts as an action.
        let is_leaf = kind == "StructuredActivityNode";
        assert_eq!(model.diagrams.len(), 127 - usize::from(is_leaf));
        assert!(codes.is_empty(), "{codes:?}");
        let (model, codes) = read(nested(kind, 127));
        assert!(model.is_none());
        assert_eq!(codes, ["PM0004"]);
    }
    let (model, codes) = read("<a>".repeat(1_000_000));
    assert!(model.is_none());
    assert_eq!(codes, ["PM0004"]);
}

#[test]
fn depth_of_packages_and_activities_does_no_harm() {
    let open = "<packagedElement xmi:type='uml:Package' name='p'>".repeat(120);
    let close = "</packagedElement>".repeat(120);
    let activity = "<packagedElement xmi:type='uml:Activity' name='Main'/>";
    let (model, _) = read(format!("{HEAD}{open}{activity}{close}</uml:Model>"));
    assert_eq!(model.expect("there is an activity").diagrams.len(), 1);
    let open = "<ownedBehavior xmi:type='uml:Activity' name='A'>".repeat(120);
    let close = "</ownedBehavior>".repeat(120);
    let (model, codes) = read(format!("{HEAD}{open}{close}</uml:Model>"));
    assert_eq!(model.expect("there are activities").diagrams.len(), 120);
    assert_eq!(codes, ["PM0102"]);
}

#[test]
fn long_names_make_no_long_paths() {
    let name = "x".repeat(100_000);
    let nodes = "<node xmi:type='uml:OpaqueAction' name='n'/>".repeat(1000);
    let text = format!(
        "{HEAD}<packagedElement xmi:type='uml:Activity' name='{name}'>{nodes}</packagedElement>\
         </uml:Model>"
    );
    let (model, _) = read(text);
    let model = model.expect("there is an activity");
    let longest = model.elements.iter().map(|it| it.path.len()).max();
    assert!(longest < Some(200), "{longest:?}");
    assert_eq!(model.diagrams[0].name.len(), 100_000);
}

/// Repeats a piece of text with consecutive numbers.
fn repeated(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

/// Reads input that would take minutes if anything were quadratic, or would fill the memory if
/// texts were copied for each reference.
fn check_wide(body: &str, code: &str) {
    let (_, codes) = read(format!("{HEAD}{body}</uml:Model>"));
    assert!(
        codes.iter().any(|it| it == code),
        "{code} is not among {:?}",
        codes.first()
    );
    assert!(codes.len() <= 10_001, "{}", codes.len());
}

const ACTIVITY: &str = "<packagedElement xmi:type='uml:Activity'";
const END: &str = "</packagedElement>";

#[test]
fn width_does_no_harm() {
    let attributes = repeated(20_000, |it| format!(" a{it}='{it}'"));
    check_wide(&format!("{ACTIVITY}{attributes}/>"), "PM0010");
    let prefixes = repeated(20_000, |it| format!("<p{it}:x xmlns:p{it}='u{it}'/>"));
    check_wide(&prefixes, "PM0101");
    let bases = repeated(20_000, |it| format!(" base_{it}='_{it}'"));
    check_wide(&format!("<prophet:wait{bases}/>"), "PM0112");
    check_wide(&"<x a='&&&&&&&&&&'/>".repeat(20_000), "PM0006");
    check_wide(&"<!-- ".repeat(200_000), "PM0001");
    let list = repeated(20_000, |it| format!("_{it} "));
    check_wide(
        &format!("<x xmi:id='a b'/>{ACTIVITY} node='{list}'/>"),
        "PM0104",
    );
    check_wide(
        &"<edge xmi:type='uml:ControlFlow'/>".repeat(20_000),
        "PM0107",
    );
}

#[test]
fn long_texts_are_not_copied_for_each_reference() {
    let long = "x".repeat(200_000);
    let nodes = repeated(20_000, |it| {
        format!("<node xmi:type='uml:Action' xmi:id='_{it}'/>")
    });
    let all = repeated(20_000, |it| format!("_{it} "));
    let stereotype = format!("<prophet:wait base_X='{all}' cost='{long}'/>");
    check_wide(&format!("{ACTIVITY}>{nodes}{END}{stereotype}"), "PM0112");
    // The unknown escape makes sure that otherwise valid models report something.
    let comment = format!("<ownedComment annotatedElement='{all}' body='{long}'/><x a='&'/>");
    check_wide(&format!("{ACTIVITY}>{nodes}{comment}{END}"), "PM0006");
    let clauses = "<clause test='_0' decider='_0'/>".repeat(20_000);
    let deciding = format!("<node xmi:type='uml:OpaqueAction' xmi:id='_0' body='{long}'/>");
    let node = format!("<node xmi:type='uml:ConditionalNode' name='{long}' a='&'>");
    check_wide(
        &format!("{ACTIVITY}>{node}{clauses}{deciding}</node>{END}"),
        "PM0006",
    );
    let typed = "<variable name='v' type='_t'/>".repeat(20_000);
    check_wide(
        &format!("<x xmi:id='_t' name='{long}' a='&'/>{ACTIVITY}>{typed}{END}"),
        "PM0006",
    );
    let methods = "<x xmi:type='uml:OpaqueBehavior' specification='_o' body='1'/>".repeat(20_000);
    check_wide(
        &format!("<ownedOperation xmi:id='_o' name='{long}'/>{methods}"),
        "PM0120",
    );
    let edges = "<edge xmi:type='uml:ControlFlow' source='_k' target='_k'/>".repeat(20_000);
    check_wide(&format!("<x xmi:id='_k' name='{long}'/>{edges}"), "PM0106");
}

#[test]
fn width_of_extensions_does_no_harm() {
    let stereotypes = "<appliedStereotype xmi:value='Action_wait_id'/>".repeat(20_000);
    let tags = "<modelRef value='_t'/>".repeat(20_000);
    let tag = format!(
        "<x xmi:type='uml:TaggedValue' xmi:id='_t' tag='cost' value='{}'/>",
        "x".repeat(200_000)
    );
    let extended = |it: usize, content: &str| {
        format!(
            "<node xmi:type='uml:Action' xmi:id='_{it}'><xmi:Extension extender='x'>{content}\
             </xmi:Extension></node>"
        )
    };
    let wide = extended(0, &format!("{stereotypes}{tags}"));
    check_wide(&format!("{tag}{ACTIVITY}>{wide}{END}"), "PM0113");
    let one = "<appliedStereotype xmi:value='Action_wait_id'/><modelRef value='_t'/>";
    let many = repeated(20_000, |it| extended(it, one));
    check_wide(&format!("{tag}{ACTIVITY}>{many}{END}<x a='&'/>"), "PM0006");
    let many = "<stereotype value='wait'/><tag cost='1'/>".repeat(20_000);
    check_wide(&format!("{ACTIVITY}>{}{END}", extended(0, &many)), "PM0113");
    let marks = "<a/>".repeat(200_000);
    let state = format!(
        "<x xmi:type='uml:Pseudostate' xmi:id='_p'><xmi:Extension>{marks}</xmi:Extension></x>"
    );
    let edges = "<edge xmi:type='uml:ControlFlow' source='_p' target='_p'/>".repeat(20_000);
    check_wide(&format!("{state}{edges}"), "PM0106");
}

#[test]
fn width_of_annotations_does_no_harm() {
    let node = "<node xmi:type='uml:DecisionNode' xmi:id='d'/>\
        <node xmi:type='uml:Action' xmi:id='a'/>";
    let edges = repeated(20_000, |it| {
        format!("<edge xmi:type='uml:ControlFlow' xmi:id='e{it}' source='d' target='a'/>")
    });
    let steps = repeated(20_000, |it| {
        format!("<m:GaStep base_NamedElement='e{it} a' prob='$p{it}' hostDemand='1'/>")
    });
    let contexts = repeated(20_000, |it| {
        format!("<m:GaAnalysisContext base_NamedElement='m' context='in$p{it}=1'/>")
    });
    let model = format!("{ACTIVITY} xmi:id='m'>{node}{edges}{END}{steps}{contexts}");
    check_wide(&format!("<x xmlns:m='m'>{model}</x>"), "PM1103");
    let long = "1+".repeat(100_000);
    let model = format!("{node}<m:PaStep base_NamedElement='a' execTime='{long}'/>");
    check_wide(&format!("{ACTIVITY} xmlns:m='m'>{model}{END}"), "PM1101");
}

#[test]
fn width_of_packages_does_no_harm() {
    let nodes = repeated(20_000, |it| {
        format!(
            "<x xmi:type='uml:Package' name='P{it}'><x xmi:type='uml:Action' xmi:id='_{it}'/></x>\
             <x xmi:type='uml:ControlFlow' source='_0' target='_{it}'/>"
        )
    });
    check_wide(&format!("{nodes}<x a='&'/>"), "PM0006");
    let activities = repeated(20_000, |it| {
        format!(
            "<x xmi:type='uml:Activity' xmi:id='_{it}' name='A'/>\
             <x xmi:type='uml:ControlFlow' source='_0' target='_{it}'/>"
        )
    });
    check_wide(&format!("{activities}<x a='&'/>"), "PM0006");
    let calls = repeated(20_000, |it| {
        format!("<node xmi:type='uml:CallBehaviorAction' name='C{it}'/>")
    });
    check_wide(&format!("{ACTIVITY}>{calls}{END}<x a='&'/>"), "PM0006");
}

/// Reads wide UML 1.4 input: the states and transitions of a graph, and anything outside of it.
fn check_wide_uml14(states: &str, transitions: &str, beside: &str) -> Vec<Cow<'static, str>> {
    let (_, codes) = read(format!(
        "<XMI xmi.version='1.2' xmlns:UML='omg.org/UML/1.4'><UML:M xmi.id='m' name='M'>{beside}\
         <UML:ActivityGraph xmi.id='g'><UML:x.top><UML:CompositeState><UML:x.subvertex>{states}\
         </UML:x.subvertex></UML:CompositeState></UML:x.top><UML:x.transitions>{transitions}\
         </UML:x.transitions></UML:ActivityGraph></UML:M></XMI>"
    ));
    assert!(codes.len() <= 10_001, "{}", codes.len());
    codes
}

#[test]
fn width_of_uml_1_does_no_harm() {
    let long = "x".repeat(200_000);
    let states = repeated(20_000, |it| {
        format!("<UML:ActionState xmi.id='s{it}' name='s' stereotype='st'/>")
    });
    let transitions = repeated(20_000, |it| {
        format!("<UML:Transition xmi.id='t{it}' source='s0' target='s{it}'/>")
    });
    let stereotype = format!("<UML:Stereotype xmi.id='st' name='{long}'/>");
    let codes = check_wide_uml14(&states, &transitions, &stereotype);
    assert_eq!(codes, Vec::<&str>::new());
    let tags = repeated(20_000, |it| {
        format!(
            "<UML:x.taggedValue><UML:TaggedValue xmi.id='v{it}'><UML:x.dataValue>1\
             </UML:x.dataValue><UML:x.type><UML:TagDefinition xmi.idref='d'/></UML:x.type>\
             </UML:TaggedValue></UML:x.taggedValue>"
        )
    });
    let state =
        format!("<UML:ActionState xmi.id='s' stereotype='w w w w'>{tags}</UML:ActionState>");
    let beside = format!(
        "<UML:Stereotype xmi.id='w' name='wait'/><UML:TagDefinition xmi.id='d' name='{long}'/>"
    );
    let codes = check_wide_uml14(&state, "", &beside);
    assert!(codes.iter().any(|it| it == "PM0114"), "{codes:?}");
    let deep = "<UML:SubactivityState xmi.id='a'><UML:x.subvertex>".repeat(100);
    let codes = check_wide_uml14(&deep, "", "");
    assert_eq!(codes, ["PM0004"]);
}

#[test]
fn limits_are_kept() {
    let text = format!("{HEAD}<a b='1'/><a b='1'/></uml:Model>");
    let source = Source::new("limited.uml", text);
    let problem = |limits: Limits| {
        let mut diagnostics = Diagnostics::new();
        let tree = parse::parse(&source, &limits, &mut diagnostics);
        assert_eq!(tree.is_none(), diagnostics.has_errors());
        let first = diagnostics
            .sorted()
            .into_iter()
            .find(|it| it.code != "PM0101");
        first.map(|it| format!("{}: {}", it.code, it.message))
    };
    let limits = Limits::default();
    assert_eq!(problem(limits), None);
    let cases = [
        (
            Limits {
                bytes: 100,
                ..limits
            },
            "PM0008: the file has more than 100 bytes",
        ),
        (
            Limits {
                elements: 2,
                ..limits
            },
            "PM0008: the file has more than 2 elements",
        ),
        (
            Limits {
                attributes: 2,
                ..limits
            },
            "PM0008: the file has more than 2 attributes",
        ),
        (
            Limits { depth: 1, ..limits },
            "PM0004: elements are nested more than 1 levels deep",
        ),
    ];
    for (limits, expected) in cases {
        assert_eq!(problem(limits).as_deref(), Some(expected));
    }
}

/// Creates a model with this many copies of an activity.
fn copies(count: usize) -> String {
    let piece = |copy: usize| include_str!("copy.txt").replace("{copy}", &copy.to_string());
    format!("{HEAD}\n{}</uml:Model>", repeated(count, piece))
}

#[test]
fn twenty_megabytes_are_read() {
    // `cargo bench --bench read` shows how the time grows with the size.
    for count in [600, 3_000, 12_000] {
        let source = source(&copies(count));
        let mut diagnostics = Diagnostics::new();
        let model = super::super::read(&source, None, &mut diagnostics);
        let elements = model.expect("there are activities").elements.len();
        assert_eq!(elements, 5 * count);
    }
}
