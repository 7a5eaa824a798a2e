//! Models in our own XML form: made of UML they mean the same, and reading, writing and reading
//! again changes nothing.

use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_codegen::diagnostic::{Diagnostic, Diagnostics, render_human};
use prophet_codegen::model::Model;
use prophet_codegen::resolve::resolve;
use prophet_codegen::source::Source;
use prophet_codegen::tables;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_codegen::vocabulary::Vocabulary;
use prophet_model::xmi;
use prophet_model::xmi::Counts;
use prophet_targets::xml::{in_sequence, text};
use prophet_testing::has;
use prophet_tests::form::{self, Shape};
use prophet_tests::{models, root, stem};

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
    Source::new("model.prophet.xml", text)
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
fn the_crate_from_the_xml_is_the_crate_from_the_uml() {
    for path in all_models() {
        let folder = path.parent().expect("it lies in a folder");
        let source = xmi::load(&path).expect("it can be read");
        let (model, _, expected) = read(&source, folder);
        let model = model.unwrap_or_else(|| panic!("{} has no model", path.display()));
        assert!(!expected.is_empty(), "{} has errors", path.display());
        let xml = source_of(text(&in_sequence(&model), "model"));
        let (again, problems, actual) = read(&xml, folder);
        assert_eq!(
            actual,
            expected,
            "{}: {problems:#?}\n{}",
            path.display(),
            xml.text
        );
        let again = again.expect("it has a crate");
        assert_eq!(text(&again, "model"), xml.text, "{}", path.display());
    }
}

/// Numbers of things that were read, by the summary of a file.
fn counted(source: &Source) -> ([usize; 6], Counts) {
    let mut diagnostics = Diagnostics::new();
    let (_, summary) = xmi::read_with_summary(Vocabulary::NONE, source, None, &mut diagnostics);
    let read = summary.read;
    let counts = [
        read.activities,
        read.nodes.values().sum(),
        read.edges.values().sum(),
        read.guards,
        read.functions,
        read.variables,
    ];
    (counts, read.stereotypes)
}

#[test]
fn the_summary_counts_the_same_in_both_forms() {
    for path in all_models() {
        let source = xmi::load(&path).expect("it can be read");
        let mut diagnostics = Diagnostics::new();
        let model = xmi::read(&source, None, &mut diagnostics).expect("it has a model");
        let expected = counted(&source);
        assert!(expected.0[1] > 0, "{} has no nodes", path.display());
        let xml = source_of(text(&in_sequence(&model), "model"));
        assert_eq!(counted(&xml), expected, "{}", path.display());
    }
}

#[test]
fn reading_writing_and_reading_changes_nothing() {
    for seed in 0..2000 {
        let first = form::random(seed, Shape::Any);
        let mut diagnostics = Diagnostics::new();
        let model = xmi::read(&source_of(first.clone()), None, &mut diagnostics);
        let problems = diagnostics.sorted();
        let model = model.unwrap_or_else(|| panic!("{first}\n{problems:#?}"));
        assert!(problems.is_empty(), "{first}\n{problems:#?}");
        let second = text(&model, "model");
        let mut diagnostics = Diagnostics::new();
        let again = xmi::read(&source_of(second.clone()), None, &mut diagnostics);
        let again = again.expect("it was written here");
        assert!(
            diagnostics.is_empty(),
            "{second}\n{:#?}",
            diagnostics.sorted()
        );
        assert_eq!(
            form::outline(&again),
            form::outline(&model),
            "{first}\n{second}"
        );
        // What is the same text has the same model, places included.
        assert_eq!(text(&again, "model"), second);
    }
}

/// Output of `xmllint` for a text; empty if the text keeps to the schema.
fn validate(text: &str, folder: &Path) -> String {
    let file = folder.join("model.prophet.xml");
    std::fs::write(&file, text).expect("a file can be written");
    let output = Command::new("xmllint")
        .args(["--noout", "--nonet", "--schema"])
        .args([root().join("templates/xml/prophet.xsd"), file])
        .output()
        .expect("xmllint runs");
    if output.status.success() {
        return String::new();
    }
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_written_keeps_to_the_schema() {
    if !has("xmllint", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    for path in all_models() {
        let source = xmi::load(&path).expect("it can be read");
        let mut diagnostics = Diagnostics::new();
        let model = xmi::read(&source, None, &mut diagnostics).expect("it has a model");
        let problems = validate(&text(&in_sequence(&model), stem(&path)), folder.path());
        assert_eq!(problems, "", "{}", path.display());
    }
    for seed in 0..20 {
        let text = form::random(seed, Shape::Any);
        assert_eq!(validate(&text, folder.path()), "", "{text}");
    }
    assert!(validate("<model/>", folder.path()).contains("fails to validate"));
}

/// Messages about a content of `<model>`.
fn said(content: &str) -> String {
    let source = source_of(format!(
        "<model xmlns=\"http:///schemas/prophet/model/1\" name=\"M\">\n{content}\n</model>\n"
    ));
    let (_, problems, _) = read(&source, Path::new(""));
    render_human(&source, &problems, false)
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let mut actual = String::new();
    for content in include_str!("structured/wrong.xml.txt").split("\n\n") {
        for part in [content, &said(content), ""] {
            actual.push_str(part.trim());
            actual.push('\n');
        }
    }
    let path = root().join("tests/tests/structured/wrong.stderr");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &actual).expect("it can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("it can be read");
    assert_eq!(actual, expected, "UPDATE_EXPECT=1 writes it");
}
