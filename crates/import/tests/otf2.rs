//! Tests OTF2 archives that OTF2's own library writes and reads. If the library is missing, the
//! tests say so.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use prophet_testing::{has, skip};
use tempfile::TempDir;

use crate::result::{SPEED, program, replayed_s};
use crate::ring::actions;

const PROGRAM: &str = include_str!("ring.c");
/// Returns a ring's archive; `None` if OTF2 is missing, which is reported.
fn archive() -> Option<(TempDir, PathBuf)> {
    if !has("otf2-print", "--version") {
        return None;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let (source, writer) = (folder.path().join("ring.c"), folder.path().join("ring"));
    fs::write(&source, PROGRAM).expect("it can be written");
    let mut compiler = Command::new("cc");
    compiler.arg("-o").args([&writer, &source]).arg("-lotf2");
    if !compiler.status().is_ok_and(|it| it.success()) {
        skip("there is no C compiler with libotf2-trace-dev");
        return None;
    }
    let to = folder.path().join("ring.otf2");
    let written = Command::new(&writer).arg(&to).output().expect("it runs");
    assert!(written.status.success(), "{written:?}");
    Some((folder, to))
}

#[test]
fn archives_are_replayed_and_folded() {
    let Some((folder, archive)) = archive() else {
        return;
    };
    let actions_s = replayed_s(
        &actions(folder.path(), "sendrecv 50 {next} 50 {before}"),
        &SPEED,
    );
    for path in [archive.clone(), archive.join("traces.otf2")] {
        let difference = replayed_s(&path, &[]) - actions_s;
        assert!(difference.abs() < 1e-9, "{difference}");
    }
    let model = folder.path().join("model.puml");
    let words = ["--out", model.to_str().expect("it is text")];
    let output = program(&[], &archive, &words);
    let said = String::from_utf8_lossy(&output.stderr);
    let text = fs::read_to_string(model).unwrap_or_default();
    assert!(said.contains("of 8 ranks in 8 elements"), "{said} {text}");
    assert!(text.contains("(pid + 1) % NUM_PROCESSES"), "{text}");
}

#[test]
fn damaged_archives_are_refused() {
    let Some((_folder, archive)) = archive() else {
        return;
    };
    let events = archive.join("traces/3.evt");
    let whole = fs::read(&events).expect("it is there");
    fs::write(&events, &whole[..whole.len() / 2]).expect("it can be written");
    let out = archive.join("model.puml");
    let words = ["--out", out.to_str().expect("it is text")];
    let said = |output: Output| {
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let first = said(program(&[], &archive, &words));
    assert!(first.contains("is cut off"), "{first}");
    let message = "otf2-print cannot read the whole archive: it is cut off or damaged";
    let anchor = archive.join("traces.otf2");
    fs::write(&anchor, "no archive").expect("it can be written");
    let second = said(program(&[], &anchor, &words));
    assert!(second.contains(message), "{second}");
}
