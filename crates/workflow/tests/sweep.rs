//! Sweeps of workflows: the same predictions as `run`, as rows and on a page.

use std::fs;

use prophet_testing::Home;
use serde_json::Value;

use crate::command::{command, said};
use crate::costs::execution;

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
    let words = "sweep w.puml --drawn --vary hosts=1,2 --vary scheduler=fcfs,heft --vary PARTS=2,3";
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
            "w.puml --drawn --hosts {} --scheduler {} --parts {} --cores 1 --price 36 \
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
    // Two parts of 6 s on one host and on two, and 1 s.
    assert_eq!((rows[0][3], rows[4][3]), ("13", "7"));
}

#[test]
fn rows_do_not_depend_on_threads() {
    let home = home();
    let words = "sweep w.puml --drawn --vary hosts=1..4 --vary PARTS=1..8";
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
