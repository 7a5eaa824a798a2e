//! Peculiarities of single tools.

use expect_test::expect;

use super::check;

/// A file of a tool that puts stereotypes beside the model's elements.
fn file(head: &str, content: &str) -> String {
    format!(
        "<?xml version='1.0'?><xmi:XMI xmi:version='2.1'
xmlns:uml='http://schema.omg.org/spec/UML/2.1' xmlns:xmi='http://schema.omg.org/spec/XMI/2.1'
xmlns:t='http://www.sparxsystems.com/profiles/thecustomprofile/1.0'>{head}
<uml:Model xmi:type='uml:Model' xmi:id='m' name='M'>
{content}
</uml:Model></xmi:XMI>"
    )
}

#[test]
fn takes_activities_that_are_drawn_for_calls() {
    check(
        &file(
            "",
            "<packagedElement xmi:type='uml:Package' xmi:id='p' name='P'>
<packagedElement xmi:type='uml:Activity' xmi:id='main' name='Main'>
  <node xmi:type='uml:InitialNode' xmi:id='i' name='I'/>
  <edge xmi:type='uml:ControlFlow' xmi:id='e1' source='i' target='part'/></packagedElement>
<packagedElement xmi:type='uml:Activity' xmi:id='part' name='Part'>
  <node xmi:type='uml:Action' xmi:id='a' name='A'/></packagedElement>
<edge xmi:type='uml:ControlFlow' xmi:id='e2' source='part' target='end'/>
<node xmi:type='uml:ActivityFinalNode' xmi:id='end' name='E'/>
</packagedElement>
<t:parallel base_Activity='part' __EAStereoName='activity+'/>",
        ),
        &expect![[r#"
            model M starts at M::P::Main
            0 "Main" M::P::Main
              Initial I
              Call 1 Part «activity+»
              ActivityFinal E
              I -> Part
              Part -> E
            1 "Part" M::P::Part «activity+»
              Action A
        "#]],
    );
}

#[test]
fn takes_packages_for_the_activities_drawn_in_them() {
    check(
        &file(
            "",
            "<ownedMember xmi:type='uml:Package' xmi:id='p' name='P'>
<ownedMember xmi:type='uml:Pseudostate' xmi:id='i' kind='initial'><xmi:Extension
  extender='Visual Paradigm'><initialNode/></xmi:Extension></ownedMember>
<ownedMember xmi:type='uml:CallBehaviorAction' xmi:id='a' name='A'/>
<ownedMember xmi:type='uml:Pseudostate' xmi:id='s' kind='initial'><xmi:Extension
  extender='Visual Paradigm'><initialState/></xmi:Extension></ownedMember></ownedMember>
<ownedMember xmi:type='uml:Class' xmi:id='c' name='C'>
<ownedAttribute xmi:type='uml:Property' xmi:id='x' name='x' type='int'/>
<ownedMember xmi:type='uml:CallBehaviorAction' xmi:id='b' name='P'/>
<ownedMember xmi:type='uml:CallBehaviorAction' xmi:id='d' name='D'/></ownedMember>
<ownedMember xmi:id='activity_id' xmi:type='uml:Activity'>
<edge xmi:type='uml:ControlFlow' xmi:id='e1' source='i' target='a'/>
<edge xmi:type='uml:ControlFlow' xmi:id='e2' source='b' target='d'/></ownedMember>",
        ),
        &expect![[r#"
            model M starts at M::C
            global int x
            0 "P" M::P
              Initial InitialNode
              Action A
              InitialNode -> A
            1 "C" M::C
              Call 0 P
              Action D
              P -> D
            warning PM0122: the CallBehaviorAction names no activity and does nothing (and once mo…
              at <ownedMember xmi:type='uml:CallBehaviorAction' xmi:id='a' name='A'/>
              in M::P::A
              help: apply a stereotype, or choose the activity in its property `behavior`
        "#]],
    );
}

#[test]
fn finds_stereotypes_and_tags_of_no_profile() {
    check(
        &file(
            "",
            "<packagedElement xmi:type='uml:Activity' xmi:id='main' name='Main'>
<node xmi:type='uml:Action' xmi:id='a' name='A'/><node xmi:type='uml:Action' xmi:id='b' name='B'/>
</packagedElement><packagedElement xmi:type='uml:Class' xmi:id='c' name='C'/>
<t:cost base_Action='a' cost='1 + 1'/><t:action_ base_Action='a' __EAStereoName='action+'/>
<t:colour base_Action='a' colour='red'/><t:cost base_Action='b' cost='2'/>
<t:single base_Class='c'/><t:boundary base_Class='c'/>",
        ),
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A «action+ cost=1 + 1»
              Action B
            warning PM0114: `action+` has no tag `colour`
              at red
              help: it has id, type, time, cost, code, rud, model, bytes
        "#]],
    );
}

#[test]
fn finds_the_bodies_of_operations() {
    let operation = |id: &str, more: &str| {
        format!(
            "<ownedOperation xmi:id='{id}' name='{id}'><ownedParameter xmi:id='{id}r' name='r'
direction='return' type='double'/><ownedParameter xmi:id='{id}p' name='n' kind='in' type='int'/>
{more}</ownedOperation>"
        )
    };
    check(
        &file(
            "<xmi:Extension extender='Enterprise Architect'><operation xmi:idref='F'><behaviour
value='return n;'/></operation></xmi:Extension>",
            &format!(
                "<packagedElement xmi:type='uml:Class' xmi:id='c' name='C'>{}{}{}
<ownedBehavior xmi:type='uml:Activity' xmi:id='main' name='Main'/></packagedElement>",
                operation("F", ""),
                operation(
                    "G",
                    "<xmi:Extension extender='Star'><specification value='return 2*n;'/>
</xmi:Extension>"
                ),
                operation("H", "")
            ),
        ),
        &expect![[r#"
            model M starts at M::C::Main
            function F(int n) -> double: return n;
            function G(int n) -> double: return 2*n;
            0 "Main" M::C::Main
        "#]],
    );
}

#[test]
fn reads_what_staruml_encodes() {
    check(
        &file(
            "<xmi:Documentation exporter='StarUML'/>",
            "<packagedElement xmi:type='uml:Activity' xmi:id='m%20a' name='My%20%22Main%22'>
<node xmi:type='uml:DecisionNode' xmi:id='d'/>
<node xmi:type='uml:OpaqueAction' xmi:id='x' name='50%'><xmi:Extension extender='StarUML'><tag
  cost='a%20&&%20b'/><stereotype value='action+'/></xmi:Extension></node>
<edge xmi:type='uml:ControlFlow' xmi:id='e' source='d' target='x'><guard
  xmi:type='uml:LiteralString' xmi:id='g' value='p%20%3C%201%20&&%20q'/></edge></packagedElement>",
        ),
        &expect![[r#"
            model M starts at M::My "Main"
            0 "My \"Main\"" M::My "Main"
              Decision DecisionNode
              Action 50% «action+ cost=a && b»
              DecisionNode -> 50% [p < 1 && q]
        "#]],
    );
}

#[test]
fn takes_names_for_guards_where_there_are_none() {
    let decision = |edges: [(&str, &str); 3]| {
        let edge = |(id, (name, guard)): (i32, (&str, &str))| {
            format!(
                "<edge xmi:type='uml:ControlFlow' xmi:id='e{id}' name='{name}' source='d'
target='n{id}'{guard}/><node xmi:type='uml:StructuredActivityNode' xmi:id='n{id}' name='N{id}'/>"
            )
        };
        let edges = (1..).zip(edges).map(edge).collect::<String>();
        file(
            "",
            &format!(
                "<packagedElement xmi:type='uml:Activity' xmi:id='main' name='Main'>
<node xmi:type='uml:DecisionNode' xmi:id='d' name='D'/>{edges}</packagedElement>"
            ),
        )
    };
    // crystal-facet-uml writes `true` on every edge.
    check(
        &decision([
            ("x == 1", " guard='true'"),
            ("x == 2", " guard='true'"),
            ("else", " guard='true'"),
        ]),
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Decision D
              Action N1
              Action N2
              Action N3
              D -> N1 [x == 1]
              D -> N2 [x == 2]
              D -> N3 [else]
            warning PM0011: the name `x == 1` of an edge is read as its guard (and 2 times more in…
              at x == 1
              in M::Main::D
              help: write it as the guard, where the tool can
        "#]],
    );
    check(
        &decision([("[x]", ""), ("ControlFlow2", " guard='y'"), ("label", "")]),
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Decision D
              Action N1
              Action N2
              Action N3
              D -> N1 [x]
              D -> N2 [y]
              D -> N3
            warning PM0011: the name `[x]` of an edge is read as its guard
              at [x]
              in M::Main::D
              help: write it as the guard, where the tool can
        "#]],
    );
}

#[test]
fn takes_structured_nodes_without_content_for_actions() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="main" name="Main">
  <node xmi:type="uml:StructuredActivityNode" xmi:id="a" name="A">
    <node xmi:type="uml:InputPin" xmi:id="ap"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="e" source="a" target="b"/></node>
  <node xmi:type="uml:StructuredActivityNode" xmi:id="b" name="B"/>
  <node xmi:type="uml:StructuredActivityNode" xmi:id="c" name="C"/>
</packagedElement>
<prophet:action base_Action="a" cost="1"/><prophet:parallel base_StructuredActivityNode="b"/>
<prophet:barrier base_Action="c"/>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A «action+ cost=1»
              Structured 1 B «parallel»
              Action C «barrier»
              A -> B
            1 "B" M::Main::B
        "#]],
    );
}

#[test]
fn finds_stereotypes_in_annotations_of_old_eclipse() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="main" name="Main">
  <node xmi:type="uml:OpaqueAction" xmi:id="a" name="A">
    <eAnnotations source="appliedStereotypes"><contents
      xmi:type="prophet_2:prophet__action_" cost="1"/><contents xmi:type="Basic__Query"/>
    </eAnnotations></node>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A «action+ cost=1»
        "#]],
    );
}

#[test]
fn takes_types_from_what_hrefs_say() {
    check(
        r##"
<packagedElement xmi:type="uml:Class" xmi:id="c" name="C" classifierBehavior="main">
  <ownedAttribute xmi:id="a" name="a"><type href="lib.emx#_x8?Types/Integer?"/></ownedAttribute>
  <ownedAttribute xmi:id="b" name="b"><type href="Profile.mdzip#_9_0_2"><xmi:Extension
    extender="MagicDraw UML 2022x"><referenceExtension referentPath="UML::datatypes::double"/>
    </xmi:Extension></type></ownedAttribute>
  <ownedAttribute xmi:id="d" name="d"><type href="platform:/plugin/x/y.uml#Real"/></ownedAttribute>
  <ownedBehavior xmi:type="uml:Activity" xmi:id="main" name="Main"/>
</packagedElement>
"##,
        &expect![[r#"
            model M starts at M::C::Main
            global Integer a
            global double b
            global Real d
            0 "Main" M::C::Main
        "#]],
    );
}
