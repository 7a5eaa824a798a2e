//! Workflows of other tools that are refused, with the reasons.

use std::fmt::Write as _;

use crate::formats::{data, problems};

/// Changes, and what is reported of them.
const DAX: &[(&str, &str, &str)] = &[
    (
        "runtime=\"40\"",
        "runtime=\"-4\"",
        "diamond.dax, line 17: the time is `-4`, no number of 0 s or more",
    ),
    (
        ">20<",
        ">NaN<",
        "diamond.dax, line 12: the time is `NaN`, no number of 0 s or more",
    ),
    (
        ">2<",
        ">0<",
        "diamond.dax, line 13: the number of cores is `0`",
    ),
    (
        ">500<",
        ">lots<",
        "diamond.dax, line 14: the memory is `lots`",
    ),
    (
        "size=\"3000000\"",
        "size=\"-1\"",
        "diamond.dax, line 5: the size is `-1`, no number of 0 or more",
    ),
    (
        "<job id=\"ID4\"",
        "<job",
        "diamond.dax, line 20: `job` lacks the attribute `id`",
    ),
    (
        "id=\"ID3\"",
        "id=\"ID2\"",
        "diamond.dax, line 21: the job `ID3` is missing",
    ),
    (
        "<parent ref=\"ID2\"/>",
        "<parent ref=\"q&#27;\"/>",
        "diamond.dax, line 21: the job `q\\u{1b}` is missing",
    ),
    (
        "<job id=\"ID4\" name=\"merge\" runtime=\"5\"/>",
        "<dax id=\"ID4\"/>",
        "diamond.dax, line 20: a job is a workflow of its own, in another file",
    ),
    (
        "</adag>",
        "",
        "diamond.dax, line 23: the file ends inside of an element",
    ),
    (
        "-i <file",
        "&lol; <file",
        "diamond.dax, line 11: the entity `lol` is not expanded",
    ),
    (
        "name=\"all.dat\" ",
        "",
        "diamond.dax, line 5: `uses` lacks the attribute `name`",
    ),
    ("runtime=\"40\"", "", "no time is given for `sort`"),
    (
        "<child ref=\"ID4\"><parent ref=\"ID2\"/>",
        "<child ref=\"ID1\"><parent ref=\"ID3\"/>",
        "task `ID3`: tasks wait for each other in a cycle: `ID3` → `ID1`",
    ),
    (
        "link=\"input\" size=\"1000000\"",
        "link=\"output\"",
        "file `left.dat`: tasks `ID1` and `ID2` both write the file",
    ),
];

/// Changes, and what is reported of them.
const YAML: &[(&str, &str, &str)] = &[
    (
        "runtime: 40",
        "runtime: -4",
        "diamond.yml, line 30: the time is `-4`, no number of 0 s or more",
    ),
    (
        "cores: 2",
        "cores: two",
        "diamond.yml, line 25: the number of cores is `two`",
    ),
    (
        "memory: 500",
        "memory: x",
        "diamond.yml, line 25: the memory is `x`",
    ),
    (
        "size: 1000000",
        "size: big",
        "diamond.yml, line 16: the size is `big`, no number of 0 or more",
    ),
    (
        "children: [ID4]\n  - id: ID3",
        "children: [ID5]\n  - id: ID3",
        "diamond.yml, line 37: the job `ID5` is missing",
    ),
    (
        "- lfn: all.dat\n",
        "- lfn: all.dat\n      lfn: b\n",
        "diamond.yml, line 7: the key `lfn` is a duplicate",
    ),
    (
        "type: job\n    name: merge",
        "type: pegasusWorkflow\n    name: merge",
        "diamond.yml, line 31: a job is a workflow of its own, of type `pegasusWorkflow`",
    ),
    (
        "    id: ID4\n",
        "",
        "diamond.yml, line 31: the job lacks an `id`",
    ),
    (
        "{lfn: all.dat, type: input}",
        "{type: input}",
        "diamond.yml, line 15: the use lacks an `lfn`",
    ),
];

/// Changes, and what is reported of them.
const TRACE: &[(&str, &str, &str)] = &[
    (
        "\t1m 5s\t",
        "\t1 minute\t",
        "trace.txt, line 2: `realtime` is `1 minute`, which is not understood",
    ),
    (
        "\t41s\t",
        "\t-41s\t",
        "trace.txt, line 3: `realtime` is `-41s`, which is not understood",
    ),
    (
        "\t16 GB\t9.8 GB",
        "\t16 cows\t9.8 GB",
        "trace.txt, line 7: `memory` is `16 cows`, which is not understood",
    ),
    (
        "\tMULTIQC\t",
        "\tREPORT\t",
        "dag.dot: the process `REPORT` of the trace is missing",
    ),
    (
        "98.5%\t1\t",
        "98.5%\t0\t",
        "trace.txt, line 9: `cpus` is `0`, which is not understood",
    ),
    (
        "\t3.1 MB\n",
        "\n",
        "trace.txt, line 9: the line has 16 cells, the heading 17",
    ),
    (
        "\tMULTIQC\t",
        "\tTRIM\u{1b} (x\t",
        "dag.dot: the process `TRIM\\u{1b} (x` of the trace is missing",
    ),
];

/// Changes, and what is reported of them.
const DAG: &[(&str, &str, &str)] = &[
    ("\n}\n", "\n", "dag.dot, line 26: the graph has no end"),
    (
        "[label=\"TRIM\"]",
        "[label=<<b>TRIM</b>>]",
        "dag.dot, line 7: labels in HTML are not supported",
    ),
    (
        "\"MULTIQC\"",
        "\"MULTIQC",
        "dag.dot, line 20: a text has no end",
    ),
    (
        "v2 -> v3;",
        "-> v3;",
        "dag.dot, line 11: an arrow begins nowhere",
    ),
    (
        "v2 -> v3;",
        "v2 -> v3 + 1;",
        "dag.dot, line 11: `+` is not expected here",
    ),
    ("v2 -> v3;", "}}", "dag.dot, line 11: a `}` has no `{`"),
    (
        "v6 -> v7;\n\n}\n",
        "v6 -> v7 [label=a",
        "dag.dot, line 24: attributes have no end",
    ),
];

/// Changes, and what is reported of them.
const CWL: &[(&str, &str, &str)] = &[
    (
        "scatter: reads",
        "scatter: index",
        "align.cwl, line 18: the step `sample` scatters over `index`, whose length is unknown",
    ),
    (
        "scatter: reads",
        "scatter: read",
        "align.cwl, line 18: the step `sample` scatters over `read`, which is no input of it",
    ),
    (
        "scatter: reads",
        "scatter: [reads]\n    scatterMethod: cross",
        "align.cwl, line 18: the scatter method `cross` is unknown",
    ),
    (
        "index/index\n",
        "idx/index\n",
        "align.cwl, line 18: the source `idx/index` is missing",
    ),
    (
        "index/index\n",
        "index/idx\n",
        "align.cwl, line 18: the source `index/idx` is missing",
    ),
    (
        "{reference: reference}",
        "{reference: report/page}",
        "align.cwl, line 2: steps wait for each other in a cycle: `index`, `sample`, `report`",
    ),
    (
        "run: {class: CommandLineTool, inputs: {}, outputs: {}}\n    in: {bams",
        "run: report.cwl\n    in: {bams",
        "align.cwl, line 42: `run` of the step `report` is `report.cwl`",
    ),
    (
        "class: Workflow\nrequirements",
        "class: CommandLineTool\nrequirements",
        "align.cwl, line 2: the file has no workflow: it is `CommandLineTool`",
    ),
    ("{seconds: 30}", "{}", "no time is given for `index`"),
];

/// Checks that a file of `tests/data` with a change has this problem.
fn check(file: &str, with: &[&str], changes: &[(&str, &str, &str)]) {
    let text = data(file);
    let texts: Vec<String> = with.iter().map(|it| data(it)).collect();
    let others = || (with.iter().copied()).zip(texts.iter().map(|it| &**it));
    for (old, new, expected) in changes {
        assert!(text.contains(old), "{old}");
        let found = problems(file, &text.replace(old, new), &others().collect::<Vec<_>>());
        assert_eq!(found, [*expected]);
    }
}

#[test]
fn what_is_wrong_with_pegasus_is_told() {
    check("diamond.dax", &[], DAX);
    check("diamond.yml", &[], YAML);
    let deep = format!("<adag>{}", "<a>".repeat(100));
    assert_eq!(
        problems("deep.dax", &deep, &[]),
        ["deep.dax, line 1: elements are nested more than 64 deep"]
    );
    assert_eq!(
        problems("a.dax", "<adag/>", &[]),
        ["the workflow has no task"]
    );
    let twice = "<adag><job id=\"a\" runtime=\"1\"/><job id=\"a\" runtime=\"1\"/></adag>";
    assert_eq!(problems("a.dax", twice, &[]), ["the id `a` is a duplicate"]);
    let mismatch = problems("a.dax", "<adag>\n<job id='a'></adag>", &[]);
    assert!(
        mismatch[0].starts_with("a.dax, line 2: the file is no well-formed XML: "),
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
        ["b.yml, line 14: the file has more than 4000000 values, with its aliases"]
    );
    let deep = format!("pegasus: {}", "[".repeat(100));
    assert_eq!(
        problems("b.yml", &deep, &[]),
        ["b.yml, line 1: values are nested more than 64 deep"]
    );
    assert_eq!(
        problems("b.yml", &long, &[]),
        ["b.yml, line 64: values are nested more than 64 deep"]
    );
    assert_eq!(
        problems("b.yml", "pegasus: &a [*a]\n", &[]),
        ["b.yml, line 1: an alias stands for a value that it is a part of"]
    );
    assert_eq!(
        problems("b.yml", "pegasus: 5\n? [a]\n: b\n", &[]),
        ["b.yml, line 2: a key is a list or a map"]
    );
    let broken = problems("b.yml", "pegasus: 5\njobs: [\n", &[]);
    assert!(
        broken[0].starts_with("b.yml, line 3: the file is no YAML: "),
        "{broken:?}"
    );
}

#[test]
fn what_is_wrong_with_a_trace_is_told() {
    check("trace.txt", &["dag.dot"], TRACE);
    check("dag.dot", &["trace.txt"], DAG);
    let text = data("trace.txt");
    assert_eq!(
        problems("trace.txt", &text, &[]),
        ["a trace does not have the dependencies of its tasks"]
    );
    let deep = data("dag.dot").replace("v2 -> v3;", &"{".repeat(100));
    assert_eq!(
        problems("dag.dot", &deep, &[("trace.txt", &text)]),
        ["dag.dot, line 11: parts are nested more than 64 deep"]
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
        ["map.tsv, line 2: s is `-1`, no number of 0 or more"]
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
        ["t.csv, line 3: the task `map` is a duplicate"]
    );
    assert_eq!(
        with("t.csv", "task,seconds\nmap,inf\n"),
        ["t.csv, line 2: seconds is `inf`, no number of 0 or more"]
    );
    assert_eq!(
        with("t.csv", "task,seconds,elements\nmap,1,-2\n"),
        ["t.csv, line 2: elements is `-2`, no whole number"]
    );
}

#[test]
fn what_is_wrong_with_cwl_is_told() {
    check("align.cwl", &["align-inputs.yml", "align-times.csv"], CWL);
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
        ["own.cwl, line 3: workflows are nested more than 16 deep"]
    );
    let cross = "cwlVersion: v1.2\nclass: Workflow\ninputs: {a: 'File[]'}\noutputs: []\n\
                 steps:\n  s:\n    run: {class: CommandLineTool}\n    in: {x: a, y: a, z: a}\n    \
                 scatter: [x, y, z]\n    \
                 scatterMethod: flat_crossproduct\n    out: []\n";
    let inputs = format!("a: [{}]\n", "1,".repeat(1000));
    assert_eq!(
        problems("cross.cwl", cross, &[("in.yml", &inputs)]),
        ["cross.cwl, line 7: the workflow has more than 1000000 tasks"]
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
        ["dot.cwl, line 7: the step `s` scatters over arrays of different lengths"]
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
