//! Files that real tools have written.

use std::path::Path;

use expect_test::expect;

use super::super::{load, read};
use crate::diagnostic::{Diagnostics, render_human};
use crate::model::{Model, NodeKind};

/// How many activities, elements of some kinds, flows and guards a model has.
fn counts(model: &Model) -> String {
    let is_activity = |path: &str| model.elements.iter().all(|element| element.path != path);
    let activities = model.diagrams.iter().filter(|it| is_activity(&it.path));
    let count = |is_it: fn(&NodeKind) -> bool| {
        let elements = model.elements.iter();
        elements.filter(|element| is_it(&element.kind)).count()
    };
    let flows = || model.diagrams.iter().flat_map(|diagram| &diagram.flows);
    format!(
        "{} activities, {} elements ({} decisions, {} merges, {} forks, {} joins, {} calls, {} \
         structured, {} unsupported), {} flows, {} guards, {} functions",
        activities.count(),
        model.elements.len(),
        count(|it| *it == NodeKind::Decision),
        count(|it| *it == NodeKind::Merge),
        count(|it| *it == NodeKind::Fork),
        count(|it| *it == NodeKind::Join),
        count(|it| matches!(it, NodeKind::Call(_))),
        count(|it| matches!(it, NodeKind::Structured(_))),
        count(|it| matches!(it, NodeKind::Unsupported(_))),
        flows().count(),
        flows().filter(|flow| flow.guard.is_some()).count(),
        model.functions.len(),
    )
}

#[test]
fn files_of_real_tools_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real-models");
    let Ok(files) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: there is no ../shared/real-models beside the workspace");
        return;
    };
    let mut paths: Vec<_> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it != "tsv"));
    paths.sort();
    let mut text = String::new();
    for path in paths {
        let source = load(&path).expect("the file is readable");
        let mut diagnostics = Diagnostics::new();
        let model = read(&source, None, &mut diagnostics);
        let diagnostics = diagnostics.sorted();
        render_human(&source, &diagnostics, false);
        let mut codes: Vec<&str> = diagnostics.iter().map(|it| it.rule.code).collect();
        codes.sort_unstable();
        let mut found: Vec<String> = codes
            .chunk_by(|a, b| a == b)
            .map(|same| format!("{} {}", same.len(), same[0]))
            .collect();
        found.insert(0, model.as_ref().map_or("no model".to_owned(), counts));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        text.push_str(&format!("{name}: {}\n", found.join(", ")));
    }
    expect![[""]].assert_eq(&text);
}
