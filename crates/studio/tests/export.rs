//! Tests exporting a model to every target.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::client;

use client::Studio;
use prophet_codegen::generate::{Request, generate};
use prophet_codegen::target::Target;
use prophet_codegen::workspace::Workspace;
use prophet_frontend::check::RuleSet;
use serde_json::{Value, json};

/// Returns the file name and the bytes of an export.
fn export(studio: &Studio, target: &str) -> (String, Vec<u8>) {
    let body = json!({ "target": target }).to_string();
    let mut stream = TcpStream::connect(&studio.host).unwrap();
    let (host, root, length) = (&studio.host, &studio.root, body.len());
    let request = format!(
        "POST {root}api/export HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let name = head.split("filename=\"").nth(1).unwrap();
    let name = name.split('"').next().unwrap().to_owned();
    (name, answer.split_off(end + 4))
}

#[test]
fn every_target_but_the_crate_gives_what_the_command_line_writes() {
    let studio = Studio::start();
    let offered: Value = serde_json::from_str(&studio.get("api/targets").2).unwrap();
    let offered: Vec<&str> = offered
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    let targets = prophet_targets::shipped();
    let known = targets.iter().map(Target::name);
    let known: Vec<&str> = known.filter(|it| *it != "rust").collect();
    // The trace of a run isn't generated from the model.
    let is_trace = |it: &&str| it.starts_with("trace-");
    let (traces, offered): (Vec<&str>, Vec<&str>) = offered.into_iter().partition(is_trace);
    assert_eq!((offered, traces.len()), (known.clone(), 8));
    let folder = studio.folder.path().to_owned();
    let workspace = Workspace {
        root: folder.clone(),
        runtime: folder.clone(),
        target: folder.clone(),
        project: folder.clone(),
        built: folder.clone(),
    };
    let (rules, model) = (RuleSet::shipped(), studio.path());
    for name in known {
        let (file, bytes) = export(&studio, name);
        let out = folder.join("written").join(name);
        let request = Request {
            targets: &[targets.get(name).unwrap()],
            out: Some(&out),
            ..Request::new(&model, &rules)
        };
        generate(&request, &workspace).unwrap();
        if !bytes.starts_with(b"PK") {
            assert_eq!(fs::read(out.join(&file)).unwrap(), bytes, "{name}");
            continue;
        }
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&bytes)).unwrap();
        assert!(archive.len() > 1, "{name}");
        for at in 0..archive.len() {
            let mut entry = archive.by_index(at).unwrap();
            let path = entry.name().unwrap().split_once('/').unwrap().1.to_owned();
            let mut packed = Vec::new();
            entry.read_to_end(&mut packed).unwrap();
            let written = fs::read(out.join(&path)).unwrap();
            assert!(packed == written, "{name}: {path}");
        }
        assert_eq!(export(&studio, name), (file, bytes), "the same bytes again");
    }
}
