//! Tests that a diagram with too many elements for one function is split into several functions,
//! and runs as drawn.

use std::path::Path;

use prophet_codegen::target::rust::split::MOST_AWAITS;
use prophet_testing::assert_close;
use prophet_tests::drawing::Drawing;
use prophet_tests::programs::{Programs, crate_of, json};

const ROW: u32 = 130;
/// Actions in each iteration of the loop.
const TURN: u32 = 70;

/// Writes a sequence of actions, and then three iterations of further actions. One of these can end
/// the loop.
fn model() -> String {
    let mut drawing = Drawing::new("Long");
    drawing.variable("turns", "long", "0");
    drawing.node("InitialNode", "Start");
    let mut last = "Start".to_owned();
    let mut then = |drawing: &mut Drawing, name: String| {
        drawing.edge(&last, &name, "");
        last = name;
    };
    for number in 0..ROW {
        drawing.action(&format!("A{number}"), "", "action", r#"time="0.5""#);
        then(&mut drawing, format!("A{number}"));
    }
    drawing.node("MergeNode", "Again");
    then(&mut drawing, "Again".to_owned());
    for number in 0..TURN {
        let code = if number == 0 {
            "turns = turns + 1;"
        } else {
            ""
        };
        drawing.action(
            &format!("B{number}"),
            code,
            "action",
            r#"cost="0.25*turns""#,
        );
        then(&mut drawing, format!("B{number}"));
    }
    drawing.node("DecisionNode", "Enough");
    then(&mut drawing, "Enough".to_owned());
    drawing.node("ActivityFinalNode", "End");
    drawing.edge("Enough", "Again", "turns < 3");
    drawing.edge("Enough", "End", "else");
    drawing.xmi()
}

fn most_awaits(code: &str) -> usize {
    code.split("async fn ")
        .map(|function| function.matches(".await").count())
        .max()
        .unwrap_or(0)
}

#[test]
fn a_long_diagram_is_split_and_runs_as_drawn() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("long");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let path = folder.join("long-diagram.uml");
    std::fs::write(&path, model()).expect("a file can be written");
    let files = crate_of(&path);
    let code = &files[Path::new("src/lib.rs")];
    assert!(code.contains("async fn main_part_2"), "{code}");
    let most = most_awaits(code);
    assert!(most <= MOST_AWAITS, "{most} awaits in a function");

    let programs = Programs::build(&folder, std::slice::from_ref(&path));
    let output = programs.run(&path, &["--format", "json"]);
    let result = json(&output);
    let expected = 0.5 * f64::from(ROW) + 0.25 * f64::from(TURN) * f64::from(1 + 2 + 3);
    let time = result["predicted_time_s"].as_f64().expect("a number");
    assert_close(time, expected);
}
