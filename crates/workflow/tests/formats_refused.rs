//! Tests that invalid workflows of other tools are rejected, with reasons.

use std::fmt::Write as _;

use prophet_testing::assert_cases;

use crate::formats::{data, problems};

#[test]
fn what_is_wrong_with_files_of_other_tools_is_told() {
    let unescaped = |text: &str| {
        let text = text.replace("\\n", "\n").replace("\\t", "\t");
        text.replace("\\e", "\u{1b}")
    };
    assert_cases("tests/cases/formats.txt", |case| {
        let (file, _) = case.title.split_once(": ").expect("a title has a file");
        let with: &[&str] = match file {
            "trace.txt" => &["dag.dot"],
            "dag.dot" => &["trace.txt"],
            "align.cwl" => &["align-inputs.yml", "align-times.csv"],
            _ => &[],
        };
        let texts: Vec<String> = with.iter().map(|it| data(it)).collect();
        let others: Vec<_> = (with.iter().copied())
            .zip(texts.iter().map(|it| &**it))
            .collect();
        let (old, new) = case.input.split_once('\n').expect("two lines");
        let (text, old) = (data(file), unescaped(old));
        assert!(text.contains(&old), "{old}");
        let found = problems(file, &text.replace(&old, &unescaped(new)), &others);
        found.join("\n")
    });
}

#[test]
fn what_is_wrong_with_other_texts_is_told() {
    assert_cases("tests/cases/texts.txt", |case| {
        let (files, _) = case.title.split_once(": ").expect("a title has files");
        let input = format!("{}\n", case.input);
        match files.split_once(" + ") {
            Some((file, with)) => problems(file, &data(file), &[(with, &input)]),
            None if case.input.is_empty() => problems(files, &data(files), &[]),
            None => problems(files, &input, &[]),
        }
        .join("\n")
    });
}

#[track_caller]
fn assert_problem(name: &str, text: &str, with: &[(&str, &str)], expected: &str) {
    assert_eq!(problems(name, text, with), [expected]);
}

#[test]
fn what_is_nested_is_bounded() {
    let deep = format!("<adag>{}", "<a>".repeat(100));
    let expected = "deep.dax:1: elements are nested more than 64 deep";
    assert_problem("deep.dax", &deep, &[], expected);
    let mut bomb = "pegasus: 5\na0: &a0 [x]\n".to_owned();
    let mut long = bomb.clone();
    for (before, it) in (0..100).zip(1..) {
        writeln!(long, "a{it}: &a{it} [*a{before}]").expect("it is text");
        writeln!(bomb, "a{it}: &a{it} [*a{before}, *a{before}, *a{before}]").expect("it is text");
    }
    let expected = "b.yml:14: the file has more than 4000000 values, including its aliases";
    assert_problem("b.yml", &bomb, &[], expected);
    let deep = format!("pegasus: {}", "[".repeat(100));
    for (text, line) in [(deep, 1), (long, 64)] {
        let expected = format!("b.yml:{line}: values are nested more than 64 deep");
        assert_problem("b.yml", &text, &[], &expected);
    }
    let deep = data("dag.dot").replace("v2 -> v3;", &"{".repeat(100));
    let expected = "dag.dot:11: parts are nested more than 64 deep";
    assert_problem(
        "dag.dot",
        &deep,
        &[("trace.txt", &data("trace.txt"))],
        expected,
    );
}

#[test]
fn a_cycle_of_processes_without_times_is_one_of_tasks() {
    let cycle = data("dag.dot").replace("v2 -> v3;", "v2 -> v3; v3 -> v2;");
    let untimed = "name\tstatus\trealtime\nQC:FASTQC\tCOMPLETED\t1s\nTRIM\tCOMPLETED\t1s\n\
                   ALIGN\tCOMPLETED\t1s\nMULTIQC\tCOMPLETED\t1s\n";
    let expected = "task `ALIGN`: tasks wait for each other in a cycle: `ALIGN` → `TRIM`";
    assert_problem("trace.txt", untimed, &[("dag.dot", &cycle)], expected);
}

#[test]
fn a_small_file_of_cwl_cannot_ask_for_all_memory() {
    let cross = include_str!("data/cross.cwl");
    let inputs = format!("a: [{}]\n", "1,".repeat(1000));
    let with = [("in.yml", &*inputs)];
    let expected = "cross.cwl:7: the workflow has more than 1000000 tasks";
    assert_problem("cross.cwl", cross, &with, expected);
    let long = format!(
        r#"{{"cwlVersion": "v1.2", "class": "Workflow", "inputs": {{"a": "File[]"}},
        "outputs": [], "steps": {{"{}": {{"run": {{"class": "CommandLineTool"}},
        "in": {{"x": "a"}}, "scatter": "x", "out": []}}}}}}"#,
        "s".repeat(100_000)
    );
    let expected = "long.cwl:2: the names of the tasks have more than 134217728 letters";
    assert_problem("long.cwl", &long, &with, expected);
    let wide = { cross.replace("[x, y, z]", "[x, y]") }
        .replace("flat_crossproduct", "dotproduct")
        .replace("y: a", "y: b")
        .replace("{a: 'File[]'}", "{a: 'File[]', b: {default: [1]}}");
    let expected = "dot.cwl:7: the step `s` scatters over arrays of different lengths";
    assert_problem("dot.cwl", &wide, &with, expected);
}

#[test]
fn another_workflow_does_not_complete_one() {
    let dax = data("diamond.dax");
    let expected = "`b.dax` cannot complete a workflow of this format: it is a Pegasus workflow \
                    (DAX); use it with `run` or `sweep`";
    assert_problem("a.dax", &dax, &[("b.dax", &dax)], expected);
}
