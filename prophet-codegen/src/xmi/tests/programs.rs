//! Which activity is the program.

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
        &expect![[""]],
    );
}

#[test]
fn takes_the_behavior_of_a_class() {
    check(
        &format!(
            "{TWO}<packagedElement xmi:type='uml:Class' xmi:id='_c' name='C' classifierBehavior='_b'/>"
        ),
        &expect![[""]],
    );
}

#[test]
fn takes_the_one_that_is_asked_for() {
    check_main(TWO, Some("Beta"), &expect![[""]]);
    check_main(TWO, Some("P::Alpha"), &expect![[""]]);
}

#[test]
fn says_which_activities_there_are() {
    check_main(TWO, Some("Betta"), &expect![[""]]);
    check(TWO, &expect![[""]]);
    let named_alike = TWO.replace("Beta", "Alpha");
    check_main(&named_alike, Some("Alpha"), &expect![[""]]);
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
        &expect![[""]],
    );
}

#[test]
fn needs_to_be_told_which_class_is_the_program() {
    check(
        &format!(
            "{TWO}<packagedElement xmi:type='uml:Class' xmi:id='_c' name='C' classifierBehavior='_b'/>
            <packagedElement xmi:type='uml:Class' xmi:id='_d' name='D' classifierBehavior='_a'/>
            <packagedElement xmi:type='uml:Class' xmi:id='_e' name='E' classifierBehavior='_gone'/>"
        ),
        &expect![[""]],
    );
}

#[test]
fn needs_an_activity() {
    check("<packagedElement xmi:type='uml:Class' xmi:id='_c' name='C'/>", &expect![[""]]);
}
