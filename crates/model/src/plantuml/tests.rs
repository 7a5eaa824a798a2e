//! Tests texts as people write them.

use prophet_testing::assert_cases;

use crate::diagnostic::{Diagnostics, Severity, render_human};
use crate::model::{Guard, Model, NodeKind};
use crate::source::Source;
use crate::xmi;

fn model(statements: &str) -> Model {
    let source = Source::new("wild.puml", format!("@startuml\n{statements}\n@enduml\n"));
    let mut problems = Diagnostics::new();
    let model = xmi::read(&source, None, &mut problems);
    let told = render_human(&source, &problems.sorted(), false);
    assert_eq!(told, "", "{statements}");
    model.expect("it is a model")
}

fn actions(model: &Model) -> Vec<&str> {
    let actions = model.elements.iter();
    let actions = actions.filter(|it| it.kind == NodeKind::Action);
    actions.map(|it| &*it.name).collect()
}

/// Outlines the model of these statements: actions, guards (including loop conditions), joins,
/// merges and comments.
fn outline(statements: &str) -> String {
    let model = model(statements);
    let flows = model.diagrams.iter().flat_map(|it| &it.flows);
    let guards = flows.filter_map(|it| it.guard.as_ref());
    let guards = guards.map(|it| match it {
        Guard::Else => "else",
        Guard::When(code) => &code.text.value,
    });
    let loops = model.elements.iter().filter_map(|it| match &it.kind {
        NodeKind::Loop(node) => node.condition.as_ref(),
        _ => None,
    });
    let loops = loops.map(|it| it.text.value.as_str());
    let guards: Vec<&str> = guards.chain(loops).collect();
    let [joins, merges] = [NodeKind::Join, NodeKind::Merge]
        .map(|kind| model.elements.iter().filter(|it| it.kind == kind).count());
    let comments = model.elements.iter().filter_map(|it| it.comment.as_ref());
    let comments: Vec<&String> = comments.collect();
    format!(
        "actions {:?}\nguards {guards:?}\n{joins} joins, {merges} merges\ncomments {comments:?}",
        actions(&model)
    )
}

#[test]
fn statements_are_read_as_they_are_meant() {
    assert_cases("tests/cases/wild.txt", |case| outline(case.input));
}

#[test]
fn lines_may_end_by_returns_alone() {
    let statements = "legend\rparameter int N = 1\rend legend\rstart\r:A\rone;\r:B";
    let text = format!("@startuml\r{statements}\r@enduml\r");
    let source = Source::new("old.puml", text);
    let mut problems = Diagnostics::new();
    let model = xmi::read(&source, None, &mut problems).unwrap();
    assert_eq!(actions(&model), ["A one"]);
    assert_eq!(model.globals.len(), 1);
    let told = render_human(&source, &problems.sorted(), false);
    assert!(told.contains("old.puml:8:1"), "{told}");
}

/// `PlantUML` draws statements without an end. Their content is read, with a warning for each of
/// them.
#[test]
fn open_statements_end_with_the_diagram() {
    let begins = [
        "if (x) then (yes)",
        "if (x) then (yes)\n:a;\nelse (no)",
        "switch (x)\ncase (1)",
        "while (x)",
        "repeat",
        "fork",
        "fork\n:a;\nfork again",
        "split",
        "partition P {",
        "group G",
        "while (x)\nfork\nif (y) then",
    ];
    for begin in begins {
        let text = format!("@startuml\nstart\n{begin}\n:b;\n@enduml\n");
        let source = Source::new("open.puml", text);
        let mut problems = Diagnostics::new();
        let model = xmi::read(&source, None, &mut problems).expect(begin);
        assert_eq!(actions(&model).last(), Some(&"b"), "{begin}");
        let problems = problems.sorted();
        let open = problems.iter().filter(|it| it.code == "PM0019").count();
        assert_eq!(
            open,
            if begin.contains("(y)") { 3 } else { 1 },
            "{problems:#?}"
        );
        let errors = problems.iter().filter(|it| it.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{problems:#?}");
    }
}

#[test]
fn names_do_not_grow_without_limit() {
    let text = "!define A A A\n:A;";
    assert!(actions(&model(text))[0].len() < 100_001);
}

#[test]
fn only_files_beside_the_model_are_included() {
    for file in ["https://example.org/x.puml", "../x.puml", "x.puml"] {
        let source = Source::new(
            "w.puml",
            format!("@startuml\n!include {file}\n:A;\n@enduml"),
        );
        let mut problems = Diagnostics::new();
        xmi::read(&source, None, &mut problems);
        let told = render_human(&source, &problems.sorted(), false);
        assert!(told.contains("`!include` names"), "{told}");
    }
}
