//! Tests that the built-in profile and the vocabulary define the same tags and constraints for each
//! stereotype.

use std::collections::BTreeSet;

use prophet_codegen::model::StereotypeKind;
use prophet_codegen::vocabulary::{self, Pricing, Required, word};
use prophet_tests::root;

/// Returns the value of a tag's first attribute `name`.
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

/// Returns the OCL constraint for a stereotype's prices.
fn price(kind: StereotypeKind) -> String {
    let all = if kind == StereotypeKind::ActionPlus {
        "cost->size() + time->size() + rud->size()"
    } else {
        "cost->size() + time->size()"
    };
    match word(kind).expect("it is supported").pricing {
        _ if kind == StereotypeKind::Task => format!("{all} = 1 or model->notEmpty()"),
        Pricing::Required => format!("{all} = 1"),
        Pricing::Content => "cost->isEmpty() and time->isEmpty()".to_owned(),
        Pricing::Machine | Pricing::Optional => format!("{all} <= 1"),
    }
}

/// Returns the OCL constraint for a stereotype's required tags, or an empty text.
fn needed(kind: StereotypeKind) -> String {
    let tags = word(kind).expect("it is supported").tags.iter();
    let needs = tags.filter_map(|tag| match (tag.name, tag.required) {
        (name, Required::Always) => Some(format!("{name}->notEmpty()")),
        (name, Required::Unpriced) => Some(format!(
            "({name}->notEmpty() or cost->notEmpty() or time->notEmpty())"
        )),
        (name, Required::With(other)) => {
            Some(format!("({name}->notEmpty() or {other}->isEmpty())"))
        }
        (_, Required::Never) => None,
    });
    let needs = needs.collect::<Vec<_>>().join(" and ");
    let is_message =
        kind != StereotypeKind::ActionPlus && vocabulary::tags(kind).any(|it| it == "rud");
    if is_message {
        return format!("rud->notEmpty() or ({needs})");
    }
    needs
}

#[test]
fn constraints_of_the_profile_are_those_of_the_vocabulary() {
    let path = root().join("sample-models/prophet.profile.uml");
    let profile = std::fs::read_to_string(path).expect("the profile is shipped");
    for stereotype in profile.split("xmi:type=\"uml:Stereotype\"").skip(1) {
        let stereotype = stereotype
            .split("</packagedElement>")
            .next()
            .unwrap_or_default();
        let mut kinds = StereotypeKind::ALL.into_iter();
        let kind = kinds
            .find(|kind| kind.name() == name(stereotype))
            .expect("it is known");
        let rules = stereotype.split("<ownedRule").skip(1);
        let bodies = rules.map(|rule| {
            let body = rule
                .split("<body>")
                .nth(1)
                .and_then(|it| it.split("</body>").next());
            body.unwrap_or_default()
                .replace("&gt;", ">")
                .replace("&lt;", "<")
        });
        let expected = [price(kind), needed(kind)]
            .into_iter()
            .filter(|it| !it.is_empty());
        assert_eq!(
            bodies.collect::<Vec<_>>(),
            expected.collect::<Vec<_>>(),
            "{}",
            kind.name()
        );
    }
}
