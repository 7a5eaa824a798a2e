//! Tests that files keep their bytes when they are opened and saved, except in edited parts.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_testing::{hard_models, models_in};

use crate::client::Studio;

/// Returns the ids of some elements, up to a limit, as written in the file.
fn some_ids(text: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    let starts = text
        .match_indices(":id=")
        .chain(text.match_indices(":id\t="));
    for (at, found) in starts {
        let rest = text[at + found.len()..].trim_start();
        let quote = rest.chars().next().filter(|it| matches!(it, '"' | '\''));
        let id = quote.and_then(|it| rest[1..].split(it).next());
        ids.extend(id.map(str::to_owned));
    }
    // Each id is checked with the whole model, which takes long if the model is large.
    let most = if text.len() > 100_000 { 2 } else { 5 };
    let step = ids.len() / most + 1;
    ids.into_iter().step_by(step).collect()
}

/// Resolves the character references in an id.
fn plain(text: &str) -> String {
    text.replace("&#110;", "n").replace("&amp;", "&")
}

/// Returns the part of `new` that differs from `old`, and the part of `old` that it replaces.
fn difference<'t>(old: &'t [u8], new: &'t [u8]) -> (&'t [u8], &'t [u8]) {
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[same..], &new[same..]);
    let (left, right) = (old.iter().rev(), new.iter().rev());
    let end = left.zip(right).take_while(|(a, b)| a == b).count();
    (&old[..old.len() - end], &new[..new.len() - end])
}

/// Reads bytes as letters in an encoding with one or two bytes per letter.
fn letters(bytes: &[u8]) -> String {
    let bytes: Vec<u8> = bytes.iter().copied().filter(|it| *it != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Opens and saves a file, then renames some elements and saves again. Returns the number of
/// elements.
fn kept(name: &str, file: &[u8]) -> usize {
    let studio = Studio::of(file);
    let state = studio.state();
    if state["why"] == "files with nodes without ids are read-only" {
        assert_eq!(some_ids(&letters(file)), [""; 0], "{name}");
        return 0;
    }
    assert_eq!(state["editable"], true, "{name}: {}", state["why"]);
    let mut revision = state["revision"].as_u64().unwrap();
    assert_eq!(studio.save(revision).0, 200, "{name}");
    assert!(fs::read(studio.path()).unwrap() == file, "{name}");
    let ids = some_ids(&letters(file));
    for id in &ids {
        let (status, answer) = studio.rename(revision, &plain(id), "~ Other ~");
        assert_eq!(status, 200, "{name}: {id}: {answer}");
        revision = answer["state"]["revision"].as_u64().unwrap();
        assert_eq!(studio.save(revision).0, 200, "{name}");
        let renamed = fs::read(studio.path()).unwrap();
        let (old, new) = difference(file, &renamed);
        let (old, new) = (letters(old), letters(new));
        let is_value = |text: &str| !text.contains(['<', '>']);
        assert!(is_value(&old), "{name}: {id}: {old} {new}");
        assert!(
            is_value(&new) && new.contains("~ Other ~"),
            "{name}: {id}: {old} {new}"
        );
        let (status, answer) =
            studio.post("api/undo", &serde_json::json!({ "revision": revision }));
        assert_eq!(status, 200, "{name}: {answer}");
        revision = answer["state"]["revision"].as_u64().unwrap();
        assert_eq!(studio.save(revision).0, 200, "{name}");
        assert!(fs::read(studio.path()).unwrap() == file, "{name}: {id}");
    }
    ids.len()
}

#[test]
fn files_in_all_forms_keep_their_bytes() {
    for (form, file) in hard_models() {
        assert!(kept(form, &file) > 3, "{form}");
    }
}

#[test]
fn files_of_all_tools_keep_their_bytes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [
        "sample-models",
        "tests/models/dialects",
        "../shared/real-models",
        "../shared/oracle-models",
    ];
    let files = folders.iter().flat_map(|it| models_in(&root.join(it)));
    let files: Vec<PathBuf> = files.collect();
    assert!(files.len() > 20);
    let mut renamed = 0;
    for path in files {
        let file = fs::read(&path).unwrap();
        let text = letters(&file);
        // UML 1, and characters that a tool failed to escape.
        if text.contains("xmi.version") || text.contains("&&") {
            continue;
        }
        renamed += kept(&path.display().to_string(), &file);
    }
    assert!(renamed > 100, "{renamed}");
}
