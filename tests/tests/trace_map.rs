//! Tests the source maps of generated crates: each line that executes an element must lead to that
//! element.

use std::collections::BTreeMap;

use prophet_codegen::trace_map::TraceMap;
use prophet_tests::built::xtask;
use prophet_tests::{models, root, stem};

fn first_word(line: &str) -> &str {
    let line = line.trim_start();
    let end = line.find(|c: char| !c.is_alphanumeric() && c != '_');
    &line[..end.unwrap_or(line.len())]
}

#[test]
fn lines_lead_to_the_elements_that_they_execute() {
    for model in models("sample-models") {
        let file = root().join(format!("generated/{}/src/lib.rs", stem(&model)));
        // The crates of other samples aren't checked in.
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let map = TraceMap::of(&file).expect("it has a map");
        let mut declared = BTreeMap::new();
        let mut executed = 0;
        for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
            let origin = map.find(number);
            // The prices of operations are also constants.
            if let Some(rest) = line.strip_prefix("const ")
                && origin.is_some_and(|it| it.kind == "element")
            {
                declared.insert(first_word(rest), origin.cloned());
            }
            if let Some(element) = declared.get(first_word(line)) {
                assert_eq!(origin, element.as_ref(), "{}:{number}", file.display());
                executed += 1;
            }
        }
        assert!(executed > 0, "{} executes nothing", file.display());
        let elements = map.origins.iter().filter(|it| it.kind == "element");
        let source = std::fs::read_to_string(&model).expect("the model can be read");
        for element in elements {
            let line = source.lines().nth(element.line - 1).unwrap_or_default();
            let named = format!("name=\"{}\"", element.name);
            assert!(
                line.contains(&named) || element.name.ends_with("Node"),
                "{line}: {named}"
            );
        }
    }
}

#[test]
fn the_command_answers_for_people_and_for_programs() {
    let ask = |arguments: &[&str]| {
        let output = xtask(&root())
            .arg("where")
            .args(arguments)
            .output()
            .expect("it can be started");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let file = root().join("generated/sample/src/lib.rs");
    let text = std::fs::read_to_string(file).expect("the crate is checked in");
    let line = text.lines().position(|line| line.contains("A4.execute"));
    let place = format!(
        "generated/sample/src/lib.rs:{}",
        line.expect("it has A4") + 1
    );
    let path = "SampleModel::Program::MainActivity::A4";
    let human = format!("sample-models/sample.uml:61:9: element {path}\n");
    assert_eq!(ask(&[&place]), (Some(0), human, String::new()));
    let (code, json, _) = ask(&[&place, "--format", "json"]);
    assert_eq!(code, Some(0));
    for part in [
        "\"id\":1239919776",
        "\"line\":61",
        path,
        "sample-models/sample.uml",
    ] {
        assert!(json.contains(part), "{json}");
    }
    let cases = [
        (
            "generated/sample/src/lib.rs",
            2,
            "expected FILE:LINE, such as",
        ),
        (
            "generated/sample/src/lib.rs:0",
            2,
            "expected FILE:LINE, such as",
        ),
        (
            "generated/sample/src/lib.rs:1",
            1,
            "does not come from a single part of the model",
        ),
        ("generated/sample/src/lib.rs:99999", 1, "has only"),
        ("xtask/src/main.rs:1", 1, "has no map"),
    ];
    for (place, code, words) in cases {
        let (found, output, errors) = ask(&[place]);
        assert_eq!(
            (found, output.as_str()),
            (Some(code), ""),
            "{place}: {errors}"
        );
        assert!(errors.contains(words), "{place}: {errors}");
    }
}
