use std::path::Path;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_source};
use prophet_model::diagnostic::Diagnostics;
use prophet_model::model::{Model, NodeKind};
use prophet_model::source::Source;
use prophet_model::xmi;
use prophet_runtime::RunHandle;
use prophet_targets::uml::ELEMENTS_MAX;

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
    check_source(&RuleSet::shipped(), Source::new(name, text), folder, None)
}

fn predicted(checked: &Checked, name: &str) -> serde_json::Value {
    // Some models need the machine that defines the prices of their operations.
    let flags = match name {
        "sweep3d" => [("nodes", "2"), ("machine", "pti-cluster")],
        "megatron" => [("nodes", "2"), ("machine", "a100")],
        "fsdp" => [("nodes", "2"), ("machine", "h100")],
        "gpu_stencil" => [("nodes", "2"), ("machine", "alps-gh200")],
        _ => [("nodes", "2"), ("cpus-per-node", "2")],
    };
    let flags = flags.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let here = crate::folder::Folder::open(std::path::Path::new("src/convert")).unwrap();
    let mut result = predict(checked, &flags.into(), &here, &RunHandle::default()).unwrap();
    // The names of the files differ.
    if let Some(result) = result.as_object_mut() {
        result.retain(|name, _| {
            matches!(name.as_str(), "predicted_time_s" | "processes" | "elements")
        });
    }
    result
}

#[test]
fn samples_that_are_drawn_anew_predict_the_same() {
    let step = if prophet_testing::in_gate() { 1 } else { 3 };
    for prophet_samples::Sample { name, .. } in prophet_samples::SAMPLES.iter().step_by(step) {
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
    let why = drawn_anew(&model, &[]).unwrap_err().to_string();
    assert!(
        why.ends_with("has the type ExpansionRegion, which cannot be added in the studio"),
        "{why}"
    );
    model.elements = vec![model.elements[0].clone(); ELEMENTS_MAX + 1];
    let why = drawn_anew(&model, &[]).unwrap_err().to_string();
    assert!(why.starts_with("models of more than 3000 nodes"), "{why}");
}

/// A model in our own XML format, with loops and choices.
const DECIDED: &str = r#"<model xmlns="http:///schemas/prophet/model/1" name="Decided">
  <global name="I" type="int" value="0"/>
  <global name="J" type="int" value="0"/>
  <activity name="Main">
    <loop name="First" condition="I &lt; 3">
      <setup>
        <action name="Begin" stereotype="action+" cost="0.5"><code>I = 0;</code></action>
      </setup>
      <test><action name="Test" stereotype="action+" cost="0.25"/></test>
      <body>
        <action name="Step" stereotype="action+" cost="I + 1"><code>I = I + 1;</code></action>
        <choose name="Which">
          <case condition="I == 1"><action name="One" stereotype="action+" cost="10"/></case>
          <case condition="I &lt;= 2"><action name="Two" stereotype="action+" cost="20"/></case>
        </choose>
      </body>
    </loop>
    <loop name="Last" condition="J &lt; 2" tested="last">
      <body>
        <action name="Once" stereotype="action+" cost="100"><code>J = J + 1;</code></action>
      </body>
    </loop>
    <loop name="Never" condition="J &lt; 0">
      <body><action name="No" stereotype="action+" cost="1"/></body>
    </loop>
  </activity>
</model>
"#;

#[test]
fn loops_and_choices_are_drawn_as_decisions_that_predict_the_same() {
    let before = checked(DECIDED);
    assert_eq!(before.diagnostics, []);
    let after = checked(&drawn_anew(before.model.as_ref().unwrap(), &[]).unwrap());
    assert_eq!(after.diagnostics, []);
    let outcome = |checked: &Checked| {
        let mut result = predicted(checked, "");
        // Elements without ids get new ones, and their order can change.
        let elements = result["elements"].as_array_mut().unwrap();
        for element in elements.iter_mut() {
            element.as_object_mut().unwrap().remove("id");
        }
        elements.sort_by_key(|it| it["name"].to_string());
        result
    };
    let (was, is) = (outcome(&before), outcome(&after));
    // Begin, four tests, the steps for 1, 2 and 3, One, Two, and Once twice.
    assert_eq!(was["predicted_time_s"], 0.5 + 1.0 + 9.0 + 30.0 + 200.0);
    assert_eq!(is, was);
}

#[test]
fn a_condition_without_a_form_is_refused() {
    let refused = |text: &str| {
        let (name, text) = ("m.xml".to_owned(), text.to_owned());
        let (rules, mut unused) = (RuleSet::shipped(), Diagnostics::new());
        let source = Source::new(name, text);
        let model = xmi::read_with(rules.vocabulary(), &source, None, &mut unused);
        drawn_anew(&model.unwrap(), &[]).unwrap_err().to_string()
    };
    let rust = DECIDED.replace(
        "<loop name=\"Never\"",
        "<loop name=\"Never\" language=\"Rust\"",
    );
    assert_eq!(
        refused(&rust),
        "a condition of Decided::Main::Never is in Rust, but guards must be in C"
    );
    let without = DECIDED.replace(" condition=\"I == 1\"", "");
    assert_eq!(
        refused(&without),
        "Decided::Main::First::Which has no condition"
    );
}
