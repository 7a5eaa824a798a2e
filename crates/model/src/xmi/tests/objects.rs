//! Object nodes and calls of what is not read.

use super::check;
use expect_test::expect;

#[test]
fn parameters_and_buffers_pass_control_on() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:ActivityParameterNode" xmi:id="_in" name="in"/>
  <node xmi:type="uml:InitialNode" xmi:id="_i"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
  <node xmi:type="uml:CentralBufferNode" xmi:id="_buffer" name="buffer"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
  <node xmi:type="uml:ActivityParameterNode" xmi:id="_out" name="out"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_i" target="_a"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_2" source="_in" target="_a"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_3" source="_a" target="_buffer"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_4" source="_buffer" target="_b"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_5" source="_b" target="_out"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Initial InitialNode
              Action A
              Action buffer
              Action B
              InitialNode -> A
              A -> buffer
              buffer -> B
            warning PM0128: an ActivityParameterNode holds data, and only passes control on (and o…
              at <node xmi:type="uml:ActivityParameterNode" xmi:id="_in" name="in"/>
              in M::Main::in
            warning PM0128: a CentralBufferNode holds data, and only passes control on
              at <node xmi:type="uml:CentralBufferNode" xmi:id="_buffer" name="buffer"/…
              in M::Main::buffer
        "#]],
    );
}

#[test]
fn a_parameter_starts_what_nothing_else_starts() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:ActivityParameterNode" xmi:id="_x" name="x"/>
  <node xmi:type="uml:ActivityParameterNode" xmi:id="_y" name="y"/>
  <node xmi:type="uml:InitialNode" xmi:id="_i"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
  <node xmi:type="uml:DecisionNode" xmi:id="_d" name="D"/>
  <node xmi:type="uml:ActivityParameterNode" xmi:id="_out" name="out"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_1" source="_i" target="_a"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_2" source="_x" target="_b"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_3" source="_y" target="_b"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_4" source="_b" target="_d"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_5" source="_d" target="_out"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action x
              Initial InitialNode
              Action A
              Action B
              Decision D
              FlowFinal out
              Initial InitialNode
              InitialNode -> A
              x -> B
              B -> D
              D -> out
              InitialNode -> x
            warning PM0128: an ActivityParameterNode holds data, and only passes control on (and 2…
              at <node xmi:type="uml:ActivityParameterNode" xmi:id="_x" name="x"/>
              in M::Main::x
        "#]],
    );
}

#[test]
fn calls_of_what_is_not_read_are_plain_actions() {
    check(
        r##"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_f" name="F"><behavior
    href="library.uml#_x"/></node>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_g" name="G" behavior="_plus"/>
</packagedElement>
<packagedElement xmi:type="uml:FunctionBehavior" xmi:id="_plus" name="plus"/>
"##,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action F
              Action G
            warning PM0127: a call is of `_x`, in another file, `library.uml`, which is not read: …
              at library.uml#_x
              in M::Main::F
              help: apply a stereotype with its cost, or call an activity of this file
            warning PM0127: a call is of the FunctionBehavior `plus`, which is not an activity: it…
              at _plus
              in M::Main::G
              help: apply a stereotype with its cost, or call an activity of this file
            warning PM0116: `plus` is left out: it has no body
              at <packagedElement xmi:type="uml:FunctionBehavior" xmi:id="_plus" name="…
              in M::plus
        "#]],
    );
}
