//! Tests that sweeps of workflows predict the same as `run`, as rows and on a page.

use std::fs;

use prophet_testing::Home;
use serde_json::Value;

use crate::command::{assert_has, command, said};
use crate::costs::execution;
use crate::machine_file::{GRID, LOG};

const DRAWING: &str = "@startuml\ntitle <<workflow>> Main\nlegend\n  parameter int PARTS = 2\n\
                       end legend\nstart\npartition \"<<paralleldo>> P\\niterations = PARTS\" {\n\
                       :<<task>> part\ncost = 12.0/PARTS;\n}\n:<<task>> last\ncost = 1;\nstop\n\
                       @enduml\n";

fn home() -> Home {
    let home = command();
    home.write("w.puml", DRAWING);
    home.write("r.json", execution(&[(100, 3.0), (200, 5.0), (300, 7.0)]));
    home
}

#[test]
fn points_are_predicted_as_run_does() {
    let home = home();
    let words = "sweep w.puml --vary hosts=1,2 --vary scheduler=fcfs,heft --vary PARTS=2,3";
    let rows = said(&home, &format!("{words} -- --cores 1 --price 36"));
    let mut lines = rows.lines();
    assert_eq!(
        lines.next(),
        Some(
            "hosts,scheduler,PARTS,makespan_s,utilization,core_hours,held_core_hours,cost,\
             moved_bytes,cores,failed_replications,error"
        )
    );
    let rows: Vec<Vec<&str>> = lines.map(|it| it.split(',').collect()).collect();
    assert_eq!(rows.len(), 8);
    for row in &rows {
        let words = format!(
            "w.puml --hosts {} --scheduler {} --parts {} --cores 1 --price 36 \
             --format json",
            row[0], row[1], row[2]
        );
        let json = home.json(&words);
        let prediction = &json["prediction"];
        for (column, name) in [
            (3, "makespan_s"),
            (4, "utilization"),
            (5, "core_hours"),
            (7, "cost"),
        ] {
            let found: f64 = row[column].parse().expect("it is a number");
            assert_eq!(Some(found), prediction[name].as_f64(), "{row:?} {name}");
        }
    }
    // Two parts of 6 s on one host or on two hosts, and 1 s.
    assert_eq!((rows[0][3], rows[4][3]), ("13", "7"));
}

#[test]
fn rows_do_not_depend_on_threads() {
    let home = home();
    let words = "sweep w.puml --vary hosts=1..4 --vary PARTS=1..8";
    let [one, many] = ["1", "4"].map(|it| said(&home, &format!("{words} --jobs {it}")));
    assert_eq!(one.lines().count(), 33);
    assert_eq!(one, many);
}

#[test]
fn recorded_workflows_are_swept_into_all_forms() {
    let home = home();
    let words = "sweep r.json --vary hosts=1,2,3 --vary scheduler=fcfs,max-min";
    let flags = "--report page.html -- --cores 1";
    assert_eq!(
        said(&home, &format!("{words} --out rows.parquet {flags}")),
        ""
    );
    let parquet = fs::read(home.path("rows.parquet")).expect("it is written");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let page = home.read("page.html");
    assert!(page.contains("<title>r.json: sweep</title>"));
    assert!(page.contains("makespan_s"));
    let lines = said(&home, &format!("{words} --format jsonl -- --cores 1"));
    let first: Value = serde_json::from_str(lines.lines().next().expect("a row")).expect("JSON");
    assert_eq!(first["scheduler"], "fcfs");
    assert!(first["makespan_s"].as_f64().expect("a number") >= 15.0);
}

fn rows(text: &str) -> Vec<&str> {
    text.lines().skip(1).collect()
}

#[test]
fn points_are_a_sample() {
    let home = home();
    let text = said(
        &home,
        "sweep w.puml --vary hosts=1..8 --vary PARTS=1..64 --sample lhs:9",
    );
    assert_eq!(rows(&text).len(), 9, "{text}");
    let all = said(&home, "sweep w.puml --vary hosts=1..8 --vary PARTS=1..64");
    for row in rows(&text) {
        assert!(rows(&all).contains(&row), "{row}");
    }
}

#[test]
fn searches_find_what_all_points_have() {
    let home = home();
    let all = said(
        &home,
        "sweep w.puml --vary hosts=1..32 --vary PARTS=1..32 -- --price 1",
    );
    let best = rows(&all).into_iter().min_by(|left, right| {
        let cost = |row: &str| -> f64 {
            let cells: Vec<f64> = row
                .split(',')
                .take(5)
                .map(|it| it.parse().expect(row))
                .collect();
            cells[2] + 0.1 * cells[0]
        };
        cost(left).total_cmp(&cost(right))
    });
    let best: Vec<&str> = best.expect("there are rows").split(',').collect();
    let words = "sweep w.puml --vary hosts=1..32 --vary PARTS=1..32 --budget 200 --json";
    let flags = "--minimize makespan_s+0.1*hosts -- --price 1";
    let found = home.json(&format!("{words} {flags}"));
    let point = &found["best"][0];
    assert_eq!(point["values"]["hosts"].to_string(), best[0]);
    assert_eq!(
        point["results"]["makespan_s"].as_f64(),
        best[2].parse().ok()
    );
    assert!(found["evaluated"].as_u64() <= Some(200), "{found}");
    // An interval of integers is searched as such, and its rows are kept.
    let words = "sweep w.puml --vary hosts=1..32 --vary PARTS=2..3 --minimize makespan_s*hosts";
    let text = said(&home, &format!("{words} --out rows.csv"));
    assert!(
        text.starts_with("least makespan_s*hosts at hosts=1 PARTS=2"),
        "{text}"
    );
    assert!(rows(&home.read("rows.csv")).len() >= 10);
    let text = said(
        &home,
        "sweep r.json --vary hosts=1,2,3 --pareto makespan_s;cost -- --cores 1",
    );
    assert!(text.contains("hosts"), "{text}");
    let text = said(
        &home,
        "sweep w.puml --vary hosts=2..4 --vary speed=1,2 --sensitivity sobol",
    );
    assert_has(&text, "speed");
    assert_has(&text, "makespan_s");
}

#[test]
fn chunks_of_a_cluster_are_the_rows_of_one_machine() {
    let home = home();
    let part = DRAWING.replace("cost = 12.0/PARTS", "model = part.puml\nprocesses = 1");
    let priced = "@startuml\ntitle part\nstart\n:<<action+>> work\ncost = 3;\nstop\n@enduml\n";
    home.write("priced.puml", part);
    home.write("part.puml", priced);
    home.write("grid.toml", GRID);
    home.write("campus.swf", LOG);
    for (file, points, flags) in [
        (
            "w.puml",
            "--vary hosts=1..4 --vary PARTS=1..5",
            "-- --cores 1",
        ),
        ("r.json", "--vary machine=grid.toml --vary seed=1..4", ""),
        (
            "r.json",
            "--vary machine=grid.toml --vary scheduler=fcfs,heft,easy --seeds 3..5",
            "",
        ),
        ("priced.puml", "--vary hosts=1,2,3", ""),
    ] {
        let alone = said(&home, &format!("sweep {file} {points} {flags}"));
        assert!(!alone.contains("error: "), "{alone}");
        let plan = format!("sweep plan {file} {points} --chunks 3 --out a.plan {flags}");
        assert!(said(&home, &plan).starts_with("a.plan: "));
        for chunk in 1..=3 {
            let text = said(&home, &format!("sweep work a.plan --chunk {chunk}"));
            assert!(!text.contains("error"), "{text}");
        }
        assert_eq!(said(&home, "sweep merge a.plan"), alone, "{file}");
        fs::remove_dir_all(home.path("a.plan.chunks")).expect("it is there");
    }
}

#[test]
fn seeds_are_replications() {
    let home = home();
    let risky = "failure_probability = 0.5\nretries = 9;\n}\n:<<task>> last";
    home.write(
        "w.puml",
        DRAWING.replace(";\n}\n:<<task>> last", &format!("\n{risky}")),
    );
    let swept = said(&home, "sweep w.puml --vary hosts=1 --seeds 3..12");
    let flags = "--seed 3 --replications 10";
    assert_eq!(
        swept,
        said(&home, &format!("sweep w.puml --vary hosts=1 -- {flags}"))
    );
    let mean = home.json(&format!("w.puml --hosts 1 {flags} --format json"));
    let found = &mean["prediction"]["makespan_s"];
    assert!(
        rows(&swept)[0].starts_with(&format!("1,{found}")),
        "{swept} {mean}"
    );
    assert!(
        swept
            .lines()
            .next()
            .is_some_and(|it| it.contains("half_width_s,seeds")),
        "{swept}"
    );
}
