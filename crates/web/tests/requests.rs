//! Tests the answers to requests from the page's worker.

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_source;
use prophet_interpreter::Interpreted;
use prophet_model::source::Source;
use prophet_samples::SAMPLES;
use prophet_web::Studio;
use serde_json::{Value, json};

use crate::client::{ask, json, open};

const LAPW0: &str = include_str!("../../../sample-models/lapw0.uml");

/// Returns a model's result as `run --format json` prints it with the arguments `more`, without
/// what the run itself took.
fn printed(name: &str, text: &str, more: &[&str]) -> Value {
    let source = Source::new(format!("{name}.uml"), text);
    let checked = check_source(&RuleSet::shipped(), source, "".as_ref(), None);
    let program = Interpreted::new(&checked, &checked.source.name, false).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = ["run", "--format", "json"].iter().chain(more);
    let code = program.run_to(words.map(Into::into), &mut out, &mut err);
    let said = String::from_utf8_lossy(&err);
    let mut result: Value = serde_json::from_slice(&out).unwrap_or_else(|_| json!(said));
    if code == 0 {
        result.as_object_mut().unwrap().remove("evaluation");
    }
    result
}

#[test]
fn samples_are_predicted_as_the_program_prints() {
    let mut predicted = 0;
    for sample in SAMPLES {
        let mut studio = open(&format!("{}.uml", sample.name), sample.text);
        let (status, answer) = json(&mut studio, "POST api/predict", &json!({}));
        assert_eq!(status, 200, "{}", sample.name);
        let expected = printed(sample.name, sample.text, &[]);
        let mut result = answer["result"].clone();
        let Some(fields) = result.as_object_mut() else {
            let why = answer["error"].as_str().unwrap();
            assert!(
                expected.as_str().unwrap().contains(why),
                "{expected}: {why}"
            );
            continue;
        };
        fields.remove("evaluation");
        assert_eq!(result, expected, "{}", sample.name);
        predicted += 1;
    }
    assert!(predicted > 10, "{predicted}");
}

#[test]
fn a_model_is_edited_checked_and_saved() {
    let mut studio = open("lapw0.uml", LAPW0);
    let edits = json!([{ "do": "tag", "element": "_SFT", "tag": "cost", "value": "DoSFT(" }]);
    let edit = json!({ "revision": 1, "label": "Change a cost", "edits": edits });
    let (status, edited) = json(&mut studio, "POST api/edit", &edit);
    assert_eq!((status, &edited["state"]["saved"]), (200, &json!(false)));
    let problems = edited["state"]["problems"].as_array().unwrap();
    assert!(
        problems.iter().any(|it| it["owner"] == "_SFT"),
        "{problems:?}"
    );
    let (_, failed) = json(&mut studio, "POST api/predict", &json!({}));
    assert_eq!(
        failed["error"],
        "the model has errors; only a compiled program can run it"
    );
    let (_, head, file) = ask(&mut studio, "GET api/file", b"");
    assert_eq!(head["headers"]["x-revision"], "2");
    let text = LAPW0.replace("cost=\"DoSFT()\"", "cost=\"DoSFT(\"");
    assert_eq!(String::from_utf8(file).unwrap(), text);
    let (status, saved) = json(&mut studio, "POST api/save", &json!({ "revision": 2 }));
    assert_eq!((status, &saved["state"]["saved"]), (200, &json!(true)));
    let (status, undone) = json(&mut studio, "POST api/undo", &json!({ "revision": 2 }));
    assert_eq!((status, &undone["state"]["saved"]), (200, &json!(false)));
}

#[test]
fn runs_are_explained_and_animated() {
    let mut studio = open("lapw0.uml", LAPW0);
    let (_, report) = json(&mut studio, "POST api/report", &json!({}));
    let address = report["result"]["address"].as_str().unwrap();
    let (status, head, page) = ask(&mut studio, &format!("GET {address}"), b"");
    assert_eq!(status, 200, "{report}");
    let policy = head["headers"]["content-security-policy"].as_str();
    assert!(policy.unwrap().contains("sandbox"), "{head}");
    assert!(page.starts_with(b"<!DOCTYPE html>"));
    let (_, animation) = json(&mut studio, "POST api/trace", &json!({}));
    assert!(
        animation["result"]["endS"].as_f64().unwrap() > 0.0,
        "{animation}"
    );
}

#[test]
fn measurements_become_the_cost_of_an_element() {
    let mut studio = open("lapw0.uml", LAPW0);
    let rows = "NAT, time_s\n10, 20\n20, 40\n40, 80\n80, 160\n";
    let with_rows = |mut head: Value| {
        head["files"] = json!([{ "name": "times.csv", "length": rows.len() }]);
        format!("{head}\n{rows}")
    };
    let (status, _, told) = ask(
        &mut studio,
        "POST api/dropped",
        with_rows(json!({})).as_bytes(),
    );
    let told: Value = serde_json::from_slice(&told).unwrap();
    assert_eq!(status, 200, "{told}");
    assert_eq!(told["costs"]["costs"][0]["expression"], "2.0 * NAT");
    let address = told["costs"]["address"].as_str().unwrap();
    let (_, _, page) = ask(&mut studio, &format!("GET {address}"), b"");
    assert!(String::from_utf8(page).unwrap().contains("Along NAT"));
    let into = json!({
        "revision": 1, "region": "", "metric": "time_s", "element": "_SFT", "arguments": [],
    });
    let (status, _, edited) = ask(&mut studio, "POST api/fit-into", with_rows(into).as_bytes());
    let edited: Value = serde_json::from_slice(&edited).unwrap();
    assert_eq!(status, 200, "{edited}");
    assert_eq!(edited["state"]["undo"], "Fit the cost");
    let trace = r#"{"files":[{"name":"ring.goal","length":12}]}"#;
    let (status, _, why) = ask(
        &mut studio,
        "POST api/dropped",
        format!("{trace}\nnum_ranks 2\n").as_bytes(),
    );
    let why = String::from_utf8(why).unwrap();
    assert!(
        status == 422
            && why.contains("without a server, the page only reads measurements and machines"),
        "{why}"
    );
}

/// A machine file with the same results as the machine that this text describes.
pub(crate) const MACHINE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../sample-models/first-model/cluster.toml"
);

pub(crate) const RULES: &str = "<mcl xmlns='http:///schemas/prophet/mcl/1' name='house'>\
    <elements><element name='block' node='Action'/></elements>\
    <rules><rule code='HOUSE-01' severity='warning' element='block'>\
    <summary>There are no blocks.</summary><message>{name} is a block</message>\
    <help>remove it</help><when><named/></when></rule></rules></mcl>";

#[test]
fn machines_and_rules_are_beside_a_model() {
    let text = std::fs::read_to_string(MACHINE).unwrap();
    let mut studio = Studio::new();
    let open = "POST open/1/lapw0.uml";
    ask(&mut studio, "POST beside/cluster.toml", text.as_bytes());
    ask(
        &mut studio,
        "POST beside/house%20rules.xml",
        RULES.as_bytes(),
    );
    let (_, _, state) = ask(&mut studio, open, LAPW0.as_bytes());
    let state: Value = serde_json::from_slice(&state).unwrap();
    let problems = state["problems"].as_array().unwrap();
    assert!(
        problems.iter().any(|it| it["code"] == "HOUSE-01"),
        "{state}"
    );
    let flags = json!({ "flags": { "machine": "cluster.toml", "nodes": "2" } });
    let (_, mut predicted) = json(&mut studio, "POST api/predict", &flags);
    let result = predicted["result"].as_object_mut().unwrap();
    result.remove("evaluation");
    let on_disk = printed(
        "lapw0",
        LAPW0,
        &[&format!("--machine={MACHINE}"), "--nodes=2"],
    );
    assert_eq!(json!(result), on_disk);
    // A dropped machine file is saved in the page, and known from then on.
    let named = json!({ "files": [{ "name": "ours.toml", "length": text.len() }] });
    let drop = format!("{named}\n{text}");
    let (_, _, told) = ask(&mut studio, "POST api/dropped", drop.as_bytes());
    let told: Value = serde_json::from_slice(&told).unwrap();
    assert_eq!(
        told["machine"],
        json!({ "name": "ours.toml", "text": text })
    );
    let save = json!({ "name": "ours.toml", "text": text });
    assert_eq!(json(&mut studio, "POST api/save-machine", &save).0, 200);
    let (_, twice) = json(&mut studio, "POST api/save-machine", &save);
    assert_eq!(twice["error"], "ours.toml already exists");
    let (_, words) = json(&mut studio, "GET api/vocabulary", &json!(null));
    let machine = words["flags"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["name"] == "machine");
    let machines = machine.unwrap()["values"].as_array().unwrap();
    assert!(machines.contains(&json!("ours.toml")), "{machines:?}");
    let flags = json!({ "flags": { "machine": "other.toml" } });
    let (_, failed) = json(&mut studio, "POST api/predict", &flags);
    let why =
        "`machine` cannot be set to `other.toml` here: this page has no machine file other.toml";
    assert_eq!(failed["error"], why);
    for (file, text, why) in [
        ("bad.toml", "name = 1\n", "bad.toml:1: "),
        ("rules.xml", "<mcl>", "rules.xml cannot be used\n"),
    ] {
        let mut studio = Studio::new();
        ask(&mut studio, &format!("POST beside/{file}"), text.as_bytes());
        let (status, _, told) = ask(&mut studio, open, LAPW0.as_bytes());
        let told: Value = serde_json::from_slice(&told).unwrap();
        assert_eq!(status, 422, "{told}");
        assert!(told["error"].as_str().unwrap().starts_with(why), "{told}");
    }
}

#[test]
fn a_model_begins_as_a_sample_or_empty_and_in_other_forms_is_only_shown() {
    let mut studio = Studio::new();
    let (_, samples) = json(&mut studio, "GET samples", &json!(null));
    assert_eq!(samples.as_array().unwrap().len(), SAMPLES.len() + 1);
    let (_, _, text) = ask(&mut studio, "GET sample/lapw0", b"");
    assert_eq!(String::from_utf8(text).unwrap(), LAPW0);
    let (_, _, text) = ask(&mut studio, "GET empty/my%20model.uml", b"");
    assert!(String::from_utf8(text).unwrap().contains("\"my_model\""));
    let text = prophet_samples::first_model::TEXT;
    let mut studio = open("model.puml", text);
    let (_, state) = json(&mut studio, "GET api/state", &json!(null));
    assert_eq!(state["editable"], false, "{state}");
    let (status, _, uml) = ask(&mut studio, "GET api/uml", b"");
    assert_eq!(status, 200);
    assert!(String::from_utf8(uml).unwrap().contains("<uml:Model"));
}

#[test]
fn what_is_no_request_is_refused() {
    for (line, body, status, why) in [
        ("", "", 404, ""),
        ("PUT api/state", "", 404, ""),
        ("GET api/state", "", 404, ""),
        ("GET api/nothing", "", 404, ""),
        ("GET sample/none", "", 422, "unknown sample `none`"),
        ("POST api/edit", "{}", 404, ""),
        ("POST open/1/m.uml", "\u{0}", 200, ""),
    ] {
        let (found, answer) = json(&mut Studio::new(), line, &json!(body));
        assert_eq!(found, status, "{line}: {answer}");
        assert_eq!(answer["error"].as_str().unwrap_or_default(), why, "{line}");
    }
    let mut studio = open("m.uml", LAPW0);
    for (line, body, status) in [
        ("POST api/table", "{}", 404),
        ("POST api/predict", "[", 400),
        ("POST api/export", "{\"target\": \"none\"}", 422),
    ] {
        let (found, _, _) = ask(&mut studio, line, body.as_bytes());
        assert_eq!(found, status, "{line}");
    }
    let (status, _, why) = ask(&mut studio, "POST open/1/m.uml", &vec![b' '; 64 << 20]);
    let why = String::from_utf8(why).unwrap();
    assert_eq!(
        (status, &*why),
        (413, "{\"error\":\"a model can have at most 64 MB here\"}")
    );
}
