//! Texts as people write them.

use crate::diagnostic::{Diagnostics, render_human};
use crate::model::{Guard, Model, NodeKind};
use crate::source::Source;
use crate::xmi;

/// The model of some statements.
fn model(statements: &str) -> Model {
    let source = Source::new("wild.puml", format!("@startuml\n{statements}\n@enduml\n"));
    let mut problems = Diagnostics::new();
    let model = xmi::read(&source, None, &mut problems);
    let told = render_human(&source, &problems.sorted(), false);
    assert_eq!(told, "", "{statements}");
    model.expect("it is a model")
}

/// The names of the actions of a model, in order.
fn actions(statements: &str) -> Vec<String> {
    let model = model(statements);
    let all = model.elements.iter();
    let actions = all.filter(|it| it.kind == NodeKind::Action);
    actions.map(|it| it.name.clone()).collect()
}

/// The guards of a model, in order; `else` for those.
fn guards(statements: &str) -> Vec<String> {
    let model = model(statements);
    let flows = model.diagrams.iter().flat_map(|it| &it.flows);
    let guards = flows.filter_map(|it| it.guard.as_ref());
    let told = guards.map(|it| match it {
        Guard::Else => "else".to_owned(),
        Guard::When(code) => code.text.value.clone(),
    });
    told.collect()
}

#[test]
fn labels_have_lines() {
    assert_eq!(
        actions(":first\n* one\n| a | b |\ny = 2 units;"),
        ["first * one | a | b | y = 2 units"]
    );
    assert_eq!(actions(":A; <<input>>\n:B]\n- C"), ["A", "B", "C"]);
}

#[test]
fn arrows_and_lanes_are_drawn() {
    let text = "|a| Alice\n:A;\n-> text;\n-[#red]-> more\ntext;\n|#pink|b|\n:B;";
    assert_eq!(actions(text), ["A", "B"]);
}

#[test]
fn conditions_are_compared() {
    let text = "if (n) equals (5) then\n:A;\n(no) else if (n\n+ 1) is (no) then\n:B;\nendif";
    assert_eq!(guards(text), ["(n) == (5)", "!(n + 1)", "else"]);
    assert_eq!(
        guards("if () then ([x == 1])\n:A;\nelse ([y])\n:B;\nendif"),
        ["x == 1", "else"]
    );
}

#[test]
fn a_switch_has_only_its_cases() {
    let text = "switch (x)\ncase (1)\n:A;\ncase (2)\n:B;\nendswitch";
    assert_eq!(guards(text), ["(x) == (1)", "(x) == (2)"]);
}

#[test]
fn loops_have_breaks_and_ways_back() {
    let text = "repeat\n:A;\nif (e) then (yes)\nbreak\nendif\nbackward:B;\n\
                repeat while (x) is (yes);\n:C;";
    assert_eq!(actions(text), ["A", "B", "C"]);
    // The flows of jumps come last.
    assert_eq!(guards(text), ["else", "x", "else", "e"]);
}

#[test]
fn the_older_syntax_is_read() {
    let text = "(*) --> \"First\nline\" as f\nif \"ok\" then\n-->[yes] \"A\"\nelse\n->[no] B\n\
                endif\nA --> (*)";
    assert_eq!(actions(text), ["First line", "A", "B"]);
    assert_eq!(guards(text), ["ok", "else"]);
}

#[test]
fn names_stand_for_text() {
    let text = "!define ACT(x) :x;\n!define TWICE ACT(A)\n!$n = \"B\"\nTWICE\n:$n;\n\
                !ifdef NONE\n:C;\n!endif";
    assert_eq!(actions(text), ["A", "B"]);
}

#[test]
fn names_do_not_grow_without_limit() {
    let text = "!define A A A\n:A;";
    assert!(actions(text)[0].len() < 100_001);
}

#[test]
fn a_legend_may_be_a_remark() {
    assert_eq!(actions(":A;\nlegend right\nfoo bar\nendlegend"), ["A"]);
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

/// The joins and merges of a model.
fn meetings(statements: &str) -> [usize; 2] {
    let model = model(statements);
    [NodeKind::Join, NodeKind::Merge]
        .map(|kind| model.elements.iter().filter(|it| it.kind == kind).count())
}

#[test]
fn bars_of_alternatives_are_merges() {
    let chosen = "(*) --> if \"n > 1\" then\n--> [yes] \"A\"\n--> ===M===\nelse\n\
        --> [no] \"B\"\n--> ===M===\nendif\n===M=== --> (*)";
    assert_eq!(meetings(chosen), [0, 1]);
    let labeled = "(*) --> \"D\"\n\"D\" --> [n > 1] \"A\"\n\"D\" --> [n < 1] \"B\"\n\
        \"A\" --> ===M===\n\"B\" --> ===M===\n===M=== --> (*)";
    assert_eq!(meetings(labeled), [0, 1]);
    // A fork is not, nor is a decision in one of its branches in the way.
    let forked = "(*) --> ===F===\n===F=== --> \"A\"\n===F=== --> \"B\"\n\
        \"A\" --> ===J===\n\"B\" --> ===J===\n===J=== --> (*)";
    assert_eq!(meetings(forked), [1, 0]);
    let nested = format!("{forked}\n").replace(
        "\"A\" --> ===J===",
        "\"A\" --> [n > 1] \"C\"\n\"A\" --> [n < 1] \"E\"\n\"C\" --> ===M===\n\
         \"E\" --> ===M===\n===M=== --> ===J===",
    );
    assert_eq!(meetings(&nested), [1, 1]);
    // What leads back to a bar is an alternative, too.
    let back = "(*) --> ===L===\n===L=== --> \"A\"\n\"A\" --> [n > 1] ===L===\n\
        \"A\" --> [n < 1] (*)";
    assert_eq!(meetings(back), [0, 1]);
}

#[test]
fn notes_at_the_beginning_of_an_arm_speak_of_the_decision() {
    let arm = "if (n > 1) then (yes)\nnote right: First\n:A;\nelse (no)\nnote right\nSecond\n\
        end note\nendif";
    let comments = |statements: &str| {
        let model = model(statements);
        let said = model.elements.iter().filter_map(|it| it.comment.clone());
        said.collect::<Vec<_>>()
    };
    assert_eq!(comments(arm), ["First\n\nSecond"]);
    assert_eq!(
        comments("fork\nnote left: Both\n:A;\nfork again\n:B;\nend fork"),
        ["Both"]
    );
    assert_eq!(
        comments("switch (n)\nnote left: Cases\ncase (1)\nnote left: One\n:A;\nendswitch"),
        ["Cases\n\nOne"]
    );
    assert_eq!(actions(arm), ["A"]);
}
