//! Tests models that consist of several files: activities call activities in neighboring files.

use std::fs;
use std::path::Path;

use expect_test::{ExpectFile, expect_file};
use prophet_codegen::diagnostic::{render_human, render_json};
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by};
use prophet_interpreter::Interpreted;
use prophet_testing::assert_says;
use prophet_tests::interpreted;

/// Returns an activity with a sequence of actions, in Papyrus's format.
fn activity(id: &str, name: &str, action: &str) -> String {
    format!(
        r#"  <packagedElement xmi:type="uml:Activity" xmi:id="{id}" name="{name}">
    <edge xmi:type="uml:ControlFlow" xmi:id="{id}1" target="_work" source="_begin"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="{id}2" target="_end" source="_work"/>
    <node xmi:type="uml:InitialNode" xmi:id="_begin"/>
    {action}
    <node xmi:type="uml:ActivityFinalNode" xmi:id="_end"/>
  </packagedElement>"#
    )
}

fn call(href: &str) -> String {
    format!(
        r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="_work" name="Work">
      <behavior xmi:type="uml:Activity" href="{href}"/>
    </node>"#
    )
}

const ACTION: &str = r#"<node xmi:type="uml:OpaqueAction" xmi:id="_work" name="Solve"/>"#;

/// Returns a file with an activity whose action has a stereotype.
fn file(name: &str, activity: &str, stereotype: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:prophet="http:///schemas/prophet/1" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML">
<uml:Model xmi:id="_model" name="{name}">
{activity}
</uml:Model>
{stereotype}
</xmi:XMI>"#
    )
}

fn cost(cost: &str) -> String {
    format!(r#"<prophet:action_ xmi:id="_s" base_Action="_work" cost="{cost}"/>"#)
}

fn program(href: &str) -> String {
    file("Program", &activity("_main", "Main", &call(href)), "")
}

/// Returns a library with an activity that takes `time`.
fn library(time: &str) -> String {
    file("Library", &activity("_solve", "Solve", ACTION), &cost(time))
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("there is room");
        fs::write(path, text).expect("there is room");
    }
    folder
}

fn checked(model: &Path) -> Checked {
    check_by(&RuleSet::shipped(), model, None).expect("it can be read")
}

/// Compares the problems of a model in these files with the expected ones. Folders are omitted, and
/// so is the warning about actions without a price.
fn assert_problems(files: &[(&str, &str)], expected: &ExpectFile) {
    let folder = folder(files);
    let mut checked = checked(&folder.path().join("program.uml"));
    checked.diagnostics.retain(|it| it.code != "PM0826");
    let text = render_human(&checked.source, &checked.diagnostics, false);
    let name = format!("{}/", folder.path().display());
    expected.assert_eq(&text.replace(&name, ""));
}

fn time(model: &Path) -> f64 {
    let ran = interpreted::run(model, "program", &["--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let result: serde_json::Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
    result["predicted_time_s"].as_f64().expect("it is a number")
}

#[test]
fn an_activity_beside_the_model_runs() {
    let files = [
        ("program.uml", &*program("parts/my%20library.uml#_solve")),
        ("parts/my library.uml", &library("2.5")),
    ];
    let folder = folder(&files);
    let model = folder.path().join("program.uml");
    let found = checked(&model);
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    let program = found.program.expect("it is sound");
    let paths: Vec<&str> = program.elements.iter().map(|it| it.path.as_str()).collect();
    assert!(paths.contains(&"Library::Solve::Solve"), "{paths:?}");
    assert!((time(&model) - 2.5).abs() < 1e-12);
    let found = checked(&model);
    let read = Interpreted::new(&found, "models/program.uml", false).expect("it is sound");
    let map = read.model().map;
    let place = r#""file":"models/parts/my library.uml","line":8,"#;
    assert!(map.contains(place), "{map}");
}

#[test]
fn what_is_assumed_in_another_file_is_told_with_its_name() {
    let open = r#"<node xmi:type="uml:DecisionNode" xmi:id="_work" name="Choice"/>
    <node xmi:type="uml:OpaqueAction" xmi:id="_other" name="Other"/>
    <edge xmi:type="uml:ControlFlow" xmi:id="_3" target="_other" source="_work"/>"#;
    let files = [
        ("program.uml", &*program("library.uml#_solve")),
        (
            "library.uml",
            &file("Library", &activity("_solve", "Solve", open), ""),
        ),
    ];
    let folder = folder(&files);
    let mut rules = RuleSet::shipped();
    rules.assume();
    let checked = check_by(&rules, &folder.path().join("program.uml"), None);
    let program = checked
        .expect("it can be read")
        .program
        .expect("it is mended");
    let told = &program.assumptions[0];
    assert!(
        told.starts_with("library.uml, line 6: the flow from "),
        "{told}"
    );
}

#[test]
fn files_that_call_each_other_are_read_once() {
    let back = activity("_solve", "Solve", &call("../program.uml#_other"));
    let other = activity("_other", "Other", ACTION).replace("\"_", "\"_o");
    let other = other.replace("_o_", "_");
    let main = program("parts/library.uml#_solve");
    let main = main.replace("</uml:Model>", &format!("{other}\n</uml:Model>"));
    let main = main.replace("\"_oother\"", "\"_other\"");
    let priced = cost("4").replace("_work", "_owork");
    let main = main.replace("</xmi:XMI>", &format!("{priced}\n</xmi:XMI>"));
    let files = [
        ("program.uml", &*main),
        ("parts/library.uml", &file("Library", &back, "")),
    ];
    let folder = folder(&files);
    let model = folder.path().join("program.uml");
    let found = checked(&model);
    assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
    assert_eq!(found.source.files.len(), 1);
    assert!((time(&model) - 4.0).abs() < 1e-12);
}

#[test]
fn a_cycle_of_calls_is_told() {
    let back = activity("_solve", "Solve", &call("program.uml#_main"));
    assert_problems(
        &[
            ("program.uml", &program("library.uml#_solve")),
            ("library.uml", &file("Library", &back, "")),
        ],
        &expect_file!["golden/a_cycle_of_calls_is_told.txt"],
    );
}

#[test]
fn a_problem_in_another_file_is_told_with_its_place() {
    let files = [
        ("program.uml", &*program("library.uml#_solve")),
        ("library.uml", &library("2 * missing")),
    ];
    assert_problems(
        &files,
        &expect_file!["golden/a_problem_in_another_file_is_told_with_its_place.txt"],
    );
    let folder = folder(&files);
    let checked = checked(&folder.path().join("program.uml"));
    let json = render_json(&checked.source, &checked.diagnostics);
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let library = folder.path().join("library.uml");
    assert_eq!(json[0]["file"], library.display().to_string());
    assert_eq!(
        (&json[0]["line"], &json[0]["column"]),
        (&12.into(), &60.into())
    );
    assert_problems(
        &[
            ("program.uml", &program("library.uml#_solve")),
            ("library.uml", "<uml:Model\n<a/>"),
        ],
        &expect_file!["golden/a_problem_in_another_file_is_told_with_its_place_3.txt"],
    );
}

#[test]
fn what_is_not_there_is_a_plain_action() {
    let library = library("1");
    let outside = "which is not in the model's folder";
    for (href, why) in [
        ("library.uml#_other", "which has no element with that id"),
        ("other.uml#_solve", "which does not exist"),
        ("../program.uml#_main", outside),
        ("/etc/passwd#_main", outside),
        ("..%2f..%2fprogram.uml#_main", outside),
        ("parts\\..\\library.uml#_solve", outside),
        (
            "pathmap://LIBRARIES/library.uml#_solve",
            "which is not read",
        ),
        ("platform:/plugin/library.uml#_solve", "which is not read"),
        ("parts#_solve", "which is not a file"),
        ("parts/notes.puml#_solve", "which is a text model, not UML"),
    ] {
        let folder = folder(&[
            ("program.uml", &*program(href)),
            ("library.uml", &library),
            ("parts/notes.puml", "@startuml\nstart\nstop\n@enduml\n"),
        ]);
        let checked = checked(&folder.path().join("program.uml"));
        let (file, id) = href.split_once('#').expect("it has both");
        let told = format!(
            "a call names `{id}` in another file, `{file}`, {why}, so it becomes a plain action"
        );
        assert_eq!(not_read(&checked), told);
        assert!(checked.program.is_some());
    }
    assert_problems(
        &[("program.uml", &program("library.uml#_solve"))],
        &expect_file!["golden/what_is_not_there_is_a_plain_action.txt"],
    );
}

/// Returns the warning about a called activity that isn't read.
fn not_read(checked: &Checked) -> &str {
    let mut problems = checked.diagnostics.iter();
    let told = problems.find(|it| it.code == "PM0127");
    &told.expect("it is told").message
}

#[test]
#[cfg(unix)]
fn links_lead_nowhere_else() {
    let outside = folder(&[("library.uml", &library("1"))]);
    let inside = folder(&[
        ("program.uml", &program("linked.uml#_solve")),
        ("parts/library.uml", &library("3")),
    ]);
    let link = inside.path().join("linked.uml");
    let model = inside.path().join("program.uml");
    std::os::unix::fs::symlink(outside.path().join("library.uml"), &link).expect("it can be");
    let found = checked(&model);
    let told = not_read(&found);
    assert!(
        told.ends_with("not in the model's folder, so it becomes a plain action"),
        "{told}"
    );
    fs::remove_file(&link).expect("it is there");
    std::os::unix::fs::symlink("parts/library.uml", &link).expect("it can be");
    assert!((time(&model) - 3.0).abs() < 1e-12);
}

#[test]
fn only_so_many_files_are_read() {
    let mut files = vec![("program.uml".to_owned(), program("0.uml#_solve"))];
    for number in 0..80 {
        let next = activity(
            "_solve",
            "Solve",
            &call(&format!("{}.uml#_solve", number + 1)),
        );
        let name = format!("Library{number}");
        files.push((format!("{number}.uml"), file(&name, &next, "")));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let folder = folder(&files);
    let checked = checked(&folder.path().join("program.uml"));
    assert_eq!(checked.source.files.len(), 64);
    let told = not_read(&checked);
    assert_says(
        told,
        &["`64.uml`, which is not read, because 64 other files are"],
    );
}
