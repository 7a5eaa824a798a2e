//! Regions that are interrupted, and handlers of exceptions.

use expect_test::expect;

use super::{check, outline, source};
use crate::diagnostic::Diagnostics;
use crate::vocabulary::Vocabulary;
use crate::xmi::{Guards, read_as};

const REGION: &str = r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:InitialNode" xmi:id="_i"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
  <node xmi:type="uml:AcceptEventAction" xmi:id="_stop" name="Stop"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
  <group xmi:type="uml:InterruptibleActivityRegion" xmi:id="_r" node="_a _stop"
    interruptingEdge="_3"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_i" target="_a"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_stop" target="_b"/>
</packagedElement>
"#;

#[test]
fn interruptions_are_refused() {
    check(
        REGION,
        &expect![[r#"
        model M starts at M::Main
        0 "Main" M::Main
          Initial InitialNode
          Action A
          Action Stop
          Action B
          Initial InitialNode
          InitialNode -> A
          InitialNode -> Stop
        warning PM0122: the AcceptEventAction waits for an event that it does not name, which …
          at <node xmi:type="uml:AcceptEventAction" xmi:id="_stop" name="Stop"/>
          in M::Main::Stop
          help: give it a time or a signal of the program, or apply a stereotype
        warning PM0126: no flow enters M::Main::Stop: it starts with its diagram, beside the r…
          at <node xmi:type="uml:AcceptEventAction" xmi:id="_stop" name="Stop"/>
          in M::Main::Stop
          help: its event counts as come; draw a flow to it from where it is waited fo…
        warning PM0124: the InterruptibleActivityRegion is read as if it were not there
          at <group xmi:type="uml:InterruptibleActivityRegion" xmi:id="_r" node="_a…
          in M::Main
        error PM0131: the flow from M::Main::Stop to M::Main::B interrupts a region, and not…
          at <edge xmi:type="uml:ControlFlow" xmi:id="_3" source="_stop" target="_b…
          in M::Main::Stop
          help: remove it; with `--assume`, the region runs to its end
    "#]],
    );
}

#[test]
fn interruptions_are_left_out_where_that_may_be_assumed() {
    let source = source(REGION);
    let mut diagnostics = Diagnostics::new();
    let own = Vocabulary::NONE;
    let model = read_as(Guards::Words, own, &source, None, &mut diagnostics).expect("it is read");
    assert!(!diagnostics.has_errors());
    let told = model
        .assumed
        .iter()
        .map(|it| (it.text.as_str(), it.gone.len()));
    let text = "the flow from M::Main::Stop to M::Main::B is never taken: its region is not \
                interrupted";
    assert!(told.eq([(text, 2)]), "{:?}", model.assumed);
    expect![[r#"
        model M starts at M::Main
        0 "Main" M::Main
          Initial InitialNode
          Action A
          Action B
          InitialNode -> A
    "#]]
    .assert_eq(&outline(&model));
}

#[test]
fn handlers_are_left_out() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:StructuredActivityNode" xmi:id="_a" name="A">
    <handler xmi:type="uml:ExceptionHandler" xmi:id="_h" handlerBody="_b" exceptionInput="_e"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_c" name="C"/>
  </node>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"><inputValue xmi:id="_e"/></node>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Structured 1 A
            1 "A" M::Main::A
              Action C
            warning PM0132: an exception handler is left out: no exceptions are simulated
              at <handler xmi:type="uml:ExceptionHandler" xmi:id="_h" handlerBody="_b" …
              in M::Main::A
        "#]],
    );
}
