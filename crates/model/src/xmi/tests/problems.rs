//! Problems of a file or model.

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
