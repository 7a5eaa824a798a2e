//! Tests a folder of models: listing it, creating models in it, and denying access to files outside
//! it.

use std::fs;

use crate::client;

use client::{MODEL, Studio};
use serde_json::{Value, json};

fn rest<'a>(studio: &Studio, address: &'a Value) -> &'a str {
    let address = address.as_str().unwrap();
    address.strip_prefix(&studio.root).unwrap()
}

#[test]
fn a_text_in_another_encoding_is_saved_in_utf_8_and_edited() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wide.uml");
    let text = MODEL.replace("\"UTF-8\"", "\"UTF-16\"");
    let wide = std::iter::once(0xfeff)
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes);
    fs::write(&path, wide.collect::<Vec<u8>>()).unwrap();
    let studio = Studio::at(folder, &path);
    assert_eq!(studio.state()["editable"], true);
    let (status, saved) = studio.post("api/save-as", &json!({ "name": "narrow.uml" }));
    assert_eq!(status, 200, "{saved}");
    let narrow = fs::read_to_string(studio.folder.path().join("narrow.uml")).unwrap();
    assert_eq!(narrow, MODEL);
    let address = format!("{}api/state", rest(&studio, &saved["address"]));
    let state: Value = serde_json::from_str(&studio.get(&address).2).unwrap();
    assert_eq!(state["editable"], true);
}

#[test]
fn models_of_uml_1_and_of_the_xml_form_are_saved_as_uml_2() {
    let old = include_str!("../../../tests/models/dialects/argouml.xmi");
    let mut options = prophet_codegen::diagnostic::Diagnostics::new();
    let (name, text) = ("lapw0.uml".to_owned(), MODEL.to_owned());
    let source = prophet_model::source::Source::new(name, text);
    let model = prophet_model::xmi::read(&source, None, &mut options).unwrap();
    let form = prophet_targets::xml::text(&model, "lapw0.uml");
    for (name, text) in [("old.xmi", old), ("form.xml", &*form)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let studio = Studio::at(folder, &path);
        let was = studio.state();
        assert_eq!(was["editable"], false);
        let flags = json!({ "flags": { "nodes": "2" } });
        let before = studio.post("api/predict", &flags).1;
        let (status, saved) = studio.post("api/save-as", &json!({ "name": "new.uml" }));
        assert_eq!(status, 200, "{saved}");
        let address = rest(&studio, &saved["address"]);
        let state: Value =
            serde_json::from_str(&studio.get(&format!("{address}api/state")).2).unwrap();
        assert_eq!(
            (&state["editable"], &state["name"]),
            (&json!(true), &was["name"])
        );
        let after = studio.post(&format!("{address}api/predict"), &flags).1;
        let time = |it: &Value| it["result"]["predicted_time_s"].clone();
        assert_eq!(time(&after), time(&before));
        assert_eq!(after["error"], before["error"]);
    }
}

#[test]
fn a_file_without_ids_is_drawn_and_saved_as_one_that_has_them() {
    // EMF refers to elements without ids by their position.
    let text = r#"<?xml version="1.0" encoding="ASCII"?>
<uml:Model xmi:version="20110701" xmlns:xmi="http://www.omg.org/spec/XMI/20110701"
    xmlns:uml="http://www.eclipse.org/uml2/4.0.0/UML" name="M">
  <packagedElement xmi:type="uml:Activity" name="A" node="//A/i //A/x //A/@node.2">
    <edge xmi:type="uml:ControlFlow" source="//A/i" target="//A/x"/>
    <edge xmi:type="uml:ControlFlow" source="//A/x" target="//A/@node.2"/>
    <node xmi:type="uml:InitialNode" name="i" outgoing="//A/@edge.0"/>
    <node xmi:type="uml:OpaqueAction" name="x" incoming="//A/@edge.0" outgoing="//A/@edge.1"/>
    <node xmi:type="uml:ActivityFinalNode" incoming="//A/@edge.1"/>
  </packagedElement>
</uml:Model>
"#;
    let studio = Studio::of(text);
    let shape = |state: &Value| {
        let diagram = &state["diagrams"][0];
        let ids = |of: &str, key: &str| -> Vec<Value> {
            let all = diagram[of].as_array().unwrap();
            all.iter().map(|it| it[key].clone()).collect()
        };
        let (nodes, kinds) = (ids("nodes", "id"), ids("nodes", "kind"));
        let at = |id: &Value| nodes.iter().position(|it| it == id).unwrap();
        let flows = ids("flows", "source")
            .into_iter()
            .zip(ids("flows", "target"));
        let flows: Vec<_> = flows.map(|(from, to)| (at(&from), at(&to))).collect();
        (kinds, flows)
    };
    let state = studio.state();
    assert_eq!(state["why"], "files with nodes without ids are read-only");
    assert_eq!(shape(&state).1, [(0, 1), (1, 2)]);
    let (status, saved) = studio.post("api/save-as", &json!({ "name": "with ids" }));
    assert_eq!(status, 200, "{saved}");
    let address = rest(&studio, &saved["address"]);
    let copy: Value = serde_json::from_str(&studio.get(&format!("{address}api/state")).2).unwrap();
    assert_eq!(
        (&copy["editable"], &copy["name"]),
        (&json!(true), &json!("M"))
    );
    assert_eq!(shape(&copy), shape(&state));
}
