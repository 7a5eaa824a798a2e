//! Tests that other tools' workflows are read, predicted, and written as `WfFormat`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prophet_workflow::formats::{NamedText, Reading, read};
use prophet_workflow::schedulers::Fcfs;
use prophet_workflow::wfformat::{Document, Instance};
use prophet_workflow::{Group, Workflow, WorkflowMachine, WorkflowPrediction, simulate};

/// Includes tasks that are already done.
const ALL_TASKS: Reading = Reading {
    task_cores: None,
    all: true,
};

pub(crate) fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    fs::read_to_string(path).expect("it can be read")
}

fn document(names: &[&str]) -> (Document, Vec<String>) {
    let texts: Vec<String> = names.iter().map(|it| data(it)).collect();
    let files: Vec<NamedText<'_>> = (names.iter().zip(&texts))
        .map(|(name, text)| NamedText { name, text })
        .collect();
    read(files[0], &files[1..], ALL_TASKS).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn instance(names: &[&str]) -> Instance {
    document(names).0.instance().expect("it is right")
}

fn predicted(workflow: &Workflow) -> WorkflowPrediction {
    let machine = WorkflowMachine::new(vec![Group::new("host", 2, 8)]).expect("it is right");
    simulate(workflow, &machine, &mut Fcfs::default()).expect("it runs")
}

/// Returns the problems of a text and its other files, as users see them but without the help.
pub(crate) fn problems(name: &str, text: &str, with: &[(&str, &str)]) -> Vec<String> {
    let with: Vec<_> = (with.iter())
        .map(|(name, text)| NamedText { name, text })
        .collect();
    let problems = match read(NamedText { name, text }, &with, ALL_TASKS) {
        Ok((document, _)) => document.instance().map(|_| ()).expect_err("it is wrong"),
        Err(problems) => problems,
    };
    let first_line = |it: &prophet_text::Problem| {
        assert!(!it.help.is_empty(), "{it}");
        let text = it.to_string();
        text.lines().next().unwrap_or_default().to_owned()
    };
    problems.iter().map(first_line).collect()
}

fn id_of(workflow: &Workflow, name: &str) -> prophet_workflow::TaskId {
    let found = workflow.ids().find(|it| workflow.task_name(*it) == name);
    found.unwrap_or_else(|| panic!("there is no task {name}"))
}

fn parents(workflow: &Workflow, name: &str) -> Vec<String> {
    let parents = workflow.parents(id_of(workflow, name));
    parents
        .map(|it| workflow.task_name(it).to_owned())
        .collect()
}

const ALL: [&[&str]; 5] = [
    &["diamond.dax"],
    &["diamond.yml"],
    &["trace.txt", "dag.dot"],
    &[
        "jobs.dot",
        "benchmarks/A.map.tsv",
        "benchmarks/B.map.tsv",
        "benchmarks/A.sort.tsv",
        "benchmarks/B.sort.tsv",
        "benchmarks/merge.tsv",
    ],
    &["align.cwl", "align-inputs.yml", "align-times.csv"],
];

#[test]
fn converted_workflows_predict_the_same() {
    for names in ALL {
        let (document, _) = document(names);
        let text = document.text().expect("it can be written");
        let again = Document::parse(&text).expect("it is WfFormat");
        assert_eq!(again, document, "{names:?}");
        let [before, after] = [&document, &again].map(|it| it.instance().expect("it is right"));
        let prediction = predicted(&before.workflow);
        assert_eq!(
            prediction.makespan_s(),
            predicted(&after.workflow).makespan_s()
        );
        // Predict the prediction again, which was written as an execution.
        let machine = WorkflowMachine::new(vec![Group::new("host", 2, 8)]).expect("it is right");
        let mut predicted_document = document;
        predicted_document
            .predict(&before.workflow, &machine, &prediction)
            .expect("it can be written");
        let text = predicted_document.text().expect("it can be written");
        let third = Document::parse(&text).expect("it is WfFormat");
        let third = third.instance().expect("it is right");
        let error = predicted(&third.workflow).makespan_s() / prediction.makespan_s() - 1.0;
        assert!(error.abs() < 1e-12, "{names:?}: {error}");
        for (old, new) in before.workflow.ids().zip(third.workflow.ids()) {
            let [old, new] = [before.workflow.task(old), third.workflow.task(new)];
            assert_eq!((old.cores, old.memory_bytes), (new.cores, new.memory_bytes));
        }
    }
}

#[test]
fn both_forms_of_pegasus_are_the_same_workflow() {
    let [dax, yaml] = ["diamond.dax", "diamond.yml"].map(|it| instance(&[it]).workflow);
    for workflow in [&dax, &yaml] {
        assert_eq!(workflow.name(), "diamond");
        assert_eq!(parents(workflow, "ID4"), ["ID2", "ID3"]);
        assert_eq!(parents(workflow, "ID3"), ["ID1"]);
        let sort = workflow.task(id_of(workflow, "ID2"));
        assert_eq!((sort.cores, sort.memory_bytes), (2, 500_000_000));
        let sizes: u64 = workflow.file_ids().map(|it| workflow.size_bytes(it)).sum();
        assert_eq!(sizes, 6_000_000);
        assert_eq!(predicted(workflow).makespan_s(), 55.5);
    }
    let dax = document(&["diamond.dax"]).0;
    let kinds = dax.workflow.specification.tasks.iter().map(|it| &*it.name);
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        ["split", "sort", "sort", "merge"]
    );
}

#[test]
fn a_trace_of_nextflow_has_the_dependencies_of_its_dag() {
    let (document, notes) = document(&["trace.txt", "dag.dot"]);
    assert_eq!(notes, ["ignored: 1 attempt that did not complete"]);
    let instance = document.instance().expect("it is right");
    let workflow = &instance.workflow;
    assert_eq!(workflow.len(), 7);
    // Tasks with a tag wait for tasks with the same tag. Tasks without a tag wait for all.
    assert_eq!(parents(workflow, "ALIGN (liver) 7"), ["TRIM (liver) 5"]);
    assert_eq!(parents(workflow, "TRIM (gut) 3"), [""; 0]);
    assert_eq!(
        parents(workflow, "MULTIQC 8"),
        [
            "QC:FASTQC (liver) 1",
            "QC:FASTQC (gut) 2",
            "ALIGN (gut) 6",
            "ALIGN (liver) 7"
        ]
    );
    let recorded = instance.recorded.as_ref().expect("there is one");
    assert_eq!(recorded.makespan_s, 1162.35);
    assert_eq!(recorded.runtimes_s[6], 20.35);
    assert_eq!(recorded.starts_s[5], Some(240.0));
    let align = workflow.task(id_of(workflow, "ALIGN (gut) 6"));
    assert_eq!((align.cores, align.memory_bytes), (8, 16 << 30));
    // 230 s of TRIM, 900 s of ALIGN, 20.35 s of MULTIQC.
    assert_eq!(predicted(workflow).makespan_s(), 1150.35);
    let rest = &document
        .workflow
        .execution
        .as_ref()
        .expect("there is one")
        .tasks[0]
        .rest;
    assert_eq!(rest["readBytes"], 1_181_116_006_u64);
}

#[test]
fn a_trace_and_its_dag_may_be_exchanged_and_be_in_mermaid() {
    let expected = document(&["trace.txt", "dag.dot"])
        .0
        .instance()
        .expect("it is right");
    let exchanged = document(&["dag.dot", "trace.txt"])
        .0
        .instance()
        .expect("it is right");
    let mermaid = "flowchart TB\n subgraph \" \"\n v0[\"Channel.fromFilePairs\"]\n end\n \
                   v1([FASTQC])\n v2([TRIM])\n v3([ALIGN])\n v6([MULTIQC])\n v0 --> v1\n \
                   v0 --> v2\n v2 --> v3\n v1 --> v4(( ))\n v3 --> v4\n v4 --> v6\n";
    let trace = data("trace.txt");
    let files =
        [("trace.txt", &*trace), ("dag.mmd", mermaid)].map(|(name, text)| NamedText { name, text });
    let (mermaid, _) = read(files[0], &files[1..], ALL_TASKS).expect("it is right");
    let mermaid = mermaid.instance().expect("it is right");
    for other in [&exchanged.workflow, &mermaid.workflow] {
        for id in expected.workflow.ids() {
            let parents = |it: &Workflow| it.parents(id).collect::<Vec<_>>();
            assert_eq!(parents(&expected.workflow), parents(other));
        }
    }
}

#[test]
fn a_task_does_not_wait_for_what_completed_after_its_start() {
    // Without a tag, `ALIGN` would wait for both tasks. The recording rules out one of them.
    let trace = data("trace.txt").replace("ALIGN (gut)", "ALIGN");
    let dag = data("dag.dot");
    let files =
        [("trace.txt", &*trace), ("dag.dot", &*dag)].map(|(name, text)| NamedText { name, text });
    let (document, _) = read(files[0], &files[1..], ALL_TASKS).expect("it is right");
    let workflow = document.instance().expect("it is right").workflow;
    assert_eq!(parents(&workflow, "ALIGN 6"), ["TRIM (gut) 3"]);
}

#[test]
fn hosts_of_a_trace_have_the_cores_that_were_held() {
    let trace = data("trace.txt");
    let mut lines = trace.lines();
    let mut text = format!("{}\thostname\n", lines.next().expect("there is one"));
    for (number, line) in lines.enumerate() {
        writeln!(text, "{line}\tnode{}", number % 2).expect("it is text");
    }
    let dag = data("dag.dot");
    let files =
        [("trace.txt", &*text), ("dag.dot", &*dag)].map(|(name, text)| NamedText { name, text });
    let (document, _) = read(files[0], &files[1..], ALL_TASKS).expect("it is right");
    let recorded = document
        .instance()
        .expect("it is right")
        .recorded
        .expect("there is one");
    let machine = recorded.machine.expect("there is one");
    let cores: Vec<_> = machine
        .groups()
        .iter()
        .map(|it| (&*it.name, it.cores))
        .collect();
    assert_eq!(cores, [("node0", 10), ("node1", 8)]);
    assert!(recorded.hosts.iter().all(Option::is_some));
}

#[test]
fn jobs_of_snakemake_take_the_times_of_their_wildcards() {
    let workflow = instance(ALL[3]).workflow;
    let seconds = |name: &str| match workflow.task(id_of(&workflow, name)).cost {
        prophet_workflow::TaskCost::Seconds(seconds) => seconds,
        other => panic!("{other:?}"),
    };
    assert_eq!(seconds("map, sample: A #4"), 100.0);
    assert_eq!(seconds("map, sample: B #5"), 40.0);
    // `sort` has the wildcard of the preceding job.
    assert_eq!(seconds("sort #2"), 7.5);
    assert_eq!(seconds("sort #3"), 3.5);
    assert_eq!(seconds("all #0"), 0.0);
    assert_eq!(parents(&workflow, "merge #1"), ["sort #2", "sort #3"]);
    assert_eq!(predicted(&workflow).makespan_s(), 119.5);
}

#[test]
fn snakemake_has_statistics_and_metadata_too() {
    let dag = data("jobs.dot");
    let statistics = r#"{"total_runtime": 130, "rules": {"map": {"mean-runtime": 70},
        "sort": {"mean-runtime": 5}, "merge": {"mean-runtime": 12}}, "files": {}}"#;
    let files = [("jobs.dot", &*dag), ("stats.json", statistics)];
    let [dag, statistics] = files.map(|(name, text)| NamedText { name, text });
    let (document, _) = read(dag, &[statistics], ALL_TASKS).expect("it is right");
    let instance = document.instance().expect("it is right");
    assert_eq!(
        instance.recorded.as_ref().map(|it| it.makespan_s),
        Some(130.0)
    );
    assert_eq!(predicted(&instance.workflow).makespan_s(), 87.0);
    // Names are the paths of the outputs in Base64. `mapped/A.bam` has two records of the same job.
    let record = |rule: &str, start: f64, end: f64| {
        format!(r#"{{"rule": "{rule}", "starttime": {start}, "endtime": {end}, "input": []}}"#)
    };
    let texts = [
        ("m/bWFwcGVkL0EuYmFt", record("map", 10.0, 110.0)),
        ("m/bWFwcGVkL0EuYmFp", record("map", 10.0, 110.0)),
        ("m/bWFwcGVkL0IuYmFt", record("map", 10.0, 50.0)),
        ("m/eA==", record("sort", 110.0, 115.0)),
        ("m/eQ==", record("merge", 115.0, 127.0)),
    ];
    let records: Vec<_> = texts
        .iter()
        .map(|(name, text)| NamedText { name, text })
        .collect();
    let (document, _) = read(dag, &records, ALL_TASKS).expect("it is right");
    let instance = document.instance().expect("it is right");
    assert_eq!(predicted(&instance.workflow).makespan_s(), 117.0);
}

#[test]
fn steps_of_cwl_are_scattered() {
    let workflow = instance(ALL[4]).workflow;
    assert_eq!(workflow.len(), 8);
    assert_eq!(parents(&workflow, "sample[2]/align"), ["index"]);
    assert_eq!(parents(&workflow, "sample[2]/sort"), ["sample[2]/align"]);
    assert_eq!(
        parents(&workflow, "report"),
        ["sample[0]/sort", "sample[1]/sort", "sample[2]/sort"]
    );
    let align = workflow.task(id_of(&workflow, "sample[0]/align"));
    assert_eq!((align.cores, align.memory_bytes), (4, 1 << 30));
    // 30 s for the index, 250 s and 20 s for the longest sample, 5 s for the report.
    assert_eq!(predicted(&workflow).makespan_s(), 305.0);
}

/// Returns a workflow that scatters over two arrays, and then over the result.
fn crossed(method: &str) -> Workflow {
    let cwl = format!(
        r##"{{"$graph": [
        {{"class": "CommandLineTool", "id": "#tool", "inputs": [], "outputs": []}},
        {{"class": "Workflow", "id": "#main",
          "inputs": [{{"id": "#main/a", "type": "string[]", "default": ["1", "2"]}},
                     {{"id": "#main/b", "type": "string[]"}}],
          "outputs": [],
          "steps": [
            {{"id": "#main/last", "run": "#tool", "out": [], "scatter": "#main/last/x",
              "in": [{{"id": "#main/last/x", "source": "#main/cross/out"}}]}},
            {{"id": "#main/cross", "run": "#tool", "out": ["#main/cross/out"],
              "scatter": ["#main/cross/x", "#main/cross/y"], "scatterMethod": "{method}",
              "in": [{{"id": "#main/cross/x", "source": "#main/a"}},
                     {{"id": "#main/cross/y", "source": "#main/b"}}]}}]}}],
        "cwlVersion": "v1.2"}}"##
    );
    let file = NamedText {
        name: "packed.cwl",
        text: &cwl,
    };
    let inputs = NamedText {
        name: "in.json",
        text: r#"{"b": ["x", "y", "z"]}"#,
    };
    let times = NamedText {
        name: "times.csv",
        text: "task,seconds\ncross,1\nlast,1\n",
    };
    let (document, _) = read(file, &[times, inputs], ALL_TASKS).expect("it is right");
    document.instance().expect("it is right").workflow
}

#[test]
fn crossproducts_are_flat_or_nested() {
    let flat = crossed("flat_crossproduct");
    assert_eq!(flat.len(), 12);
    assert_eq!(parents(&flat, "last[4]"), ["cross[4]"]);
    let nested = crossed("nested_crossproduct");
    assert_eq!(nested.len(), 8);
    assert_eq!(
        parents(&nested, "last[1]"),
        ["cross[3]", "cross[4]", "cross[5]"]
    );
}
