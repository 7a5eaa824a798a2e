//! Tests problems in files and models.

use crate::diagnostic::{Diagnostics, render_human};
use crate::source::Source;
use crate::xmi;

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
    assert!(help.contains("docs/text.md"), "{help}");
    assert!(!help.contains("XMI"), "{help}");
}

#[test]
fn a_file_that_is_no_model_at_all_is_told_by_its_first_line() {
    let source = Source::new("s.sh", "\n  #!/bin/sh\necho\n");
    let mut problems = Diagnostics::new();
    assert!(xmi::read(&source, None, &mut problems).is_none());
    let told = render_human(&source, &problems.sorted(), false);
    assert!(
        told.contains("the file is neither XML nor a text with `@startuml`"),
        "{told}"
    );
    assert!(told.contains("s.sh:2:3"), "{told}");
    assert!(told.contains("pass a UML model as XMI"), "{told}");
}
