//! Creates large models in the format of Papyrus.

use std::fmt::Write as _;

use prophet_codegen::source::Source;

/// Creates a model of about this size. `called` says whether the program calls the copies.
pub(crate) fn model(megabytes: usize, called: bool) -> Source {
    let (mut activities, mut calls, mut stereotypes) =
        (String::new(), String::new(), String::new());
    let mut number = 0;
    while activities.len() + calls.len() + stereotypes.len() < megabytes * 1_000_000 {
        number += 1;
        add_activity(&mut activities, number);
        let _ = writeln!(
            stereotypes,
            r#"  <prophet:action xmi:id="_A{number}_s" base_Action="_A{number}" cost="1.5*({number}+pid)"/>
  <prophet:allreduce xmi:id="_R{number}_s" base_Action="_R{number}" size="8"/>"#
        );
        if called {
            let before = number - 1;
            let _ = writeln!(
                calls,
                r#"      <node xmi:type="uml:CallBehaviorAction" xmi:id="_C{number}" name="Call{number}" behavior="_D{number}"/>
      <edge xmi:type="uml:ControlFlow" xmi:id="_F{number}" source="_C{before}" target="_C{number}"/>"#
            );
        }
    }
    let text = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmlns:prophet="http:///schemas/prophet/1">
  <uml:Model xmi:id="_M" name="Large">
    <packagedElement xmi:type="uml:Class" xmi:id="_P" name="Program" classifierBehavior="_Main">
      <ownedBehavior xmi:type="uml:Activity" xmi:id="_Main" name="Main">
      <node xmi:type="uml:InitialNode" xmi:id="_C0" name="Initial"/>
{calls}      </ownedBehavior>
{activities}    </packagedElement>
  </uml:Model>
{stereotypes}</xmi:XMI>
"#
    );
    Source::new("large.uml", text)
}

/// Adds an activity in the format of Papyrus: a block and an allreduce between an initial and a
/// final node.
fn add_activity(text: &mut String, n: usize) {
    let _ = writeln!(
        text,
        r#"      <ownedBehavior xmi:type="uml:Activity" xmi:id="_D{n}" name="Part{n}" node="_I{n} _A{n} _R{n} _E{n}">
        <ownedComment xmi:id="_K{n}" annotatedElement="_D{n}"><body>Part {n} of the program.</body></ownedComment>
        <edge xmi:type="uml:ControlFlow" xmi:id="_I{n}_to_A{n}" target="_A{n}" source="_I{n}"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="_A{n}_to_R{n}" target="_R{n}" source="_A{n}"/>
        <edge xmi:type="uml:ControlFlow" xmi:id="_R{n}_to_E{n}" target="_E{n}" source="_R{n}"/>
        <node xmi:type="uml:InitialNode" xmi:id="_I{n}" name="Initial" outgoing="_I{n}_to_A{n}"/>
        <node xmi:type="uml:OpaqueAction" xmi:id="_A{n}" name="A{n}" incoming="_I{n}_to_A{n}" outgoing="_A{n}_to_R{n}"/>
        <node xmi:type="uml:OpaqueAction" xmi:id="_R{n}" name="R{n}" incoming="_A{n}_to_R{n}" outgoing="_R{n}_to_E{n}"/>
        <node xmi:type="uml:ActivityFinalNode" xmi:id="_E{n}" name="Final" incoming="_R{n}_to_E{n}"/>
      </ownedBehavior>"#
    );
}
