//! Tests that drawings are recovered, whenever the studio ends and whatever the disk does.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::client::{MODEL, Studio};
use crate::robust::program::Program;

/// Creates a folder with a model and a place for unsaved text.
fn folder() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.uml");
    fs::write(&model, MODEL).unwrap();
    let unsaved = folder.path().join("unsaved");
    (folder, model, unsaved)
}

/// Returns the model with a number in the element's name.
fn named(number: u64) -> String {
    MODEL.replace("name=\"SFT\"", &format!("name=\"S{number}\""))
}

/// Returns the number in the element's name; 0 for its initial name.
fn number(studio: &Studio) -> u64 {
    let state = studio.state();
    let nodes = state["diagrams"][0]["nodes"].as_array().unwrap();
    let node = nodes.iter().find(|it| it["id"] == "_SFT").unwrap();
    let name = node["name"].as_str().unwrap();
    name[1..].parse().unwrap_or(0)
}

/// Edits, and saves now and then, until there are no more answers.
fn edit(studio: &Studio, mut revision: u64, first: u64, done: &AtomicU64) {
    for number in first.. {
        let (status, answer) = studio.rename(revision, "_SFT", &format!("S{number}"));
        if status != 200 {
            return;
        }
        done.store(number, Ordering::SeqCst);
        revision = answer["state"]["revision"].as_u64().unwrap();
        if number % 3 == 0 {
            studio.save(revision);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the program is ended at some moment"
)]
#[test]
fn edits_are_there_again_whenever_the_studio_is_killed() {
    let (folder, model, unsaved) = folder();
    let mut last = 0;
    // Moments within the first edits and saves, each of which takes tens of milliseconds.
    for moment_ms in [5, 170, 45, 260, 90, 131, 320, 211] {
        let other = tempfile::tempdir().unwrap();
        let mut program = Program::start(other, &model, &unsaved, None);
        let found = number(&program.studio);
        assert!(found == last || found == last + 1, "{found} after {last}");
        let done = AtomicU64::new(found);
        let studio = program.studio.again();
        let revision = studio.state()["revision"].as_u64().unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| edit(&studio, revision, found + 1, &done));
            sleep(Duration::from_millis(moment_ms));
            program.kill();
        });
        last = done.load(Ordering::SeqCst);
        // The file is complete: as it was at the start, or after one of the edits.
        let text = fs::read_to_string(&model).unwrap();
        assert!(text == MODEL || (1..=last + 1).any(|it| text == named(it)));
    }
    // On a busy machine, there are few edits before these moments.
    assert!(last > 0, "{last}");
    drop(folder);
}

#[test]
fn damaged_recoveries_are_passed_over() {
    let (folder, model, unsaved) = folder();
    let studio = Studio::at(folder, &model);
    assert_eq!(studio.rename(1, "_SFT", "S1").0, 200);
    let kept = kept(&unsaved);
    let whole = fs::read(&kept).unwrap();
    let middle = whole.len() / 2;
    let mut torn = whole.clone();
    torn[middle] = 0xff;
    for damaged in [
        &whole[..middle],
        &[],
        b"[]",
        b"{\"path\": 1}",
        &torn,
        &[0; 1000],
    ] {
        fs::write(&kept, damaged).unwrap();
        let again = Studio::at(tempfile::tempdir().unwrap(), &model);
        assert_eq!(number(&again), 0);
    }
}

fn kept(folder: &Path) -> PathBuf {
    let mut files = fs::read_dir(folder).unwrap();
    files.next().unwrap().unwrap().path()
}

#[test]
fn a_full_disk_is_told_and_harms_nothing() {
    let (folder, model, unsaved) = folder();
    // The model has 25 KB, and the data for its recovery twice as much.
    let program = Program::start(folder, &model, &unsaved, Some(20));
    let studio = &program.studio;
    let (status, answer) = studio.rename(1, "_SFT", "S1");
    let why = answer["error"].as_str().unwrap();
    assert_eq!(status, 422, "{why}");
    let told = "the change was made, but cannot be saved for recovery: ";
    assert!(why.starts_with(told), "{why}");
    assert_eq!(number(studio), 1);
    let (status, answer) = studio.save(2);
    let why = answer["error"].as_str().unwrap();
    assert_eq!(status, 422, "{why}");
    assert!(why.starts_with("cannot write "), "{why}");
    assert_eq!(fs::read_to_string(&model).unwrap(), MODEL);
    assert_eq!(studio.state()["saved"], false);
}
