//! Reports of the resolver: at least one model for each rule of its stages.

mod concurrent;
mod expansion;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::resolve;
use crate::program::Program;
use prophet_model::diagnostic::{Diagnostics, catalogue};
use prophet_model::source::Source;
use prophet_model::xmi;

/// A model of one class with the main activity `Main`, whose parts are given in a short form.
#[derive(Default, Clone, Copy)]
struct Case<'a> {
    /// Nodes of Main, as `Initial I; Action A; Decision D`.
    nodes: &'a str,
    /// Flows of Main, as `I A; A B: x > 1; D E: else`.
    flows: &'a str,
    /// Stereotypes, as `action A cost="1"`.
    stereotypes: &'a [&'a str],
    /// More of the class, as XMI.
    class: &'a str,
    /// More of Main, as XMI.
    main: &'a str,
}

impl Case<'_> {
    fn text(&self) -> String {
        let mut text = String::from(
            r#"<uml:Model xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML"
 xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:prophet="http:///schemas/prophet/1"
 name="M"><packagedElement xmi:type="uml:Class" xmi:id="Class" name="P" classifierBehavior="Main">
<ownedBehavior xmi:type="uml:Activity" xmi:id="Main" name="Main">"#,
        );
        for node in parts(self.nodes) {
            let (kind, name) = node.split_once(' ').expect("a kind and a name");
            let kind = if kind.ends_with("Action") || kind.ends_with("Node") {
                kind.to_owned()
            } else {
                format!("{kind}Node")
            };
            let kind = if kind == "Action" {
                "OpaqueAction"
            } else {
                &kind
            };
            let _ = writeln!(
                text,
                r#"<node xmi:type="uml:{kind}" xmi:id="{name}" name="{name}"/>"#
            );
        }
        for (number, flow) in parts(self.flows).enumerate() {
            let (ends, guard) = flow.split_once(':').unwrap_or((flow, ""));
            let (source, target) = ends.split_once(' ').expect("two ends");
            let guard = guard.trim();
            let guard = if guard.is_empty() {
                String::new()
            } else {
                format!(r#" guard="{guard}""#)
            };
            let _ = writeln!(
                text,
                r#"<edge xmi:type="uml:ControlFlow" xmi:id="f{number}" source="{source}" target="{target}"{guard}/>"#
            );
        }
        let _ = writeln!(
            text,
            "{}</ownedBehavior>{}</packagedElement>",
            self.main, self.class
        );
        for stereotype in self.stereotypes {
            let (kind, rest) = stereotype.split_once(' ').expect("a kind and an element");
            let (element, tags) = rest.split_once(' ').unwrap_or((rest, ""));
            let _ = writeln!(text, r#"<prophet:{kind} base_Element="{element}" {tags}/>"#);
        }
        text.push_str("</uml:Model>");
        text
    }

    /// Resolves the model; returns the program, and each problem as its code and message.
    fn resolve(&self) -> (Option<Program>, Vec<String>) {
        let source = Source::new("model.uml", self.text());
        let mut diagnostics = Diagnostics::new();
        let read_table = |_: &str| Err("it is not there".to_owned());
        let program = xmi::read(&source, None, &mut diagnostics)
            .and_then(|model| resolve(&model, &source, &read_table, &mut diagnostics));
        let problems = diagnostics
            .sorted()
            .into_iter()
            .map(|problem| format!("{} {}", problem.code, problem.message))
            .collect();
        (program, problems)
    }
}

fn parts(list: &str) -> impl Iterator<Item = &str> {
    list.split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

/// An activity of that name without content.
const SUB: &str = r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="Sub" name="Sub"/>"#;

const FUNCTION_A: &str = r#"<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="FA" name="FA">
<language>C</language><body>FB()</body></ownedBehavior>"#;
const FUNCTION_B: &str = r#"<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="FB" name="FB">
<language>C</language><body>FA()</body></ownedBehavior>"#;

#[rustfmt::skip]
fn flow_cases() -> Vec<(Case<'static>, &'static str)> {
    let case = Case::default();
    vec![
        (Case { nodes: "Merge A; Merge B", flows: "A B; B A", ..case },
         "PM0301 M::P::Main has no node to start from"),
        (Case { nodes: "Action A; Action B", ..case },
         "PM0302 M::P::Main has 2 nodes to start from, which run concurrently"),
        (Case { nodes: "Initial I; Action A; Action B", flows: "I A; I B", ..case },
         "PM0303 2 flows leave M::P::Main::I, which can neither choose nor fork so"),
        (Case { nodes: "Initial I; Decision D; Action A", flows: "I D; D A: 1; D A: else", ..case },
         "PM0304 the flows into M::P::Main::A would have to come all, but only one can"),
        (Case { nodes: "Initial I; Decision D; Action A; Action B", flows: "I D; D A: 1; D B", ..case },
         "PM0305 a flow out of M::P::Main::D has no guard"),
        (Case { nodes: "Initial I; Decision D; Action A; Action B", flows: "I D; D A: else; D B: else", ..case },
         "PM0306 M::P::Main::D has more than one `else`"),
        (Case { nodes: "Initial I; ActivityFinal F; Action A", flows: "I F; F A", ..case },
         "PM0307 a flow leaves a final node"),
        (Case { nodes: "Initial I; ExpansionNode A", flows: "I A", ..case },
         "PM0310 an ExpansionNode has no meaning for a performance model"),
        (Case { nodes: "LoopNode L", ..case }, "PM0311 nothing decides about M::P::Main::L"),
    ]
}

#[rustfmt::skip]
fn element_cases() -> Vec<(Case<'static>, &'static str)> {
    let case = Case { nodes: "Action A", ..Case::default() };
    let two = Case { nodes: "Initial I; Action A; Action B", flows: "I A; A B", ..case };
    let call = Case { nodes: "", class: SUB,
        main: r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="A" name="A" behavior="Sub"/>"#, ..case };
    vec![
        (Case { stereotypes: &["action A"], ..case }, "PM0401 the `action+` \"A\" has no price"),
        (Case { stereotypes: &[r#"action A cost="1" time="2""#], ..case },
         "PM0402 the element has both a cost and a time"),
        (Case { stereotypes: &[r#"activity A cost="1""#], ..call },
         "PM0403 `activity+` has a cost, but its content is what costs"),
        (Case { stereotypes: &[r#"bsend A size="8""#], ..case }, "PM0404 `bsend` needs the tag `dest`"),
        (Case { stereotypes: &[r#"bsend A dest="0""#], ..case }, "PM0404 `bsend` needs the tag `size`"),
        (Case { stereotypes: &[r#"action A cost="1" working_set="8""#], ..case },
         "PM0404 `action+` needs the tag `bytes`"),
        (Case { stereotypes: &["loop A"], ..call }, "PM0404 `loop+` needs the tag `iterations`"),
        (Case { stereotypes: &[r#"action A rud="a.xml""#], ..case },
         "PM0417 there is text outside of the root element"),
        (Case { stereotypes: &[r#"bsend A dest="-2" size="1""#], ..case },
         "PM0414 the dest of `bsend` is -2, which is not a process"),
        (Case { stereotypes: &[r#"brecv A source="ANY" request="q""#], ..case },
         "PM0415 `brecv` is over when it returns: nothing can wait for a request"),
        (Case { stereotypes: &[r#"wait A request="q""#], ..case },
         "PM0416 no nbsend or nbrecv of the program has the request \"q\""),
        (Case { stereotypes: &[r#"acceptsignal A signal="s""#], ..case },
         "PM0423 nothing in the program sends the signal \"s\""),
        (Case { stereotypes: &["sendsignal A"], ..case }, "PM0404 `sendsignal` needs the tag `signal`"),
        (Case { stereotypes: &[r#"nbrecv A source="0" request="p, q""#], ..case },
         "PM0420 the request \"p, q\" of `nbrecv` has a comma"),
        (Case { stereotypes: &[r#"nbrecv A source="0" request="q""#, r#"wait B request="q, r""#], ..two },
         "PM0416 no nbsend or nbrecv of the program has the request \"r\""),
        (Case { stereotypes: &[r#"nbrecv A source="0" request="q""#, r#"wait B request="q,q""#], ..two },
         "PM0420 the request of `wait` names \"q\" twice"),
        (Case { stereotypes: &[r#"nbrecv A source="0" request="q""#, r#"wait B request="q,""#], ..two },
         "PM0420 the request of `wait` has a comma with no name beside it"),
        (Case { stereotypes: &[r#"wait A mode="first""#], ..case }, "PM0420 there is no mode \"first\""),
        (Case { stereotypes: &[r#"nbrecv A source="0" request="q""#, r#"wait B request="q" mode="any" index="x""#], ..two },
         "PM0421 the index of `wait` is `x`, and there is no such variable"),
        (Case { stereotypes: &[r#"brecv A source="0" status_tag="x""#], ..case },
         "PM0421 the status_tag of `brecv` is `x`, and there is no such variable"),
        (Case { class: r#"<ownedAttribute xmi:id="x" name="x" type="int"/>"#,
                stereotypes: &[r#"nbsend A dest="0" size="8""#, r#"brecv B source="0" into="x""#], ..two },
         "PM0422 no send gives M::P::Main::B a value"),
        (Case { stereotypes: &["activity A"], ..case }, "PM0408 `activity+` does not fit A"),
        (Case { stereotypes: &[r#"action A time="1" id="x""#], ..case },
         "PM0409 the id of M::P::Main::A is not an integer: \"x\""),
        (Case { stereotypes: &[r#"action A time="1" id="7""#, r#"action B time="1" id="7""#], ..two },
         "PM0410 M::P::Main::B has the id 7 of M::P::Main::A"),
        (Case { stereotypes: &[r#"action A time="-1""#], ..case },
         "PM0411 the time \"-1\" is not a number of seconds"),
        (Case { stereotypes: &[r#"action A time="1" code="x = 2;""#], nodes: "",
                main: r#"<node xmi:type="uml:OpaqueAction" xmi:id="A" name="A"><body>int x = 1;</body></node>"#, ..case },
         "PM0412 the element has code both as its body and as a tag"),
        (Case { nodes: "CallBehaviorAction A", stereotypes: &["activity A"], ..case },
         "PM0413 M::P::Main::A calls no activity"),
        (Case { stereotypes: &[r#"scatter A root="1 - 2" size="8""#], ..case },
         "PM0420 the root of `scatter` is -1"),
        (Case { stereotypes: &[r#"barrier A comm="pid + uid""#], ..case },
         "PM0430 the `comm` of `barrier` depends on uid, but each process must know it of every other"),
    ]
}

#[rustfmt::skip]
fn accelerator_cases() -> Vec<(Case<'static>, &'static str)> {
    let case = Case { nodes: "Action A", ..Case::default() };
    vec![
        (Case { stereotypes: &[r#"kernel A stream="1" share="0.5""#], ..case },
         "PM0404 the `kernel` \"A\" has no work"),
        (Case { stereotypes: &["copy A"], ..case }, "PM0404 `copy` needs the tag `bytes`"),
        (Case { stereotypes: &[r#"copy A bytes="8" direction="DeviceToHots""#], ..case },
         "PM0420 there is no direction \"DeviceToHots\""),
        (Case { stereotypes: &[r#"copy A bytes="8" direction="devicetohost" peer="1""#], ..case },
         "PM0420 a copy has both the direction DeviceToHost and a peer"),
        (Case { stereotypes: &["event A"], ..case }, "PM0404 `event` needs the tag `event`"),
        (Case { stereotypes: &[r#"synchronize A cost="1""#], ..case },
         "PM0403 `synchronize` has a cost, but nothing, or the wait, is what costs"),
    ]
}

#[rustfmt::skip]
fn workflow_cases() -> Vec<(Case<'static>, &'static str)> {
    let case = Case { nodes: "Action A", ..Case::default() };
    let call = Case { nodes: "", class: SUB,
        main: r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="A" name="A" behavior="Sub"/>"#, ..case };
    vec![
        (Case { stereotypes: &["workflow Main", r#"task A cost="1" outputs="f""#], ..case },
         "PM0440 the file \"f\" has no size"),
        (Case { stereotypes: &["workflow Main", r#"task A cost="1" inputs="f, g: 8""#], ..case },
         "PM0440 no task writes the file \"f\", and it has no size"),
        (Case { stereotypes: &["workflow Main", r#"task A cost="1" outputs="f: 8, f: 9""#], ..case },
         "PM0440 the tag `outputs` names the file \"f\" twice"),
        (Case { stereotypes: &["workflow Main", r#"task A model="../a.uml""#], ..case },
         "PM0420 \"../a.uml\" names no model in this model's own folder"),
        (Case { stereotypes: &["workflow Main", r#"task A model="a.uml" cost="1""#], ..case },
         "PM0402 the task has both a `model` and a price"),
        (Case { stereotypes: &["workflow Main", "task A"], ..case }, "PM0401 the `task` \"A\" has no price"),
        (Case { stereotypes: &["workflow Main", "barrier A"], ..case },
         "PM0441 `barrier` has no place in a workflow, which has no processes"),
        (Case { stereotypes: &[r#"task A cost="1""#], ..case },
         "PM0442 M::P::Main::A is a `task`, but the main activity is no `workflow`"),
        (Case { stereotypes: &["workflow Sub"], ..call }, "PM0442 the activity M::P::Sub is not the main one"),
        (Case { stereotypes: &["file A"], ..case }, "PM0408 `file` does not fit A"),
        (Case { stereotypes: &["workflow Main", r#"task A cost="1" retries="2""#], ..case },
         "PM0443 the task has `retries`, but it never fails"),
        (Case { stereotypes: &["workflow Main", r#"task A cost="1" failure_probability="2""#], ..case },
         "PM0420 the failure_probability of `task` is 2"),
    ]
}

#[rustfmt::skip]
fn program_cases() -> Vec<(Case<'static>, &'static str)> {
    let case = Case { nodes: "Action A", ..Case::default() };
    let cost = Case { stereotypes: &[r#"action A cost="FA()""#], ..case };
    vec![
        (Case { class: r#"<ownedAttribute xmi:id="x" name="x" type="Class"/>"#, ..case },
         "PM0614 x is left out: P is not a type of the cost language"),
        (Case { class: r#"<ownedAttribute xmi:id="x" name="x"/>"#, ..case },
         "PM0614 x is left out: x has no type"),
        (Case { nodes: "", main: r#"<variable xmi:id="x" name="x" type="Class"/>"#, ..case },
         "PM0601 P is not a type of the cost language"),
        (Case { class: r#"<ownedAttribute xmi:id="x" name="x" type="int"/><ownedAttribute xmi:id="y" name="X" type="int"/>"#, ..case },
         "PM0602 X and x are too much alike: they differ only in case or underscores"),
        (Case { class: r#"<ownedAttribute xmi:id="x" name="x" type="int"/><ownedAttribute xmi:id="y" name="x" type="int"/>"#, ..case },
         "PM0602 there are two of the name x"),
        (Case { nodes: "", main: r#"<variable xmi:id="x" name="x" type="int"/>
<node xmi:type="uml:StructuredActivityNode" xmi:id="S" name="S"><variable xmi:id="y" name="x" type="int"/>
<node xmi:type="uml:OpaqueAction" xmi:id="B" name="B"/></node>"#, ..case },
         "PM0603 x hides the variable of that name around this diagram"),
        (Case { class: r#"<ownedAttribute xmi:id="x" name="x" type="int" isReadOnly="true" default="pid"/>"#, ..case },
         "PM0604 the default of the parameter x is not a constant"),
        (Case { class: two_functions(), ..cost },
         "PM0605 cost functions call each other in a circle: FA → FB → FA"),
        (Case { nodes: "", main: r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="A" name="A" behavior="Main"/>"#, ..case },
         "PM0606 activities call each other in a circle: M::P::Main → M::P::Main"),
        (Case { stereotypes: &[r#"action A cost='interpolate("t.csv", 1)'"#], ..case },
         "PM0607 cannot read the table \"t.csv\": it is not there"),
        (Case { class: r#"<ownedAttribute xmi:id="x" name="x" type="int" isReadOnly="true" upper="3"/>"#, ..case },
         "PM0608 the parameter x is an array"),
        (Case { class: r#"<ownedAttribute xmi:id="x" name="x" type="int" upper="3" default="1"/>"#, ..case },
         "PM0608 the array x has a default value"),
        (Case { class: r#"<ownedAttribute xmi:id="x" name="a b" type="int"/>"#, ..case },
         "PM0614 a b is left out: \"a b\" is not a name that expressions can use"),
        (Case { nodes: "", main: r#"<variable xmi:id="x" name="X$1" type="int"/>"#, ..case },
         "PM0614 X$1 is left out: \"X$1\" is not a name that expressions can use"),
    ]
}

/// Two functions that call each other.
fn two_functions() -> &'static str {
    Box::leak(format!("{FUNCTION_A}{FUNCTION_B}").into_boxed_str())
}

#[test]
fn each_problem_is_told_as_it_is() {
    let cases = [
        flow_cases(),
        element_cases(),
        accelerator_cases(),
        workflow_cases(),
        program_cases(),
    ]
    .concat();
    let mut seen = BTreeSet::new();
    let mut wrong = Vec::new();
    for (case, expected) in &cases {
        let (program, problems) = case.resolve();
        let warns = ["PM0302", "PM0422", "PM0443", "PM0614"]
            .iter()
            .any(|code| expected.starts_with(code));
        if problems != [*expected] || program.is_some() != warns {
            wrong.push(format!("{problems:#?} instead of {expected:?}"));
        }
        seen.insert(expected[..6].to_owned());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Rules for deep models, calls that multiply, names of arguments, forks and regions have tests
    // of their own.
    seen.insert("PM0612".to_owned());
    seen.insert("PM0609".to_owned());
    seen.extend(concurrent::CODES.map(str::to_owned));
    let all: BTreeSet<String> = catalogue::all()
        .map(|rule| rule.code.to_owned())
        .filter(|code| {
            ["PM03", "PM04", "PM06"]
                .iter()
                .any(|stage| code.starts_with(stage))
        })
        .collect();
    assert_eq!(seen, all, "each rule has a case, and each case a rule");
}

#[test]
fn an_argument_needs_a_name_only_if_its_function_is_called() {
    let function = r#"<ownedBehavior xmi:type="uml:OpaqueBehavior" xmi:id="FA" name="FA">
<ownedParameter xmi:id="p" name="X$1" type="int"/><body>1</body></ownedBehavior>"#;
    let case = Case {
        nodes: "Action A",
        class: function,
        ..Case::default()
    };
    assert_eq!(case.resolve().1, [""; 0]);
    let called = Case {
        stereotypes: &[r#"action A cost="FA(1)""#],
        ..case
    };
    let problems = called.resolve().1;
    let told = problems
        .iter()
        .any(|it| it.starts_with("PM0609 \"X$1\" is not a name"));
    assert!(told, "{problems:#?}");
}

/// Activities A0, A1, … each of which runs the next in `loops` loops whose variable it sees.
fn loops_in_loops(levels: usize, loops: usize) -> Vec<String> {
    let mut class = String::new();
    let mut stereotypes = String::new();
    for level in 0..levels {
        let _ = write!(
            class,
            r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="A{level}" name="A{level}">"#
        );
        for number in 0..loops {
            let (id, next) = (format!("L{level}_{number}"), level + 1);
            let _ = write!(
                class,
                r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="{id}" name="{id}" behavior="A{next}"/>"#
            );
            if number > 0 {
                let before = number - 1;
                let _ = write!(
                    class,
                    r#"<edge xmi:type="uml:ControlFlow" xmi:id="{id}f" source="L{level}_{before}" target="{id}"/>"#
                );
            }
            let _ = write!(
                stereotypes,
                r#"<prophet:loop base_Element="{id}" iterations="2" variable="v{level}"/>"#
            );
        }
        class.push_str("</ownedBehavior>");
    }
    let names: Vec<String> = (0..levels).map(|level| format!("v{level}")).collect();
    let _ = write!(
        class,
        r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="A{levels}" name="A{levels}">
<node xmi:type="uml:OpaqueAction" xmi:id="W" name="W"/></ownedBehavior>"#
    );
    let _ = write!(
        stereotypes,
        r#"<prophet:action base_Element="W" cost="{}"/>"#,
        names.join("+")
    );
    let main = r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="Go" name="Go" behavior="A0"/>"#;
    let case = Case {
        class: &class,
        main,
        ..Case::default()
    };
    let text = case
        .text()
        .replace("</uml:Model>", &format!("{stereotypes}</uml:Model>"));
    let source = Source::new("model.uml", text);
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(&source, None, &mut diagnostics).expect("there are activities");
    let read_table = |_: &str| Err(String::new());
    let _ = resolve(&model, &source, &read_table, &mut diagnostics);
    diagnostics
        .sorted()
        .into_iter()
        .map(|problem| problem.code.into_owned())
        .collect()
}

#[test]
fn loops_in_loops_see_the_variables_around_them() {
    assert!(loops_in_loops(3, 2).is_empty());
}

#[test]
fn what_would_be_copied_without_bound_is_refused() {
    let problems = loops_in_loops(30, 2);
    assert!(problems.contains(&"PM0612".to_owned()), "{problems:?}");
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let problems = loops_in_loops(400, 1);
    assert!(problems.contains(&"PM0612".to_owned()), "{problems:?}");
}
