//! Tests how values are translated, and which problems are reported.

use super::{CodeWriter, Dimension, declarations, parse, quantity};
use crate::source::{Source, Span, Text};

fn file(text: &str) -> (Source, Text) {
    let source = Source::new("m.uml", text);
    (source, Text::new(text, Span::new(0, text.len())))
}

/// Returns the code of a quantity, or the problem and the text that it underlines.
fn coded(text: &str, dimension: Dimension) -> String {
    let (source, whole) = file(text);
    let read = parse(text).and_then(|value| {
        let quantity = quantity(value, dimension)?;
        let code = CodeWriter::of(&quantity.value, quantity.scale, &whole, &source)?;
        Ok(code.text().value)
    });
    read.unwrap_or_else(|problem| {
        let marked = text.get(problem.at).unwrap_or("nothing");
        format!("{}: {marked}", problem.message)
    })
}

#[test]
fn values_become_code_or_are_told_to_be_wrong() {
    prophet_testing::assert_cases("tests/cases/values.txt", |case| {
        let dimension = if case.title.starts_with("rates") {
            Dimension::Frequency
        } else {
            Dimension::Time
        };
        let told = |line: &str| format!("{line}\n  {}\n", coded(line, dimension));
        case.input.lines().map(told).collect()
    });
    assert_eq!(coded("", Dimension::Time), "expected a value at the end: ");
    let deep = coded(&"(".repeat(1000), Dimension::Time);
    assert!(
        deep.starts_with("it is nested more than 24 levels deep"),
        "{deep}"
    );
    let long = coded(&"1+".repeat(10_000), Dimension::Time);
    assert!(long.starts_with("it has more than 16384 bytes"), "{long}");
}

#[test]
fn names_have_their_places() {
    let text = "(expr=$first+$second, unit=ms)";
    let (source, whole) = file(text);
    let quantity = quantity(parse(text).expect("it is VSL"), Dimension::Time).expect("a duration");
    let code =
        CodeWriter::of(&quantity.value, quantity.scale, &whole, &source).expect("an expression");
    let names: Vec<&str> = code
        .variables
        .iter()
        .map(|it| &text[it.1.range()])
        .collect();
    assert_eq!(names, ["first", "second"]);
    let built = code.text();
    let at = built.value.find("second").expect("it names it");
    let span = built.locate(&source, at, at + 6);
    assert_eq!(&text[span.range()], "second");
}

#[test]
fn declarations_say_direction_and_value() {
    let shown = |text: &str| match declarations(text) {
        Ok(all) => {
            let one = |it: &super::declaration::Declaration<'_>| {
                let value = it.value.as_ref().map(|it| &text[it.at.clone()]);
                format!("{:?} {} {value:?}", it.direction, it.name.0)
            };
            all.iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Err(problem) => problem.message,
    };
    assert_eq!(shown("in$timeAdd=590"), "In timeAdd Some(\"590\")");
    assert_eq!(shown("out$RT"), "Out RT None");
    assert_eq!(shown("$n, in $m : Real = 2"), "In n None, In m Some(\"2\")");
    assert_eq!(shown("in$r={ 1, 2 }"), "In r Some(\"{ 1, 2 }\")");
    assert_eq!(shown("in$d=(5,ms)"), "In d Some(\"(5,ms)\")");
    assert_eq!(
        shown("to$x"),
        "unknown direction `to`; use `in`, `out` or `inout`"
    );
    assert_eq!(
        shown("in x"),
        "expected the name of a variable after `$`, not `x`"
    );
    assert_eq!(shown("in$x 5"), "expected `=` and a value, not `5`");
}

#[test]
fn any_text_is_read_or_refused() {
    // Tries all short texts of pieces that mean something to the parser.
    let parts = [
        "$x", "1", "(", ")", "{", "}", ",", "=", "a", "-", "?", ":", "not", "'", "exp(",
    ];
    let count = parts.len();
    for number in 0..count.pow(4) {
        let text: String = (0..4)
            .map(|place| parts[number / count.pow(place) % count])
            .collect();
        coded(&text, Dimension::Time);
        let _ = declarations(&text);
    }
}
