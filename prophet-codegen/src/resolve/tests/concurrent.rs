//! Forks, joins and regions: the structure that they get, and messages about those without one.

use std::fmt::Write as _;

use super::{Case, parts};
use crate::program::{Construct, DiagramIndex, Program, Step};

/// Codes that the tests here have cases for.
pub(super) const CODES: [&str; 9] = [
    "PM0312", "PM0313", "PM0314", "PM0315", "PM0316", "PM0317", "PM0318", "PM0319", "PM0420",
];

/// Resolves a diagram in which every action is an `action+`.
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

/// Renders the program in a line: regions with their kind, and their parts in brackets.
fn outline(program: &Program) -> String {
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

#[test]
#[rustfmt::skip]
fn forks_with_a_structure_become_regions() {
    let cases = [
        ("Initial I; Fork F; Action A; Action B; Join J; Action C", "I F; F A; F B; A J; B J; J C",
         "fork F [A | B] C"),
        // A flow from fork to join is a branch that does nothing.
        ("Initial I; Fork F; Action A; Join J", "I F; F A; F J; A J", "fork F [A | ]"),
        // Bars with a single flow on both sides do nothing.
        ("Initial I; Fork F; Join J; Action A", "I F; F J; J A", "A"),
        // Branches that end, in finals or nowhere.
        ("Initial I; Fork F; Action A; Action B; Action C; FlowFinal E; Decision D",
         "I F; F A; F D; D B: pid; D C: else; A E; B E", "fork F [A | if [B | C]]"),
        // A fork in a branch, with a join of its own,
        ("Initial I; Fork F; Fork G; Action A; Action B; Action C; Action D; Join K; Join J; Action E",
         "I F; F A; F G; G B; G C; B K; C K; K D; A J; D J; J E",
         "fork F [A | fork G [B | C] D] E"),
        // with the join of the fork around it,
        ("Initial I; Fork F; Fork G; Action A; Action B; Action C; Join J; Action E",
         "I F; F A; F G; G B; G C; A J; B J; C J; J E", "fork F [A | fork G [B | C]] E"),
        // or with none.
        ("Initial I; Fork F; Fork G; Action A; Action B; Action C; FlowFinal E",
         "I F; F A; F G; G B; G C; A E; B E; C E", "fork F [A | fork G [B | C]]"),
        // Forks and joins that UML implies.
        ("Initial I; Action A; Action B; Action C; Action D", "I A; A B; A C; B D; C D",
         "A fork fork behind A [B | C] D"),
        ("Initial I; Initial K; Action A; Action B; Join J; Action C", "I A; K B; A J; B J; J C",
         "fork starts of Main [A | B] C"),
        // One bar that joins and forks.
        ("Initial I; Fork F; Action A; Action B; Fork G; Action C; Action D; Join J",
         "I F; F A; F B; A G; B G; G C; G D; C J; D J", "fork F [A | B] fork G [C | D]"),
        ("Initial I; Fork F; Action A; Action B; Join G; Action C; Action D; Join J",
         "I F; F A; F B; A G; B G; G C; G D; C J; D J", "fork F [A | B] fork fork behind G [C | D]"),
        // Loops around a fork, and in a branch.
        ("Initial I; Merge M; Fork F; Action A; Action B; Join J; Decision D; ActivityFinal E",
         "I M; M F; F A; F B; A J; B J; J D; D M: pid; D E: else",
         "loop [fork F [A | B] if [break | ]]"),
        ("Initial I; Fork F; Merge M; Action A; Decision D; Action B; Join J",
         "I F; F M; M A; A D; D M: pid; D J: else; F B; B J", "fork F [loop [A if [break | ]] | B]"),
        // A choice between a fork and something else.
        ("Initial I; Decision D; Fork F; Action A; Action B; Join J; Action C; Merge M; Action E",
         "I D; D F: pid; D C: else; F A; F B; A J; B J; J M; C M; M E", "if [fork F [A | B] | C] E"),
    ];
    for (nodes, flows, expected) in cases {
        let (program, problems) = resolve(nodes, flows);
        assert!(problems.is_empty(), "{flows}: {problems:#?}");
        assert_eq!(outline(&program.expect("it has no problem")), expected, "{flows}");
    }
}

#[test]
#[rustfmt::skip]
fn forks_and_joins_that_are_not_nested_become_parts_that_tokens_start() {
    let cases = [
        // Two joins for one fork.
        ("Initial I; Fork F; Action A; Action B; Action C; Join J; Join K; Action D",
         "I F; F A; F B; F C; A J; B J; J K; C K; K D",
         "flows flows of Main [-> [1, 2] A -> [3] | B -> [4] | C -> [5] | -> [6] | D]"),
        // A branch that ends beside a join that waits for the others.
        ("Initial I; Fork F; Action A; Action B; Action C; Join J; FlowFinal E; Action D",
         "I F; F A; F B; F C; A J; B J; C E; J D",
         "flows flows of Main [-> [1, 2] A -> [3] | B -> [4] | C | D]"),
        // A join in the middle, of the branches of two forks that UML implies.
        ("Initial I; Fork F; Action A; Action B; Action C; Action D; Action E",
         "I F; F A; F B; A C; A D; B D; B E",
         "flows flows of Main [-> [1] A -> [2] C | B -> [3] E | D]"),
        // Back out of a branch: each action is a part, which waits for the token before.
        ("Initial I; Merge M; Fork F; Action A; Action B; Decision D; Join J; Action C; Action G",
         "I M; M F; F A; A D; D M: pid; D J: else; F B; B G; G J; J C",
         "flows flows of Main [loop [-> [1] A if [break | ]] -> [3] | B -> [2] | G -> [4] | -> [5] | C]"),
        // A loop within a part stays one.
        ("Initial I; Fork F; Merge M; Action A; Decision G; Action B; Action C; Join J; Join K",
         "I F; F M; M A; A G; G M: pid; G J: else; F B; B J; J K; F C; C K",
         "flows flows of Main [-> [1, 2] loop [A if [break | ]] -> [4] | B -> [3] | C -> [5] | -> [6] | ]"),
    ];
    for (nodes, flows, expected) in cases {
        let (program, problems) = resolve(nodes, flows);
        assert!(problems.is_empty(), "{flows}: {problems:#?}");
        assert_eq!(outline(&program.expect("it has no problem")), expected, "{flows}");
    }
}

#[test]
#[rustfmt::skip]
fn flows_that_are_not_nested_have_problems_of_their_own() {
    let cases: [(&str, &str, &[&str]); 3] = [
        // A join that gets a token in some runs alone.
        ("Initial I; Fork F; Action A; Decision D; Action B; Action C; Join J; FlowFinal E; Join K",
         "I F; F A; F D; D J: pid; D E: else; A J; F B; F C; B K; C K",
         &["PM0319 M::P::Main::J may wait for a flow that does not come, and nothing behind it runs \
           then"]),
        // One that never gets all it waits for.
        ("Initial I; Fork F; Decision D; Action A; Action B; Action C; Action G; Join J; Join K",
         "I F; F D; D A: pid; D B: else; A J; B J; F C; F G; C K; G K",
         &["PM0313 M::P::Main::J waits for flows of which only one can come"]),
        // A final that other flows may still be under way at.
        ("Initial I; Fork F; Action A; Action B; Action C; Join J; ActivityFinal E; FlowFinal G",
         "I F; F A; F B; F C; A J; B J; J E; C G",
         &["PM0314 M::P::Main::E would stop other flows of the diagram, which may still run"]),
    ];
    for (nodes, flows, expected) in cases {
        let (_, problems) = resolve(nodes, flows);
        assert_eq!(problems, expected, "{flows}");
    }
}

#[test]
#[rustfmt::skip]
fn forks_without_a_structure_are_refused() {
    let cases = [
        // Merged where a join should be.
        ("Initial I; Fork F; Action A; Action B; Merge M; Action C", "I F; F A; F B; A M; B M; M C",
         "PM0312 several branches of the fork M::P::Main::F lead to M::P::Main::M, which would run \
          for each of them"),
        // From one branch into another.
        ("Initial I; Fork F; Action A; Action B; Merge M; Decision D; Join J",
         "I F; F A; A D; D M: pid; D J: else; F M; M B; B J",
         "PM0312 several branches of the fork M::P::Main::F lead to M::P::Main::M, which would run \
          for each of them"),
        // Of alternatives, never all come.
        ("Initial I; Decision D; Action A; Action B; Join J", "I D; D A: pid; D B: else; A J; B J",
         "PM0313 M::P::Main::J waits for flows of which only one can come"),
        ("Initial I; Fork F; Decision D; Action A; Action B; Join J; Action C",
         "I F; F D; D A: pid; D B: else; A J; B J; F C; C J",
         "PM0313 M::P::Main::J waits for flows of which only one can come"),
        // A flow that comes too late, or may end.
        ("Initial I; Join J; Action A", "I J; J A; A J",
         "PM0313 M::P::Main::J waits for the flow from M::P::Main::A, which cannot come before"),
        ("Initial I; Fork F; Decision D; FlowFinal E; Action A; Join J; Action B",
         "I F; F D; D E: pid; D J: else; F A; A J; J B",
         "PM0313 a flow ends at M::P::Main::E, but M::P::Main::J waits for it"),
        // A branch ends the whole diagram.
        ("Initial I; Fork F; Action A; Action B; ActivityFinal E; FlowFinal G", "I F; F A; F B; A E; B G",
         "PM0314 M::P::Main::E in a branch of the fork M::P::Main::F would stop the other branches"),
        ("Initial I; Fork F; Action A; Action B", "I F; F A: pid; F B",
         "PM0315 a flow out of the fork M::P::Main::F has a guard"),
        ("Initial I; Action A; Action B; Action C", "I A; A B: pid; A C: else",
         "PM0303 2 flows leave M::P::Main::A, which can neither choose nor fork so"),
        ("Initial I; Action A; Action B", "I A; I B",
         "PM0303 2 flows leave M::P::Main::I, which can neither choose nor fork so"),
        ("Initial I; Action A; Decision D", "I A; A D; D A: pid",
         "PM0304 M::P::Main::A waits for the flow from M::P::Main::D, which cannot come before"),
    ];
    for (nodes, flows, expected) in cases {
        let (_, problems) = resolve(nodes, flows);
        assert_eq!(problems, [expected], "{flows}");
    }
}

#[test]
#[rustfmt::skip]
fn a_diagram_tells_all_its_problems_at_once() {
    let cases: [(&str, &str, &[&str]); 6] = [
        // Merges are missing; guards and prices beside them are still checked.
        ("Initial I; Decision D; Action A; Action B; Decision E; Action C; Action G; ActivityFinal F",
         "I D; D A: late; D B: else; A B; B E; E C: soon; E G: else; C G; G F",
         &["PM0204 there is no variable `late`", "PM0204 there is no variable `soon`",
           "PM0304 the flows into M::P::Main::B would have to come all, but only one can",
           "PM0304 the flows into M::P::Main::G would have to come all, but only one can"]),
        // A way back into an action, twice: neither waits only because the other does.
        ("Initial I; Action A; Decision D; Action B; Decision E", "I A; A D; D A: pid; D B: else; B E; E B: pid",
         &["PM0304 M::P::Main::A waits for the flow from M::P::Main::D, which cannot come before",
           "PM0304 M::P::Main::B waits for the flow from M::P::Main::E, which cannot come before"]),
        // Two forks, each with a merge in the place of its join.
        ("Initial I; Fork F; Action A; Action B; Merge M; Fork G; Action C; Action D; Merge N",
         "I F; F A; F B; A M; B M; M G; G C; G D; C N; D N",
         &["PM0312 several branches of the fork M::P::Main::F lead to M::P::Main::M, which would \
            run for each of them",
           "PM0312 several branches of the fork M::P::Main::G lead to M::P::Main::N, which would \
            run for each of them"]),
        // Decisions without guards, and behind them a join of alternatives.
        ("Initial I; Decision D; Action A; Action B; Join J; ExpansionNode C",
         "I D; D A; D B; A J; B J; J C",
         &["PM0305 a flow out of M::P::Main::D has no guard", "PM0305 a flow out of M::P::Main::D has no guard",
           "PM0310 an ExpansionNode has no meaning for a performance model",
           "PM0313 M::P::Main::J waits for flows of which only one can come"]),
        // A problem in a branch of a fork does not affect the nodes behind the join.
        ("Initial I; Fork F; Action A; Action B; Join J; Decision D; FlowFinal E; Action C; Decision G; Action H; Action K",
         "I F; F A; F B; A J; B D; D E: pid; D J: else; J C; C G; G H: pid; G K; H K",
         &["PM0304 the flows into M::P::Main::K would have to come all, but only one can",
           "PM0305 a flow out of M::P::Main::G has no guard",
           "PM0313 a flow ends at M::P::Main::E, but M::P::Main::J waits for it"]),
        // There is no start at all.
        ("Merge M; Decision D; Decision E", "M D; D M: late; D E: else; E M: soon",
         &["PM0204 there is no variable `late`", "PM0204 there is no variable `soon`",
           "PM0301 M::P::Main has no node to start from"]),
    ];
    for (nodes, flows, expected) in cases {
        let (program, mut problems) = resolve(nodes, flows);
        problems.sort();
        assert_eq!(problems, expected, "{flows}");
        assert!(program.is_none(), "{flows}");
    }
}

#[test]
fn nodes_that_no_flow_enters_run_concurrently_which_is_said() {
    let (program, problems) = resolve("Action A; Action B", "");
    let message = "PM0302 M::P::Main has 2 nodes to start from, which run concurrently";
    assert_eq!(problems, [message]);
    let program = program.expect("it is only a warning");
    assert_eq!(outline(&program), "fork starts of Main [A | B]");
}

/// Forks in branches of forks, to that depth.
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

/// Resolves a fork with `branches` branches, of which a join waits for the first two.
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

/// A structured node `R` with content and a stereotype.
fn region(stereotype: &str, content: &str, others: &[&str]) -> (Option<Program>, Vec<String>) {
    let main = format!(
        r#"<node xmi:type="uml:StructuredActivityNode" xmi:id="R" name="R">{content}</node>"#
    );
    let mut stereotypes = vec![stereotype];
    stereotypes.extend(others);
    let case = Case {
        main: &main,
        stereotypes: &stereotypes,
        ..Case::default()
    };
    case.resolve()
}

const ACTION: &str = r#"<node xmi:type="uml:OpaqueAction" xmi:id="A" name="A"/>"#;

#[test]
#[rustfmt::skip]
fn tags_of_regions_have_values_that_make_sense() {
    let cases = [
        (r#"parallel R threads="0""#, "PM0420 the tag `threads` of `parallel` is 0, less than 1"),
        (r#"parallelsections R threads="1 - 3""#, "PM0420 the tag `threads` of `parallelsections` is -2, less than 1"),
        (r#"paralleldo R iterations="-1""#, "PM0420 the tag `iterations` of `paralleldo` is -1, less than 0"),
        (r#"paralleldo R iterations="4" chunk="0""#, "PM0420 the tag `chunk` of `paralleldo` is 0, less than 1"),
        (r#"paralleldo R iterations="4" schedule="random""#, "PM0420 there is no schedule \"random\""),
        ("paralleldo R", "PM0404 `paralleldo` needs the tag `iterations`"),
        (r#"critical R cost="1""#, "PM0403 `critical` has a cost, but its content is what costs"),
        ("ompbarrier R", "PM0408 `ompbarrier` does not fit R"),
    ];
    for (stereotype, expected) in cases {
        let (_, problems) = region(stereotype, ACTION, &[r#"action A time="1""#]);
        assert_eq!(problems, [expected], "{stereotype}");
    }
}

#[test]
fn what_is_in_no_section_is_refused() {
    let content = r#"<node xmi:type="uml:OpaqueAction" xmi:id="B" name="B"/>
<node xmi:type="uml:OpaqueAction" xmi:id="A" name="A"/>
<node xmi:type="uml:OpaqueAction" xmi:id="C" name="C"/>
<node xmi:type="uml:ForkNode" xmi:id="F" name="F"/>
<edge xmi:type="uml:ControlFlow" xmi:id="e1" source="B" target="F"/>
<edge xmi:type="uml:ControlFlow" xmi:id="e2" source="F" target="A"/>
<edge xmi:type="uml:ControlFlow" xmi:id="e3" source="F" target="C"/>"#;
    let actions = [
        "action A time='1'",
        "action B time='1'",
        "action C time='1'",
    ];
    let (_, problems) = region("parallelsections R", content, &actions);
    let message = "PM0316 M::P::Main::R::B is in no section of M::P::Main::R: the branches of its \
                   fork are its sections";
    assert_eq!(problems, [message]);
}

#[test]
fn a_content_without_a_fork_is_one_section() {
    let (program, problems) = region("parallelsections R", ACTION, &["action A time='1'"]);
    assert!(problems.is_empty(), "{problems:#?}");
    assert_eq!(outline(&program.expect("it is right")), "region R [A]");
}

/// A `LoopNode` `L` with `paralleldo`, whose setup, test and body are given.
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
        ["PM0318 nothing evaluates the test of M::P::Main::L"]
    );
    assert!(program.is_some());
    let test = r#"<node xmi:type="uml:OpaqueAction" xmi:id="X" name="X"/>"#;
    let (_, problems) = parallel_loop(test, "X");
    let message = "PM0317 the test of M::P::Main::L does something, but is never evaluated";
    assert_eq!(problems, [message]);
}

#[test]
fn what_orders_threads_has_content_of_any_kind() {
    let sub = r#"<ownedBehavior xmi:type="uml:Activity" xmi:id="Sub" name="Sub">
<node xmi:type="uml:OpaqueAction" xmi:id="A" name="A"/></ownedBehavior>"#;
    let call = r#"<node xmi:type="uml:CallBehaviorAction" xmi:id="R" name="R" behavior="Sub"/>"#;
    let repeated = r#"<node xmi:type="uml:LoopNode" xmi:id="R" name="R" test="T" bodyPart="A">
<node xmi:type="uml:OpaqueAction" xmi:id="T" name="T"><body>pid</body></node>
<node xmi:type="uml:OpaqueAction" xmi:id="A" name="A"/></node>"#;
    let cases = [
        (sub, call, "region R [A]"),
        ("", repeated, "region R [loop [A if [break | ]]]"),
    ];
    for (class, main, expected) in cases {
        let case = Case {
            class,
            main,
            stereotypes: &["critical R name='l'", "action A time='1'"],
            ..Case::default()
        };
        let (program, problems) = case.resolve();
        assert!(problems.is_empty(), "{problems:#?}");
        let program = program.expect("it is right");
        assert_eq!(outline(&program), expected);
        assert!(program.locks.iter().eq(["l"]), "{:?}", program.locks);
    }
}
