//! Compares predictions with `SimGrid`, which runs the same graphs on the same platform as
//! executions and communications of S4U.
//!
//! Links between hosts are fat pipes, which messages don't share. Both tools share links max-min
//! fairly, but we send all files from one task to another as a single transfer, and `SimGrid` gives
//! a message its share only after the latency.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_workflow::schedulers::{Plan, Planned};
use prophet_workflow::{
    Draft, Group, HostId, Task, TaskCost, TaskId, Workflow, WorkflowMachine, simulate,
};

use crate::random::{Random, link};

const GRAPHS: usize = 30;
const SAME: f64 = 1e-6;

/// A graph with a host for each task. Tasks are sorted by host.
struct Graph {
    workflow: Workflow,
    machine: WorkflowMachine,
    hosts: Vec<HostId>,
    /// Bytes from one task to another, by the pair of tasks.
    bytes: BTreeMap<(u32, u32), u64>,
}

fn graph(random: &mut Random, has_files: bool) -> Graph {
    let speeds: Vec<f64> = (0..2 + random.below(6))
        .map(|_| 1.0 + f64::from(random.below(4)) / 2.0)
        .collect();
    let tasks = 10 + random.below(60);
    let mut draft = Draft::new("graph");
    let mut bytes = BTreeMap::new();
    for number in 0..tasks {
        let cost = TaskCost::Seconds(0.25 + random.seconds());
        let task = draft.task(&number.to_string(), Task::new(cost));
        for parent in (0..number).rev().take(12) {
            if random.below(6) > 0 {
                continue;
            }
            let size = u64::from(random.below(if has_files { 5 } else { 1 })) * 1_234_567;
            if size > 0 {
                let file = draft.file(&format!("{parent}-{number}"), size);
                draft.writes(TaskId(parent), file);
                draft.reads(task, file);
            }
            draft.waits(task, TaskId(parent));
            bytes.insert((parent, number), size);
        }
    }
    let group = |(number, speed): (usize, &f64)| Group {
        speed: *speed,
        ..Group::new(&format!("host {number}"), 1, 1)
    };
    let groups = speeds.iter().enumerate().map(group).collect();
    let mut machine = WorkflowMachine::new(groups).expect("it is right");
    machine.within = Some(link(1e7, 0.01));
    let count = u32::try_from(speeds.len()).expect("there are few");
    Graph {
        workflow: draft.finish().expect("it is right"),
        machine,
        hosts: (0..tasks).map(|_| HostId(random.below(count))).collect(),
        bytes,
    }
}

fn ours_s(graph: &Graph) -> f64 {
    let plan = Plan {
        hosts: graph.hosts.clone(),
        // Each host runs its tasks in the order of their numbers.
        starts_s: graph.workflow.ids().map(|it| f64::from(it.0)).collect(),
        ..Plan::default()
    };
    let mut planned = Planned::new(plan);
    let prediction = simulate(&graph.workflow, &graph.machine, &mut planned);
    prediction.expect("it runs").makespan_s()
}

fn text(graph: &Graph) -> String {
    let mut text = format!("{}\n", graph.machine.len());
    for group in graph.machine.groups() {
        writeln!(text, "{:?}", group.speed * 1e9).expect("it is text");
    }
    writeln!(text, "0.01 1e7\n{}", graph.hosts.len()).expect("it is text");
    let mut edges = graph.bytes.clone();
    let mut last: BTreeMap<HostId, u32> = BTreeMap::new();
    for (task, host) in graph.workflow.ids().zip(&graph.hosts) {
        let TaskCost::Seconds(seconds) = graph.workflow.task(task).cost else {
            unreachable!("costs are seconds")
        };
        writeln!(text, "{} {:?}", host.0, seconds * 1e9).expect("it is text");
        if let Some(before) = last.insert(*host, task.0) {
            edges.entry((before, task.0)).or_default();
        }
    }
    writeln!(text, "{}", edges.len()).expect("it is text");
    for ((from, to), bytes) in edges {
        writeln!(text, "{from} {to} {bytes}").expect("it is text");
    }
    text
}

/// Returns the program; `None` if `SimGrid` isn't installed.
fn compiled(folder: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simgrid/graph.cpp");
    let program = folder.join("graph");
    let flags = ["-O1", "-ffp-contract=off"];
    prophet_testing::compile_with_simgrid(&source, &program, &flags).then_some(program)
}

fn theirs_s(program: &Path, graph: &Graph, folder: &Path) -> f64 {
    let path = folder.join("graph.txt");
    fs::write(&path, text(graph)).expect("it can be written");
    let output = Command::new(program)
        .arg(&path)
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("it is text");
    text.trim().parse().expect("it is a number")
}

#[test]
fn makespans_are_those_of_simgrid() {
    let folder = tempfile::tempdir().expect("it can be made");
    let Some(program) = compiled(folder.path()) else {
        return;
    };
    let mut random = Random(2014);
    for has_files in [false, true] {
        let mut moved = 0;
        for number in 0..GRAPHS {
            let graph = graph(&mut random, has_files);
            let [ours_s, theirs_s] = [ours_s(&graph), theirs_s(&program, &graph, folder.path())];
            let difference = (ours_s / theirs_s - 1.0).abs();
            assert!(difference <= SAME, "{number}: {ours_s} {theirs_s}");
            moved += graph.bytes.values().filter(|it| **it > 0).count();
        }
        // Without messages, the comparison wouldn't test them.
        assert_eq!(moved > 10 * GRAPHS, has_files, "{moved}");
    }
}
