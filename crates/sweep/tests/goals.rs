//! Tests what the program itself finds for goals, and which goals it rejects.

use std::path::Path;

use prophet_testing::{assert_cases, in_gate, transcript};
use serde_json::json;

use crate::command::home;

#[test]
fn goals_are_met_or_refused() {
    assert_cases("tests/cases/goals.txt", |case| {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models");
        transcript(env!("CARGO_BIN_EXE_prophet-sweep"), &samples, case.input)
    });
}

/// Tests that a search finds the smallest value, without claiming that it is the smallest.
#[test]
fn a_search_is_as_good_as_all_points() {
    let home = home();
    let least = |budget: u32| {
        home.json(&format!(
            "lapw0.uml --vary nodes=1..20 --vary nat=1..20 \
             --minimize 'predicted_time_s * nodes / nat' --subject-to 'predicted_time_s < 150' \
             --budget {budget} --json"
        ))
    };
    let (searched, all) = (least(120), least(400));
    let told = |found: &serde_json::Value| ["evaluated", "proven"].map(|it| found[it].clone());
    assert_eq!(told(&searched), [json!(120), json!(false)]);
    assert_eq!(told(&all), [json!(400), json!(true)]);
    assert_eq!(searched["points"], 400);
    let best = |found: &serde_json::Value| found["best"][0]["objectives"][0].clone();
    assert_eq!(best(&searched), best(&all));
}

/// Tests that for Megatron layouts, bounds find the best of all points with few simulations.
#[test]
fn bounds_find_what_all_points_have() {
    let home = home();
    let machines = [
        "--machine b200 --sms 148 --gpu-gb 180 --nodes 16 --batch 256",
        "--machine a100 --nodes 4 --batch 64 --tariff tariff.toml",
        "--machine h100 --nodes 2 --cpus-per-node 4 --batch 24",
    ];
    home.write(
        "tariff.toml",
        "source = \"a contract\"\ncurrency = \"EUR\"\n\
         [[tariff]]\nfrom = \"2026-01-01\"\nnode-hour = 20\n",
    );
    let goals = [
        ("predicted_time_s", machines[0], 20),
        (
            "predicted_time_s --subject-to 'processes > 2'",
            machines[0],
            40,
        ),
        ("cost", machines[1], 20),
        ("'predicted_time_s * nodes + gpu_gb'", machines[2], 20),
    ];
    // The points of a goal take seconds, so outside the gate, only the goal that covers most is
    // tested.
    let goals = if in_gate() { &goals[..] } else { &goals[3..] };
    for &(goal, machine, most) in goals {
        let memory = if goal.contains("gpu_gb") {
            "--vary gpu-gb=30,50,80"
        } else {
            ""
        };
        let found = |how: &str| {
            home.json(&format!(
                "megatron.uml --vary processes=1,2,4..16 --vary tensor=1,2,4,8 \
                 --vary interleave=1,2,3 --vary micro-batch=1,2 \
                 --vary 'recompute=0,2,0,2 zero-bubble=0,0,1,2' \
                 --vary sequence-parallel=0,1 {memory} --minimize {goal} {how} --json -- {machine} \
                 --hidden 4096 --heads 32 --layers 48"
            ))
        };
        let (bounded, all) = (found("--bound bound=1"), found("--budget 100000"));
        assert_eq!(bounded["best"], all["best"], "{goal} on {machine}");
        let count = |found: &serde_json::Value, key: &str| found[key].as_u64().expect("a count");
        let simulated = count(&bounded, "evaluated") - count(&bounded, "failed");
        let possible = count(&all, "evaluated") - count(&all, "failed");
        assert!(
            simulated <= most && possible > 50,
            "{simulated} of {possible}: {goal}"
        );
    }
}

#[test]
fn threads_change_no_byte() {
    let home = home();
    for (words, flags) in [
        (
            "lapw0.uml --vary nodes=1,2,4..32 --vary cpus-per-node=1..40 \
             --minimize 'predicted_time_s * nodes' --budget 40",
            "",
        ),
        (
            "megatron.uml --vary processes=1..8 --vary tensor=1,2,4 \
             --minimize predicted_time_s --bound bound=1",
            "-- --machine a100 --heads 32",
        ),
    ] {
        let [one, three] =
            [1, 3].map(|jobs| home.printed(&format!("{words} --jobs {jobs} {flags}")));
        assert_eq!(one, three);
    }
}

#[test]
fn rows_of_the_points_go_to_a_file() {
    let home = home();
    home.printed("lapw0.uml --vary nodes=1,2,4..32 --minimize nodes --out rows.csv");
    let rows = home.read("rows.csv");
    assert_eq!(rows.lines().count(), 1 + 6);
    assert!(rows.starts_with("nodes,predicted_time_s,"));
}
