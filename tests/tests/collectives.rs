//! Tests collectives in models: known results in both engines, and all forms of communicators.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_tests::drawing::Drawing;
use prophet_tests::programs::{Programs, json};
use serde_json::Value;

struct Models {
    folder: PathBuf,
    paths: Vec<PathBuf>,
}

impl Models {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).expect("a folder can be made");
        let paths = Vec::new();
        Self { folder, paths }
    }

    /// Adds a model with a sequence of actions. Each has a name, a stereotype and tags.
    fn add(&mut self, name: &str, actions: &[(&str, &str, &str)], functions: &[(&str, &str)]) {
        let mut drawing = Drawing::new(name);
        drawing.node("InitialNode", "Start");
        let mut last = "Start";
        for (action, stereotype, tags) in actions {
            drawing.action(action, "", stereotype, tags);
            drawing.edge(last, action, "");
            last = action;
        }
        for (function, body) in functions {
            drawing.function(function, &[], "C", body);
        }
        let path = self.folder.join(name).with_extension("uml");
        fs::write(&path, drawing.xmi()).expect("a model can be written");
        self.paths.push(path);
    }

    fn build(&self) -> Programs {
        Programs::build(&self.folder.join("crates"), &self.paths)
    }
}

/// Runs a program in both engines, with a node for each process. Returns the times when its
/// processes end.
fn end_times(programs: &Programs, model: &Path, processes: u32, flags: &str) -> Vec<f64> {
    let processes = processes.to_string();
    let mut results = ["event", "local"].map(|engine| {
        let mut all = vec![
            "--nodes", &processes, "--format", "json", "--engine", engine,
        ];
        all.extend(flags.split_whitespace());
        json(&programs.run(model, &all))
    });
    for result in &mut results {
        result["evaluation"] = Value::Null;
    }
    assert_eq!(results[0], results[1], "the engines agree");
    let processes = results[0]["processes"].as_array().expect("processes");
    let end_s = |process: &Value| process["end_s"].as_f64().expect("a number");
    processes.iter().map(end_s).collect()
}

/// Known results: a row of the table, its model, flags and number of processes, and the predicted
/// time.
const KNOWN: [(&str, &str, u32, f64); 10] = [
    ("spread", "", 8, 12_021.0),
    ("spread", "", 64, 24_042.0),
    ("spread", "", 1024, 40_070.0),
    ("sum", "", 64, 12_404_200.0),
    ("sum", "", 256, 13_205_600.0),
    ("ringsum", "--collective allreduce=ring", 8, 69_986.0),
    (
        "ringsum",
        "--collective allreduce=ring --network loggp:L=2.5us,o=1.5us,g=0,G=6ns",
        8,
        160_916.0,
    ),
    ("meet", "", 64, 24_000.0),
    ("meet", "--collective barrier=dissemination", 1000, 40_000.0),
    ("spread", "--collective broadcast=analytic", 64, 24_042.0),
];

#[test]
fn known_answers() {
    let mut models = Models::new("known-collectives");
    models.add("spread", &[("B", "broadcast", r#"root="0" size="8""#)], &[]);
    let ring = [("R", "allreduce", r#"size="8000""#)];
    models.add("ringsum", &ring, &[]);
    models.add("meet", &[("M", "barrier", r#"size="1""#)], &[]);
    let names: Vec<String> = (0..200).map(|number| format!("A{number}")).collect();
    let turns = names.iter().enumerate().map(|(number, name)| {
        if number % 2 == 0 {
            (&**name, "action", r#"cost="100e-6""#)
        } else {
            (&**name, "allreduce", r#"size="8""#)
        }
    });
    models.add("sum", &turns.collect::<Vec<_>>(), &[]);
    let programs = models.build();
    for (name, flags, processes, expected_ns) in KNOWN {
        let mut all = flags.to_owned();
        if !flags.contains("--network") {
            all += " --network loggp:L=2us,o=1us,g=0,G=1ns";
        }
        let model = models.folder.join(name).with_extension("uml");
        let ends = end_times(&programs, &model, processes, &all);
        let found_ns = ends.iter().copied().fold(0.0, f64::max) * 1e9;
        let error = (found_ns - expected_ns).abs() / expected_ns;
        assert!(error < 1e-9, "{name} of {processes}: {found_ns} ns");
    }
}

/// A communicator with a barrier that all its members wait for: its expression, the functions that
/// it calls, and the end times of 6 processes that arrive after 0 to 5 s.
type Split = (
    &'static str,
    &'static [(&'static str, &'static str)],
    [u32; 6],
);

const SPLITS: [Split; 9] = [
    ("pid / 2", &[], [1, 1, 3, 3, 5, 5]),
    ("pid % 2", &[], [4, 5, 4, 5, 4, 5]),
    ("pid", &[], [0, 1, 2, 3, 4, 5]),
    ("nid", &[], [0, 1, 2, 3, 4, 5]),
    ("7", &[], [5; 6]),
    ("pid < 4", &[], [3, 3, 3, 3, 5, 5]),
    ("pid / (NUM_PROCESSES / 3)", &[], [1, 1, 3, 3, 5, 5]),
    (
        "Row()",
        &[("long Row", "return pid / 3;")],
        [2, 2, 2, 5, 5, 5],
    ),
    (
        "Columns() % 2 + pid % Columns()",
        &[("long Columns", "return NUM_PROCESSES / 2;")],
        [3, 4, 5, 3, 4, 5],
    ),
];

#[test]
fn communicators_are_split_by_any_expression() {
    let mut models = Models::new("communicators");
    for (number, (comm, functions, _)) in SPLITS.iter().enumerate() {
        let comm = format!(r#"cost="0.5" comm="{}""#, comm.replace('<', "&lt;"));
        let actions = [
            ("Work", "action", r#"cost="pid""#),
            ("meet", "barrier", &*comm),
        ];
        models.add(&format!("split{number}"), &actions, functions);
    }
    let programs = models.build();
    for ((comm, _, expected), model) in SPLITS.iter().zip(&models.paths) {
        let ends = end_times(&programs, model, 6, "");
        assert_eq!(ends, expected.map(|end| f64::from(end) + 0.5), "{comm}");
    }
    programs.clippy();
}
