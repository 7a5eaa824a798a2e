//! Positions at which tools have drawn nodes.

use super::source;
use crate::diagnostic::Diagnostics;

/// Names of elements with their positions.
fn places(xmi: &str) -> String {
    let model = crate::xmi::read(&source(xmi), None, &mut Diagnostics::new());
    let model = model.expect("there is an activity");
    let places = model.places.iter();
    let places = places.map(|(id, at)| format!("{} {} {}", model.element(*id).name, at.x, at.y));
    places.collect::<Vec<_>>().join(", ")
}

#[test]
fn reads_enterprise_architect() {
    let found = places(
        r#"<xmi:XMI xmi:version="2.1" xmlns:uml="http://schema.omg.org/spec/UML/2.1"
  xmlns:xmi="http://schema.omg.org/spec/XMI/2.1">
  <uml:Model xmi:type="uml:Model" name="EA_Model">
    <packagedElement xmi:type="uml:Activity" xmi:id="EAID_1" name="Main">
      <node xmi:type="uml:Action" xmi:id="EAID_2" name="A"/>
      <node xmi:type="uml:Action" xmi:id="EAID_3" name="B"/>
      <node xmi:type="uml:Action" xmi:id="EAID_4" name="C"/>
    </packagedElement>
  </uml:Model>
  <xmi:Extension extender="Enterprise Architect"><diagrams><diagram xmi:id="EAID_9"><elements>
    <element geometry="Left=100;Top=40;Right=190;Bottom=100;" subject="EAID_2" seqno="1"/>
    <element geometry="Left=0;Top=0;Right=2;Bottom=2;" subject="EAID_2" seqno="2"/>
    <element geometry="Left=1e999;Top=0;Right=2;Bottom=2;" subject="EAID_3" seqno="3"/>
    <element geometry="SX=0;SY=0;EX=0;EY=0;EDGE=3;$LLB=;" subject="EAID_3"/>
    <element geometry="Left=1;Top=0;Right=NaN;Bottom=2;" subject="EAID_4"/>
  </elements></diagram></diagrams></xmi:Extension>
</xmi:XMI>"#,
    );
    assert_eq!(found, "A 145 70");
}

#[test]
fn reads_visual_paradigm() {
    let found = places(
        r#"<xmi:XMI xmi:version="2.1" xmlns:uml="http://schema.omg.org/spec/UML/2.0"
  xmlns:xmi="http://schema.omg.org/spec/XMI/2.1">
  <uml:Model xmi:id="m" name="VP">
    <ownedMember xmi:type="uml:Activity" xmi:id="a" name="Main">
      <node xmi:type="uml:CallBehaviorAction" xmi:id="b" name="A"/>
      <node xmi:type="uml:CallBehaviorAction" xmi:id="c" name="B"/>
    </ownedMember>
  </uml:Model>
  <xmi:Extension extender="Visual Paradigm for UML"><uml:Diagram diagramType="ActivityDiagram"
    name="D" xmi:id="d"><uml:Diagram.element>
    <uml:DiagramElement geometry="193,310,108,40" preferredShapeType="Action" subject="b"/>
    <uml:DiagramElement fromDiagramElement="x" geometry="88,84;201,84;" subject="c"/>
  </uml:Diagram.element></uml:Diagram></xmi:Extension>
</xmi:XMI>"#,
    );
    assert_eq!(found, "A 247 330");
}

#[test]
fn reads_diagram_interchange() {
    let found = places(
        r#"<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
  xmlns:uml="http://www.omg.org/spec/UML/20131001"
  xmlns:umldi="http://www.omg.org/spec/UML/20131001/UMLDI"
  xmlns:dc="http://www.omg.org/spec/UML/20131001/UMLDC">
  <uml:Model xmi:type="uml:Model" xmi:id="_0" name="DI">
    <packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
      <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
      <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
    </packagedElement>
  </uml:Model>
  <umldi:UMLActivityDiagram xmi:type="umldi:UMLActivityDiagram" xmi:id="_d">
    <ownedElement xmi:type="umldi:UMLShape" xmi:id="_1" modelElement="_a">
      <bounds xmi:type="dc:Bounds" x="10" y="20" width="90" height="60"/></ownedElement>
    <ownedElement xmi:type="umldi:UMLShape" xmi:id="_2">
      <bounds xmi:type="dc:Bounds" y="100" width="90" height="60"/>
      <modelElement xmi:idref="_b"/></ownedElement>
  </umldi:UMLActivityDiagram>
</xmi:XMI>"#,
    );
    assert_eq!(found, "A 55 50, B 45 130");
}
