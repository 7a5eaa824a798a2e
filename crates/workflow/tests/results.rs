//! Tests results: schedules, CSV, replications, prices, what-if, traces and pages.

use expect_test::expect;
use prophet_testing::Browser;
use prophet_workflow::schedulers::{NAMES, Planned, by_name};
use prophet_workflow::{
    Draft, Task, TaskCost, Workflow, WorkflowMachine, schedule_file, simulate, what_if,
};
use serde_json::Value;

use crate::command::{assert_has, home, said};
use crate::published::{arabnejad, topcuoglu};
use crate::random;
use crate::wfformat::SMALL;

/// Returns the makespan with a scheduler, and with its schedule read from a file.
fn both_s(workflow: &Workflow, machine: &WorkflowMachine, name: &str) -> [f64; 2] {
    let prediction = random::predict(workflow, machine, name);
    let text = schedule_file::text(workflow, machine, &prediction, name);
    let plan = schedule_file::parse(&text, workflow, machine).expect("it is a schedule");
    let again = simulate(workflow, machine, &mut Planned::new(plan)).expect("it runs");
    for task in workflow.ids() {
        assert_eq!(again.run(task).host, prediction.run(task).host);
    }
    [prediction.makespan_s(), again.makespan_s()]
}

#[test]
fn a_plan_that_is_read_back_gives_the_same_makespan() {
    for (example, heft_s) in [(topcuoglu(), 80.0), (arabnejad(), 133.0)] {
        let (workflow, machine) = example;
        assert_eq!(both_s(&workflow, &machine, "heft"), [heft_s; 2]);
    }
    let mut random = random::Random(31);
    for number in 0..1_000 {
        let workflow = random::workflow(&mut random, 8, 3);
        let machine = random::machine(&mut random);
        let name = NAMES[number % NAMES.len()].0;
        let [first_s, again_s] = both_s(&workflow, &machine, name);
        // Backfilling makes reservations, but a schedule contains only their order.
        let is_exact = !matches!(name, "easy" | "conservative");
        assert!(
            !is_exact || first_s == again_s,
            "{name}: {first_s} {again_s}"
        );
    }
}

#[test]
fn a_schedule_is_written_and_followed() {
    let home = home();
    let first = said(
        &home,
        "two.json --hosts 2 --scheduler heft --save-schedule s.json",
    );
    expect![[r#"
        {
          "workflow": "two",
          "scheduler": "heft",
          "hosts": [
            {
              "host": "host-1",
              "tasks": [
                "a",
                "b"
              ]
            }
          ]
        }
    "#]]
    .assert_eq(&home.read("s.json"));
    let again = said(&home, "two.json --hosts 2 --schedule s.json");
    assert_eq!(first.replace("scheduler heft", "scheduler schedule"), again);
}

#[test]
fn replications_have_an_interval_of_the_mean() {
    let home = home();
    let one_site = "name = \"m\"\nsource = \"made up\"\n\n[[site]]\nname = \"s\"\n\
                    wait = \"exponential:mean=100s\"\n\n[[hosts]]\nname = \"h\"\ncores = 4\n";
    home.write("m.toml", one_site);
    let result = home.json("two.json --machine m.toml --format json --replications 400");
    let number = |name: &str| result["prediction"][name].as_f64().expect("a number");
    // Two consecutive waits of 100 s on average, and 5 s of work.
    let (mean_s, half_s) = (number("makespan_s"), number("makespan_half_width_s"));
    assert!((mean_s - 205.0).abs() < 2.0 * half_s, "{mean_s} ± {half_s}");
    // The standard deviation of the sum is 100 s times the square root of 2.
    assert!(
        (half_s / (1.96 * 141.4 / 20.0) - 1.0).abs() < 0.2,
        "{half_s}"
    );
    let table = said(&home, "two.json --machine m.toml --replications 3");
    assert_has(&table, " (95% interval of the mean, 3 replications)\n");
}

/// Returns this thread's CPU time in seconds, which doesn't depend on other programs.
fn cpu_s() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = times
        .split(' ')
        .next()
        .and_then(|it| it.parse::<f64>().ok());
    first.unwrap_or(0.0) / 1e9
}

#[test]
fn asking_each_task_of_a_workflow_takes_time_in_proportion_to_the_tasks() {
    let mut draft = Draft::new("wide");
    for number in 0..100_000 {
        draft.task(&number.to_string(), Task::new(TaskCost::Seconds(1.0)));
    }
    let workflow = draft.finish().expect("it is right");
    let begin_s = cpu_s();
    // Each JSON row asks this about the workflow. Looking at every task would take minutes.
    assert!(workflow.ids().all(|_| !workflow.may_fail()));
    assert!(cpu_s() - begin_s < 2.0);
}

#[test]
fn a_trace_has_each_task_on_its_core() {
    let home = home();
    said(&home, "two.json --trace t.json");
    let text = home.read("t.json");
    expect![[r#"
        {"displayTimeUnit":"ms","otherData":{"predicted_time_s":5.0,"workflow":"two"},"traceEvents":[
        {"args":{"name":"m"},"name":"process_name","ph":"M","pid":0,"tid":0},
        {"args":{"cores":2,"ready_s":0.0},"cat":"t","dur":2000000.0,"name":"a","ph":"X","pid":0,"tid":0,"ts":0.0},
        {"args":{"cores":1,"ready_s":2.0},"cat":"t","dur":3000000.0,"name":"b","ph":"X","pid":0,"tid":0,"ts":2000000.0}
        ]}
    "#]].assert_eq(&text);
    let _: Value = serde_json::from_str(&text).expect("it is JSON");
}

#[test]
fn a_page_draws_each_task() {
    let home = home();
    let hostile = SMALL.replace("\"two\"", "\"</script><b>two\"");
    home.write("two.json", hostile);
    said(&home, "two.json --machine grid.toml --report r.html");
    let html = home.read("r.html");
    assert!(!html.contains("<b>two"), "names are no markup");
    let Some(browser) = Browser::start(&home.path("")) else {
        return;
    };
    browser.open(&home.path("r.html"));
    let count = |selector: &str| {
        browser.run(&format!(
            "return document.querySelectorAll(\"{selector}\").length"
        ))
    };
    // Two tasks, and another user's job on its two hosts.
    assert_eq!(count("section .gantt[role=img] rect"), 4);
    assert_eq!(count("#path tbody tr"), 2);
    assert_eq!(count("#sites tbody tr"), 2);
    assert_eq!(count("#hosts tbody tr"), 3);
    // Both have the same type.
    assert_eq!(count("#what-if tbody tr"), 1);
    let items = "return [...document.querySelectorAll('.answers li')].map((it) => it.textContent)";
    let answers: Vec<String> = serde_json::from_value(browser.run(items)).expect("they are texts");
    assert!(
        answers[0].starts_with("t takes 100.0\u{202f}%"),
        "{answers:?}"
    );
    assert!(
        answers[1].starts_with("Of 2\u{202f}tasks on the critical path"),
        "{answers:?}"
    );
    assert!(
        answers[2].starts_with("If t took half the time"),
        "{answers:?}"
    );
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn what_if_is_a_simulation_with_other_costs() {
    let (workflow, machine) = topcuoglu();
    let mut heft = || Ok(by_name("heft").expect("there is one"));
    let prediction = simulate(&workflow, &machine, &mut *heft().expect("it is there"));
    let prediction = prediction.expect("it runs");
    let mut with = |factor| {
        let found = what_if(&workflow, &machine, &prediction, factor, &mut heft);
        found.expect("it runs")
    };
    // All tasks have the type `T`, and their costs are in rows of a table.
    let [same, faster] = [with(1.0), with(0.5)];
    assert_eq!(
        (same.len(), &*same[0].task_type, same[0].tasks),
        (1, "T", 10)
    );
    assert_eq!(same[0].makespan_s, 80.0);
    assert!((40.0..80.0).contains(&faster[0].makespan_s), "{faster:?}");
}
