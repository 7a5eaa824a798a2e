//! The server as a page, or anybody else on this computer, meets it.

use std::fmt::Write as _;
use std::fs;

use crate::client;

use client::{MODEL, Studio};
use serde_json::{Value, json};

#[test]
fn a_model_is_edited_predicted_and_saved() {
    let studio = Studio::start();
    let state = studio.state();
    assert_eq!(state["diagrams"][0]["nodes"].as_array().unwrap().len(), 14);
    let flags = json!({ "flags": { "nodes": "8", "cpus-per-node": "4", "NAT": "64" } });
    let (status, before) = studio.post("api/predict", &flags);
    assert_eq!(status, 200, "{before}");
    assert_eq!(before["result"]["system"]["processes"], 32);
    assert_eq!(before["result"]["parameters"]["NAT"], 64);
    let edits = json!([{ "do": "tag", "element": "_SFT", "tag": "cost", "value": "0" }]);
    let edit = json!({ "revision": state["revision"], "label": "Change a cost", "edits": edits });
    let (status, after) = studio.post("api/edit", &edit);
    assert_eq!(status, 200, "{after}");
    assert_eq!(after["state"]["undo"], "Change a cost");
    assert_eq!(after["state"]["saved"], false);
    // A page that does not know the new revision is refused.
    let (status, refused) = studio.post("api/edit", &edit);
    assert_eq!(
        (status, &refused["error"]),
        (
            409,
            &json!("the model was changed elsewhere: look at it again")
        )
    );
    let (_, now) = studio.post("api/predict", &flags);
    let time = |it: &Value| it["result"]["predicted_time_s"].as_f64().unwrap();
    let sft = 70.13 + 0.4827 * 64.0;
    assert!(
        (time(&before) - time(&now) - sft).abs() < 1e-9,
        "{} {}",
        time(&before),
        time(&now)
    );
    let revision = after["state"]["revision"].clone();
    let (status, saved) = studio.post("api/save", &json!({ "revision": revision }));
    assert_eq!((status, &saved["state"]["saved"]), (200, &json!(true)));
    let text = fs::read_to_string(studio.path()).unwrap();
    assert_eq!(text, MODEL.replace("cost=\"DoSFT()\"", "cost=\"0\""));
}

#[test]
fn the_words_of_the_page_come_from_the_profile() {
    let studio = Studio::start();
    let words: Value = serde_json::from_str(&studio.get("api/vocabulary").2).unwrap();
    let names: Vec<&str> = words["stereotypes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    for name in ["action+", "bsend", "allreduce", "parallel", "loop+"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn strangers_get_nothing() {
    let studio = Studio::start();
    let (host, root) = (&studio.host, &studio.root);
    let own = format!("host: {host}\r\n");
    let json = "content-type: application/json\r\n";
    let status =
        |method: &str, path: &str, headers: &str| studio.send(method, path, headers, b"{}").0;
    assert_eq!(status("GET", &format!("{root}api/state"), &own), 200);
    // Without the token, or with another.
    assert_eq!(status("GET", "/api/state", &own), 404);
    assert_eq!(
        status("GET", &format!("/{}/api/state", "0".repeat(48)), &own),
        404
    );
    // A name of another site that leads here, and pages of other sites.
    let path = format!("{root}api/state");
    assert_eq!(status("GET", &path, "host: evil.example\r\n"), 421);
    assert_eq!(
        status(
            "GET",
            &path,
            &format!("{own}origin: http://evil.example\r\n")
        ),
        403
    );
    assert_eq!(
        status(
            "GET",
            &path,
            &format!("{own}sec-fetch-site: cross-site\r\n")
        ),
        403
    );
    // What a form can send.
    let path = format!("{root}api/save");
    assert_eq!(
        status("POST", &path, &format!("{own}content-type: text/plain\r\n")),
        415
    );
    assert_eq!(
        status("POST", &path, &format!("{own}origin: null\r\n{json}")),
        403
    );
    // Files beside the page's.
    for path in [
        "../Cargo.toml",
        "%2e%2e/Cargo.toml",
        "/etc/passwd",
        "model.uml",
    ] {
        assert_eq!(status("GET", &format!("{root}{path}"), &own), 404, "{path}");
    }
}

#[test]
fn answers_show_nothing_but_what_this_server_sends() {
    let studio = Studio::start();
    let (_, head, _) = studio.get("api/state");
    for header in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
    ] {
        assert!(head.contains(header), "{header}: {head}");
    }
    assert!(!head.contains("access-control"), "{head}");
    assert!(!head.contains("unsafe-inline"), "{head}");
}

#[test]
fn what_is_wrong_is_refused_with_the_reason() {
    let studio = Studio::start();
    let edit = |edits: Value| {
        let body = json!({ "revision": 1, "label": "Try", "edits": edits });
        let (status, answer) = studio.post("api/edit", &body);
        (
            status,
            answer["error"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let (status, why) = edit(json!([{ "do": "rename", "element": "_none", "name": "x" }]));
    assert_eq!(
        (status, &*why),
        (422, "there is no element `_none` in the model")
    );
    let (status, why) = edit(json!([{ "do": "explode" }]));
    assert_eq!(status, 400);
    assert!(why.contains("explode"), "{why}");
    let predict = |flags: Value| studio.post("api/predict", &json!({ "flags": flags })).1;
    for (flag, value) in [
        ("trace", "/tmp/x"),
        ("machine", "/etc/passwd"),
        ("mapping", "/etc/passwd"),
    ] {
        let answer = predict(json!({ flag: value }));
        let expected = format!("`{flag}` cannot be set to `{value}` here");
        let error = answer["error"].as_str().unwrap();
        assert!(error.starts_with(&expected), "{error}");
    }
    let answer = predict(json!({ "nodes": "0" }));
    assert!(
        answer["error"]
            .as_str()
            .unwrap()
            .contains("whole number from 1"),
        "{answer}"
    );
    let large = vec![b' '; 17 << 20];
    let headers = format!(
        "host: {}\r\ncontent-type: application/json\r\n",
        studio.host
    );
    let path = format!("{}api/edit", studio.root);
    let (status, _, refused) = studio.send("POST", &path, &headers, &large);
    assert_eq!(status, 413);
    assert_eq!(refused, r#"{"error":"a request has at most 16 MB"}"#);
    assert_eq!(studio.state()["revision"], 1);
}

#[expect(
    clippy::disallowed_methods,
    reason = "a prediction is to be under way when the next one begins"
)]
#[test]
fn a_newer_prediction_ends_the_one_under_way() {
    let studio = Studio::start();
    // Half a million processes take much longer than one.
    let long = json!({ "flags": { "nodes": "500000", "engine": "event" } });
    std::thread::scope(|scope| {
        let first = scope.spawn(|| studio.post("api/predict", &long).1);
        std::thread::sleep(std::time::Duration::from_millis(300));
        let short = studio.post("api/predict", &json!({ "flags": {} })).1;
        assert!(short["result"]["predicted_time_s"].is_number(), "{short}");
        let first = first.join().unwrap();
        // It was ended, unless this computer is very fast.
        let ended = first["error"]
            .as_str()
            .is_some_and(|it| it.contains("interrupted"));
        assert!(ended || first["result"].is_object(), "{first}");
    });
}

#[test]
fn predictions_of_two_pages_leave_each_other_alone() {
    let studio = Studio::start();
    let predict = |page: u32| {
        let flags = json!({ "nodes": "20000", "engine": "event" });
        let answer = studio.post("api/predict", &json!({ "page": page, "flags": flags }));
        assert!(answer.1["result"].is_object(), "{}", answer.1);
    };
    std::thread::scope(|scope| {
        let pages = [1, 2, 3].map(|page| scope.spawn(move || predict(page)));
        for page in pages {
            page.join().unwrap();
        }
    });
}

#[test]
fn a_large_model_is_shown() {
    // 2,000 more actions, one after the other; the drawing lays them out without a library.
    let mut nodes = String::new();
    for number in 0..2000 {
        let _ = write!(
            nodes,
            "<node xmi:type=\"uml:OpaqueAction\" xmi:id=\"_x{number}\" name=\"X{number}\"/>"
        );
    }
    let studio = Studio::of(MODEL.replacen("<node ", &format!("{nodes}<node "), 1));
    let state = studio.state();
    assert_eq!(
        state["diagrams"][0]["nodes"].as_array().unwrap().len(),
        2014
    );
    assert_eq!(state["problems"].as_array().unwrap().len(), 500);
}

#[test]
fn a_file_with_a_sign_that_a_tool_forgot_to_escape_is_shown() {
    // StarUML writes `&&` as it is.
    let broken = include_str!("../../../tests/models/dialects/staruml.xmi");
    let whole = broken.replace("&&", "&amp;&amp;");
    assert_ne!(whole, broken);
    let (right, wrong) = (Studio::of(&whole), Studio::of(broken));
    let predicted = |it: &Studio| {
        let answer = it.post("api/predict", &json!({})).1;
        let time = answer["result"]["predicted_time_s"].as_f64();
        time.unwrap_or_else(|| panic!("{answer} {}", it.state()["problems"]))
    };
    assert!((predicted(&right) - predicted(&wrong)).abs() < 1e-9);
    let drawn = |it: &Value| {
        let nodes = it["diagrams"][0]["nodes"].as_array().unwrap().iter();
        let nodes = nodes.map(|it| (it["name"].clone(), it["stereotype"].clone()));
        let flows = it["diagrams"][0]["flows"].as_array().unwrap().len();
        (nodes.collect::<Vec<_>>(), flows)
    };
    let state = wrong.state();
    assert_eq!(drawn(&state), drawn(&right.state()));
    assert_eq!(state["editable"], false);
    let ids = state["diagrams"][0]["nodes"].as_array().unwrap().iter();
    let ids: std::collections::BTreeSet<&str> = ids.map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), drawn(&state).0.len());
    let (status, saved) = wrong.post("api/save-as", &json!({ "name": "whole" }));
    assert_eq!(status, 200, "{saved}");
}

#[test]
fn a_machine_file_of_the_folder_is_chosen_and_no_other_file() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("models");
    fs::create_dir(&inner).unwrap();
    let machine = include_str!("../../../sample-models/first-model/cluster.toml");
    fs::write(inner.join("cluster.toml"), machine).unwrap();
    fs::write(folder.path().join("secret.toml"), machine).unwrap();
    let path = inner.join("model.uml");
    fs::write(&path, MODEL).unwrap();
    let studio = Studio::at(folder, &path);
    let words: Value = serde_json::from_str(&studio.get("api/vocabulary").2).unwrap();
    let flags = words["flags"].as_array().unwrap();
    let flag = flags.iter().find(|it| it["name"] == "machine").unwrap();
    assert!(
        flag["values"]
            .as_array()
            .unwrap()
            .contains(&json!("cluster.toml"))
    );
    let on = |machine: &str| {
        let flags = json!({ "flags": { "machine": machine } });
        studio.post("api/predict", &flags).1
    };
    assert_eq!(on("cluster.toml")["result"]["system"]["nodes"], 16);
    assert_eq!(on("gescher")["error"], Value::Null);
    for other in ["../secret.toml", "/etc/passwd", "model.uml", "nothing.toml"] {
        assert!(on(other)["error"].is_string(), "{other}");
    }
}

#[test]
fn connections_whose_heads_never_end_are_closed() {
    use std::io::{Read as _, Write as _};
    let studio = Studio::start();
    let mut open: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(&studio.host).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
            let patience = std::time::Duration::from_mins(1);
            stream.set_read_timeout(Some(patience)).unwrap();
            stream
        })
        .collect();
    // Others are answered meanwhile.
    assert_eq!(studio.get("api/state").0, 200);
    for stream in &mut open {
        let mut answer = Vec::new();
        // Closed with an answer or without, but before the patience ends.
        let read = stream.read_to_end(&mut answer);
        let kind = read.err().map(|it| it.kind());
        assert!(!matches!(
            kind,
            Some(std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
        ));
    }
}
