//! Tests models as `PlantUML` text: text generated from UML must mean the same. `pictures.rs` draws
//! the models.

use prophet_codegen::diagnostic::{Diagnostics, render_human};
use prophet_codegen::source::Source;
use prophet_model::xmi;
use prophet_targets::plantuml::text;
use prophet_targets::xml;
use prophet_testing::assert_cases;
use prophet_tests::form::{self, Shape};
use prophet_tests::written::{assert_same_crates, problems};

fn source_of(text: String) -> Source {
    Source::new("model.puml", text)
}

#[test]
fn the_crate_from_the_text_is_the_crate_from_the_uml() {
    assert_same_crates(source_of, |model| text(&xml::in_sequence(model), "model"));
}

#[test]
fn reading_writing_and_reading_changes_nothing() {
    let (mut in_sequence, cases) = (0, u64::from(prophet_testing::cases(2000)));
    for seed in 0..cases {
        let source = Source::new("model.prophet.xml", form::random(seed, Shape::Sequences));
        let mut diagnostics = Diagnostics::new();
        let model = xmi::read(&source, None, &mut diagnostics).expect("it is well-formed");
        let first = source_of(text(&model, "model"));
        let mut diagnostics = Diagnostics::new();
        let again = xmi::read(&first, None, &mut diagnostics);
        let problems = render_human(&first, &diagnostics.sorted(), false);
        assert_eq!(problems, "", "{}\n{}", source.text, first.text);
        let again = again.expect("it was written here");
        // An `else` is the last arm. The nodes of a graph have the order of the text.
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
    assert!(in_sequence * 2 > cases, "{in_sequence}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert_cases("tests/cases/plantuml.txt", |case| {
        let text = format!("@startuml\n{}\n@enduml\n", case.input);
        let said = problems(&source_of(text));
        assert!(!said.is_empty(), "{}", case.input);
        said
    });
}

/// Returns the sorted lines of an outline, without numbers.
fn lines(outline: &str) -> Vec<&str> {
    let is_number = |it: &str| it.trim().trim_end_matches(',').parse::<usize>().is_ok();
    let mut lines: Vec<&str> = outline.lines().filter(|it| !is_number(it)).collect();
    lines.sort_unstable();
    lines
}
