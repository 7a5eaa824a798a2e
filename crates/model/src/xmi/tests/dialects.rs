//! Differences between tools.

use expect_test::expect;

use super::{check, read};

#[test]
fn reads_the_standard_with_stereotypes_beside_the_model() {
    check(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
  xmlns:uml="http://www.omg.org/spec/UML/20131001" xmlns:prophet="http:///schemas/prophet/1"
  xmlns:std="http://www.omg.org/spec/UML/20131001/StandardProfile">
  <xmi:Documentation exporter="x"/>
  <uml:Model xmi:type="uml:Model" xmi:id="_0" name="Beside">
    <packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
      <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
      <node xmi:type="uml:OpaqueAction" xmi:id="_b"><name>B &amp; C</name></node>
    </packagedElement>
  </uml:Model>
  <prophet:action xmi:id="_1" base_Action="_a"><cost>F(1 &lt; 2)</cost><time
    xmi:nil="true"/></prophet:action>
  <prophet:brecv xmi:id="_2" source="ANY"><base_Element xmi:idref="_b"/></prophet:brecv>
  <std:Process xmi:id="_3" base_Action="_a"/>
</xmi:XMI>"#,
        &expect![[r#"
            model Beside starts at Beside::Main
            0 "Main" Beside::Main
              Action A «action+ cost=F(1 < 2)»
              Action B & C «brecv source=ANY»
        "#]],
    );
}

#[test]
fn follows_the_paths_of_emf_where_elements_have_no_ids() {
    let model = |edge: &str| {
        format!(
            r#"<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20110701"
  xmlns:uml="http://www.eclipse.org/uml2/4.0.0/UML">
  <uml:Model name="M"><eAnnotations source="a/b"/><packagedElement xmi:type="uml:Activity"
    name="My A" node="/0/My%20A/i /0/My%20A/x">
    {edge}
    <node xmi:type="uml:InitialNode" name="i" outgoing="/0/My%20A/@edge.0"/>
    <node xmi:type="uml:OpaqueAction" name="x"/>
    <node xmi:type="uml:OpaqueAction" name="x"/>
    <node xmi:type="uml:ActivityFinalNode"/>
  </packagedElement></uml:Model><uml:Package name="N"/></xmi:XMI>"#
        )
    };
    let edge = |target: &str| {
        model(&format!(
            r##"<edge xmi:type="uml:ControlFlow" target="{target}"><source
            xmi:type="uml:InitialNode" href="#/0/My%20A/i"/></edge>"##
        ))
    };
    for (target, place) in [
        ("/0/My%20A/x", 1),
        ("//My%20A/x", 1),
        ("//My A/x", 1),
        ("//@packagedElement/@node.2", 2),
        ("//@packagedElement.0/x.1", 2),
        ("/0/@packagedElement.0/@node.3", 3),
    ] {
        let (model, problems) = read(&edge(target));
        let model = model.expect("there is an activity");
        assert!(problems.is_empty(), "{target}: {problems:?}");
        let flow = &model.diagrams[0].flows[0];
        assert_eq!(flow.target, model.diagrams[0].elements[place], "{target}");
    }
    for nowhere in [
        "//My%20A/y",
        "//My%20A/x.2",
        "//My%20A/@node.4",
        "//My%20A/@nodes.0",
        "//My%20A/@node.x",
        "//My%20A/@",
        "//My%20A/",
        "/2",
        "/x",
        "//%a%2Fb%/x",
        "//%/%%/%zz",
    ] {
        let (_, problems) = read(&edge(nowhere));
        let codes: Vec<&str> = problems.iter().map(|it| &*it.code).collect();
        assert_eq!(codes, ["PM0104"], "{nowhere}: {problems:?}");
    }
    // An annotation and another root are found, and are not nodes.
    for elsewhere in ["//%a%2Fb%", "/1", "/0"] {
        let (_, problems) = read(&edge(elsewhere));
        let codes: Vec<&str> = problems.iter().map(|it| &*it.code).collect();
        assert_eq!(codes, ["PM0106"], "{elsewhere}: {problems:?}");
    }
}

#[test]
fn reads_enterprise_architect() {
    check(
        r#"<?xml version="1.0" encoding="windows-1252"?>
<xmi:XMI xmi:version="2.1" xmlns:uml="http://schema.omg.org/spec/UML/2.1"
  xmlns:xmi="http://schema.omg.org/spec/XMI/2.1"
  xmlns:prophet="http://www.sparxsystems.com/profiles/prophet/1.0"
  xmlns:thecustomprofile="http://www.sparxsystems.com/profiles/thecustomprofile/1.0">
  <uml:Model xmi:type="uml:Model" name="EA_Model" visibility="public">
    <packagedElement xmi:type="uml:Activity" xmi:id="EAID_1" name="Main" visibility="public">
      <edge xmi:type="uml:ControlFlow" xmi:id="EAID_4" visibility="public" source="EAID_2"
        target="EAID_3"/>
      <node xmi:type="uml:Action" xmi:id="EAID_2" name="A" visibility="public"><outgoing
        xmi:idref="EAID_4"/></node>
      <node xmi:type="uml:Action" xmi:id="EAID_3" name="B" visibility="public"><incoming
        xmi:idref="EAID_4"/></node>
    </packagedElement>
    <thecustomprofile:boundary base_Class="EAID_1"/>
    <prophet:action_ base_Action="EAID_2" __EAStereoName="action+" cost="1"/>
    <prophet:activity__ base_Activity="EAID_1" __EAStereoName="activity+"/>
  </uml:Model>
  <xmi:Extension extender="Enterprise Architect"><elements><element xmi:idref="EAID_2"
    xmi:id="EAID_3"/></elements></xmi:Extension>
</xmi:XMI>"#,
        &expect![[r#"
            model EA_Model starts at EA_Model::Main
            0 "Main" EA_Model::Main «activity+»
              Action A «action+ cost=1»
              Action B
              A -> B
            warning PM0110: `http://www.sparxsystems.com/profiles/prophet/1.0` is taken for the pr…
              at <prophet:action_ base_Action="EAID_2" __EAStereoName="action+" cost="1…
              help: its namespace is `http:///schemas/prophet/1`; apply the profile that i…
        "#]],
    );
}

#[test]
fn knows_stereotypes_by_their_original_names() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
</packagedElement>
<eAnnotations source="http://www.eclipse.org/uml2/2.0.0/UML">
  <contents xmi:type="ecore:EPackage" xmlns:ecore="http://www.eclipse.org/emf/2002/Ecore"
    name="prophet" nsURI="http:///schemas/other/2">
    <eClassifiers xmi:type="ecore:EClass" name="Stereotype1"><eAnnotations
      source="http://www.eclipse.org/uml2/2.0.0/UML"><details key="originalName"
      value="action+"/></eAnnotations></eClassifiers>
  </contents>
</eAnnotations>
<p:Stereotype1 xmlns:p="http:///schemas/other/2" base_Action="_a" time="2"/>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A «action+ time=2»
            warning PM0110: `http:///schemas/other/2` is taken for the profile `prophet`
              at <p:Stereotype1 xmlns:p="http:///schemas/other/2" base_Action="_a" time…
              help: its namespace is `http:///schemas/prophet/1`; apply the profile that i…
        "#]],
    );
}

#[test]
fn warns_of_another_version_of_the_profile() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"/>
</packagedElement>
<p:Action xmlns:p="http:///schemas/Prophet/_x7/2" base_Action="_a" time="2"/>
<p:Action xmlns:p="http:///schemas/Prophet/_x7/2" base_Action="_b" time="2"/>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A «action+ time=2»
              Action B «action+ time=2»
            warning PM0110: `http:///schemas/Prophet/_x7/2` is taken for the profile `prophet`
              at <p:Action xmlns:p="http:///schemas/Prophet/_x7/2" base_Action="_a" tim…
              help: its namespace is `http:///schemas/prophet/1`; apply the profile that i…
        "#]],
    );
}

#[test]
fn reads_ids_that_are_no_names() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="{M-1}" name="Main" node="my node 1 my node 2 a.b">
  <node xmi:type="uml:OpaqueAction" xmi:id="my node 1" name="A"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="my node 2" name="B"/>
  <node xmi:type="uml:OpaqueAction" xmi:id="a.b" name="C"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="e 1" source="my node 1" target="my node 2"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="e&amp;2" source="my node 2" target="a.b"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A
              Action B
              Action C
              A -> B
              B -> C
        "#]],
    );
}

#[test]
fn reads_documents_with_odd_namespaces() {
    check(
        r#"<?xml version="1.0"?>
<uml:Package xmi:version="2.0" xmlns:xmi="http://www.omg.org/XMI"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:uml="http://www.eclipse.org/uml2/1.0.0/UML" xmi:id="_0" name="Old">
  <ownedMember xsi:type="uml:Activity" xmi:id="_m" name="Main">
    <nodes xsi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
    <edges xsi:type="uml:ControlFlow" xmi:id="_e" source="_a" target="_a"/>
  </ownedMember>
</uml:Package>"#,
        &expect![[r#"
            model Old starts at Old::Main
            0 "Main" Old::Main
              Action A
              A -> A
        "#]],
    );
    check(
        r#"<uml:Activity xmlns="http://schema.omg.org/spec/UML/2.1/"
  xmlns:u="http://www.omg.org/spec/UML/20161101" xmi:id="_m" name="Main">
  <u:node xmi:type="u:OpaqueAction" xmi:id="_a" name="A"/>
</uml:Activity>"#,
        &expect![[r#"
            model Main starts at Main::Main
            0 "Main" Main::Main
              Action A
            warning PM0007: the prefix `uml` is not declared
              at <uml:Activity xmlns="http://schema.omg.org/spec/UML/2.1/"   xmlns:u="h…
              help: declare it in the root element, as in `xmlns:uml="…"`
            warning PM0007: the prefix `xmi` is not declared
              at xmi:id
              help: declare it in the root element, as in `xmlns:xmi="…"`
        "#]],
    );
}

#[test]
fn reads_bodies_with_escaped_line_ends_and_character_data() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"><body>x = 1;&#xD;&#xA;y = 2;</body></node>
  <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"><body><![CDATA[z = x < y;]]></body></node>
  <node xmi:type="uml:OpaqueAction" xmi:id="_c" name="C" body="a = 1;&#xA;b = 2;" language="c"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A { x = 1;
            y = 2; }
              Action B { z = x < y; }
              Action C { a = 1;
            b = 2; }
        "#]],
    );
}
