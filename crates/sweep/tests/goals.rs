//! Findings of sweeps and refusals of goals, by the program itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use expect_test::{Expect, expect};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../sample-models")
        .join(name)
}

fn sweep(model: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_prophet-sweep"))
        .arg(sample(model))
        .args(arguments)
        .output()
        .expect("the program runs")
}

fn printed(model: &str, arguments: &[&str]) -> String {
    let output = sweep(model, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("it prints text")
}

fn shown(model: &str, arguments: &[&str], expected: &Expect) {
    expected.assert_eq(&printed(model, arguments));
}

fn refused(arguments: &[&str], expected: &Expect) {
    let output = sweep("lapw0.uml", arguments);
    assert!(!output.status.success() && output.stdout.is_empty());
    expected.assert_eq(&String::from_utf8_lossy(&output.stderr));
}

const NODES: [&str; 2] = ["--vary", "nodes=1,2,4..32"];

#[test]
fn the_least_value_under_a_constraint() {
    let least = [
        "--minimize",
        "predicted_time_s * nodes",
        "--subject-to",
        "predicted_time_s < 300",
    ];
    shown(
        "lapw0.uml",
        &[&NODES[..], &least].concat(),
        &expect![[r#"
        least predicted_time_s * nodes at nodes=4

        nodes  predicted_time_s * nodes  predicted time
            4               1005.712404       251.428 s
            8               1336.241618       167.030 s
           16               2097.784077       131.112 s
           32               3671.145917       114.723 s

        evaluated: all 6 points
    "#]],
    );
}

#[test]
fn the_points_that_no_other_beats() {
    let front = [
        "--vary",
        "cpus-per-node=1,4",
        "--pareto",
        "predicted_time_s; nodes",
    ];
    let met = ["--subject-to", "nodes > 1"];
    shown(
        "lapw0.uml",
        &[&NODES[..], &front, &met].concat(),
        &expect![[r#"
            3 of 12 points are beaten by no other in predicted_time_s and nodes

            nodes  cpus-per-node  predicted_time_s
                8              4         114.72331
                4              4        131.111505
                2              4        167.030202
        "#]],
    );
}

#[test]
fn what_matters_and_why_the_rest_does_not() {
    let others = [
        "--vary",
        "network.latency=1us,10us",
        "--vary",
        "sockets=1,2",
    ];
    let of = ["--sensitivity", "sobol", "--", "--nat", "32"];
    shown(
        "lapw0.uml",
        &[&NODES[..], &others, &of].concat(),
        &expect![[r#"
            shares of the variance of predicted_time_s, from all 24 points

            parameter        in all  95 %  alone
            nodes             1.000        1.000
            network.latency   0.000        0.000
            sockets           0.000        0.000

            network.latency did not matter: the model gives costs of its own to all messages and collective operations that a process waits for

            sockets did not matter: each node has a CPU for each of its processes and threads
        "#]],
    );
    let of = ["--sensitivity", "morris", "--budget", "40"];
    shown(
        "lapw0.uml",
        &[&NODES[..], &others, &of].concat(),
        &expect![[r#"
            elementary effects of predicted_time_s, from 20 points

            parameter                mu*  95 %                           sigma
            nodes            1068.162744  565.583159 to 1570.74233  710.754866
            network.latency            0  0 to 0                             0
            sockets                    0  0 to 0                             0

            network.latency did not matter: the model gives costs of its own to all messages and collective operations that a process waits for

            sockets did not matter: each node has a CPU for each of its processes and threads
        "#]],
    );
    let alone = [
        "--vary",
        "network.latency=1us,10us",
        "--sensitivity",
        "sobol",
    ];
    shown(
        "pingpong.uml",
        &alone,
        &expect![[r#"
        shares of the variance of predicted_time_s, from all 2 points

        parameter        in all  95 %  alone
        network.latency   0.000        0.000

        network.latency did not matter: there is one process, which sends no message
    "#]],
    );
}

/// Of 7,000 points, a search finds the least value with 200 evaluations.
#[test]
fn a_search_is_as_good_as_all_points() {
    let least = |budget: &str| -> serde_json::Value {
        let (atoms, price) = ("nat=1..50", "predicted_time_s * nodes / nat");
        let latencies = "network.latency=1us,2us,4us..64us";
        let axes = [
            "--vary",
            "nodes=1..20",
            "--vary",
            atoms,
            "--vary",
            latencies,
        ];
        let goal = [
            "--minimize",
            price,
            "--subject-to",
            "predicted_time_s < 150",
        ];
        let budget = ["--budget", budget, "--json"];
        let printed = printed("lapw0.uml", &[&axes[..], &goal, &budget].concat());
        serde_json::from_str(&printed).expect("it is JSON")
    };
    let (searched, all) = (least("200"), least("7000"));
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
    let arguments = [
        "--vary",
        "cpus-per-node=1..40",
        "--minimize",
        "predicted_time_s * nodes",
    ];
    let one = [&NODES[..], &arguments, &["--budget", "40", "--jobs", "1"]].concat();
    let three = [&NODES[..], &arguments, &["--budget", "40", "--jobs", "3"]].concat();
    assert_eq!(printed("lapw0.uml", &one), printed("lapw0.uml", &three));
}

#[test]
fn rows_of_the_points_go_to_a_file() {
    let folder = tempfile::tempdir().expect("there is a folder for files");
    let file = folder.path().join("rows.csv");
    let out = [
        "--minimize",
        "nodes",
        "--out",
        file.to_str().expect("it is text"),
    ];
    printed("lapw0.uml", &[&NODES[..], &out].concat());
    let rows = std::fs::read_to_string(&file).expect("it was written");
    assert_eq!(rows.lines().count(), 1 + 6);
    assert!(rows.starts_with("nodes,predicted_time_s,"));
}

#[test]
fn points_that_fail_are_told() {
    let output = sweep(
        "lapw0.uml",
        &[
            "--vary",
            "mapping=block,9",
            "--minimize",
            "predicted_time_s",
        ],
    );
    assert!(output.status.success());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.starts_with("note: 1 of 2 points could not be predicted; the first:"),
        "{told}"
    );
    refused(
        &["--vary", "mapping=8,9", "--minimize", "predicted_time_s"],
        &expect![[r#"
            error: none of the 2 points could be predicted; the first says: invalid value '8' for '--mapping': the mapping puts process 0 on node 8, but the last node is 0
        "#]],
    );
    refused(
        &["--vary", "mapping=8,9", "--sensitivity", "sobol"],
        &expect![[r#"
            error: none of the 2 points could be predicted; the first says: invalid value '8' for '--mapping': the mapping puts process 0 on node 8, but the last node is 0
        "#]],
    );
    refused(
        &[
            "--vary",
            "mapping=8,9",
            "--pareto",
            "predicted_time_s; nodes",
        ],
        &expect![[r#"
            error: none of the 2 points could be predicted; the first says: invalid value '8' for '--mapping': the mapping puts process 0 on node 8, but the last node is 0
        "#]],
    );
}

/// Refusals of goals, with the nodes that vary.
fn told_of(goals: &[&[&str]], expected: &Expect) {
    let told = goals.iter().map(|goal| {
        let output = sweep("lapw0.uml", &[&NODES[..], goal].concat());
        assert!(!output.status.success() && output.stdout.is_empty());
        String::from_utf8_lossy(&output.stderr).into_owned()
    });
    expected.assert_eq(&told.collect::<String>());
}

#[test]
fn objectives_of_nothing_are_refused() {
    let goals: [&[&str]; 6] = [
        &["--minimize", "1 + 2"],
        &["--minimize", "nodse * 2"],
        &["--minimize", "sqrt(-nodes)"],
        &["--sensitivity", "sobol", "--of", "sqrt(-nodes)"],
        &["--pareto", "sqrt(-nodes); nodes"],
        &["--pareto", "nodes"],
    ];
    told_of(
        &goals,
        &expect![[r#"
        error: --minimize: `1 + 2` names no result and no parameter, so that it is the same everywhere
        error: --minimize: `nodse` is no result and no parameter of this sweep; did you mean `nodes`?
          nodse * 2
          ^^^^^
        error: `sqrt(-nodes)` or a constraint is not a number at any point
        error: `sqrt(-nodes)` is not a number at any point
        error: the objectives are not numbers at any point
        error: --pareto needs two or more expressions, as in `predicted_time_s; nodes`
    "#]],
    );
}

#[test]
fn constraints_that_never_hold_are_told() {
    const FAR: [&str; 2] = ["--subject-to", "nodes > 99"];
    let goals: [&[&str]; 4] = [
        &["--minimize", "nodes", "--subject-to", "nodes"],
        &["--minimize", "nodes", "--subject-to", "1 > 2"],
        &[
            "--minimize",
            "nodes",
            FAR[0],
            FAR[1],
            "--subject-to",
            "nodes > 3",
        ],
        &["--pareto", "nodes; messages", FAR[0], FAR[1]],
    ];
    told_of(
        &goals,
        &expect![[r#"
        error: --subject-to: this is a number; a constraint is a comparison, such as `predicted_time_s < 120`
          nodes
          ^^^^^
        error: --subject-to: `1 > 2` names no result and no parameter, so that it holds everywhere or nowhere
        error: no point meets the constraints, of 6 that were evaluated:
          `nodes > 99` holds at none
          `nodes > 3` holds at 4
        The closest is nodes=32, with a predicted time of 114.723 s
        error: none of 6 points meets the constraints
    "#]],
    );
}

#[test]
fn points_that_cannot_be_chosen_are_refused() {
    let goals: [&[&str]; 3] = [
        &["--minimize", "nodes", "--sample", "sobol:4"],
        &["--sensitivity", "morris", "--budget", "3"],
        &["--minimize", "nodes", "--format", "csv"],
    ];
    told_of(
        &goals,
        &expect![[r#"
        error: --minimize chooses its points itself: leave out --sample
        error: --budget must be 4 or more: with 1 axis, each round takes 2 points
        error: --format is the format of rows in a file: give --out FILE, too
    "#]],
    );
    refused(
        &["--minimize", "nodes"],
        &expect![[r#"
        error: --minimize needs something that varies: --vary NAME=VALUES
    "#]],
    );
    let model = sample("lapw0.uml");
    let itself = [
        "--minimize",
        "nodes",
        "--out",
        model.to_str().expect("it is text"),
    ];
    let output = sweep("lapw0.uml", &[&NODES[..], &itself].concat());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.starts_with("error: --out is ") && told.ends_with(" itself, which the sweep reads\n"),
        "{told}"
    );
}
