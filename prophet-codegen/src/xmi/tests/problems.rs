//! What is wrong with a file or model.

use expect_test::expect;

use super::check;

#[test]
fn says_what_is_no_xml() {
    check("<uml:Model><a></uml:Model>", &expect![[""]]);
    check("<uml:Model><a b=\"1\" b=\"2\"/></uml:Model>", &expect![[""]]);
    check("<uml:Model><a b=1/></uml:Model>", &expect![[""]]);
    check("<uml:Model>", &expect![[""]]);
    check("<uml:Model/><uml:Model/>", &expect![[""]]);
    check("<uml:Model/> more", &expect![[""]]);
    check("<uml:Model>&</uml:Model>", &expect![[""]]);
    check("<uml:Model a='&gt'>\u{0}</uml:Model>", &expect![[""]]);
    check("<uml:Model a='", &expect![[""]]);
    check("<!-- only a comment -->", &expect![[""]]);
}

#[test]
fn refuses_entities() {
    check(
        "<!DOCTYPE x [<!ENTITY a \"b\">]><uml:Model/>",
        &expect![[""]],
    );
    check(
        "<!DOCTYPE x SYSTEM \"x.dtd\"><uml:Model name=\"&nbsp;\">&b;</uml:Model>",
        &expect![[""]],
    );
}

#[test]
fn says_what_is_no_model() {
    check("<?xml version='1.0'?><html/>", &expect![[""]]);
    check(
        "<XMI xmi.version='1.2' xmlns:UML='org.omg.xmi.namespace.UML'/>",
        &expect![[""]],
    );
    check(
        "<xmi:XMI xmlns:xmi='http://www.omg.org/spec/XMI/20131001'/>",
        &expect![[""]],
    );
}

#[test]
fn reports_ids_that_are_given_twice() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="B"/>
</packagedElement>
"#,
        &expect![[""]],
    );
}

#[test]
fn reports_references_to_nothing() {
    check(
        r##"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main" node="_first _missing">
  <node xmi:type="uml:OpaqueAction" xmi:id="_first" name="A" outgoing="_edgy"/>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_call" name="C" behavior="_nowhere"/>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_far" name="F"><behavior href="other.uml#_x"/></node>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_wrong" name="W" behavior="_first"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_edge" source="_fist" target="_first"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_edge2" source="_first"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_edge3" source="_first" target="_class"/>
</packagedElement>
<packagedElement xmi:type="uml:Class" xmi:id="_class" name="K"/>
"##,
        &expect![[""]],
    );
}

#[test]
fn reports_stereotypes_that_go_wrong() {
    check(
        r##"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_e" source="_a" target="_a"/>
</packagedElement>
<prophet:action base_Action="_a" base_Element="_a" cots="1" cost="2" code=" "><cost>3</cost></prophet:action>
<prophet:bsend base_Action="_a"/>
<prophet:broadcst base_Action="_a"/>
<prophet:zebra base_Action="_a"/>
<prophet:barrier base_Action="_gone"/>
<prophet:barrier/>
<prophet:barrier base_Edge="_e"/>
"##,
        &expect![[""]],
    );
}

#[test]
fn reports_nodes_outside_of_activities() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main"/>
<packagedElement xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
<packagedElement xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
"#,
        &expect![[""]],
    );
}
