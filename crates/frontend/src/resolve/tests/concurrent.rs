//! Tests limits of forks, joins and regions, and loops that threads share. The other cases are in
//! `tests/cases/forks.txt`.

use std::fmt::Write as _;

use super::{Case, parts};
use crate::program::{Construct, DiagramIndex, Program, Step};

/// Resolves a diagram with an `action+` for every action.
fn resolve(nodes: &str, flows: &str) -> (Option<Program>, Vec<String>) {
    let actions = parts(nodes).filter_map(|node| node.strip_prefix("Action "));
    let actions: Vec<String> = actions
        .map(|name| format!(r#"action {name} time="1""#))
        .collect();
    let stereotypes: Vec<&str> = actions.iter().map(String::as_str).collect();
    let case = Case {
        nodes,
        flows,
        stereotypes: &stereotypes,
        ..Case::default()
    };
    case.resolve()
}

/// Renders the program as a single line. Regions have their kind, and their parts in brackets.
pub(super) fn outline(program: &Program) -> String {
    of_steps(program, &program.diagrams[DiagramIndex::MAIN].steps)
}

fn of_steps(program: &Program, steps: &[Step]) -> String {
    let texts: Vec<String> = steps.iter().map(|step| of_step(program, step)).collect();
    texts.join(" ")
}

fn of_step(program: &Program, step: &Step) -> String {
    let blocks = |word: &str| {
        let blocks: Vec<String> = step
            .blocks()
            .into_iter()
            .map(|block| of_steps(program, block))
            .collect();
        format!("{word}[{}]", blocks.join(" | "))
    };
    match step {
        Step::Execute(execute) => program.elements[execute.element].name.clone(),
        Step::Region(region) => {
            let name = &program.elements[region.element].name;
            let word = match region.construct {
                Construct::Fork => "fork",
                Construct::Flows(_) => "flows",
                _ => "region",
            };
            let parts = region.parts.iter();
            let parts = parts.map(|&part| of_steps(program, &program.diagrams[part].steps));
            format!("{word} {name} [{}]", parts.collect::<Vec<_>>().join(" | "))
        }
        Step::Scope(scope) => of_steps(program, &scope.steps),
        Step::Branch(_) => blocks("if "),
        Step::Loop(_) | Step::While(_) => blocks("loop "),
        Step::Labeled(..) => blocks("block "),
        Step::Pass(pass) => format!("-> {:?}", pass.flows),
        Step::Return => "return".to_owned(),
        Step::Break(_) => "break".to_owned(),
        Step::Continue(_) => "continue".to_owned(),
        other => format!("{other:?}"),
    }
}

fn nested(depth: usize) -> (Option<Program>, Vec<String>) {
    let (mut nodes, mut flows) = ("Initial I; Fork F0".to_owned(), "I F0".to_owned());
    for number in 0..depth {
        let next = number + 1;
        let _ = write!(nodes, "; Fork F{next}; Action A{number}");
        let _ = write!(flows, "; F{number} F{next}; F{number} A{number}");
    }
    resolve(&nodes, &flows)
}

#[test]
fn forks_nest_to_a_limit() {
    assert!(nested(90).0.is_some());
    let (program, problems) = nested(1000);
    assert!(program.is_none());
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(problems[0].starts_with("PM0312 "), "{problems:#?}");
}

/// Resolves a fork with `branches` branches, and a join that waits for the first two of them.
fn beside_a_join(branches: usize) -> (Option<Program>, Vec<String>) {
    let mut nodes = "Initial I; Fork F; Join J; Action A0; Action A1".to_owned();
    let mut flows = "I F; F A0; F A1; A0 J; A1 J".to_owned();
    for number in 2..branches {
        let _ = write!(nodes, "; Action A{number}");
        let _ = write!(flows, "; F A{number}");
    }
    resolve(&nodes, &flows)
}

#[test]
fn flows_that_are_not_nested_have_a_limit() {
    let (program, problems) = beside_a_join(999);
    assert!(program.is_some(), "{problems:#?}");
    let (program, problems) = beside_a_join(1001);
    assert!(program.is_none());
    assert!(problems[0].starts_with("PM0312 "), "{problems:#?}");
}

/// Creates a `LoopNode` named `L` with the stereotype `paralleldo` and these tests.
fn parallel_loop(test: &str, tests: &str) -> (Option<Program>, Vec<String>) {
    let main = format!(
        r#"<node xmi:type="uml:LoopNode" xmi:id="L" name="L" isTestedFirst="true" setupPart="S" test="{tests}" bodyPart="A">
<node xmi:type="uml:OpaqueAction" xmi:id="S" name="S"/>{test}
<node xmi:type="uml:OpaqueAction" xmi:id="A" name="A"/></node>"#
    );
    let stereotypes = [
        "paralleldo L iterations='4' variable='i'",
        "action S time='1'",
        "action A cost='i'",
        "action X time='1'",
    ];
    let used = if tests.contains('X') { 4 } else { 3 };
    let case = Case {
        main: &main,
        stereotypes: &stereotypes[..used],
        ..Case::default()
    };
    case.resolve()
}

#[test]
fn a_loop_node_shares_its_body_alone() {
    let (program, problems) = parallel_loop("", "");
    assert!(problems.is_empty(), "{problems:#?}");
    let program = program.expect("it is right");
    let [Step::Scope(setup), Step::Region(region)] =
        &program.diagrams[DiagramIndex::MAIN].steps[..]
    else {
        panic!("{:#?}", program.diagrams[DiagramIndex::MAIN].steps);
    };
    assert_eq!(of_steps(&program, &setup.steps), "S");
    assert_eq!(region.variable(), Some("i"));
    assert_eq!(
        outline(&program).split_once("region").unwrap_or_default().1,
        " L [A]"
    );
}

#[test]
fn nobody_asks_the_test_of_a_shared_loop() {
    let test = r#"<node xmi:type="uml:OpaqueAction" xmi:id="T" name="T"><body>pid</body></node>"#;
    let (program, problems) = parallel_loop(test, "T");
    assert_eq!(
        problems,
        ["PM0318 the test of M::P::Main::L is never evaluated"]
    );
    assert!(program.is_some());
    let test = r#"<node xmi:type="uml:OpaqueAction" xmi:id="X" name="X"/>"#;
    let (_, problems) = parallel_loop(test, "X");
    let message = "PM0317 the test of M::P::Main::L has effects, but is never evaluated";
    assert_eq!(problems, [message]);
}
