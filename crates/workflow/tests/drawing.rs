//! Tests that drawn workflows become the right tasks.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_testing::assert_cases;
use prophet_workflow::schedulers::Fcfs;
use prophet_workflow::wfformat::Document;
use prophet_workflow::{DrawnWorkflow, Group, Workflow, WorkflowMachine, simulate};
use serde_json::Value;

use crate::command::assert_has;
use crate::random::link;

fn text(legend: &str, body: &str) -> String {
    format!(
        "@startuml\ntitle <<workflow>> Main\nlegend\n  model W\n{legend}\nend legend\nstart\n\
         {body}\nstop\n@enduml\n"
    )
}

fn task(name: &str, tags: &str) -> String {
    format!(":<<task>> {name}\n{};", tags.replace("; ", "\n"))
}

fn read(file: &Path, flags: &[&str]) -> Result<Workflow, Vec<String>> {
    let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
    let drawing = DrawnWorkflow::read(file, None, &RuleSet::shipped());
    let workflow = drawing.and_then(|mut it| it.workflow(&flags, &[], None));
    let folder = format!("{}/", file.parent().expect("it has one").display());
    let told = |it: &prophet_text::Problem| it.to_string().replace(&folder, "");
    workflow.map_err(|problems| problems.iter().map(told).collect())
}

fn drawn(text: &str, flags: &[&str]) -> Result<Workflow, Vec<String>> {
    let folder = tempfile::tempdir().expect("it can be made");
    let file = folder.path().join("w.puml");
    fs::write(&file, text).expect("it can be written");
    read(&file, flags)
}

fn machine(hosts: u32) -> WorkflowMachine {
    WorkflowMachine::new(vec![Group::new("h", hosts, 1)]).expect("it is right")
}

fn makespan_on(workflow: &Workflow, machine: &WorkflowMachine) -> f64 {
    let mut fcfs = Fcfs::default();
    let prediction = simulate(workflow, machine, &mut fcfs).expect("it runs");
    prediction.makespan_s()
}

fn makespan(legend: &str, body: &str, hosts: u32) -> f64 {
    let workflow = drawn(&text(legend, body), &[]).expect("it is right");
    makespan_on(&workflow, &machine(hosts))
}

fn names(workflow: &Workflow) -> Vec<&str> {
    workflow.ids().map(|it| workflow.task_name(it)).collect()
}

#[test]
fn a_chain_takes_the_sum() {
    let body = [task("a", "cost = 2"), task("b", "time = 3")].join("\n");
    assert_eq!(makespan("", &body, 2), 5.0);
    // An `action+` is a task too.
    assert_eq!(makespan("", ":<<action+>> a\ncost = 4;", 1), 4.0);
}

#[test]
fn branches_of_a_fork_run_side_by_side() {
    let [a, b, c] = ["a", "b", "c"].map(|it| task(it, "cost = 2"));
    let body = format!("fork\n{a}\nfork again\n{b}\nend fork\n{c}");
    assert_eq!(makespan("", &body, 1), 6.0);
    assert_eq!(makespan("", &body, 2), 4.0);
}

#[test]
fn a_region_scatters_and_gathers() {
    let body = format!(
        "{}\npartition \"<<paralleldo>> P\\niterations = N\\nvariable = i\" {{\n{}\n}}\n{}",
        task("split", "cost = 1"),
        task("work", "cost = 1.0 + i"),
        task("gather", "cost = 1"),
    );
    // The work takes 1, 2 and 3 s on three hosts.
    assert_eq!(makespan("  parameter int N = 3", &body, 3), 5.0);
    let model = text("  parameter int N = 3", &body);
    let workflow = drawn(&model, &["--n", "2"]).expect("it is right");
    assert_eq!(names(&workflow), ["split", "work", "work#2", "gather"]);
    let gather = workflow.ids().next_back().expect("there is one");
    assert_eq!(workflow.parents(gather).len(), 2);
    // If there is nothing to scatter, later tasks wait for what came before.
    let workflow = drawn(&model, &["--set", "N=0"]).expect("it is right");
    assert_eq!(makespan_on(&workflow, &machine(3)), 2.0);
}

#[test]
fn decisions_and_loops_are_unrolled() {
    let [fast, slow] = [task("fast", "cost = 1"), task("slow", "cost = 10")];
    let body = format!("if (N > 2) then\n{slow}\nelse\n{fast}\nendif");
    assert_eq!(makespan("  parameter int N = 3", &body, 1), 10.0);
    assert_eq!(makespan("  parameter int N = 1", &body, 1), 1.0);
    let body = format!(
        "partition \"<<loop+>> L\\niterations = 1000\\nvariable = i\" {{\n{}\n}}",
        task("step", "cost = i")
    );
    assert_eq!(makespan("", &body, 4), 499_500.0);
}

#[test]
fn names_tell_the_activities_around() {
    let main = text("", ":<<activity+>> Sub;\n:<<activity+>> Sub;");
    let sub = format!(
        "@startuml\ntitle Sub\nstart\n{}\nstop\n@enduml\n",
        task("inner", "cost = 1")
    );
    let workflow = drawn(&(main + &sub), &[]).expect("it is right");
    assert_eq!(names(&workflow), ["Sub/inner", "Sub/inner#2"]);
    assert_eq!(makespan_on(&workflow, &machine(2)), 2.0);
}

#[test]
fn files_cross_the_network_once_they_are_written() {
    let body = format!(
        "fork\n{}\nfork again\n{}\nend fork\n{}",
        task("a", "cost = 1; outputs = f: 8*K"),
        task("b", "cost = 2; inputs = in: 500; outputs = g: 50"),
        task("c", "cost = 1; inputs = f, g"),
    );
    let model = text("  parameter real K = 100", &body);
    let workflow = drawn(&model, &["--k", "200"]).expect("it is right");
    let sizes = workflow
        .file_ids()
        .map(|it| (workflow.file_name(it), workflow.size_bytes(it)));
    let sizes: Vec<(&str, u64)> = sizes.collect();
    assert_eq!(sizes, [("f", 1600), ("in", 500), ("g", 50)]);
    let mut machine = machine(2);
    assert_eq!(makespan_on(&workflow, &machine), 3.0);
    machine.within = Some(link(100.0, 0.0));
    // Task c runs where f is, and g is sent there: 2 + 0.5 + 1 s.
    assert_eq!(makespan_on(&workflow, &machine), 3.5);
}

fn read_last(workflow: &Workflow) -> Vec<&str> {
    let last = workflow.ids().next_back().expect("there is one");
    let names = workflow.inputs(last).map(|it| workflow.file_name(it));
    names.collect()
}

#[test]
fn a_file_that_is_written_again_replaces_the_one_before() {
    let body = format!(
        "{}\npartition \"<<loop+>> L\\niterations = 2\" {{\n{}\n}}\n{}",
        task("begin", "cost = 1; outputs = state: 8"),
        task("step", "cost = 1; inputs = state; outputs = state: 8"),
        task("end", "cost = 1; inputs = state"),
    );
    let workflow = drawn(&text("", &body), &[]).expect("it is right");
    assert_eq!(read_last(&workflow), ["state#3"]);
    // One branch replaces the file, and the other keeps it.
    let [a, b] = [
        task("a", "cost = 1; inputs = state; outputs = state: 8"),
        task("b", "cost = 1; inputs = state"),
    ];
    let body = format!(
        "{}\nfork\n{a}\nfork again\n{b}\nend fork\n{}",
        task("begin", "cost = 1; outputs = state: 8"),
        task("end", "cost = 1; inputs = state"),
    );
    let workflow = drawn(&text("", &body), &[]).expect("it is right");
    assert_eq!(read_last(&workflow), ["state#2"]);
}

/// Returns a UML drawing without forks and joins, only with flows between tasks and files.
fn diamond() -> String {
    let mut text = String::from(
        r#"<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmlns:prophet="http:///schemas/prophet/1">
<uml:Model xmi:id="M" name="M"><packagedElement xmi:type="uml:Activity" xmi:id="Main" name="Main">"#,
    );
    let nodes = ["a", "b", "c", "d", "e"].map(|it| (it, "OpaqueAction"));
    let files = ["f", "g", "h"].map(|it| (it, "DataStoreNode"));
    for (id, kind) in nodes.into_iter().chain(files).chain([("i", "InitialNode")]) {
        write!(
            text,
            r#"<node xmi:type="uml:{kind}" xmi:id="{id}" name="{id}"/>"#
        )
        .expect("it is text");
    }
    // b ends before d needs c: the implied forks and joins aren't nested.
    for pair in [
        "i a", "a b", "a c", "b d", "b e", "c e", "a f", "f d", "c g", "g e", "h b",
    ] {
        let (source, target) = pair.split_once(' ').expect("two");
        let is_file = |it: &str| ["f", "g", "h"].contains(&it);
        let is_object = is_file(source) || is_file(target);
        let kind = if is_object {
            "ObjectFlow"
        } else {
            "ControlFlow"
        };
        write!(text, r#"<edge xmi:type="uml:{kind}" xmi:id="{source}{target}" source="{source}" target="{target}"/>"#).expect("it is text");
    }
    text += "</packagedElement></uml:Model><prophet:workflow xmi:id=\"w\" base_Activity=\"Main\"/>";
    for (id, cost) in [("a", 1), ("b", 2), ("c", 4), ("d", 8), ("e", 16)] {
        write!(
            text,
            r#"<prophet:task xmi:id="t{id}" base_Action="{id}" cost="{cost}"/>"#
        )
        .expect("it is text");
    }
    for id in ["f", "g", "h"] {
        write!(
            text,
            r#"<prophet:file xmi:id="x{id}" base_ObjectNode="{id}" size="10"/>"#
        )
        .expect("it is text");
    }
    text + "</xmi:XMI>"
}

#[test]
fn flows_without_forks_order_the_tasks() {
    let folder = tempfile::tempdir().expect("it can be made");
    let file = folder.path().join("w.uml");
    fs::write(&file, diamond()).expect("it can be written");
    let workflow = read(&file, &[]).expect("it is right");
    let parents = |name: &str| -> Vec<&str> {
        let id = workflow.ids().find(|it| workflow.task_name(*it) == name);
        let parents = workflow.parents(id.expect("it is there"));
        parents.map(|it| workflow.task_name(it)).collect()
    };
    assert_eq!(parents("a"), Vec::<&str>::new());
    assert_eq!(parents("b"), ["a"]);
    assert_eq!(parents("c"), ["a"]);
    assert_eq!(parents("d"), ["a", "b"]);
    let mut of_e = parents("e");
    of_e.sort_unstable();
    assert_eq!(of_e, ["b", "c"]);
    assert_eq!(makespan_on(&workflow, &machine(5)), 21.0);
}

#[test]
fn a_model_of_processes_prices_a_task() {
    let folder = tempfile::tempdir().expect("it can be made");
    let part = "@startuml\nstart\n:<<action+>> A\ncost = 12.0/NUM_PROCESSES;\nstop\n@enduml\n";
    fs::write(folder.path().join("part.puml"), part).expect("it can be written");
    let body = task("solve", "model = part.puml; processes = 4");
    let file = folder.path().join("w.puml");
    fs::write(&file, text("", &body)).expect("it can be written");
    let workflow = read(&file, &[]).expect("it is right");
    let id = workflow.ids().next().expect("there is one");
    assert_eq!(workflow.task(id).cores, 4);
    let machine = WorkflowMachine::new(vec![Group::new("h", 1, 4)]).expect("it is right");
    assert_eq!(makespan_on(&workflow, &machine), 3.0);
    fs::write(&file, text("", &task("solve", "model = none.puml"))).expect("it can be written");
    let problems = read(&file, &[]).expect_err("it is wrong");
    let expected = "task `solve`, model `none.puml`: cannot read none.puml: ";
    assert!(problems[0].starts_with(expected), "{problems:?}");
}

#[test]
fn what_cannot_be_unrolled_is_told() {
    assert_cases("tests/cases/drawings.txt", |case| {
        let problems = drawn(&text("  parameter int N = 2", case.input), &[]);
        problems.expect_err("it is wrong").join("\n")
    });
    let plain = text("", &task("a", "cost = 1")).replace("<<workflow>> ", "");
    let told = drawn(&plain, &[]).expect_err("it is wrong").join("\n");
    assert_has(&told, "the main activity is not a `workflow` (PM0442)");
    let told = drawn(&text("", &task("a", "cost = 1")), &["--nodes", "8"]);
    let told = told.expect_err("it is wrong").join("\n");
    assert!(told.starts_with("unknown flag `--nodes`"), "{told}");
}

#[test]
fn retries_of_what_never_fails_are_told() {
    let folder = tempfile::tempdir().expect("it can be made");
    let file = folder.path().join("w.puml");
    let model = text("", &task("a", "cost = 1; retries = 3; program = bowtie"));
    fs::write(&file, model).expect("it can be written");
    let checked = check_by(&RuleSet::shipped(), &file, None).expect("it is read");
    let codes: Vec<&str> = checked.diagnostics.iter().map(|it| &*it.code).collect();
    assert_eq!(codes, ["PM0443"]);
    let workflow = read(&file, &[]).expect("it is right");
    let id = workflow.ids().next().expect("there is one");
    assert_eq!(workflow.program(id), Some("bowtie"));
    assert_eq!(workflow.task(id).retries, 3);
}

/// Returns a UML drawing with files on pins: `a` writes two files. `b` reads one of them through a
/// fork, and the tasks of a region read the other one.
fn pinned() -> String {
    let node = |id: &str, kind: &str, content: &str| {
        format!(r#"<node xmi:type="uml:{kind}" xmi:id="{id}" name="{id}">{content}</node>"#)
    };
    let pin = |role: &str, id: &str, name: &str| {
        let kind = if role.starts_with("output") {
            "OutputPin"
        } else {
            "InputPin"
        };
        format!(r#"<{role} xmi:type="uml:{kind}" xmi:id="{id}" name="{name}"/>"#)
    };
    let edge = |kind: &str, source: &str, target: &str| {
        format!(
            r#"<edge xmi:type="uml:{kind}" xmi:id="{source}_{target}" source="{source}" target="{target}"/>"#
        )
    };
    let part = node("part", "OpaqueAction", &pin("inputValue", "part_in", "it"))
        + &node("part_start", "InitialNode", "")
        + &edge("ControlFlow", "part_start", "part")
        + &edge("ObjectFlow", "each_in", "part_in")
        + &pin("structuredNodeInput", "each_in", "all");
    let a_pins = pin("inputValue", "a_in", "genes")
        + &pin("outputValue", "a_f", "f")
        + &pin("outputValue", "a_g", "g");
    let mut text = String::from(
        r#"<xmi:XMI xmlns:xmi="http://www.omg.org/spec/XMI/20131001" xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmlns:prophet="http:///schemas/prophet/1">
<uml:Model xmi:id="M" name="M"><packagedElement xmi:type="uml:Activity" xmi:id="Main" name="Main">"#,
    );
    text += &node("i", "InitialNode", "");
    text += &node("a", "OpaqueAction", &a_pins);
    text += &node("fork", "ForkNode", "");
    text += &node("b", "OpaqueAction", &pin("inputValue", "b_in", "what"));
    text += &node("each", "StructuredActivityNode", &part);
    for (kind, source, target) in [
        ("ControlFlow", "i", "a"),
        ("ObjectFlow", "a_f", "fork"),
        ("ObjectFlow", "fork", "b_in"),
        ("ObjectFlow", "a_g", "each_in"),
    ] {
        text += &edge(kind, source, target);
    }
    text +=
        "</packagedElement></uml:Model>\n<prophet:workflow xmi:id=\"w\" base_Activity=\"Main\"/>";
    let task = |id| format!(r#"<prophet:task xmi:id="t{id}" base_Action="{id}" cost="1"/>"#);
    text.extend(["a", "b", "part"].map(task));
    text += r#"<prophet:paralleldo xmi:id="p" base_StructuredActivityNode="each" iterations="2"/>"#;
    let file = |(id, size)| {
        format!(r#"<prophet:file xmi:id="x{id}" base_ObjectNode="{id}" size="{size}"/>"#)
    };
    text.extend([("a_in", "7"), ("a_f", "2*5"), ("a_g", "20")].map(file));
    text + "</xmi:XMI>"
}

#[test]
fn pins_are_files_too() {
    let folder = tempfile::tempdir().expect("it can be made");
    let file = folder.path().join("w.uml");
    fs::write(&file, pinned()).expect("it can be written");
    let workflow = read(&file, &[]).expect("it is right");
    let files = |ids: Vec<prophet_workflow::FileId>| -> Vec<(String, u64)> {
        { ids.into_iter() }
            .map(|it| (workflow.file_name(it).to_owned(), workflow.size_bytes(it)))
            .collect()
    };
    let of = |name: &str| {
        let id = workflow.ids().find(|it| workflow.task_name(*it) == name);
        let id = id.expect("it is there");
        let (inputs, outputs) = (
            workflow.inputs(id).collect(),
            workflow.outputs(id).collect(),
        );
        (files(inputs), files(outputs))
    };
    let file = |name: &str, size| (name.to_owned(), size);
    let [genes, f, g] = [file("genes", 7), file("f", 10), file("g", 20)];
    assert_eq!(of("a"), (vec![genes], vec![f.clone(), g.clone()]));
    assert_eq!(of("b"), (vec![f], vec![]));
    assert_eq!(of("part"), (vec![g.clone()], vec![]));
    assert_eq!(of("part#2"), (vec![g], vec![]));
    let checked = check_by(
        &RuleSet::shipped(),
        folder.path().join("w.uml").as_path(),
        None,
    );
    let told = checked.expect("it is read").diagnostics;
    let codes: Vec<&str> = told.iter().map(|it| &*it.code).collect();
    assert!(!codes.contains(&"PM0440"), "{told:#?}");
    // A pin of something other than a task doesn't have a file.
    let wrong = pinned().replace(
        r#"<prophet:task xmi:id="tb" base_Action="b" cost="1"/>"#,
        "",
    );
    fs::write(folder.path().join("w.uml"), wrong).expect("it can be written");
    let problems = read(&folder.path().join("w.uml"), &[]).expect_err("it is wrong");
    let told = problems.join("\n");
    let expected = "a `file` is read or written by M::Main::b, which is not a `task` (PM0440)";
    assert!(told.contains(expected), "{told}");
}

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../sample-models/workflows")
        .join(name)
}

fn command(words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-workflow"));
    let output = command.args(words).output().expect("it can be started");
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).expect("it is text")
}

#[test]
fn the_sample_has_no_problems() {
    for name in ["genome.uml", "genome.puml"] {
        let checked = check_by(&RuleSet::shipped(), &sample(name), None).expect("it is read");
        assert!(checked.diagnostics.is_empty(), "{:#?}", checked.diagnostics);
    }
}

#[test]
fn the_sample_is_the_same_in_uml_in_text_and_in_wfformat() {
    let [uml, text] = ["genome.uml", "genome.puml"].map(sample);
    let flags = [
        "--hosts",
        "4",
        "--cores",
        "4",
        "--scheduler",
        "heft",
        "--format",
        "json",
    ];
    // How long it took, and the ids of elements differ.
    let predicted = |file: &Path, own: &[&str]| {
        let file = file.display().to_string();
        let text = command(&[&[&*file], own, &flags[..]].concat());
        let mut result: Value = serde_json::from_str(&text).expect("it is JSON");
        result["evaluation"].take();
        let elements = result["elements"].as_array_mut().expect("it is a list");
        for it in elements.iter_mut() {
            it["id"].take();
        }
        elements.sort_by_key(|it| it["name"].to_string());
        result
    };
    let drawn = predicted(&uml, &["--parts", "12"]);
    assert_eq!(drawn["tasks"], 56);
    assert_eq!(drawn, predicted(&text, &["--parts=12"]));
    let folder = tempfile::tempdir().expect("it can be made");
    let out = folder.path().join("genome.json");
    let name = out.display().to_string();
    predicted(&uml, &["--parts", "12", "--out", &name]);
    let written = fs::read_to_string(&out).expect("it is written");
    let document = Document::parse(&written).expect("it is right");
    let instance = document.instance().expect("it is right");
    let read = simulate(
        &instance.workflow,
        &WorkflowMachine::new(vec![Group::new("host", 4, 4)]).expect("it is right"),
        &mut *prophet_workflow::schedulers::by_name("heft").expect("it is there"),
    );
    let makespan = read.expect("it runs").makespan_s();
    assert_eq!(drawn["predicted_time_s"], makespan);
}
