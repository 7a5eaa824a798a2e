//! Prints CPU times for large workflows on Linux: `cargo run -p prophet-workflow --example scale`.

#![allow(clippy::print_stdout, reason = "it prints what it measures")]

use prophet_workflow::schedulers::by_name;
use prophet_workflow::{
    Draft, Group, Task, TaskCost, TaskExecution, Workflow, WorkflowMachine, WorkflowPrediction,
    simulate,
};

/// Returns this thread's CPU time in seconds, which doesn't depend on other programs.
fn cpu_s() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = times
        .split(' ')
        .next()
        .and_then(|it| it.parse::<f64>().ok());
    first.unwrap_or(f64::NAN) / 1e9
}

/// Returns layers of tasks. Each task waits for three tasks in the previous layer.
fn layered(tasks: u32, width: u32) -> Workflow {
    let mut draft = Draft::new("layers");
    let mut random = 142_u64;
    let mut ids = Vec::new();
    for number in 0..tasks {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let seconds = 1.0 + f64::from(u32::try_from(random >> 40).unwrap_or(0)) / 1e6;
        let task = draft.task(
            &format!("task_{number:08}"),
            Task::new(TaskCost::Seconds(seconds)),
        );
        let layer = number / width;
        for back in 0..if layer == 0 { 0 } else { 3 } {
            let random = u32::try_from(random >> (34 + back)).unwrap_or(0);
            draft.waits(task, ids[((layer - 1) * width + random % width) as usize]);
        }
        ids.push(task);
    }
    draft.finish().expect("it is right")
}

fn measure(name: &str, tasks: u32, hosts: u32, cores: u32) {
    let begin_s = cpu_s();
    let workflow = layered(tasks, (tasks / 20).clamp(1, 20_000));
    let made_s = cpu_s() - begin_s;
    let mut groups = vec![
        Group::new("slow", hosts / 2, cores),
        Group::new("fast", hosts / 2, cores),
    ];
    groups[1].speed = 1.5;
    let machine = WorkflowMachine::new(groups).expect("it is right");
    let mut scheduler = by_name(name).expect("there is one");
    let begin_s = cpu_s();
    let prediction: WorkflowPrediction =
        simulate(&workflow, &machine, &mut *scheduler).expect("it runs");
    let seconds = cpu_s() - begin_s;
    let bytes = workflow.memory_bytes() / workflow.len() + size_of::<TaskExecution>();
    println!(
        "{name}: {tasks} tasks on {hosts} hosts of {cores} cores: {seconds:.3} s \
         (made in {made_s:.3} s), {bytes} bytes a task, makespan {:.1} s",
        prediction.makespan_s()
    );
}

fn main() {
    for tasks in [10_000, 100_000, 1_000_000] {
        measure("fcfs", tasks, 100, 100);
        measure("fcfs", tasks, 10_000, 1);
    }
    for name in ["heft", "cpop", "peft", "min-min", "data-aware"] {
        measure(name, 10_000, 100, 1);
        measure(name, 10_000, 100, 16);
    }
    for name in ["easy", "conservative"] {
        measure(name, 10_000, 2, 512);
    }
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|it| it.starts_with("VmHWM"));
        println!("{}", peak.unwrap_or_default());
    }
}
