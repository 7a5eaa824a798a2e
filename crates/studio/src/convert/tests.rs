use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::{Checked, check_source};
use prophet_model::source::Source;
use prophet_runtime::RunHandle;

use super::*;
use crate::predict::predict;

#[test]
fn the_declaration_says_what_is_written() {
    for (text, written) in [
        (
            "<?xml version='1.0' encoding = 'UTF-16'?><UTF-16/>",
            "<?xml version='1.0' encoding = 'UTF-8'?><UTF-16/>",
        ),
        (
            "<?xml version=\"1.0\" encoding=\"windows-1252\"?><a/>",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>",
        ),
        (
            "<?xml version='1.0' encoding='utf-8'?><a/>",
            "<?xml version='1.0' encoding='utf-8'?><a/>",
        ),
        ("<a/>", "<a/>"),
        ("<?xml encoding=", "<?xml encoding="),
    ] {
        assert_eq!(in_utf8(text), written);
    }
}

fn checked(text: &str) -> Checked {
    let (name, text) = ("m.uml".to_owned(), text.to_owned());
    let folder = Path::new("");
    check_source(&RuleSet::shipped(), Source { name, text }, folder, None)
}

fn predicted(checked: &Checked, name: &str) -> serde_json::Value {
    // The machine that has the prices of what Sweep3D does.
    let flags = if name == "sweep3d" {
        [("nodes", "2"), ("machine", "pti-cluster")]
    } else {
        [("nodes", "2"), ("cpus-per-node", "2")]
    };
    let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut result = predict(checked, &flags.into(), &RunHandle::default()).unwrap();
    // The names of files differ.
    if let Some(result) = result.as_object_mut() {
        result.retain(|name, _| {
            matches!(name.as_str(), "predicted_time_s" | "processes" | "elements")
        });
    }
    result
}

#[test]
fn samples_that_are_drawn_anew_predict_the_same() {
    for crate::begin::Sample { name, .. } in crate::begin::samples() {
        let before = checked(&crate::begin::sample(name).unwrap());
        let model = before.model.as_ref().unwrap();
        let text = drawn_anew(model, &[]).unwrap();
        let after = checked(&text);
        let problems = |it: &Checked| it.diagnostics.iter().map(|it| it.code.clone()).collect();
        let (was, is): (Vec<_>, Vec<_>) = (problems(&before), problems(&after));
        assert_eq!(is, was, "{name}");
        assert_eq!(predicted(&after, name), predicted(&before, name), "{name}");
        let model = after.model.unwrap();
        let comments = |it: &Model| {
            let variables = it.globals.iter().map(|it| it.comment.clone());
            let functions = it.functions.iter().map(|it| it.comment.clone());
            variables.chain(functions).collect::<Vec<_>>()
        };
        assert_eq!(
            comments(&model),
            comments(before.model.as_ref().unwrap()),
            "{name}"
        );
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_the_reason() {
    let mut model = checked(&crate::begin::sample("lapw0").unwrap())
        .model
        .unwrap();
    let last = model.elements.len() - 1;
    model.elements[last].kind = NodeKind::Unsupported("ExpansionRegion".to_owned());
    let why = drawn_anew(&model, &[]).unwrap_err();
    assert!(
        why.ends_with("is a ExpansionRegion, which cannot be added in the studio"),
        "{why}"
    );
    model.elements = vec![model.elements[0].clone(); ELEMENTS_MAX + 1];
    let why = drawn_anew(&model, &[]).unwrap_err();
    assert!(why.starts_with("a model of more than 3000 nodes"), "{why}");
}
