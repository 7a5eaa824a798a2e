//! Tests attempts of tasks that fail and are retried.

use prophet_sim::statistics::Tally;
use prophet_testing::Home;
use prophet_workflow::schedulers::by_name;
use prophet_workflow::{
    Draft, Group, NotPredicted, SharedStorage, Task, TaskCost, TaskId, Workflow, WorkflowMachine,
    WorkflowPrediction, simulate,
};

use crate::command::{assert_has, command, said};
use crate::random::predict;

/// Quantile of the normal distribution. Larger deviations have a probability of 0.1 %.
const Z: f64 = 3.29;

/// Returns a task that takes 10 s and reads 100 bytes, and a task that follows it.
fn workflow(failure_probability: f64, retries: u32) -> Workflow {
    let mut draft = Draft::new("w");
    let task = Task {
        failure_probability,
        retries,
        ..Task::new(TaskCost::Seconds(10.0))
    };
    let task = draft.task("risky", task);
    let file = draft.input("data", 100);
    draft.reads(task, file);
    let after = draft.task("after", Task::new(TaskCost::Seconds(0.0)));
    draft.waits(after, task);
    draft.finish().expect("it is right")
}

fn machine() -> WorkflowMachine {
    WorkflowMachine::new(vec![Group::new("h", 1, 1)]).expect("it is right")
}

fn run(
    workflow: &Workflow,
    seed: u64,
    scheduler: &str,
) -> Result<WorkflowPrediction, NotPredicted> {
    let mut machine = machine();
    machine.seed = seed;
    let mut scheduler = by_name(scheduler).expect("it is there");
    simulate(workflow, &machine, &mut *scheduler)
}

fn count(number: u64) -> f64 {
    f64::from(u32::try_from(number).expect("it is small"))
}

#[test]
fn failed_attempts_are_geometric_and_take_half_of_the_time() {
    let p = 0.3;
    let workflow = workflow(p, 1_000);
    let (mut failed, mut makespans) = (Tally::default(), Tally::default());
    for seed in 0..20_000 {
        let prediction = run(&workflow, seed, "fcfs").expect("it is tried again");
        failed.record(count(prediction.all_failed_attempts()));
        makespans.record(prediction.makespan_s());
    }
    // Failures before the first success: p / (1 - p), with variance p / (1 - p)^2.
    let mean = p / (1.0 - p);
    let variance = mean / (1.0 - p);
    let all = count(failed.count());
    let error = Z * (variance / all).sqrt();
    assert!((failed.mean() - mean).abs() < error, "{}", failed.mean());
    // Each failure takes a uniformly distributed part U of 10 s. The variance is E F Var U + Var F
    // (E U)^2.
    let expected = 10.0 + 5.0 * mean;
    let variance = 100.0 * (mean / 12.0 + variance / 4.0);
    let error = Z * (variance / all).sqrt();
    let found = makespans.mean();
    assert!((found - expected).abs() < error, "{found} {expected}");
    assert!(error < 0.12, "{error}");
}

#[test]
fn a_workflow_fails_as_often_as_all_attempts_fail() {
    let workflow = workflow(0.5, 2);
    let failures = (0..20_000).filter(|it| run(&workflow, *it, "fcfs").is_err());
    let share = count(failures.count() as u64) / 20_000.0;
    let expected: f64 = 0.125;
    let error = Z * (expected * (1.0 - expected) / 20_000.0).sqrt();
    assert!((share - expected).abs() < error, "{share}");
}

#[test]
fn schedulers_meet_the_same_failures() {
    let workflow = workflow(0.6, 1_000);
    for seed in 1..20 {
        let [fcfs, heft] = ["fcfs", "heft"].map(|it| run(&workflow, seed, it).expect("it runs"));
        assert_eq!(
            fcfs.failed_attempts(TaskId(0)),
            heft.failed_attempts(TaskId(0))
        );
        assert_eq!(fcfs.makespan_s(), heft.makespan_s());
    }
}

#[test]
fn each_attempt_reads_the_inputs() {
    let workflow = workflow(0.6, 1_000);
    let mut machine = machine();
    machine.shared[0] = Some(SharedStorage {
        read_bytes_per_s: 100.0,
        write_bytes_per_s: 100.0,
    });
    for seed in 1..20 {
        machine.seed = seed;
        let prediction = predict(&workflow, &machine, "fcfs");
        let attempts = 1.0 + f64::from(prediction.failed_attempts(TaskId(0)));
        assert_eq!(prediction.moved_bytes(), 100.0 * attempts);
        assert!(prediction.makespan_s() >= 10.0 + attempts);
    }
}

#[test]
fn what_always_fails_ends_the_workflow() {
    let failed = run(&workflow(1.0, 2), 1, "fcfs").expect_err("it fails");
    let NotPredicted::Failed(failure) = &failed else {
        panic!("{failed}");
    };
    assert_eq!((&*failure.task, failure.attempts), ("risky", 3));
    assert!(failure.at_s > 0.0 && failure.at_s < 30.0);
    let text = failed.to_string();
    assert_has(&text, "all 3 attempts of task `risky` fail");
    assert_has(&text, "help: Add `retries` to the task");
}

#[test]
fn wrong_numbers_are_refused() {
    for (probability, retries, expected) in [
        (1.5, 0, "task `risky`: the failure probability is 1.5"),
        (f64::NAN, 0, "task `risky`: the failure probability is NaN"),
        (
            0.5,
            1_001,
            "task `risky`: the task has 1001 retries, more than 1000",
        ),
    ] {
        let mut draft = Draft::new("w");
        let task = Task {
            failure_probability: probability,
            retries,
            ..Task::new(TaskCost::Seconds(10.0))
        };
        draft.task("risky", task);
        let problems = draft.finish().expect_err("it is wrong");
        let text = problems[0].to_string();
        assert!(text.starts_with(expected), "{text}");
    }
}

/// Returns a folder with a drawing of a single task.
fn home(body: &str) -> Home {
    let home = command();
    let start = "@startuml\ntitle <<workflow>> Main\nstart\n:<<task>> risky\n";
    home.write("w.puml", format!("{start}{body};\nstop\n@enduml\n"));
    home
}

#[test]
fn results_tell_how_often_a_workflow_fails() {
    let home = home("cost = 10\nfailure_probability = 0.5\nretries = 1");
    let words = "w.puml --hosts 1 --replications 400";
    let text = said(&home, words);
    assert_has(&text, "replications that succeed)");
    assert_has(&text, " of 400 replications (95% interval ");
    let json = home.json(&format!("{words} --format json"));
    let prediction = &json["prediction"];
    let [low, high] = [0, 1].map(|it| {
        let end = &prediction["failed_replications_interval"][it];
        end.as_f64().expect("it is a number")
    });
    assert!(low < 0.25 && high > 0.25, "{low} {high}");
    assert_eq!(prediction["replications"], 400);
    // A failed attempt takes a part of 10 s, and a share p / (1 + p) of the successful runs has
    // one.
    let makespan_s = prediction["makespan_s"].as_f64().expect("it is a number");
    let half_s = prediction["makespan_half_width_s"].as_f64();
    let error_s = (makespan_s - (10.0 + 5.0 / 3.0)).abs();
    assert!(
        error_s < 1.7 * half_s.expect("it is a number"),
        "{makespan_s}"
    );
}

#[test]
fn random_costs_differ_between_replications() {
    let home = home("cost = uniform(5, 15)");
    let json = home.json("w.puml --hosts 1 --replications 200 --format json");
    let prediction = &json["prediction"];
    let [mean, half] = ["makespan_s", "makespan_half_width_s"]
        .map(|it| prediction[it].as_f64().expect("it is a number"));
    assert!((mean - 10.0).abs() < 1.7 * half, "{mean}");
    // The deviation is 10 / sqrt(12).
    assert!((0.35..0.45).contains(&half), "{half}");
}
