//! Workflows of other tools that are refused, with the reasons.

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
fn what_is_wrong_with_pegasus_is_told() {
    let deep = format!("<adag>{}", "<a>".repeat(100));
    assert_eq!(
        problems("deep.dax", &deep, &[]),
        ["deep.dax:1: elements are nested more than 64 deep"]
    );
    assert_eq!(
        problems("a.dax", "<adag/>", &[]),
        ["the workflow has no task"]
    );
    let twice = "<adag><job id=\"a\" runtime=\"1\"/><job id=\"a\" runtime=\"1\"/></adag>";
    assert_eq!(problems("a.dax", twice, &[]), ["the id `a` is a duplicate"]);
    let mismatch = problems("a.dax", "<adag>\n<job id='a'></adag>", &[]);
    assert!(
        mismatch[0].starts_with("a.dax:2: the file is no well-formed XML: "),
        "{mismatch:?}"
    );
}

#[test]
fn documents_in_yaml_are_bounded() {
    let mut bomb = "pegasus: 5\na0: &a0 [x]\n".to_owned();
    let mut long = bomb.clone();
    for (before, it) in (0..100).zip(1..) {
        writeln!(long, "a{it}: &a{it} [*a{before}]").expect("it is text");
        writeln!(bomb, "a{it}: &a{it} [*a{before}, *a{before}, *a{before}]").expect("it is text");
    }
    assert_eq!(
        problems("b.yml", &bomb, &[]),
        ["b.yml:14: the file has more than 4000000 values, with its aliases"]
    );
    let deep = format!("pegasus: {}", "[".repeat(100));
    assert_eq!(
        problems("b.yml", &deep, &[]),
        ["b.yml:1: values are nested more than 64 deep"]
    );
    assert_eq!(
        problems("b.yml", &long, &[]),
        ["b.yml:64: values are nested more than 64 deep"]
    );
    assert_eq!(
        problems("b.yml", "pegasus: &a [*a]\n", &[]),
        ["b.yml:1: an alias stands for a value that it is a part of"]
    );
    assert_eq!(
        problems("b.yml", "pegasus: 5\n? [a]\n: b\n", &[]),
        ["b.yml:2: a key is a list or a map"]
    );
    let broken = problems("b.yml", "pegasus: 5\njobs: [\n", &[]);
    assert!(
        broken[0].starts_with("b.yml:3: the file is no YAML: "),
        "{broken:?}"
    );
}

#[test]
fn what_is_wrong_with_a_trace_is_told() {
    let text = data("trace.txt");
    assert_eq!(
        problems("trace.txt", &text, &[]),
        ["a trace does not have the dependencies of its tasks"]
    );
    let deep = data("dag.dot").replace("v2 -> v3;", &"{".repeat(100));
    assert_eq!(
        problems("dag.dot", &deep, &[("trace.txt", &text)]),
        ["dag.dot:11: parts are nested more than 64 deep"]
    );
    let cycle = data("dag.dot").replace("v2 -> v3;", "v2 -> v3; v3 -> v2;");
    // Without times to refute it, a cycle of processes is one of tasks.
    let untimed = "name\tstatus\trealtime\nQC:FASTQC\tCOMPLETED\t1s\nTRIM\tCOMPLETED\t1s\n\
                   ALIGN\tCOMPLETED\t1s\nMULTIQC\tCOMPLETED\t1s\n";
    assert_eq!(
        problems("trace.txt", untimed, &[("dag.dot", &cycle)]),
        ["task `ALIGN`: tasks wait for each other in a cycle: `ALIGN` → `TRIM`"]
    );
}

#[test]
fn what_is_wrong_with_snakemake_is_told() {
    let dag = data("jobs.dot");
    assert_eq!(
        problems("jobs.dot", &dag, &[]),
        [
            "no time is given for `map`",
            "no time is given for `merge`",
            "no time is given for `sort`"
        ]
    );
    let with = |name: &str, text: &str| problems("jobs.dot", &dag, &[(name, text)]);
    let head = "s\th:m:s\tmax_rss\n";
    assert_eq!(
        with("x.tsv", &format!("{head}1\t0:00:01\t1\n")),
        ["no rule of the DAG is in the name `x.tsv`"]
    );
    assert_eq!(
        with("map.tsv", &format!("{head}-1\t0:00:01\t1\n")),
        ["map.tsv:2: s is `-1`, no number of 0 or more"]
    );
    assert_eq!(
        with("stats.json", "{\"total_runtime\": 1}"),
        ["stats.json: it is no record of Snakemake: missing field `rules` at line 1 column 20"]
    );
    assert_eq!(
        with("m/eA==", r#"{"rule": "map", "starttime": 2, "endtime": 1}"#),
        ["m/eA==: the time is -1 s"]
    );
    assert_eq!(
        with("a.puml", "@startuml\n"),
        ["`a.puml` does not complete a workflow of this format"]
    );
    assert_eq!(
        with("t.csv", "task,seconds\nmap,1\nmap,2\n"),
        ["t.csv:3: the task `map` is a duplicate"]
    );
    assert_eq!(
        with("t.csv", "task,seconds\nmap,inf\n"),
        ["t.csv:2: seconds is `inf`, no number of 0 or more"]
    );
    assert_eq!(
        with("t.csv", "task,seconds,elements\nmap,1,-2\n"),
        ["t.csv:2: elements is `-2`, no whole number"]
    );
}

#[test]
fn a_small_file_of_cwl_cannot_ask_for_all_memory() {
    // A workflow that runs itself.
    let own = "cwlVersion: v1.2\n$graph:\n- class: Workflow\n  id: '#main'\n  inputs: []\n  \
               outputs: \
               []\n  steps:\n  - {id: a, run: '#main', in: [], out: []}\n  - {id: b, run: '#main', \
               in: [], out: []}\n";
    assert_eq!(
        problems("own.cwl", own, &[]),
        ["own.cwl:3: workflows are nested more than 16 deep"]
    );
    let cross = "cwlVersion: v1.2\nclass: Workflow\ninputs: {a: 'File[]'}\noutputs: []\n\
                 steps:\n  s:\n    run: {class: CommandLineTool}\n    in: {x: a, y: a, z: a}\n    \
                 scatter: [x, y, z]\n    \
                 scatterMethod: flat_crossproduct\n    out: []\n";
    let inputs = format!("a: [{}]\n", "1,".repeat(1000));
    assert_eq!(
        problems("cross.cwl", cross, &[("in.yml", &inputs)]),
        ["cross.cwl:7: the workflow has more than 1000000 tasks"]
    );
    let wide = cross
        .replace("[x, y, z]", "[x, y]")
        .replace("flat_crossproduct", "dotproduct")
        .replace("y: a", "y: b")
        .replace(
            "inputs: {a: 'File[]'}",
            "inputs: {a: 'File[]', b: {default: [1]}}",
        );
    assert_eq!(
        problems("dot.cwl", &wide, &[("in.yml", &inputs)]),
        ["dot.cwl:7: the step `s` scatters over arrays of different lengths"]
    );
}

#[test]
fn other_files_are_no_workflows() {
    assert_eq!(
        problems("a", "<html/>", &[]),
        ["the file is no workflow, or only a part of one"]
    );
    assert_eq!(
        problems("a.csv", "task,seconds\n", &[]),
        ["the file is no workflow, or only a part of one"]
    );
    let dax = data("diamond.dax");
    assert_eq!(
        problems("a.dax", &dax, &[("b.dax", &dax)]),
        ["`b.dax` does not complete a workflow of this format"]
    );
}
