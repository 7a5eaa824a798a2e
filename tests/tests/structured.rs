//! Tests models in our own XML format: models converted from UML must mean the same, and must not
//! change when they are read, written and read again.

use std::path::Path;
use std::process::Command;

use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::source::Source;
use prophet_codegen::vocabulary::Vocabulary;
use prophet_model::xmi;
use prophet_model::xmi::Counts;
use prophet_targets::xml::{in_sequence, text};
use prophet_testing::{assert_cases, has};
use prophet_tests::form::{self, Shape};
use prophet_tests::written::{assert_same_crates, problems, sound_models};
use prophet_tests::{root, stem};

fn source_of(text: String) -> Source {
    Source::new("model.prophet.xml", text)
}

#[test]
fn the_crate_from_the_xml_is_the_crate_from_the_uml() {
    assert_same_crates(source_of, |model| text(&in_sequence(model), "model"));
}

/// Returns the numbers of items in a file's summary.
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
    for path in sound_models() {
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
    for seed in 0..u64::from(prophet_testing::cases(2000)) {
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
        // The same text must give the same model with the same places.
        assert_eq!(text(&again, "model"), second);
    }
}

/// Returns the messages of `xmllint` about a text. A valid text gives none.
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
    for path in sound_models() {
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

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert_cases("tests/cases/structured.txt", |case| {
        problems(&source_of(format!(
            "<model xmlns=\"http:///schemas/prophet/model/1\" name=\"M\">\n{}\n</model>\n",
            case.input
        )))
    });
}
