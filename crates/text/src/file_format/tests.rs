use super::FileKind as K;
use super::*;

/// The start of a file for each kind that is recognized by its content, no matter what it is
/// called.
const BEGINS: [(K, &str); 53] = [
    (K::Model, "@startuml\nstart\n@enduml\n"),
    (K::Model, "'a comment\n  @startuml\nnote: cwlVersion\n"),
    (
        K::Model,
        "<?xml version='1.0'?><xmi:XMI><uml:Model name='M'/>",
    ),
    (K::Model, "<XMI xmi.version='1.2'>"),
    (
        K::Model,
        "<program xmlns=\"http:///schemas/prophet/model/1\">",
    ),
    (
        K::Rules,
        "<?xml version='1.0'?>\n<!-- <a> -->\n<mcl name='hpc'>",
    ),
    (K::Rules, "<vocabulary profile=\"p\">"),
    (K::Dax, "<?xml version='1.0'?>\n<!-- <a> -->\n<adag>"),
    (K::Mermaid, "flowchart TD\n"),
    (K::Mermaid, "<!doctype html><pre>flowchart TB</pre>"),
    (K::Mermaid, "<html><pre>flowchart TB</pre>"),
    (
        K::Platform,
        "<?xml version='1.0'?>\n<!DOCTYPE platform>\n<platform version='4.1'>",
    ),
    (K::Machine, "<system name='mine' source='s'>"),
    (
        K::Machine,
        "# Ours\nname = \"c\"\n\"source\" = \"s\"\nnodes = 2\n",
    ),
    (
        K::WorkflowPlan,
        "{\n  \"format\": \"prophet-workflow-sweep-plan-1\",\n",
    ),
    (
        K::Foreign,
        "{\"schema\": \"1.1\", \"nodes\": [{\"name\": \"[pytorch|profiler|execution_trace|p\"",
    ),
    (K::Kineto, "{\"schemaVersion\": 1, \"trace_id\": \"A\""),
    (K::Kineto, "{\"deviceProperties\": [], \"traceEvents\": []}"),
    (K::Kineto, "[{\"ph\": \"X\", \"name\": \"a\"}]"),
    (K::Kineto, "\u{1f}\u{8b}"),
    (
        K::Chakra,
        "{\"version\": \"0.0.4\"}{\"id\": \"1\", \"type\": \"COMP_NODE\"}",
    ),
    (K::Chakra, "{\"workload_graph\": []}"),
    (K::Benchmark, "s\th:m:s\tmax_rss\n"),
    (K::TaskTimes, "# times\ntask,seconds\n"),
    (
        K::Cwl,
        "#!/usr/bin/env cwl-runner\nclass: Workflow\ncwlVersion: v1.2\n",
    ),
    (
        K::Cwl,
        "{\"a\": {\"b\": \"\\\"{\"}, \"cwlVersion\": \"v1.2\"}",
    ),
    (K::Cwl, "{\"$graph\": [1, 2"),
    (K::Pegasus, "x-pegasus: {}\npegasus: 5.0\n"),
    (K::Pegasus, "\"pegasus\": \"5.0\"\n"),
    (K::Statistics, "{\"total_runtime\": 1}"),
    (K::OutputRecord, "{\"rule\": \"a\", \"starttime\": 1}"),
    (
        K::Schedule,
        "{\"workflow\": \"w\", \"scheduler\": \"heft\", \"hosts\": []}",
    ),
    (K::Outcome, "{\"model\": \"M\", \"predicted_time_s\": 1}"),
    (K::Measurements, "{\"results\": [{\"command\": \"a\"}]}"),
    (K::Measurements, "{\"context\": {}, \"benchmarks\": []}"),
    (K::Measurements, "{\"params\": {\"p\": 1}, \"value\": 2}"),
    (K::Measurements, "__rec=node,id=1\n"),
    (K::Measurements, "PARAMETER p\nPOINTS 1 2\n"),
    (K::Measurements, "JobID|JobName|State\n"),
    (K::Measurements, "# Ours\nJobIDRaw|State\n"),
    (
        K::Measurements,
        "       JobID    JobName\n------------ -------\n",
    ),
    (
        K::Measurements,
        "{\"meta\": {}, \"jobs\": [{\"job_id\": 1}]}",
    ),
    (K::Measurements, "\tCommand being timed: \"./app\"\n"),
    (
        K::Measurements,
        "result|job_completion_time|name\npass|2026|a\n",
    ),
    (
        K::WfFormat,
        "{\"name\": \"w\", \"schemaVersion\": \"1.5\", \"workflow\": {}}",
    ),
    (K::NextflowTrace, "task_id\tname\tstatus\trealtime\n"),
    (K::Dot, "digraph g {"),
    (K::Recorded, "ARROW1\0\0"),
    (K::Goal, "num_ranks 2\n"),
    (K::TimeIndependent, "# by SMPI\n0 init\n"),
    (K::Foreign, "version=1\n"),
    (K::Foreign, "MPI_Init entering at walltime 1.0\n"),
    (
        K::Liballprof,
        "# collprof 0.9 output file\n\nMPI_Init:0.0:-:-:1.0\n",
    ),
];

fn kind(name: &str, begin: &str) -> Option<FileKind> {
    let bytes: Vec<u8> = match begin {
        "\u{1f}\u{8b}" => vec![0x1f, 0x8b],
        _ => begin.bytes().collect(),
    };
    file_format(name, &bytes).map(|it| it.kind)
}

#[test]
fn content_tells_the_kind_whatever_the_name() {
    for (expected, begin) in BEGINS {
        for start in ["", "\u{feff}", "\r\n "] {
            // These start with bytes that aren't text.
            let is_text = !matches!(expected, K::Recorded) && begin != "\u{1f}\u{8b}";
            if start.is_empty() || is_text && !begin.starts_with("__rec") {
                let begin = format!("{start}{begin}");
                assert_eq!(kind("given", &begin), Some(expected), "{begin:?}");
            }
        }
    }
    for unknown in [
        "",
        "<",
        "<!",
        "hello\n",
        "name\tvalue\n",
        "a,b\n1,2\n",
        "PK\u{3}\u{4}",
    ] {
        assert_eq!(kind("given", unknown), None, "{unknown:?}");
    }
    assert_eq!(kind("given", "{\"name\": 1}"), Some(K::Json));
}

#[test]
fn names_tell_what_content_does_not() {
    for (name, begin, expected) in [
        ("a.goal", "", Some(K::Goal)),
        ("b.ti", "", Some(K::TimeIndependent)),
        ("d.otf2", "", Some(K::Otf2)),
        ("e.0.et", "\u{8}\u{1}", Some(K::Chakra)),
        ("f.json.gz", "", Some(K::Kineto)),
        ("a.dax", "<jobs>", Some(K::Dax)),
        ("a.MDJ", "{\"_type\": \"Project\"}", Some(K::Foreign)),
        ("a.csv", "n,time_s\n1,2\n", Some(K::Measurements)),
        ("a.prv", "", Some(K::Foreign)),
        (
            "w.wdl",
            "version 1.1\nworkflow w { call t }\n",
            Some(K::Foreign),
        ),
        (
            "plan.toml",
            "\"model\" = 'w.puml' # a workflow\n",
            Some(K::Plan),
        ),
        (
            "Cargo.toml",
            "[package]\nname = \"c\"\nsource = 1\n",
            Some(K::Foreign),
        ),
        ("a.xml", "<xmi:XMI xmlns:xmi='x'/>", Some(K::Model)),
        ("a.xml", "<xmi:XMI><notation:Diagram/>", Some(K::Foreign)),
        ("folder.goal/a", "", None),
    ] {
        assert_eq!(kind(name, begin), expected, "{name}: {begin}");
    }
}

#[test]
fn each_format_says_what_the_file_is_and_what_takes_it() {
    let mut told = std::collections::BTreeSet::new();
    for format in table::FORMATS {
        assert!(format.told.starts_with("it "), "{}", format.told);
        let is_foreign = format.kind == FileKind::Foreign;
        let is_alone = told.insert(format.told) || format.kind == FileKind::Model;
        assert!(
            is_foreign || format.told.contains('`') || is_alone,
            "{}",
            format.told
        );
        assert!(is_alone, "{} is told twice", format.told);
    }
    let kinds: Vec<FileKind> = table::FORMATS.iter().map(|it| it.kind).collect();
    for (kind, begin) in BEGINS {
        assert!(kinds.contains(&kind), "{begin}");
    }
}

#[test]
fn who_wants_no_model_is_told_of_none() {
    let picture = file_format("a.png", b"").expect("it is known");
    let what = "it is a picture";
    assert_eq!(picture.told_for(FileRole::Machine), what);
    assert_eq!(picture.unless(FileRole::Trace), Some(what));
    assert!(
        picture
            .told_for(FileRole::Workflow)
            .contains("export the model")
    );
    let trace = file_format("a.prv", b"").expect("it is known");
    assert!(trace.told_for(FileRole::Trace).contains("`record`"));
    let told_by_all = [FileRole::Trace, FileRole::Machine, FileRole::Measurements];
    for (format, role) in table::FORMATS
        .iter()
        .flat_map(|it| told_by_all.map(|to| (it, to)))
    {
        let told = format.told_for(role);
        let advice = told.split_once(';').map_or("", |(_, advice)| advice);
        let of_models = ["draw ", "export", "use the file", "save it there"];
        let is_of_models = of_models.iter().any(|it| advice.contains(it));
        assert!(!is_of_models || advice.contains("profile"), "{told}");
    }
}
