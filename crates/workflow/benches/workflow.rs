//! Measures the speed of workflow simulations. `cargo xtask bench workflow` writes the rows into
//! `prophet-runtime/benches/figures.md`.
//!
//! With a word on the command line, only the rows that contain it are measured.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::sync::Arc;

use prophet_testing::Stopwatch;
use prophet_workflow::schedulers::by_name;
use prophet_workflow::{
    Draft, FileId, Group, HostLink, Job, Policy, Task, TaskCost, Workflow, WorkflowMachine,
    simulate,
};

/// Number of runs per row. The fastest one counts.
const TURNS: usize = 3;

fn main() {
    println!("| work | target | seen | met |");
    println!("|---|---|---|---|");
    let work = "FCFS, 1,000,000 tasks in 100 layers on 10,000 cores";
    row(work, Some(2.0), "fcfs", || {
        (layered(100, 10_000), cluster(1_000, 10))
    });
    let work = "HEFT, 10,000 tasks in 100 layers on 100 hosts";
    row(work, Some(1.0), "heft", || {
        (layered(100, 100), networked(100, 10))
    });
    let work = "FCFS, 10,000 tasks beside a log of 100,000 jobs, by EASY";
    row(work, None, "fcfs", || {
        let mut machine = cluster(100, 10);
        machine.queues[0].jobs = jobs(100_000);
        machine.queues[0].policy = Policy::Easy;
        (layered(100, 100), machine)
    });
}

fn row(
    work: &str,
    target_s: Option<f64>,
    scheduler: &str,
    make: impl Fn() -> (Workflow, WorkflowMachine),
) {
    if !std::env::args()
        .skip(1)
        .filter(|it| !it.starts_with("--"))
        .all(|it| work.contains(&it))
    {
        return;
    }
    let mut best_s = f64::INFINITY;
    for _ in 0..TURNS {
        let stopwatch = Stopwatch::start();
        let (workflow, machine) = make();
        let mut scheduler = by_name(scheduler).expect("there is one");
        let prediction = simulate(&workflow, &machine, &mut *scheduler).expect("it runs");
        best_s = best_s.min(stopwatch.seconds());
        assert!(prediction.makespan_s() > 0.0);
    }
    let target = target_s.map_or(String::new(), |it| format!("≤ {it} s"));
    let met = target_s.map_or("", |it| if best_s <= it { "yes" } else { "no" });
    println!("| {work} | {target} | {best_s:.2} s | {met} |");
}

/// Returns a number from 0 to `limit`, using the high bits of Knuth's generator.
fn below(state: &mut u64, limit: u64) -> u32 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    u32::try_from((*state >> 33) % limit).expect("limits are small")
}

/// Returns layers of tasks. Each task reads files from two tasks in the previous layer.
fn layered(layers: u32, width: u32) -> Workflow {
    let mut draft = Draft::new("layers");
    let mut state = 1;
    for layer in 0..layers {
        for number in 0..width {
            let seconds = f64::from(1 + below(&mut state, 100));
            let name = format!("{layer}-{number}");
            let task = draft.task(&name, Task::new(TaskCost::Seconds(seconds)));
            let file = draft.file(&name, 1_000_000);
            draft.writes(task, file);
            for _ in 0..2 * u32::from(layer > 0) {
                let parent = (layer - 1) * width + below(&mut state, u64::from(width));
                draft.reads(task, FileId(parent));
            }
        }
    }
    draft.finish().expect("it is right")
}

/// Returns a cluster in which files take a second to reach other hosts.
fn networked(hosts: u32, cores: u32) -> WorkflowMachine {
    let mut machine = cluster(hosts, cores);
    machine.within = Some(HostLink {
        bytes_per_s: 1e6,
        latency_s: 1e-3,
        is_shared: false,
    });
    machine
}

fn cluster(hosts: u32, cores: u32) -> WorkflowMachine {
    WorkflowMachine::new(vec![Group::new("host", hosts, cores)]).expect("it is right")
}

fn jobs(count: u32) -> Arc<[Job]> {
    let mut state = 2;
    let job = |number: u32| {
        let run_s = f64::from(1 + below(&mut state, 1_000));
        Job {
            submit_s: f64::from(number) * 5.7 - 560_000.0,
            cores: 1 + below(&mut state, 15),
            run_s,
            requested_s: 2.0 * run_s,
        }
    };
    (0..count).map(job).collect()
}
