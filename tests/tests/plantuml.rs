//! Models as text of `PlantUML`: made of UML they mean the same; `pictures.rs` draws them.

use std::path::{Path, PathBuf};

use prophet_codegen::diagnostic::{Diagnostic, Diagnostics, render_human};
use prophet_codegen::model::Model;
use prophet_codegen::resolve::resolve;
use prophet_codegen::source::Source;
use prophet_codegen::tables;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_model::xmi;
use prophet_targets::plantuml::text;
use prophet_targets::xml;
use prophet_tests::form::{self, Shape};
use prophet_tests::{models, root};

/// The model of a file and the crate that it becomes, and what there was to say.
fn read(source: &Source, folder: &Path) -> (Option<Model>, Vec<Diagnostic>, String) {
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(source, None, &mut diagnostics);
    let read_table = |file: &str| tables::read(folder, file);
    let program = model
        .as_ref()
        .and_then(|model| resolve(model, source, &read_table, &mut diagnostics));
    let options = CrateOptions {
        name: "model".to_owned(),
        model_file: "model".to_owned(),
        ..CrateOptions::default()
    };
    let files = program.map(|program| crate_files(&program, &options));
    let files = files.map_or_else(String::new, |files| format!("{files:#?}"));
    (model, diagnostics.sorted(), files)
}

fn source_of(text: String) -> Source {
    Source::new("model.puml", text)
}

/// All models of the project that have no errors.
fn all_models() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in [
        "sample-models",
        "tests/models/flow",
        "tests/models/mpi",
        "tests/models/threads",
        "tests/models/flows",
        "tests/models/machine",
    ] {
        all.extend(models(folder));
    }
    all
}

#[test]
fn the_crate_from_the_text_is_the_crate_from_the_uml() {
    for path in all_models() {
        let folder = path.parent().expect("it lies in a folder");
        let source = xmi::load(&path).expect("it can be read");
        let (model, _, expected) = read(&source, folder);
        let model = model.unwrap_or_else(|| panic!("{} has no model", path.display()));
        assert!(!expected.is_empty(), "{} has errors", path.display());
        let written = source_of(text(&xml::in_sequence(&model), "model"));
        let (again, problems, actual) = read(&written, folder);
        let shown = render_human(&written, &problems, false);
        assert_eq!(actual, expected, "{}: {shown}", path.display());
        let again = again.expect("it has a crate");
        assert_eq!(text(&again, "model"), written.text, "{}", path.display());
    }
}

#[test]
fn reading_writing_and_reading_changes_nothing() {
    let mut in_sequence = 0;
    for seed in 0..2000 {
        let source = Source::new("model.prophet.xml", form::random(seed, Shape::Sequences));
        let mut diagnostics = Diagnostics::new();
        let model = xmi::read(&source, None, &mut diagnostics).expect("it is well-formed");
        let first = source_of(text(&model, "model"));
        let mut diagnostics = Diagnostics::new();
        let again = xmi::read(&first, None, &mut diagnostics);
        let problems = render_human(&first, &diagnostics.sorted(), false);
        assert_eq!(problems, "", "{}\n{}", source.text, first.text);
        let again = again.expect("it was written here");
        // An `else` is the last arm, and the nodes of a graph have the order of the text.
        let [actual, expected] = [&again, &model].map(form::outline);
        assert_eq!(
            lines(&actual),
            lines(&expected),
            "{}\n{}",
            source.text,
            first.text
        );
        if !first.text.contains("(A)") {
            in_sequence += 1;
            let second = source_of(text(&again, "model"));
            assert_eq!(second.text, first.text, "{}", source.text);
        }
    }
    assert!(in_sequence > 1000, "{in_sequence}");
}

/// Messages about the statements of a diagram.
fn said(statements: &str) -> String {
    let source = source_of(format!("@startuml\n{statements}\n@enduml\n"));
    let (_, problems, _) = read(&source, Path::new(""));
    render_human(&source, &problems, false)
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let mut actual = String::new();
    for statements in include_str!("plantuml/wrong.puml.txt").split("\n\n") {
        let said = said(statements);
        assert!(!said.is_empty(), "{statements}");
        for part in [statements, &said, ""] {
            actual.push_str(part.trim());
            actual.push('\n');
        }
    }
    let path = root().join("tests/tests/plantuml/wrong.stderr");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &actual).expect("it can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("it can be read");
    assert_eq!(actual, expected, "UPDATE_EXPECT=1 writes it");
}

/// Lines of an outline without numbers, sorted.
fn lines(outline: &str) -> Vec<&str> {
    let is_number = |it: &str| it.trim().trim_end_matches(',').parse::<usize>().is_ok();
    let mut lines: Vec<&str> = outline.lines().filter(|it| !is_number(it)).collect();
    lines.sort_unstable();
    lines
}
