//! The use of received values in a model: which variables get them, and what follows.

use std::fs;
use std::path::Path;

use prophet_codegen::diagnostic::Diagnostics;
use prophet_codegen::resolve::resolve;
use prophet_codegen::source::Source;
use prophet_model::xmi;
use prophet_tests::programs::Programs;
use prophet_tests::sketch;
use serde_json::Value;

/// The problems of a sketch whose elements stand in a row, with their codes.
fn problems(elements: &str) -> Vec<String> {
    let keys = elements.lines().filter_map(|line| line.split_once(':'));
    let mut chain = String::from("start");
    for (key, _) in keys {
        chain.push_str(" -> ");
        chain.push_str(key.trim());
    }
    let text = sketch::xmi(&format!("int GV\ndouble GR\n{elements}\n{chain} -> end\n"));
    let source = Source::new("t.uml", text);
    let mut diagnostics = Diagnostics::new();
    let model = xmi::read(&source, None, &mut diagnostics).expect("there is an activity");
    let no_table = |_: &str| Err(String::from("there are no tables"));
    resolve(&model, &source, &no_table, &mut diagnostics);
    let sorted = diagnostics.sorted();
    let problem = sorted
        .iter()
        .map(|it| format!("{} {} ({})", it.code, it.message, it.help));
    problem.collect()
}

#[test]
fn only_variables_that_can_be_assigned_to_get_what_is_received() {
    const SEND: &str = "S: nbsend dest=\"0\" size=\"8\" value=\"1\"\n";
    let wrong = [
        (
            "status_source=\"GW\"",
            "the status_source of `brecv` is `GW`, and there is no such variable \
             (declare an int (Integer) of that name in the class)",
        ),
        (
            "status_size=\"GR\"",
            "the status_size of `brecv` is `GR`, a variable of another type \
             (name an int (Integer))",
        ),
        (
            "into=\"pid\"",
            "the into of `brecv` is `pid`, and there is no such variable \
             (declare an int or a double (Integer or Real) of that name in the class)",
        ),
    ];
    for (tag, expected) in wrong {
        let found = problems(&format!("{SEND}R: brecv source=\"0\" {tag}"));
        assert_eq!(found, [format!("PM0421 {expected}")]);
    }
    for tag in [
        "into=\"GV\"",
        "into=\"GR\"",
        "status_tag=\"GV\" tag=\"ANY\"",
    ] {
        let found = problems(&format!("{SEND}R: brecv source=\"0\" {tag}"));
        assert_eq!(found, Vec::<String>::new(), "{tag}");
    }
}

#[test]
fn a_receive_that_wants_a_value_nobody_sends_is_warned_of() {
    let plain =
        "S: nbsend dest=\"0\" size=\"8\"\nT: nbsend dest=\"0\" size=\"8\" tag=\"3\" value=\"1\"\n";
    let warned = |receive: &str| problems(&format!("{plain}R: brecv source=\"0\" {receive}"));
    assert_eq!(
        warned("into=\"GV\""),
        ["PM0422 no send gives M::P::Main::R a value \
          (give the send a `value`, or leave `into` out)"]
    );
    for receive in [
        "into=\"GV\" tag=\"3\"",
        "into=\"GV\" tag=\"ANY\"",
        "into=\"GV\" tag=\"GV\"",
    ] {
        assert_eq!(warned(receive), Vec::<String>::new(), "{receive}");
    }
}

#[test]
fn an_index_is_for_waits_that_list_what_they_wait_for_any_of() {
    const POST: &str = "P: nbrecv source=\"0\" request=\"p\"\n";
    let wrong = [
        (
            "request=\"p\" index=\"GV\"",
            "a `wait` for all of its requests has no index \
             (set `mode` to any, or leave the index out)",
        ),
        (
            "mode=\"any\" index=\"GV\"",
            "the index of `wait` has no list of requests to count in \
             (name the requests, or leave the index out)",
        ),
        (
            "mode=\"some\"",
            "there is no mode \"some\" \
             (write all or any; a wait without a mode is for all)",
        ),
    ];
    for (tags, expected) in wrong {
        let found = problems(&format!("{POST}W: wait {tags}"));
        assert_eq!(found, [format!("PM0420 {expected}")]);
    }
    assert_eq!(
        problems(&format!(
            "{POST}W: wait request=\"p\" mode=\"any\" index=\"GR\""
        )),
        ["PM0421 the index of `wait` is `GR`, a variable of another type (name an int (Integer))"]
    );
    for tags in [
        "mode=\"any\"",
        "mode=\"all\" request=\"p\"",
        "mode=\"ANY\" request=\"p\" index=\"GV\"",
    ] {
        let found = problems(&format!("{POST}W: wait {tags}"));
        assert_eq!(found, Vec::<String>::new(), "{tags}");
    }
}

/// Process 1 sends 3, posted for; both swap their pids plus a half; each computes what it got.
const EXCHANGE: &str = r#"int GV
int who
int bytes
double GR
start -> D -[pid == 0]-> P -> M -> X -> D2 -[pid == 0]-> W -> A -> M2 -> B -> end
D: decision
M: merge
D2: decision
M2: merge
D -[else]-> S -> M
D2 -[else]-> M2
P: nbrecv source="1" size="8" tag="5" into="GV" status_source="who" status_size="bytes" request="q"
S: bsend dest="0" size="4" tag="5" value="3"
X: sendrecv dest="1 - pid" source="1 - pid" size="8" value="pid + 0.5" into="GR"
W: wait request="q"
A: action+ cost="GV + 10 * who + 100 * bytes"
B: action+ cost="GR"
"#;

#[test]
fn what_is_received_drives_the_program_in_both_engines() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("exchange.uml");
    fs::write(&path, sketch::xmi(EXCHANGE)).expect("a file can be written");
    let programs = Programs::build(&folder.join("received"), std::slice::from_ref(&path));
    for engine in ["event", "local"] {
        let flags = [
            "--engine",
            engine,
            "--processes",
            "2",
            "--cpus-per-node",
            "2",
            "--format",
            "json",
            "--network",
            "hockney:latency=0,bandwidth=1e300",
        ];
        let output = programs.run(&path, &flags);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{message}");
        let result: Value = serde_json::from_slice(&output.stdout).expect("the result is JSON");
        let ends = result["processes"].as_array().expect("there are processes");
        let end_s = |pid: usize| ends[pid]["end_s"].as_f64().expect("a number");
        // 3 + 10 x 1 + 100 x 4, then 1.5 of process 1; there 0.5 of process 0.
        assert!((end_s(0) - 414.5).abs() < 1e-9, "{engine}: {ends:?}");
        assert!((end_s(1) - 0.5).abs() < 1e-9, "{engine}: {ends:?}");
    }
}

/// Workers answer in an order of their own; process 0 tells by the index whose answer it has got.
const ANSWERS: &str = r#"int which = 7
int sum
int who
double got
start -> D -[pid == 0]-> P -> Q -> L -> All -> Use -> M -> end
D: decision
M: merge
D -[else]-> Work -> S -> M
P: nbrecv source="1" size="8" into="got" status_source="who" request="p"
Q: nbrecv source="2" size="8" into="got" request="q"
L: loop+ iterations="3" {
start -> W -> Add -> end
W: wait request="q, p" mode="any" index="which"
Add: action+ cost="got" code="sum = sum * 10 + which + 1;"
}
All: wait request="p, q"
Use: action+ cost="sum + 1000 * who"
Work: action+ cost="pid"
S: bsend dest="0" size="8" value="pid * 0.25"
"#;

#[test]
fn an_index_tells_which_request_was_complete() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("answers.uml");
    fs::write(&path, sketch::xmi(ANSWERS)).expect("a file can be written");
    let programs = Programs::build(&folder.join("answers"), std::slice::from_ref(&path));
    let network = "hockney:latency=0,bandwidth=1e300";
    let flags = [
        "--processes",
        "3",
        "--cpus-per-node",
        "3",
        "--network",
        network,
    ];
    let output = programs.run(&path, &[&flags[..], &["--format", "json"]].concat());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    let result: Value = serde_json::from_slice(&output.stdout).expect("the result is JSON");
    // Process 1 answers 0.25 at 1, process 2 answers 0.5 at 2, and the third wait finds nothing:
    // 2 + 0.5 + 0.5, then the digits 2, 1 and 0, and 1000 for process 1.
    let end_s = result["processes"][0]["end_s"].as_f64().expect("a number");
    assert!((end_s - 1213.0).abs() < 1e-9, "{end_s}");
}
