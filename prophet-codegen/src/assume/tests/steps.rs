//! Actions without a cost, which are steps, and loops that nothing leaves.

use super::{checked, checked_with, drawing, errors};
use crate::assume::step_s;
use crate::generate::Checked;

const CHAIN: [&str; 4] = [
    "InitialNode i",
    "OpaqueAction x",
    "CallBehaviorAction y",
    "ActivityFinalNode e",
];

/// Sentences on what was assumed, for the result.
fn told(checked: &Checked) -> Vec<&str> {
    let program = checked.program.as_ref().expect("it is sound");
    program.assumptions.iter().map(String::as_str).collect()
}

fn costs(checked: &Checked) -> &str {
    &checked.program.as_ref().expect("it is sound").costs
}

#[test]
fn actions_without_a_cost_are_steps() {
    let text = drawing(&CHAIN, &["i x", "x y", "y e"]);
    let mended = checked_with(Some(0.5), text.clone());
    let expected = "lines 4, 5: 2 actions without a cost are steps of 0.5 s each, which \
                    `--assume-cost` sets";
    assert_eq!(told(&mended), [expected]);
    let expected = "assumed: 2 actions without a cost are steps of 0.5 s";
    assert_eq!(costs(&mended), expected);
    let program = mended.program.as_ref().expect("it is sound");
    assert_eq!(program.assumed_step_s, Some(0.5));
    assert!(!program.is_unpriced());
    let each: Vec<&str> = mended.assumptions.iter().map(|it| &*it.text).collect();
    let expected = "M::Main::x has no cost: it is a step of 0.5 s, which `--assume-cost` sets";
    assert_eq!(each[0], expected);
    // Without steps, and without assumptions, a prediction of nothing says why.
    let strict = checked_with(None, text.clone());
    let expected = "missing: nothing has a cost, so no time passes; try `--assume`";
    assert_eq!(costs(&strict), expected);
    assert!(checked_with(Some(0.0), text).assumptions.is_empty());
}

#[test]
fn what_holds_data_or_waits_is_no_step() {
    let nodes = [
        "InitialNode i",
        "OpaqueAction x",
        "CentralBufferNode b",
        "AcceptEventAction w",
        "SendSignalAction s",
        "OpaqueAction y",
    ];
    let text = drawing(&nodes, &["i x", "x b", "b w", "w s", "s y"]);
    let mended = checked_with(Some(1.0), text);
    let of: Vec<&str> = mended.assumptions.iter().map(|it| &*it.element).collect();
    assert_eq!(of, ["M::Main::x", "M::Main::y"]);
}

#[test]
fn what_has_a_cost_keeps_it_and_code_beside_costs_is_free() {
    let nodes = [
        "InitialNode i",
        "OpaqueAction x",
        "OpaqueAction y",
        "OpaqueAction z",
    ];
    let text = drawing(&nodes, &["i x", "x y", "y z"]);
    let code = "name=\"y\"><body>int k = 1;</body></node>";
    let text = text.replace("name=\"y\"/>", code);
    // Without any cost, code is a step as well.
    assert_eq!(checked_with(Some(1.0), text.clone()).assumptions.len(), 3);
    let stereotypes = "<p:action xmlns:p=\"http:///schemas/prophet/1\" base_Action=\"x\"";
    let priced = text.replace(
        "</uml:Model>",
        &format!("{stereotypes} cost=\"3\"/></uml:Model>"),
    );
    let mended = checked_with(Some(1.0), priced);
    let of: Vec<&str> = mended.assumptions.iter().map(|it| &*it.element).collect();
    assert_eq!(of, ["M::Main::z"]);
    // A stereotype that lacks its cost is an error by itself.
    let open = text.replace("</uml:Model>", &format!("{stereotypes}/></uml:Model>"));
    assert_eq!(errors(&checked_with(None, open.clone())), ["PM0401"]);
    let mended = checked_with(Some(1.0), open);
    assert_eq!(errors(&mended), [""; 0]);
    assert_eq!(mended.assumptions.len(), 3);
}

#[test]
fn words_that_are_no_code_leave_a_step() {
    let text = drawing(&["InitialNode i", "OpaqueAction x"], &["i x"]);
    let words = "name=\"x\"><body>Make the tea.</body></node>";
    let text = text.replace("name=\"x\"/>", words);
    let mended = checked_with(Some(1.0), text);
    let expected = [
        "line 4: M::Main::x has no cost: it is a step of 1 s, which `--assume-cost` sets",
        "line 4: the text in M::Main::x is no code, and is left out",
    ];
    assert_eq!(told(&mended), expected);
}

#[test]
fn the_time_of_a_step_is_a_number_of_seconds() {
    assert_eq!(step_s(" 1e-3 "), Ok(0.001));
    for wrong in ["", "-1", "inf", "NaN", "2 ms"] {
        let problem = step_s(wrong).expect_err(wrong);
        assert!(
            problem.contains("a number of seconds of at least 0"),
            "{problem}"
        );
    }
}

#[test]
fn a_loop_that_nothing_leaves_runs_once() {
    let nodes = [
        "InitialNode i",
        "MergeNode m",
        "OpaqueAction x",
        "OpaqueAction y",
    ];
    let edges = ["i m", "m x", "x y", "y m"];
    let mended = checked(true, &nodes, &edges);
    assert_eq!(errors(&checked(false, &nodes, &edges)), ["PM0817"]);
    assert_eq!(errors(&mended), [""; 0]);
    let expected = "line 10: the flow back from M::Main::y to M::Main::m is never taken: the loop, \
                    which nothing leaves, runs once";
    assert_eq!(told(&mended), [expected]);
}

#[test]
fn a_merge_whose_flows_follow_each_other_becomes_no_join() {
    // Two branches lead to the merge, and one of them comes from behind it.
    let nodes = [
        "InitialNode i",
        "ForkNode f",
        "MergeNode m",
        "OpaqueAction x",
        "ForkNode g",
        "OpaqueAction y",
        "OpaqueAction z",
    ];
    let edges = ["i f", "f m", "f y", "m x", "x g", "g m", "g z", "y m"];
    let mended = checked(true, &nodes, &edges);
    assert!(
        !errors(&mended).contains(&"PM0313"),
        "{:#?}",
        mended.diagnostics
    );
}
