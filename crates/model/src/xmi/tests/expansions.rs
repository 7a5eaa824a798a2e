//! Expansion regions.

use expect_test::expect;

use super::check;

#[test]
fn regions_repeat_their_content() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
  <structuredNode xmi:type="uml:ExpansionRegion" xmi:id="_r" name="R" mode="parallel"
    outputElement="_ro">
    <node xmi:type="uml:OpaqueAction" xmi:id="_b" name="B"><inputValue xmi:id="_bi"/>
      <outputValue xmi:id="_bo"/></node>
    <node xmi:type="uml:OpaqueAction" xmi:id="_c" name="C"/>
    <edge xmi:type="uml:ObjectFlow" xmi:id="_1" source="_ri" target="_bi"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_2" source="_b" target="_c"/>
    <edge xmi:type="uml:ObjectFlow" xmi:id="_3" source="_bo" target="_ro"/>
  </structuredNode>
  <node xmi:type="uml:ExpansionNode" xmi:id="_ri" name="in" regionAsInput="_r"/>
  <node xmi:type="uml:ExpansionNode" xmi:id="_ro" name="out"/>
  <node xmi:type="uml:ExpansionRegion" xmi:id="_s" name="S">
    <inputElement xmi:type="uml:ExpansionNode" xmi:id="_si"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_d" name="D"/>
  </node>
  <node xmi:type="uml:ExpansionRegion" xmi:id="_t" name="T" mode="stream">
    <node xmi:type="uml:OpaqueAction" xmi:id="_e" name="E"/>
  </node>
  <node xmi:type="uml:ExpansionNode" xmi:id="_lost" name="lost"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_4" source="_a" target="_ri"/>
  <edge xmi:type="uml:ObjectFlow" xmi:id="_5" source="_ro" target="_si"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_6" source="_s" target="_t"/>
</packagedElement>
<prophet:loop xmi:id="_p" base_StructuredActivityNode="_t" iterations="3"/>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A
              Structured 1 R «paralleldo»
              Structured 2 S «loop+»
              Structured 3 T «loop+ iterations=3»
              Unsupported ExpansionNode lost
              A -> R
              R -> S
              S -> T
            1 "R" M::Main::R
              Action B
              Action C
              B -> C
            2 "S" M::Main::S
              Action D
            3 "T" M::Main::T
              Action E
        "#]],
    );
}
