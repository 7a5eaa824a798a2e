//! Sweeps of workflows: the same predictions as `run`, as rows and on a page.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::costs::execution;

const DRAWING: &str = "@startuml\ntitle <<workflow>> Main\nlegend\n  parameter int PARTS = 2\n\
                       end legend\nstart\npartition \"<<paralleldo>> P\\niterations = PARTS\" {\n\
                       :<<task>> part\ncost = 12.0/PARTS;\n}\n:<<task>> last\ncost = 1;\nstop\n\
                       @enduml\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("it can be made");
    fs::write(folder.path().join("w.puml"), DRAWING).expect("it can be written");
    let recorded = execution(&[(100, 3.0), (200, 5.0), (300, 7.0)]);
    fs::write(folder.path().join("r.json"), recorded).expect("it can be written");
    folder
}

fn out(folder: &Path, words: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-workflow"));
    let command = command.current_dir(folder).args(words.split(' '));
    let output = command.output().expect("it can be started");
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).expect("it is text")
}

#[test]
fn points_are_predicted_as_run_does() {
    let folder = folder();
    let words = "sweep w.puml --drawn --vary hosts=1,2 --vary scheduler=fcfs,heft --vary PARTS=2,3";
    let rows = out(folder.path(), &format!("{words} -- --cores 1 --price 36"));
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
        let json: Value = serde_json::from_str(&out(folder.path(), &words)).expect("it is JSON");
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
    let folder = folder();
    let words = "sweep w.puml --drawn --vary hosts=1..4 --vary PARTS=1..8";
    let [one, many] = ["1", "4"].map(|it| out(folder.path(), &format!("{words} --jobs {it}")));
    assert_eq!(one.lines().count(), 33);
    assert_eq!(one, many);
}

#[test]
fn recorded_workflows_are_swept_into_all_forms() {
    let folder = folder();
    let words = "sweep r.json --vary hosts=1,2,3 --vary scheduler=fcfs,max-min";
    let flags = "--report page.html -- --cores 1";
    assert_eq!(
        out(
            folder.path(),
            &format!("{words} --out rows.parquet {flags}")
        ),
        ""
    );
    let parquet = fs::read(folder.path().join("rows.parquet")).expect("it is written");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let page = fs::read_to_string(folder.path().join("page.html")).expect("it is written");
    assert!(page.contains("<title>r.json: sweep</title>"));
    assert!(page.contains("makespan_s"));
    let lines = out(
        folder.path(),
        &format!("{words} --format jsonl -- --cores 1"),
    );
    let first: Value = serde_json::from_str(lines.lines().next().expect("a row")).expect("JSON");
    assert_eq!(first["scheduler"], "fcfs");
    assert!(first["makespan_s"].as_f64().expect("a number") >= 15.0);
}

#[test]
fn what_cannot_be_swept_is_told() {
    let folder = folder();
    for (words, expected) in [
        (
            "sweep w.puml --drawn --vary hosts=1 --vary partz=1",
            "error: there is no flag `--partz`; did you mean `parts`?",
        ),
        (
            "sweep w.puml --drawn --vary hosts=1 -- --report r.html",
            "error: a sweep takes no flag `--report` of its points: leave it out",
        ),
        (
            "sweep w.puml --drawn --vary hosts=1,x",
            "error: invalid value 'x' for '--hosts",
        ),
        (
            "sweep w.puml --drawn --vary scheduler=fcfs,hefty -- --hosts 1",
            "note: 1 points could not be predicted; the column `error` says why",
        ),
        (
            "sweep w.puml --drawn --vary scheduler=hefty -- --hosts 1",
            "error: no point could be predicted; the first: there is no scheduler `hefty`",
        ),
        (
            "sweep w.puml --drawn --vary hosts=1 --out w.puml",
            "error: --out is w.puml itself, which the sweep reads",
        ),
    ] {
        let told = out(folder.path(), words);
        assert!(told.contains(expected), "{words}: {told}");
    }
}
