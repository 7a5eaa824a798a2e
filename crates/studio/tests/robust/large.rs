//! Tests that oversized input is rejected, in bounded memory.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use prophet_testing::in_gate;

use crate::client::MODEL;
use crate::robust::program::Program;

fn program(text: &str) -> Program {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.uml");
    fs::write(&model, text).unwrap();
    let unsaved = folder.path().join("unsaved");
    Program::start(folder, &model, &unsaved, None)
}

#[test]
fn an_upload_of_100_mb_is_refused_in_little_memory() {
    let program = program(MODEL);
    let studio = &program.studio;
    let before = program.memory();
    for path in ["api/edit", "api/save-as", "api/predict", "models/api/new"] {
        let mut stream = TcpStream::connect(&studio.host).unwrap();
        let (host, root) = (&studio.host, &studio.root);
        let length = 100 << 20;
        let head = format!(
            "POST {root}{path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let chunk = vec![b'['; 1 << 20];
        for _ in 0..100 {
            stream.write_all(&chunk).unwrap();
        }
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 413 "), "{path}: {answer}");
        assert!(
            answer.contains("a request can have at most 16 MB"),
            "{path}: {answer}"
        );
    }
    if let (Some(before), Some(after)) = (before, program.memory()) {
        let most = before + (64 << 20);
        assert!(after < most, "{before} bytes before, {after} after");
    }
    assert_eq!(studio.rename(1, "_SFT", "S1").0, 200);
}

#[test]
fn a_run_gives_its_memory_back() {
    let program = program(MODEL);
    let before = program.memory_now();
    let flags = serde_json::json!({ "flags": { "nodes": "400000" } });
    let (_, answer) = program.studio.post("api/predict", &flags);
    assert!(answer["result"]["predicted_time_s"].is_number(), "{answer}");
    if let (Some(before), Some(after)) = (before, program.memory_now()) {
        let most = before + (64 << 20);
        assert!(after < most, "{before} bytes before, {after} after");
    }
}

#[test]
fn a_large_model_is_edited_in_bounded_memory() {
    let elements = if in_gate() { 100_000 } else { 10_000 };
    let mut nodes = String::new();
    for number in 0..elements {
        let _ = writeln!(
            nodes,
            "<node xmi:type=\"uml:OpaqueAction\" xmi:id=\"_x{number}\" name=\"X{number}\"/>"
        );
    }
    let program = program(&MODEL.replacen("<node ", &format!("{nodes}<node "), 1));
    let studio = &program.studio;
    // Parsing these texts as JSON would take longer than everything else in the test.
    let count = |text: &str| text.matches("\"kind\":\"OpaqueAction\"").count();
    let (status, _, before) = studio.get("api/state");
    assert_eq!(status, 200);
    assert!(count(&before) > elements, "{}", count(&before));
    let edit = br#"{"revision": 1, "label": "Rename",
        "edits": [{"do": "rename", "element": "_x5", "name": "Five"}]}"#;
    let headers = format!(
        "host: {}\r\ncontent-type: application/json\r\n",
        studio.host
    );
    let path = format!("{}api/edit", studio.root);
    let (status, _, after) = studio.send("POST", &path, &headers, edit);
    assert_eq!(status, 200, "{after}");
    assert_eq!(count(&after), count(&before));
    assert!(after.contains("\"name\":\"Five\""));
    if let Some(memory) = program.memory() {
        assert!(memory < 1 << 30, "{memory} bytes");
    }
}
