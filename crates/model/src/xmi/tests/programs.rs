//! Choice of the activity that is the program.

use expect_test::expect;

use super::{check, check_main};

const TWO: &str = r#"
<packagedElement xmi:type="uml:Package" xmi:id="_p" name="P">
  <packagedElement xmi:type="uml:Activity" xmi:id="_a" name="Alpha"/>
</packagedElement>
<packagedElement xmi:type="uml:Activity" xmi:id="_b" name="Beta"/>
"#;

#[test]
fn takes_the_activity_that_nobody_calls() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_b" name="Sub"/>
<packagedElement xmi:type="uml:Activity" xmi:id="_a" name="Main">
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_c" name="sub" behavior="_b"/>
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_d" name="self" behavior="_a"/>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::Main
            0 "Sub" M::Sub
            1 "Main" M::Main
              Call 0 sub
              Call 1 self
        "#]],
    );
}

#[test]
fn takes_the_behavior_of_a_class() {
    check(
        &format!(
            "{TWO}<packagedElement xmi:type='uml:Class' xmi:id='_c'
 name='C' classifierBehavior='_b'/>"
        ),
        &expect![[r#"
            model M starts at M::Beta
            0 "Alpha" M::P::Alpha
            1 "Beta" M::Beta
        "#]],
    );
}

#[test]
fn takes_the_one_that_is_asked_for() {
    check_main(
        TWO,
        Some("Beta"),
        &expect![[r#"
        model M starts at M::Beta
        0 "Alpha" M::P::Alpha
        1 "Beta" M::Beta
    "#]],
    );
    check_main(
        TWO,
        Some("P::Alpha"),
        &expect![[r#"
        model M starts at M::P::Alpha
        0 "Alpha" M::P::Alpha
        1 "Beta" M::Beta
    "#]],
    );
}

#[test]
fn says_which_activities_there_are() {
    check_main(
        TWO,
        Some("Betta"),
        &expect![[r#"
            model M starts at M::P::Alpha
            0 "Alpha" M::P::Alpha
            1 "Beta" M::Beta
            error PM0103: there is no activity `Betta`
              at nothing
              help: did you mean `Beta`? the activities are `M::P::Alpha`, `M::Beta`
        "#]],
    );
    check(
        TWO,
        &expect![[r#"
            model M starts at M::P::Alpha
            0 "Alpha" M::P::Alpha
            1 "Beta" M::Beta
            error PM0102: 2 activities are called by no other
              at <packagedElement xmi:type="uml:Activity" xmi:id="_b" name="Beta"/>
              help: choose one with `--main NAME`, or make one the behavior of a class: `M…
        "#]],
    );
    let named_alike = TWO.replace("Beta", "Alpha");
    check_main(
        &named_alike,
        Some("Alpha"),
        &expect![[r#"
            model M starts at M::P::Alpha
            0 "Alpha" M::P::Alpha
            1 "Alpha" M::Alpha
            error PM0102: there are 2 activities `Alpha`
              at <packagedElement xmi:type="uml:Activity" xmi:id="_b" name="Alpha"/>
              help: give the path or id of one: `M::P::Alpha`, `M::Alpha`
        "#]],
    );
}

#[test]
fn takes_the_activity_that_is_likely_the_program() {
    // Nothing is drawn in Empty, an operation has Method, and a state has Effect.
    let text = r#"
<packagedElement xmi:type="uml:Class" xmi:id="_k" name="K">
  <ownedOperation xmi:id="_o" name="o" method="_m"/>
  <ownedBehavior xmi:type="uml:Activity" xmi:id="_m" name="Method">
    <node xmi:type="uml:OpaqueAction" xmi:id="_1" name="A"/>
  </ownedBehavior>
  <state xmi:type="uml:State" xmi:id="_s" name="S">
    <entry xmi:type="uml:Activity" xmi:id="_e" name="Effect">
      <node xmi:type="uml:OpaqueAction" xmi:id="_2" name="B"/>
    </entry>
  </state>
</packagedElement>
<packagedElement xmi:type="uml:Activity" xmi:id="_y" name="Empty"/>
<packagedElement xmi:type="uml:Activity" xmi:id="_p" name="Program">
  <node xmi:type="uml:OpaqueAction" xmi:id="_3" name="C"/>
</packagedElement>
"#;
    check(
        text,
        &expect![[r#"
        model M starts at M::Program
        0 "Method" M::K::Method
          Action A
        1 "Effect" M::K::S::Effect
          Action B
        2 "Empty" M::Empty
        3 "Program" M::Program
          Action C
    "#]],
    );
    // Of those that are as likely, the one called main.
    let other = text.replace(
        "Empty\"/>",
        "Main\"><node xmi:type=\"uml:OpaqueAction\" \
        xmi:id=\"_4\" name=\"D\"/></packagedElement>",
    );
    check(
        &other,
        &expect![[r#"
        model M starts at M::Main
        0 "Method" M::K::Method
          Action A
        1 "Effect" M::K::S::Effect
          Action B
        2 "Main" M::Main
          Action D
        3 "Program" M::Program
          Action C
    "#]],
    );
}

#[test]
fn takes_ids_where_paths_are_equal() {
    let alike = TWO.replace("Beta", "P::Alpha");
    check_main(
        &alike,
        Some("M::P::Alpha"),
        &expect![[r#"
        model M starts at M::P::Alpha
        0 "Alpha" M::P::Alpha
        1 "P::Alpha" M::P::Alpha
        error PM0102: there are 2 activities `M::P::Alpha`
          at <packagedElement xmi:type="uml:Activity" xmi:id="_b" name="P::Alpha"/>
          help: give the path or id of one: `_a`, `_b`
    "#]],
    );
    check_main(
        &alike,
        Some("_b"),
        &expect![[r#"
        model M starts at M::P::Alpha
        0 "Alpha" M::P::Alpha
        1 "P::Alpha" M::P::Alpha
    "#]],
    );
}

#[test]
fn needs_to_be_told_where_calls_go_around() {
    check(
        r#"
<packagedElement xmi:type="uml:Activity" xmi:id="_a" name="A">
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_c" name="b" behavior="_b"/>
</packagedElement>
<packagedElement xmi:type="uml:Activity" xmi:id="_b" name="B">
  <node xmi:type="uml:CallBehaviorAction" xmi:id="_d" name="a"><behavior xmi:idref="_a"/></node>
</packagedElement>
"#,
        &expect![[r#"
            model M starts at M::A
            0 "A" M::A
              Call 1 b
            1 "B" M::B
              Call 0 a
            error PM0102: every activity is called by another one
              at <packagedElement xmi:type="uml:Activity" xmi:id="_a" name="A">
              help: choose one with `--main NAME`: `M::A`, `M::B`
        "#]],
    );
}

#[test]
fn needs_to_be_told_which_class_is_the_program() {
    check(
        &format!(
            "{TWO}<packagedElement xmi:type='uml:Class' xmi:id='_c'
 name='C' classifierBehavior='_b'/>
            <packagedElement xmi:type='uml:Class' xmi:id='_d' name='D' classifierBehavior='_a'/>
            <packagedElement xmi:type='uml:Class' xmi:id='_e' name='E' classifierBehavior='_gone'/>"
        ),
        &expect![[r#"
            model M starts at M::P::Alpha
            0 "Alpha" M::P::Alpha
            1 "Beta" M::Beta
            error PM0102: 2 classes have an activity as behavior
              at <packagedElement xmi:type="uml:Activity" xmi:id="_b" name="Beta"/>
              help: choose one with `--main NAME`: `M::P::Alpha`, `M::Beta`
            error PM0104: there is no element with the id `_gone`
              at _gone
              in E
              help: draw the element again, or remove the reference to it
        "#]],
    );
}

#[test]
fn needs_an_activity() {
    check(
        "<packagedElement xmi:type='uml:Class' xmi:id='_c' name='C'/>",
        &expect![[r#"
            no model
            error PM0101: there is no activity in the model
              at <uml:Model xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmlns:xmi…
              help: draw the program as an activity diagram
        "#]],
    );
}
