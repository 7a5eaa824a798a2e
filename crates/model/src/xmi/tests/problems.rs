//! Problems of a file or model.

use expect_test::expect;

use super::check;

#[test]
fn says_what_is_no_xml() {
    check(
        "<uml:Model><a></uml:Model>",
        &expect![[r#"
        no model
        warning PM0007: the prefix `uml` is not declared
          at <uml:Model>
          help: declare it in the root element, as in `xmlns:uml="…"`
        error PM0001: ill-formed document: expected `</a>`, but `</uml:Model>` was found
          at </uml:Model>
          help: export the model again, as XMI
    "#]],
    );
    check(
        "<uml:Model><a b=\"1\" b=\"2\"/></uml:Model>",
        &expect![[r#"
        no model
        warning PM0007: the prefix `uml` is not declared
          at <uml:Model>
          help: declare it in the root element, as in `xmlns:uml="…"`
        error PM0001: the attribute `b` is given twice
          at <a b="1" b="2"/>
          help: export the model again, as XMI
    "#]],
    );
    check(
        "<uml:Model><a b=1/></uml:Model>",
        &expect![[r#"
        no model
        warning PM0007: the prefix `uml` is not declared
          at <uml:Model>
          help: declare it in the root element, as in `xmlns:uml="…"`
        error PM0001: the value of an attribute has no quotes
          at b
          help: export the model again, as XMI
    "#]],
    );
    check(
        "<uml:Model>",
        &expect![[r#"
        no model
        error PM0001: `<uml:Model>` is never closed
          at <uml:Model>
          help: export the model again, as XMI
        warning PM0007: the prefix `uml` is not declared
          at <uml:Model>
          help: declare it in the root element, as in `xmlns:uml="…"`
    "#]],
    );
}

#[test]
fn says_where_xml_ends_too_early_or_too_late() {
    check(
        "<uml:Model/><uml:Model/>",
        &expect![[r#"
        no model
        warning PM0007: the prefix `uml` is not declared
          at <uml:Model/>
          help: declare it in the root element, as in `xmlns:uml="…"`
        error PM0001: there is a second root element
          at <uml:Model/>
          help: export the model again, as XMI
    "#]],
    );
    check(
        "<uml:Model/> more",
        &expect![[r#"
        no model
        warning PM0007: the prefix `uml` is not declared
          at <uml:Model/>
          help: declare it in the root element, as in `xmlns:uml="…"`
        error PM0001: there is text outside of the root element
          at  more
          help: export the model again, as XMI
    "#]],
    );
    check(
        "<uml:Model>&</uml:Model>",
        &expect![[r#"
            no model
            warning PM0007: the prefix `uml` is not declared
              at <uml:Model>
              help: declare it in the root element, as in `xmlns:uml="…"`
            error PM0001: ill-formed document: entity or character reference not closed: `;` not…
              at &
              help: export the model again, as XMI
        "#]],
    );
    check(
        "<uml:Model a='&gt'>\u{0}</uml:Model>",
        &expect![[r#"
            no model
            error PM0001: the character U+0000 cannot be in XML
              at NUL
              help: export the model again, as XMI
        "#]],
    );
    check(
        "<uml:Model a='",
        &expect![[r#"
            no model
            error PM0001: syntax error: attribute value not closed: `'` not found before end of …
              at <uml:Model a='
              help: export the model again, as XMI
        "#]],
    );
    check(
        "<!-- only a comment -->",
        &expect![[r#"
            no model
            error PM0001: there is no element
              at nothing
              help: export the model again, as XMI
        "#]],
    );
}

#[test]
fn refuses_entities() {
    check(
        "<!DOCTYPE x [<!ENTITY a \"b\">]><uml:Model/>",
        &expect![[r#"
            no model
            error PM0002: a document type with declarations is refused: entities can make a smal…
              at <!DOCTYPE x [<!ENTITY a "b">]>
              help: remove everything between `[` and `]` in the `<!DOCTYPE …>`
        "#]],
    );
    check(
        "<!DOCTYPE x SYSTEM \"x.dtd\"><uml:Model name=\"&nbsp;\">&b;</uml:Model>",
        &expect![[r#"
            no model
            warning PM0007: the prefix `uml` is not declared
              at <uml:Model name="&nbsp;">
              help: declare it in the root element, as in `xmlns:uml="…"`
            error PM0101: there is no activity in the model
              at <uml:Model name="&nbsp;">
              help: draw the program as an activity diagram
            error PM0006: `&nbsp;` is an unknown escape
              at &nbsp;
              help: write `&amp;` for the character `&`
            error PM0006: `&b;` is an unknown escape
              at &b;
              help: write `&amp;` for the character `&`
        "#]],
    );
}

#[test]
fn says_what_is_no_model() {
    check(
        "<?xml version='1.0'?><html/>",
        &expect![[r#"
            no model
            error PM0003: the file is XML, but not a UML model
              at <html/>
              help: export the model as XMI 2.x of UML 2, with `uml:Model` or `xmi:XMI` ou…
        "#]],
    );
    check(
        "<XMI xmi.version='1.2' xmlns:UML='org.omg.xmi.namespace.UML'/>",
        &expect![[r#"
            no model
            error PM0003: the file is XMI 1.x of UML 1.x, without an activity graph
              at <XMI xmi.version='1.2' xmlns:UML='org.omg.xmi.namespace.UML'/>
              help: draw the program as an activity diagram, or export it as XMI 2.x of UM…
        "#]],
    );
    check(
        "<xmi:XMI xmlns:xmi='http://www.omg.org/spec/XMI/20131001'/>",
        &expect![[r#"
            no model
            error PM0003: there is no `uml:Model` in the file
              at <xmi:XMI xmlns:xmi='http://www.omg.org/spec/XMI/20131001'/>
              help: export the model as XMI 2.x of UML 2, with `uml:Model` or `xmi:XMI` ou…
        "#]],
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
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A
              Action B
            error PM0005: the id `_a` is given twice
              at _a
              help: `A` has it too; ids must be unique
        "#]],
    );
}

#[test]
fn ids_of_attributes_and_ends_may_be_given_twice() {
    let ends = r#"<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main"/>
<packagedElement xmi:type="uml:Class" xmi:id="_c" name="C"><ownedAttribute xmi:id="_e"
  xmi:type="uml:Property" association="_s" name="e"/></packagedElement>
<packagedElement xmi:type="uml:Association" xmi:id="_s" memberEnd="_e"><ownedEnd xmi:id="_e"
  xmi:type="uml:Property" type="_c"/></packagedElement>"#;
    let (_, problems) = super::read(ends);
    let codes: Vec<&str> = problems.iter().map(|it| &*it.code).collect();
    assert_eq!(codes, ["PM0016"]);
    let node = ends.replace("xmi:id=\"_s\"", "xmi:id=\"_m\"");
    let (_, problems) = super::read(&node);
    let codes: Vec<&str> = problems.iter().map(|it| &*it.code).collect();
    assert_eq!(codes, ["PM0005", "PM0016"]);
}

#[test]
fn damage_in_our_own_form_is_mended_by_hand() {
    let text = "<model xmlns=\"http:///schemas/prophet/model/1\" name=\"M\"><activity></model>";
    let (_, problems) = super::read(&format!("<?xml version=\"1.0\"?>{text}"));
    let help = &problems[0].help;
    assert!(help.contains("docs/xml-format.md"), "{help}");
    assert!(!help.contains("XMI"), "{help}");
}

#[test]
fn reports_references_to_nothing() {
    check(
        r##"
<packagedElement xmi:type="uml:Activity" xmi:id="_m" name="Main" node="_first _missing">
  <node xmi:type="uml:OpaqueAction" xmi:id="_first" name="A" outgoing="_edgy"/>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_call" name="C" behavior="_nowhere"/>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_far" name="F"><behavior
    href="other.uml#_x"/></node>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_wrong" name="W" behavior="_first"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_edge" source="_fist" target="_first"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_edge2" source="_first"/>
  <edge xmi:type="uml:ControlFlow" xmi:id="_edge3" source="_first" target="_class"/>
</packagedElement>
<packagedElement xmi:type="uml:Class" xmi:id="_class" name="K"/>
"##,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A
              Call nothing C
              Action F
              Call nothing W
            error PM0104: there is no element with the id `_missing`
              at _missing
              in M::Main
              help: draw the element again, or remove the reference to it
            warning PM0105: there is no element with the id `_edgy`
              at _edgy
              in M::Main::A
              help: did you mean `_edge`, a ControlFlow without a name?
            error PM0104: there is no element with the id `_nowhere`
              at _nowhere
              in M::Main::C
              help: draw the element again, or remove the reference to it
            warning PM0127: a call is of `_x`, in another file, `other.uml`, which is not read: it…
              at other.uml#_x
              in M::Main::F
              help: apply a stereotype with its cost, or call an activity of this file
            error PM0106: a call is of the OpaqueAction `A`, which is not an activity
              at _first
              in M::Main::W
              help: call an activity, or use an OpaqueAction with code
            error PM0104: there is no element with the id `_fist`
              at _fist
              in M::Main
              help: did you mean `_first`, the OpaqueAction `A`?
            error PM0107: an edge has no target
              at <edge xmi:type="uml:ControlFlow" xmi:id="_edge2" source="_first"/>
              in M::Main
              help: connect it again, or remove it
            error PM0106: the target of an edge is the Class `K`, which is not a node of an acti…
              at _class
              in M::Main
              help: connect it to a node, or remove it
        "#]],
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
<prophet:action base_Action="_a" base_Element="_a" cots="1" cost="2" code=" ">
  <cost>3</cost></prophet:action>
<prophet:bsend base_Action="_a"/>
<prophet:broadcst base_Action="_a"/>
<prophet:zebra base_Action="_a"/>
<prophet:barrier base_Action="_gone"/>
<prophet:barrier/>
<prophet:barrier base_Edge="_e"/>
"##,
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
              Action A «action+ cost=2»
              A -> A
            warning PM0114: `action+` has no tag `cots`
              at 1
              help: did you mean `cost`?
            warning PM0114: the tag `cost` is given twice; the first counts
              at 3
              help: remove one of them
            error PM0113: the OpaqueAction `A` has two stereotypes, `action+` and `bsend`
              at <prophet:bsend base_Action="_a"/>
              help: remove one of them
            error PM0109: the profile has no stereotype `broadcst`
              at <prophet:broadcst base_Action="_a"/>
              help: did you mean `broadcast`?
            error PM0109: the profile has no stereotype `zebra`
              at <prophet:zebra base_Action="_a"/>
              help: it has action+, activity+, loop+, bsend, nbsend, brecv, nbrecv, sendre…
            error PM0104: there is no element with the id `_gone`
              at _gone
              help: draw the element again, or remove the reference to it
            warning PM0111: `barrier` is applied to nothing
              at <prophet:barrier/>
              help: remove it, or apply it again
            warning PM0112: `barrier` on a ControlFlow without a name means nothing
              at <prophet:barrier base_Edge="_e"/>
              help: apply it to a node of an activity
        "#]],
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
        &expect![[r#"
            model M starts at M::Main
            0 "Main" M::Main
            warning PM0123: the OpaqueAction is in no activity, and is left out (and once more in …
              at <packagedElement xmi:type="uml:OpaqueAction" xmi:id="_a" name="A"/>
              in M::A
        "#]],
    );
}
