//! Tests random activity diagrams as whole models: the native programs must take the same path as a
//! walk through the diagram.
//!
//! Every action changes the state S, on which the guards depend, and the hash H of the path so far.
//! The last action costs H, so the end time shows which actions ran, and in which order.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use prophet_tests::drawing::Drawing;
use prophet_tests::programs::Programs;
use prophet_tests::random::Random;
use serde_json::Value;

const MODELS: usize = 10;
const TOGETHER: usize = 70;
const DIAGRAMS: usize = 3;
/// Maximum number of nodes on a walk. Diagrams with longer walks aren't drawn.
const FUEL: usize = 300;

/// The two kinds of end nodes. They have the same effect if there is only one flow.
const ENDS: [&str; 2] = ["ActivityFinalNode", "FlowFinalNode"];

/// What follows after a node.
enum Exit {
    /// One of the [`ENDS`].
    Stop(&'static str),
    /// An action, and the node after it.
    Act(usize),
    /// A decision on S modulo a number. Each of the values 0, 1, … has a node; the last node is for
    /// all other values.
    Decide(usize, Vec<usize>, Option<usize>),
}

/// The nodes of a diagram. It starts with the first node.
type Diagram = Vec<Exit>;

fn diagram(random: &mut Random) -> Diagram {
    let size = 3 + random.below(10);
    let nodes = (0..size).map(|node| {
        // Most targets are later nodes, so that walks end.
        let mut target = || match random.below(3) {
            0 => random.below(size),
            _ => (node + 1 + random.below(3)).min(size - 1),
        };
        let (one, other, third) = (target(), target(), target());
        match random.below(8) {
            _ if node == size - 1 => Exit::Stop(ENDS[0]),
            0 if node > 0 => Exit::Stop(random.pick::<&str>(&ENDS)),
            1..4 => Exit::Act(one),
            4 => Exit::Decide(2, vec![one, other], None),
            5 => Exit::Decide(4, vec![one, other, third], None),
            6 => Exit::Decide(3, vec![one, other], Some(third)),
            _ => Exit::Decide(2, vec![one], Some(other)),
        }
    });
    nodes.collect()
}

/// Returns the number of a node among all nodes of a model.
fn mark(diagram: usize, node: usize) -> usize {
    diagram * 100 + node + 1
}

/// Applies the code of an action to S and H.
fn act(state: &mut (usize, usize), mark: usize) {
    state.0 = (state.0 * 5 + mark + 3) % 8191;
    state.1 = (state.1 * 31 + mark) % 1_000_003;
}

/// Walks over diagrams. Returns H and the total time of the actions in seconds, or the decision
/// whose guards are all false. Returns `None` if a walk becomes too long.
fn walk(diagrams: &[Diagram], seed: usize) -> Option<Result<usize, String>> {
    let mut state = (seed, 0);
    let mut seconds = 0;
    let mut fuel = FUEL;
    for (number, diagram) in diagrams.iter().enumerate() {
        let mut node = 0;
        loop {
            fuel = fuel.checked_sub(1)?;
            node = match &diagram[node] {
                Exit::Stop(_) => break,
                Exit::Act(next) => {
                    act(&mut state, mark(number, node));
                    seconds += mark(number, node);
                    *next
                }
                Exit::Decide(modulus, arms, otherwise) => {
                    match arms.get(state.0 % modulus).or(otherwise.as_ref()) {
                        Some(next) => *next,
                        None => return Some(Err(format!("N{}", mark(number, node)))),
                    }
                }
            };
        }
    }
    Some(Ok(seconds + state.1))
}

fn draw(name: &str, diagrams: &[Diagram], seed: usize) -> String {
    let mut drawing = Drawing::new(name);
    drawing.variable("S", "long", &seed.to_string());
    drawing.variable("H", "long", "0");
    drawing.node("InitialNode", "Start");
    let mut last = "Start".to_owned();
    for number in 0..diagrams.len() {
        let element = format!("Call{number}");
        drawing.call(&element, &format!("Diagram{number}"));
        drawing.edge(&last, &element, "");
        last = element;
    }
    drawing.action("Path", "", "action", "cost=\"H\"");
    drawing.edge(&last, "Path", "");
    drawing.node("ActivityFinalNode", "End");
    drawing.edge("Path", "End", "");
    for (number, diagram) in diagrams.iter().enumerate() {
        drawing.activity(&format!("Diagram{number}"));
        let start = format!("Start{number}");
        drawing.node("InitialNode", &start);
        // Flows are merged before each node.
        let merge = |node: usize| format!("M{}", mark(number, node));
        drawing.edge(&start, &merge(0), "");
        for (node, exit) in diagram.iter().enumerate() {
            let mark = mark(number, node);
            let name = format!("N{mark}");
            drawing.node("MergeNode", &merge(node));
            drawing.edge(&merge(node), &name, "");
            match exit {
                Exit::Stop(kind) => drawing.node(kind, &name),
                Exit::Act(next) => {
                    let code = format!(
                        "S = (S * 5 + {mark} + 3) % 8191; H = (H * 31 + {mark}) % 1000003;"
                    );
                    drawing.action(&name, &code, "action", &format!("time=\"{mark}\""));
                    drawing.edge(&name, &merge(*next), "");
                }
                Exit::Decide(modulus, arms, otherwise) => {
                    drawing.node("DecisionNode", &name);
                    for (rest, arm) in arms.iter().enumerate() {
                        let guard = format!("S % {modulus} == {rest}");
                        drawing.edge(&name, &merge(*arm), &guard);
                    }
                    if let Some(otherwise) = otherwise {
                        drawing.edge(&name, &merge(*otherwise), "else");
                    }
                }
            }
        }
    }
    drawing.xmi()
}

fn compare(name: &str, output: &Output, expected: &Result<usize, String>) {
    let message = String::from_utf8_lossy(&output.stderr);
    match expected {
        Ok(seconds) => {
            assert!(output.status.success(), "{name}: {message}");
            let result: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
            let seconds = f64::from(u32::try_from(*seconds).expect("walks are short"));
            assert_eq!(result["predicted_time_s"].as_f64(), Some(seconds), "{name}");
        }
        Err(decision) => {
            assert_eq!(output.status.code(), Some(3), "{name}: {message}");
            let node = format!("`{decision}`");
            assert!(message.contains(&node), "{name}: {decision} in {message}");
        }
    }
}

/// Draws models in a folder, and walks over them. One in five models gets stuck, and the others
/// end.
fn models(folder: &Path, seed: u64, count: usize) -> Vec<(PathBuf, Result<usize, String>)> {
    fs::create_dir_all(folder).expect("a folder can be made");
    let mut random = Random(seed);
    let mut models = Vec::new();
    while models.len() < count {
        let diagrams: Vec<Diagram> = (0..DIAGRAMS).map(|_| diagram(&mut random)).collect();
        let seed = random.below(8191);
        let stuck = models.len() % 5 == 4;
        let expected = walk(&diagrams, seed).filter(|end| end.is_err() == stuck);
        if let Some(expected) = expected {
            let name = format!("random_flow_{}", models.len());
            let path = folder.join(&name).with_extension("uml");
            fs::write(&path, draw(&name, &diagrams, seed)).expect("a file can be written");
            models.push((path, expected));
        }
    }
    models
}

fn paths(models: &[(PathBuf, Result<usize, String>)]) -> Vec<PathBuf> {
    models.iter().map(|(path, _)| path.clone()).collect()
}

#[test]
fn programs_take_the_path_of_the_diagram() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_flows");
    let models = models(&folder, 5, MODELS);
    let programs = Programs::build(&folder, &paths(&models));
    for (path, expected) in &models {
        let output = programs.run(path, &["--format", "json"]);
        compare(&path.display().to_string(), &output, expected);
    }
    programs.clippy();
}

/// Compares walks over random models with the interpreter and with compiled programs, in both
/// engines.
#[cfg(unix)]
fn compare_many(folder: &str, seed: u64, count: usize) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let models = models(&folder, seed, count);
    let programs = Programs::together(&folder, &paths(&models), TOGETHER);
    for (path, expected) in &models {
        for engine in ["--engine=event", "--engine=local"] {
            let output = programs.run(path, &["--format", "json", engine]);
            compare(&path.display().to_string(), &output, expected);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_walk_the_interpreter_and_native_code_agree() {
    compare_many("some_flows", 6, prophet_testing::cases(140) as usize);
}

#[cfg(unix)]
#[test]
#[ignore = "it compiles for minutes: see SECURITY.md"]
fn a_walk_the_interpreter_and_native_code_agree_on_very_many() {
    compare_many("many_flows", 7, 1_900);
}
