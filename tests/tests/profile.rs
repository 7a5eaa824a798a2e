//! The shipped profile and the vocabulary give each stereotype the same tags.

use std::collections::BTreeSet;

use prophet_codegen::model::StereotypeKind;
use prophet_codegen::vocabulary;
use prophet_tests::root;

/// The value of the first attribute `name` in a tag.
fn name(tag: &str) -> &str {
    let value = tag.split(" name=\"").nth(1).unwrap_or_default();
    value.split('"').next().unwrap_or_default()
}

#[test]
fn profile_and_vocabulary_have_the_same_tags() {
    let path = root().join("sample-models/prophet.profile.uml");
    let profile = std::fs::read_to_string(path).expect("the profile is shipped");
    let mut found = 0;
    for stereotype in profile.split("xmi:type=\"uml:Stereotype\"").skip(1) {
        let stereotype = stereotype
            .split("</packagedElement>")
            .next()
            .unwrap_or_default();
        let kind = StereotypeKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name(stereotype));
        let kind = kind.unwrap_or_else(|| panic!("{} is not known", name(stereotype)));
        let drawn: BTreeSet<&str> = stereotype
            .split("<ownedAttribute")
            .skip(1)
            .map(name)
            .filter(|attribute| !attribute.starts_with("base_"))
            .collect();
        let known: BTreeSet<&str> = vocabulary::tags(kind).collect();
        assert_eq!(drawn, known, "{}", kind.name());
        found += 1;
    }
    assert_eq!(found, StereotypeKind::ALL.len());
}
