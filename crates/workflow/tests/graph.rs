//! Tests that workflows are checked when they are created.

use prophet_workflow::{Draft, Task, TaskCost};

fn second() -> Task {
    Task::new(TaskCost::Seconds(1.0))
}

fn problem(draft: Draft) -> String {
    let problems = draft.finish().expect_err("it is wrong");
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].to_string()
}

#[test]
fn a_cycle_is_named_task_by_task() {
    let mut draft = Draft::new("");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|it| draft.task(it, second()));
    for (task, parent) in [(b, a), (c, b), (b, c), (d, c)] {
        draft.waits(task, parent);
    }
    assert_eq!(
        problem(draft),
        "task `c`: tasks wait for each other in a cycle: `c` → `b`\n\
         help: Remove one of the dependencies in the cycle."
    );
    let mut draft = Draft::new("");
    let a = draft.task("a", second());
    let file = draft.file("f", 1);
    draft.writes(a, file);
    draft.reads(a, file);
    assert!(problem(draft).contains("in a cycle: `a`\n"));
}

#[test]
fn a_file_comes_from_one_task_or_is_an_input() {
    let mut draft = Draft::new("");
    let [a, b] = ["a", "b"].map(|it| draft.task(it, second()));
    let file = draft.file("f", 1);
    draft.reads(a, file);
    let nobody = draft.clone();
    assert_eq!(
        problem(nobody),
        "file `f`: no task writes the file, and it is not an input of the workflow\n\
         help: Let a task write the file, or make it an input."
    );
    draft.writes(a, file);
    draft.writes(b, file);
    assert!(problem(draft).starts_with("file `f`: tasks `a` and `b` both write the file\n"));
    let mut draft = Draft::new("");
    let a = draft.task("a", second());
    let given = draft.input("g", 1);
    draft.writes(a, given);
    assert!(problem(draft).contains("but it is an input of the workflow"));
}

#[test]
fn duplicate_and_hostile_ids_are_told_safely() {
    let mut draft = Draft::new("");
    draft.task("a\u{1b}[2J", second());
    draft.task("a\u{1b}[2J", second());
    assert_eq!(
        problem(draft),
        "task `a\\u{1b}[2J`: duplicate id: tasks 1 and 2\n\
         help: Choose a different id for each of them."
    );
}

#[test]
fn numbers_are_times_and_counts() {
    for cost in [-1.0, 1e13, f64::NAN, f64::INFINITY] {
        let mut draft = Draft::new("");
        draft.task("a", Task::new(TaskCost::Seconds(cost)));
        let expected = format!("task `a`: the cost is {cost:?}\nhelp: ");
        assert!(problem(draft).starts_with(&expected));
    }
    let mut draft = Draft::new("");
    let mut task = second();
    task.cores = 0;
    draft.task("a", task);
    assert!(problem(draft).contains("has no cores"));
    let mut draft = Draft::new("");
    let mut task = second();
    task.release_s = -1.0;
    draft.task("a", task);
    assert!(problem(draft).contains("the time of its submission is -1 s"));
}

#[test]
fn a_task_takes_at_most_300_bytes() {
    let mut draft = Draft::new("layers");
    let ids: Vec<_> = (0..10_000)
        .map(|it| draft.task(&format!("task_{it:08}"), second()))
        .collect();
    for (number, &task) in ids.iter().enumerate().skip(100) {
        for back in [100, 99, 98] {
            draft.waits(task, ids[number - back]);
        }
        let file = draft.file(&format!("file_{number:08}"), 1);
        draft.writes(task, file);
    }
    let workflow = draft.finish().expect("it is right");
    let bytes = workflow.memory_bytes() / workflow.len();
    assert!(bytes <= 250, "{bytes} bytes a task");
}
