//! Tests forks and joins that aren't nested: models with random precedence graphs must end at the
//! known time, and targets that can't express them must say so.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_frontend::check::RuleSet;
use prophet_tests::drawing::Drawing;
use prophet_tests::programs::{Programs, crate_of};
use prophet_tests::random::Random;
use prophet_tests::{generated::refusal, interpreted, models, sketch};
use serde_json::Value;

/// Actions in the order of the drawing. Each has a cost in seconds, and predecessors.
struct Graph {
    costs: Vec<u32>,
    before: Vec<Vec<usize>>,
}

impl Graph {
    fn random(random: &mut Random) -> Self {
        let (mut costs, mut before) = (vec![1], vec![Vec::new()]);
        for action in 1..4 + random.below(12) {
            let mut others: Vec<usize> = (0..=random.below(3))
                .map(|_| random.below(action))
                .collect();
            others.sort_unstable();
            others.dedup();
            costs.push(1 + u32::try_from(random.below(9)).expect("it is small"));
            before.push(others);
        }
        Self { costs, before }
    }

    /// Draws the graph with forks and joins, which are either nodes or implied as in UML.
    fn draw(&self, name: &str, random: &mut Random) -> String {
        let mut drawing = Drawing::new(name);
        drawing.node("InitialNode", "Start");
        drawing.edge("Start", "A0", "");
        let actions = self.costs.len();
        let mut behind = vec![0; actions];
        let drawn: Vec<bool> = (0..2 * actions).map(|_| random.below(2) == 0).collect();
        for &other in self.before.iter().flatten() {
            behind[other] += 1;
        }
        for (action, cost) in self.costs.iter().enumerate() {
            let tags = format!("cost=\"{cost}\"");
            drawing.action(&format!("A{action}"), "", "action", &tags);
            if drawn[action] && behind[action] > 1 {
                drawing.node("ForkNode", &format!("F{action}"));
                drawing.edge(&format!("A{action}"), &format!("F{action}"), "");
            }
            if drawn[actions + action] && self.before[action].len() > 1 {
                drawing.node("JoinNode", &format!("J{action}"));
                drawing.edge(&format!("J{action}"), &format!("A{action}"), "");
            }
        }
        for (action, before) in self.before.iter().enumerate() {
            let joined = drawn[actions + action] && before.len() > 1;
            let target = if joined { "J" } else { "A" };
            for &other in before {
                let forked = drawn[other] && behind[other] > 1;
                let source = if forked { "F" } else { "A" };
                drawing.edge(
                    &format!("{source}{other}"),
                    &format!("{target}{action}"),
                    "",
                );
            }
        }
        drawing.xmi()
    }

    fn sum(&self) -> u32 {
        self.costs.iter().sum()
    }

    fn critical(&self) -> u32 {
        let mut ends: Vec<u32> = Vec::new();
        for (cost, before) in self.costs.iter().zip(&self.before) {
            let start = before.iter().map(|&other| ends[other]).max();
            ends.push(start.unwrap_or(0) + cost);
        }
        ends.into_iter().max().unwrap_or(0)
    }

    /// Checks the end of a run on `cpus` CPUs. On two CPUs, it must not exceed Graham's bound.
    fn check(&self, cpus: &str, end: f64, what: &str) {
        let (sum, critical) = (f64::from(self.sum()), f64::from(self.critical()));
        match cpus {
            "1" => assert_eq!(end.to_bits(), sum.to_bits(), "{what} on one CPU"),
            "2" => {
                assert!(end >= critical.max(sum / 2.0), "{what}: {end}");
                assert!(end <= sum / 2.0 + critical / 2.0, "{what}: {end}");
            }
            _ => assert_eq!(end.to_bits(), critical.to_bits(), "{what}"),
        }
    }
}

fn drawn(folder: &str, seed: u64, count: usize) -> Vec<(PathBuf, Graph)> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut random = Random(seed);
    let models = (0..count).map(|number| {
        let graph = Graph::random(&mut random);
        let name = format!("precedence_{number}");
        let path = folder.join(&name).with_extension("uml");
        fs::write(&path, graph.draw(&name, &mut random)).expect("a file can be written");
        (path, graph)
    });
    models.collect()
}

fn end_s(result: &[u8], what: &str) -> f64 {
    let result: Value = serde_json::from_slice(result).expect("it is JSON");
    let end = result["predicted_time_s"].as_f64();
    end.unwrap_or_else(|| panic!("{what} has no time"))
}

const CPUS: [&str; 3] = ["1", "2", "40"];

fn flags(cpus: &str) -> [&str; 6] {
    let [nodes, format] = ["--cpus-per-node", "--format"];
    [nodes, cpus, "--processes", "1", format, "json"]
}

#[test]
fn random_precedence_graphs_end_when_they_should() {
    for (path, graph) in drawn("interpreted_flows", 11, 300) {
        let what = path.display().to_string();
        for cpus in CPUS {
            let ran = interpreted::run(&path, "model", &flags(cpus));
            assert_eq!(ran.code, 0, "{what}: {}", ran.stderr);
            graph.check(cpus, end_s(ran.stdout.as_bytes(), &what), &what);
        }
    }
}

#[test]
fn crates_of_precedence_graphs_do_what_the_interpreter_does() {
    let models = drawn("compiled_flows", 12, 12);
    let paths: Vec<PathBuf> = models.iter().map(|(path, _)| path.clone()).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flow_crates");
    let programs = Programs::build(&folder, &paths);
    for (path, graph) in &models {
        let what = path.display().to_string();
        for cpus in CPUS {
            let output = programs.run(path, &flags(cpus));
            graph.check(cpus, end_s(&output.stdout, &what), &what);
        }
    }
    programs.clippy();
}

#[test]
fn targets_without_a_form_for_them_say_so() {
    let targets = prophet_targets::shipped();
    let rules = RuleSet::shipped();
    for name in ["cpp", "mpi-c", "simgrid"] {
        let target = targets.get(name).expect("the target is shipped");
        for model in models("tests/models/flows") {
            let problems = refusal(&rules, target, &model);
            let refused = problems.iter().any(|it| {
                let form = format!("the target {name} does not support forks and joins");
                it.code == "PM1001" && it.message.contains(&form)
            });
            assert!(refused, "{name}: {problems:?}");
        }
    }
}

/// Hooks of a process. They are activities in addition to the main one.
const HOOKED: &str = "
start -> A -> D -[pid == 0]-> end
D -[else]-> B -> end
D: decision
A: action cost=\"2\"
B: action cost=\"4\"
activity init {
  start -> I -> end
  I: action cost=\"1\"
}
activity end {
  start -> E -> end
  E: action cost=\"8\"
}
";

#[test]
fn init_and_end_run_before_and_after_the_program() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let model = folder.path().join("hooked.uml");
    let ends = |sketch: &str| -> Vec<f64> {
        fs::write(&model, sketch::xmi(sketch)).expect("a file can be written");
        let flags = ["--nodes", "2", "--format", "json"];
        let ran = interpreted::run(&model, "hooked", &flags);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let result: Value = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let processes = result["processes"].as_array().expect("a list");
        let ends = processes.iter().filter_map(|it| it["end_s"].as_f64());
        ends.collect()
    };
    assert_eq!(ends(HOOKED), [11.0, 15.0]);
    let library = crate_of(&model);
    let library: &str = &library[Path::new("src/lib.rs")];
    assert!(library.contains("I.execute(ctx, 1.0)"), "{library}");
    // A hook is an ordinary activity if the program calls it.
    let called = HOOKED.replace("start -> A", "start -> C -> A") + "C: plain calls init\n";
    assert_eq!(ends(&called), [11.0, 15.0]);
    assert_eq!(
        ends(&HOOKED.replace("activity init", "activity other")),
        [10.0, 14.0]
    );
}
