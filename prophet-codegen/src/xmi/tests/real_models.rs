//! Files that real tools have written.

use std::fmt::Write as _;
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
        "{} activities, {} elements, {} flows, {} guards, {} functions\n  {} decisions, {} merges, \
         {} forks, {} joins, {} calls, {} structured, {} unsupported\n ",
        activities.count(),
        model.elements.len(),
        flows().count(),
        flows().filter(|flow| flow.guard.is_some()).count(),
        model.functions.len(),
        count(|it| *it == NodeKind::Decision),
        count(|it| *it == NodeKind::Merge),
        count(|it| *it == NodeKind::Fork),
        count(|it| *it == NodeKind::Join),
        count(|it| matches!(it, NodeKind::Call(_))),
        count(|it| matches!(it, NodeKind::Structured(_))),
        count(|it| matches!(it, NodeKind::Unsupported(_))),
    )
}

/// What is read of a file, and how many problems of each kind it has.
fn summary(path: &Path) -> String {
    let source = load(path).expect("the file is readable");
    let mut diagnostics = Diagnostics::new();
    let model = read(&source, None, &mut diagnostics);
    let diagnostics = diagnostics.sorted();
    let shown = render_human(&source, &diagnostics, false);
    assert_eq!(shown.is_empty(), diagnostics.is_empty());
    let mut codes: Vec<&str> = diagnostics.iter().map(|it| it.rule.code).collect();
    codes.sort_unstable();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let counts = model.as_ref().map_or("no model,".to_owned(), counts);
    let mut text = format!("{name}:\n  {counts}");
    for same in codes.chunk_by(|a, b| a == b) {
        let _ = write!(text, " {} {}", same.len(), same[0]);
    }
    text + "\n"
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
        text.push_str(&summary(&path));
    }
    expect![[r#"
        MDE4CPP__Ampelsteuerung_Example.uml:
          2 activities, 10 elements, 9 flows, 2 guards, 2 functions
          1 decisions, 1 merges, 0 forks, 0 joins, 0 calls, 0 structured, 0 unsupported
          1 PM0102 4 PM0122
        MDE4CPP__loadbalance.uml:
          2 activities, 10 elements, 9 flows, 2 guards, 10 functions
          1 decisions, 1 merges, 0 forks, 0 joins, 0 calls, 0 structured, 0 unsupported
          1 PM0102 1 PM0118 2 PM0122
        SynthML__input.21.guardsadded.uml:
          1 activities, 3 elements, 2 flows, 0 guards, 1 functions
          0 decisions, 0 merges, 0 forks, 0 joins, 1 calls, 0 structured, 0 unsupported
          1 PM0106 1 PM0115
        SynthML__model.uml:
          1 activities, 0 elements, 0 flows, 0 guards, 0 functions
          0 decisions, 0 merges, 0 forks, 0 joins, 0 calls, 0 structured, 0 unsupported
          1 PM0116
        SynthML__synthml.profile.uml:
          no model, 1 PM0101
        crystal-facet-uml__export_test_15_activity.xmi:
          1 activities, 15 elements, 15 flows, 3 guards, 0 functions
          1 decisions, 0 merges, 1 forks, 1 joins, 0 calls, 1 structured, 0 unsupported
          1 PM0011 1 PM0122 1 PM0124
        epsilon__model.profile.uml:
          no model, 1 PM0101
        epsilon__model.uml:
          4 activities, 10 elements, 0 flows, 0 guards, 0 functions
          0 decisions, 0 merges, 0 forks, 0 joins, 0 calls, 0 structured, 10 unsupported
          1 PM0009 1 PM0102 5 PM0108
        fUML-CPP__PolymorphismTest.uml:
          16 activities, 52 elements, 27 flows, 1 guards, 0 functions
          0 decisions, 0 merges, 1 forks, 0 joins, 15 calls, 0 structured, 15 unsupported
          1 PM0009 1 PM0102 14 PM0104 3 PM0122
        staruml-xmi__EA_XMI21.xmi:
          2 activities, 17 elements, 17 flows, 0 guards, 0 functions
          1 decisions, 1 merges, 2 forks, 0 joins, 1 calls, 0 structured, 0 unsupported
          2 PM0106 2 PM0122
        staruml-xmi__VP_XMI21.xmi:
          5 activities, 19 elements, 20 flows, 1 guards, 0 functions
          1 decisions, 1 merges, 1 forks, 1 joins, 6 calls, 0 structured, 1 unsupported
          1 PM0010 1 PM0102 2 PM0122 4 PM0123
        uml4net__ptc-21-03-04.xml:
          42 activities, 34 elements, 0 flows, 0 guards, 0 functions
          0 decisions, 0 merges, 0 forks, 0 joins, 21 calls, 0 structured, 0 unsupported
          1 PM0102 2 PM0122
    "#]]
    .assert_eq(&text);
}
