//! A folder of models: what is in it, what is begun in it, and nothing outside.

use std::fs;

use crate::client;

use client::{MODEL, Studio};
use serde_json::{Value, json};

/// A studio of a folder with models, beside a file that is not one of its business.
fn studio() -> Studio {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("models");
    fs::create_dir_all(folder.join("inner")).unwrap();
    fs::write(folder.join("lapw0.uml"), MODEL).unwrap();
    fs::write(
        folder.join("inner/my model.uml"),
        MODEL.replace("SFT", "Fourier"),
    )
    .unwrap();
    fs::write(outer.path().join("secret.uml"), MODEL).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.uml", folder.join("link.uml")).unwrap();
    Studio::at(outer, &folder)
}

fn list(studio: &Studio) -> Value {
    serde_json::from_str(&studio.get("api/models").2).unwrap()
}

/// The part of an address after the address of the studio.
fn rest<'a>(studio: &Studio, address: &'a Value) -> &'a str {
    let address = address.as_str().unwrap();
    address.strip_prefix(&studio.root).unwrap()
}

#[test]
fn models_are_opened_side_by_side() {
    let studio = studio();
    let list = list(&studio);
    let models = list["models"].as_array().unwrap();
    let names: Vec<&str> = models
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["inner/my model.uml", "lapw0.uml"]);
    let [inner, lapw0] = [0, 1].map(|at| rest(&studio, &models[at]["address"]).to_owned());
    for (address, name) in [(&inner, "Fourier"), (&lapw0, "SFT")] {
        let state: Value =
            serde_json::from_str(&studio.get(&format!("{address}api/state")).2).unwrap();
        let nodes = state["diagrams"][0]["nodes"].as_array().unwrap();
        assert!(nodes.iter().any(|it| it["name"] == name), "{state}");
    }
    // An edit of one is not one of the other.
    let edits = json!([{ "do": "rename", "element": "_SFT", "name": "Other" }]);
    let edit = json!({ "revision": 1, "label": "Rename", "edits": edits });
    let (status, answer) = studio.post(&format!("{lapw0}api/edit"), &edit);
    assert_eq!(status, 200, "{answer}");
    let state: Value = serde_json::from_str(&studio.get(&format!("{inner}api/state")).2).unwrap();
    assert_eq!(state["revision"], 1);
}

#[test]
fn a_model_begins_empty_or_as_a_sample() {
    let studio = studio();
    let folder = studio.folder.path().join("models");
    let (status, empty) = studio.post("api/new", &json!({ "name": "new" }));
    assert_eq!(status, 200, "{empty}");
    let address = format!("{}api/state", rest(&studio, &empty["address"]));
    let state: Value = serde_json::from_str(&studio.get(&address).2).unwrap();
    assert_eq!(
        (&state["file"], &state["name"]),
        (&json!("new.uml"), &json!("new"))
    );
    assert!(folder.join("prophet.profile.uml").exists());
    let sample = list(&studio)["samples"][0]["name"].clone();
    let ask = json!({ "name": "inner/of a sample.uml", "sample": sample });
    let (status, begun) = studio.post("api/new", &ask);
    assert_eq!(status, 200, "{begun}");
    let address = format!("{}api/predict", rest(&studio, &begun["address"]));
    let (_, predicted) = studio.post(&address, &json!({ "flags": {} }));
    assert!(
        predicted["result"]["predicted_time_s"].is_number(),
        "{predicted}"
    );
    for (ask, why) in [
        (json!({ "name": "new.uml" }), "new.uml is there already"),
        (
            json!({ "name": "../new.uml" }),
            "../new.uml is outside of the folder",
        ),
        (
            json!({ "name": "a.uml", "sample": "none" }),
            "there is no sample `none`",
        ),
    ] {
        let (status, refused) = studio.post("api/new", &ask);
        assert_eq!((status, &refused["error"]), (422, &json!(why)));
    }
    assert!(!studio.folder.path().join("new.uml").exists());
}

#[test]
fn files_outside_of_the_folder_are_refused() {
    let studio = studio();
    let secret = studio.folder.path().join("secret.uml");
    let absolute = secret.to_str().unwrap().replace('/', "%2F");
    for name in [
        "..%2Fsecret.uml",
        "inner%2F..%2F..%2Fsecret.uml",
        &absolute,
        "link.uml",
    ] {
        let (status, _, body) = studio.get(&format!("m/{name}/api/state"));
        assert_eq!(status, 404, "{name}");
        assert!(body.contains("is outside of the folder"), "{name}: {body}");
    }
    let (status, _, body) = studio.get("m/none.uml/api/state");
    assert_eq!(status, 404);
    assert!(body.contains("cannot read none.uml"), "{body}");
    for path in [
        "m/../secret.uml/api/state",
        "m/%zz/api/state",
        "m/",
        "api/state",
    ] {
        assert_eq!(studio.get(path).0, 404, "{path}");
    }
}

#[test]
fn a_copy_is_saved_beside_the_model() {
    let studio = Studio::start();
    let edits = json!([{ "do": "rename", "element": "_SFT", "name": "Fourier" }]);
    studio.post(
        "api/edit",
        &json!({ "revision": 1, "label": "Rename", "edits": edits }),
    );
    let (status, saved) = studio.post("api/save-as", &json!({ "name": "copy" }));
    assert_eq!(status, 200, "{saved}");
    let copy = fs::read_to_string(studio.folder.path().join("copy.uml")).unwrap();
    assert_eq!(copy, MODEL.replace("name=\"SFT\"", "name=\"Fourier\""));
    assert_eq!(fs::read_to_string(studio.path()).unwrap(), MODEL);
    let address = format!("{}api/state", rest(&studio, &saved["address"]));
    let state: Value = serde_json::from_str(&studio.get(&address).2).unwrap();
    assert_eq!(
        (&state["file"], &state["saved"]),
        (&json!("copy.uml"), &json!(true))
    );
    for (name, why) in [
        ("copy.uml", "copy.uml is there already"),
        ("/tmp/copy.uml", "/tmp/copy.uml is outside of the folder"),
        ("copy.txt", "a new model is named NAME.uml"),
    ] {
        let (status, refused) = studio.post("api/save-as", &json!({ "name": name }));
        assert_eq!((status, &refused["error"]), (422, &json!(why)));
    }
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
    let old = include_str!("../../../tests/models/uml14/enterprise-architect-1.1.xmi");
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
    // EMF refers to elements by their places where they have no ids.
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
    assert_eq!(
        state["why"],
        "files without ids of their nodes are only shown"
    );
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
