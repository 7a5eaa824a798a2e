//! Findings of sweeps and refusals of goals, by the program itself.

use std::path::Path;

use prophet_testing::{assert_cases, transcript};

use crate::command::home;

#[test]
fn goals_are_met_or_refused() {
    assert_cases("tests/cases/goals.txt", |case| {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models");
        transcript(env!("CARGO_BIN_EXE_prophet-sweep"), &samples, case.input)
    });
}

/// Of 7,000 points, a search finds the least value with 200 evaluations.
#[test]
fn a_search_is_as_good_as_all_points() {
    let home = home();
    let least = |budget: u32| {
        home.json(&format!(
            "lapw0.uml --vary nodes=1..20 --vary nat=1..50 \
             --vary network.latency=1us,2us,4us..64us \
             --minimize 'predicted_time_s * nodes / nat' --subject-to 'predicted_time_s < 150' \
             --budget {budget} --json"
        ))
    };
    let (searched, all) = (least(200), least(7000));
    assert_eq!(
        (&searched["evaluated"], &all["evaluated"]),
        (&200.into(), &7000.into())
    );
    assert_eq!(searched["points"], 7000);
    let best = |found: &serde_json::Value| found["best"][0]["objectives"][0].clone();
    assert_eq!(best(&searched), best(&all));
}

#[test]
fn threads_change_no_byte() {
    let home = home();
    let words = "lapw0.uml --vary nodes=1,2,4..32 --vary cpus-per-node=1..40 \
                 --minimize 'predicted_time_s * nodes' --budget 40 --jobs";
    let [one, three] = [1, 3].map(|jobs| home.printed(&format!("{words} {jobs}")));
    assert_eq!(one, three);
}

#[test]
fn rows_of_the_points_go_to_a_file() {
    let home = home();
    home.printed("lapw0.uml --vary nodes=1,2,4..32 --minimize nodes --out rows.csv");
    let rows = home.read("rows.csv");
    assert_eq!(rows.lines().count(), 1 + 6);
    assert!(rows.starts_with("nodes,predicted_time_s,"));
}
