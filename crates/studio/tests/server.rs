//! Tests the server as seen by a page, or by other programs on this computer.

use std::fmt::Write as _;

use crate::client;

use client::{MODEL, Studio};
use serde_json::{Value, json};

#[test]
fn a_request_has_a_limited_size() {
    let studio = Studio::start();
    let large = vec![b' '; 17 << 20];
    let headers = format!(
        "host: {}\r\ncontent-type: application/json\r\n",
        studio.host
    );
    let path = format!("{}api/edit", studio.root);
    let (status, _, refused) = studio.send("POST", &path, &headers, &large);
    assert_eq!(status, 413);
    assert_eq!(refused, r#"{"error":"a request can have at most 16 MB"}"#);
    assert_eq!(studio.state()["revision"], 1);
}

#[expect(
    clippy::disallowed_methods,
    reason = "a prediction is to be under way when the next one begins"
)]
#[test]
fn a_newer_prediction_ends_the_one_under_way() {
    let studio = Studio::start();
    // A hundred thousand processes take much longer than one.
    let long = json!({ "flags": { "nodes": "100000", "engine": "event" } });
    std::thread::scope(|scope| {
        let first = scope.spawn(|| studio.post("api/predict", &long).1);
        std::thread::sleep(std::time::Duration::from_millis(300));
        let short = studio.post("api/predict", &json!({ "flags": {} })).1;
        assert!(short["result"]["predicted_time_s"].is_number(), "{short}");
        let first = first.join().unwrap();
        // The run was stopped, unless this computer is very fast.
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
    // 2,000 more actions in sequence. The drawing lays them out without a library.
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
    // StarUML writes `&&` unescaped.
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
    // Other requests are answered in the meantime.
    assert_eq!(studio.get("api/state").0, 200);
    for stream in &mut open {
        let mut answer = Vec::new();
        // The connection is closed, with or without an answer, before the time limit.
        let read = stream.read_to_end(&mut answer);
        let kind = read.err().map(|it| it.kind());
        assert!(!matches!(
            kind,
            Some(std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
        ));
    }
}
